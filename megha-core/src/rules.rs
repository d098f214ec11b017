//! Rules of MATLAB's arithmetic on plain numbers that compiler and run-time system share.

pub use megha_base::range::range_len;
