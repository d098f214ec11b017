//! Matrix products and solves.
