//! The optimisations of the code for devices, each of which can be left out: what one is worth is measured by what kernels take without it.
//!
//! A set of them is data that comes with the schedules ([`super::Schedules::with`]). Those of schedules decide which schedules a kernel
//! gets, the others what the back end for devices makes of these. None changes a bit of a result. The code for the CPU takes no part in it.

use std::fmt;
use std::str::FromStr;

/// An optimisation of the code for devices. `docs/gpu.md` describes each and says what it is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Optimisation {
    /// In a plain entry the loop with most locality lies along neighbouring threads ([`super::order`]); without, the first loop of the domain does. Entries in tiles are about their order,
    /// and keep it.
    Coalescing,
    /// Tiles of points that share what a loop of the body reads ([`super::tiles`]).
    Tiles,
    /// Tiles for what is read across memory ([`super::turned`]).
    Turned,
    /// Tiles for what neighbouring points read too ([`super::halos`]).
    Halos,
    /// Neighbouring points for each thread, with vector loads and stores ([`super::vectors`]).
    Vectors,
    /// Lines that a block walks along in tiles ([`super::lines`]); without, a thread has each line, and no other tiles come in.
    Lines,
    /// Two forms of each reduction, of which sizes decide; without, there is the one for which memory is read along.
    Forms,
    /// Several terms of a reduction that a thread computes at once.
    Terms,
    /// Reductions whose last block combines the partial results, in one launch.
    OneLaunch,
    /// Iterations of loops of the body that are written out, with their reads in front where these may stand there ([`super::ahead`]).
    Unrolling,
    /// Reads in front of a loop that are the same in all of its iterations ([`super::invariant`]).
    Invariant,
    /// Value numbering: what is computed already, addresses above all, is not computed again.
    Numbering,
    /// Bits of singles computed in 32 bits.
    LowHalves,
    /// Removal of what nobody reads.
    Dead,
    /// Several steps of a loop over time at once ([`super::steps`]).
    Steps,
    /// Several kernels row by row in one entry ([`super::row_groups`]).
    Rows,
}

use Optimisation as O;

impl Optimisation {
    /// All of them.
    pub const ALL: [Self; 16] = [
        O::Coalescing,
        O::Tiles,
        O::Turned,
        O::Halos,
        O::Vectors,
        O::Lines,
        O::Forms,
        O::Terms,
        O::OneLaunch,
        O::Unrolling,
        O::Invariant,
        O::Numbering,
        O::LowHalves,
        O::Dead,
        O::Steps,
        O::Rows,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Coalescing => "coalescing",
            Self::Tiles => "tiles",
            Self::Turned => "turned",
            Self::Halos => "halos",
            Self::Vectors => "vectors",
            Self::Lines => "lines",
            Self::Forms => "forms",
            Self::Terms => "terms",
            Self::OneLaunch => "one-launch",
            Self::Unrolling => "unrolling",
            Self::Invariant => "invariant",
            Self::Numbering => "numbering",
            Self::LowHalves => "low-halves",
            Self::Dead => "dead",
            Self::Steps => "steps",
            Self::Rows => "rows",
        }
    }
}

impl fmt::Display for Optimisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Optimisation {
    type Err = String;

    /// # Errors
    /// There is none of this name; the message lists all names.
    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|one| one.name() == name);
        let names = || Self::ALL.map(Self::name).join(", ");
        found.ok_or_else(|| format!("there is no optimisation `{name}`: they are {}", names()))
    }
}

/// A set of optimisations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Optimisations(u32);

impl Optimisations {
    /// All: what programs are compiled with.
    pub const ALL: Self = Self((1 << Optimisation::ALL.len()) - 1);
    /// None.
    pub const NONE: Self = Self(0);

    /// The set without this one.
    #[must_use]
    pub const fn without(self, one: Optimisation) -> Self {
        Self(self.0 & !(1 << one as u32))
    }

    /// Whether this one is in the set.
    pub const fn has(self, one: Optimisation) -> bool {
        self.0 >> one as u32 & 1 == 1
    }
}

impl Default for Optimisations {
    fn default() -> Self {
        Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sets() {
        for one in Optimisation::ALL {
            assert_eq!(one.name().parse(), Ok(one));
            let others = Optimisations::ALL.without(one);
            assert!(Optimisation::ALL.into_iter().all(|other| others.has(other) == (other != one)), "{one}");
        }
        assert_eq!(Optimisation::ALL.into_iter().fold(Optimisations::ALL, Optimisations::without), Optimisations::NONE);
        let wrong = "vector".parse::<Optimisation>().unwrap_err();
        assert!(wrong.starts_with("there is no optimisation `vector`: they are coalescing, tiles,"), "{wrong}");
    }
}
