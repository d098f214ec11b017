//! Access maps in words: `a[i + k, 2*j] for k below n`.

use super::{AccessMap, Linear};
use crate::plan::SizeExpr;

/// What the parts of a map are called.
pub struct Names<'n> {
    /// The loops of the domain.
    pub loops: &'n [String],
    /// A size.
    pub size: &'n dyn Fn(&SizeExpr) -> String,
    /// A scalar.
    pub scalar: &'n dyn Fn(usize) -> String,
}

impl Names<'_> {
    fn variable(&self, at: usize) -> String {
        match at.checked_sub(self.loops.len()) {
            None => self.loops[at].clone(),
            Some(0) => "t".into(),
            Some(more) => format!("t{}", more + 1),
        }
    }

    /// A product of a factor in words and a name.
    fn product(factor: &str, name: &str) -> String {
        match factor {
            "1" => name.to_owned(),
            "-1" => format!("-{name}"),
            _ if factor.contains(' ') => format!("({factor})*{name}"),
            _ => format!("{factor}*{name}"),
        }
    }

    fn linear(&self, linear: &Linear) -> String {
        let mut terms: Vec<String> = linear
            .factors
            .iter()
            .map(|(at, factor)| Self::product(&(self.size)(factor), &self.variable(*at)))
            .collect();
        let scalars = linear.constant.scalars.iter();
        terms.extend(scalars.map(|(factor, value)| Self::product(&factor.to_string(), &(self.scalar)(*value))));
        let size = (self.size)(&linear.constant.size);
        if size != "0" || terms.is_empty() {
            terms.push(size);
        }
        terms
            .into_iter()
            .reduce(|sum, term| match term.strip_prefix('-') {
                Some(rest) if !rest.contains(' ') => format!("{sum} - {rest}"),
                _ => format!("{sum} + {term}"),
            })
            .unwrap_or_default()
    }
}

impl AccessMap {
    /// The element in words, behind the array's name: `[i + t, :] for t below n`; `:` is a subscript that depends on data.
    pub fn text(&self, names: &Names<'_>) -> String {
        let subscript = |s: &Option<Linear>| s.as_ref().map_or_else(|| ":".to_owned(), |l| names.linear(l));
        let subscripts: Vec<String> = self.subscripts.iter().map(subscript).collect();
        let mut text = if subscripts.is_empty() { String::new() } else { format!("[{}]", subscripts.join(", ")) };
        let used = |at: usize| self.linears().any(|l| l.factors.iter().any(|(own, _)| *own == at));
        let own = |(number, ends): (usize, &Vec<Linear>)| {
            let at = names.loops.len() + number;
            let ends: Vec<String> = ends.iter().map(|l| names.linear(l)).collect();
            let below = match &ends[..] {
                [] => return used(at).then(|| format!("some {}", names.variable(at))),
                [end] => end.clone(),
                _ => format!("min({})", ends.join(", ")),
            };
            used(at).then(|| format!("{} below {below}", names.variable(at)))
        };
        let loops: Vec<String> = self.loops.iter().enumerate().filter_map(own).collect();
        if !loops.is_empty() {
            text += &format!(" for {}", loops.join(", "));
        }
        text
    }
}
