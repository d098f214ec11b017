//! Hash tables that are quick in unoptimised code.
//!
//! The compiler runs unoptimised in a user's build. There each small function of the standard library's table is a call, vector
//! instructions too, and tables took 60 % of the time of long programs. These are made of slices that are subscripted in plain loops:
//! entries lie in the order in which they came (or were moved to when others were removed), and slots with their numbers are searched
//! linearly (D. E. Knuth, The Art of Computer Programming, volume 3, 6.4, algorithms L and R). So tables have the same order in each run.

mod map;
mod set;
mod words;

pub use map::{Entry, HashMap};
pub use set::HashSet;
