//! The procedural macros of Megha: a thin shell around `megha_core`.
