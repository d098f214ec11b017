//! What the integration tests share.

pub mod golden;
