//! Kernels: the groups of statements that become one loop nest each (MEGHA thesis, section 3.2.1).

pub mod accesses;
pub mod compose;
pub mod dead;
pub mod doall;
pub mod scalar_replacement;
