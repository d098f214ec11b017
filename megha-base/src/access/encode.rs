//! Access maps as text, a line for each, in the text of a plan:
//!
//! ```text
//! read 2 must ; 1*0|1*1+-1@0:-1 ; 1*0,-1$7@0:1@2:1*1 _
//! ```
//! What is done, with which array, whether always; the loops around it, each the least of its ends; the subscripts, `_` for one that depends
//! on data (and for a loop of which nothing is known). An affine function is its constant (a size, then scalars with their factors) and,
//! behind each `@`, a loop and its factor.

use super::{Access, AccessMap, Linear, Number};
use crate::plan::encode::{size, size_word};

const ACCESSES: [(Access, &str); 3] =
    [(Access::Read, "read"), (Access::Write, "write"), (Access::Accumulate, "accumulate")];

impl Access {
    /// The word for it.
    pub fn word(self) -> &'static str {
        ACCESSES.iter().find(|(a, _)| *a == self).map_or("?", |(_, word)| word)
    }
}

fn number_word(number: &Number) -> String {
    number.scalars.iter().fold(size_word(&number.size), |text, (c, value)| format!("{text},{c}${value}"))
}

fn number(word: &str) -> Option<Number> {
    let mut parts = word.split(',');
    let size = size(parts.next()?)?;
    let scalar = |part: &str| {
        let (factor, value) = part.split_once('$')?;
        Some((factor.parse().ok()?, value.parse().ok()?))
    };
    Some(Number { size, scalars: parts.map(scalar).collect::<Option<_>>()? })
}

fn linear_word(linear: &Linear) -> String {
    let factor = |text: String, (at, by): &(usize, _)| format!("{text}@{at}:{}", size_word(by));
    linear.factors.iter().fold(number_word(&linear.constant), factor)
}

fn linear(word: &str) -> Option<Linear> {
    let mut parts = word.split('@');
    let constant = number(parts.next()?)?;
    let factor = |part: &str| {
        let (at, by) = part.split_once(':')?;
        Some((at.parse().ok()?, size(by)?))
    };
    Some(Linear { constant, factors: parts.map(factor).collect::<Option<_>>()? })
}

impl AccessMap {
    /// The map as text, from which [`AccessMap::decode`] makes it again.
    pub fn encode(&self) -> String {
        let ends = |ends: &Vec<Linear>| match ends[..] {
            [] => "_".to_owned(),
            _ => ends.iter().map(linear_word).collect::<Vec<_>>().join("|"),
        };
        let loops: String = self.loops.iter().map(|l| format!(" {}", ends(l))).collect();
        let subscript = |s: &Option<Linear>| s.as_ref().map_or_else(|| "_".to_owned(), linear_word);
        let subscripts: String = self.subscripts.iter().map(|s| format!(" {}", subscript(s))).collect();
        let must = if self.must { "must" } else { "may" };
        format!("{} {} {must} ;{loops} ;{subscripts}", self.access.word(), self.array)
    }

    /// The map of a text; `None` if it is not one of a map.
    pub fn decode(text: &str) -> Option<Self> {
        let mut parts = text.split(';');
        let mut words = parts.next()?.split_ascii_whitespace();
        let access = words.next().and_then(|word| ACCESSES.iter().find(|(_, w)| *w == word))?.0;
        let array = words.next()?.parse().ok()?;
        let must = match words.next()? {
            "must" => true,
            "may" => false,
            _ => return None,
        };
        let ends = |word: &str| match word {
            "_" => Some(Vec::new()),
            _ => word.split('|').map(linear).collect(),
        };
        let loops = parts.next()?.split_ascii_whitespace().map(ends).collect::<Option<_>>()?;
        let subscript = |word: &str| if word == "_" { Some(None) } else { linear(word).map(Some) };
        let subscripts = parts.next()?.split_ascii_whitespace().map(subscript).collect::<Option<_>>()?;
        Some(Self { array, access, must, loops, subscripts })
    }
}
