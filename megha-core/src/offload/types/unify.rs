//! Type variables and their unification.

use crate::offload::ast::Scalar;

/// A type variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term(usize);

/// What a type variable stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// This type.
    Known(Scalar),
    /// A type of floating-point numbers.
    Float,
    /// A type of whole numbers.
    Int,
    /// Something of which nothing is known yet, or that is wrong already.
    Any,
}

#[derive(Debug, Clone, Copy)]
enum Link {
    Root(Kind),
    To(Term),
}

/// All type variables of a function.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    links: Vec<Link>,
}

impl Terms {
    /// A new variable.
    pub fn new_term(&mut self, kind: Kind) -> Term {
        self.links.push(Link::Root(kind));
        Term(self.links.len() - 1)
    }

    fn root(&self, mut term: Term) -> (Term, Kind) {
        loop {
            match self.links[term.0] {
                Link::Root(kind) => return (term, kind),
                Link::To(next) => term = next,
            }
        }
    }

    /// What is known of a variable now.
    pub fn kind(&self, term: Term) -> Kind {
        self.root(term).1
    }

    /// Makes two variables one; false if they stand for different types.
    pub fn unify(&mut self, a: Term, b: Term) -> bool {
        let ((a, of_a), (b, of_b)) = (self.root(a), self.root(b));
        if a == b {
            return true;
        }
        let Some(kind) = meet(of_a, of_b) else { return false };
        self.links[b.0] = Link::Root(kind);
        self.links[a.0] = Link::To(b);
        true
    }

    /// The type that a variable stands for in the end.
    pub fn scalar(&self, term: Term) -> Scalar {
        match self.kind(term) {
            Kind::Known(scalar) => scalar,
            Kind::Float | Kind::Any => Scalar::F64,
            Kind::Int => Scalar::I32,
        }
    }
}

fn meet(a: Kind, b: Kind) -> Option<Kind> {
    match (a, b) {
        (Kind::Any, other) | (other, Kind::Any) => Some(other),
        (a, b) if a == b => Some(a),
        (Kind::Float, Kind::Known(s)) | (Kind::Known(s), Kind::Float) if s.is_float() => Some(Kind::Known(s)),
        (Kind::Int, Kind::Known(s)) | (Kind::Known(s), Kind::Int) if s.is_whole() => Some(Kind::Known(s)),
        _ => None,
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Known(scalar) => scalar.name(),
            Self::Float => "a floating-point number",
            Self::Int => "a whole number",
            Self::Any => "unknown",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_take_the_type_of_what_they_meet() {
        let mut terms = Terms::default();
        let [literal, sum, single] =
            [Kind::Float, Kind::Float, Kind::Known(Scalar::F32)].map(|kind| terms.new_term(kind));
        assert!(terms.unify(literal, sum));
        assert_eq!(terms.scalar(literal), Scalar::F64);
        assert!(terms.unify(sum, single));
        assert_eq!(terms.scalar(literal), Scalar::F32);
        let whole = terms.new_term(Kind::Int);
        assert!(!terms.unify(whole, literal));
        assert_eq!(terms.scalar(whole), Scalar::I32);
    }
}
