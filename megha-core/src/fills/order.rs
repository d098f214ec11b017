//! Whether a store comes before all reads of what it stores.

use super::chain::{Chain, Touch};
use crate::affine::{Access, Direction, Domain, Pair};
use crate::ir::{Sub, Type, Value};
use crate::kernels::accesses::AffineView;

/// Whether each element that a store stores in the first iterations of the loops with these counters is stored before any read of the chain reads it.
pub(super) fn is_first(view: &mut AffineView<'_>, ty: &Type, chain: &Chain, store: &Touch, rounds: &[Value]) -> bool {
    let mut reads = chain.reads().filter(|read| read.statement <= store.statement).peekable();
    if reads.peek().is_none() {
        return true;
    }
    let Some((access, mut domains)) = accessed(view, ty, store) else { return false };
    for counter in rounds {
        let Some(first) = view.expr(*counter) else { return false };
        for domain in &mut domains {
            domain.assumptions.require_zero(first.clone());
        }
    }
    reads.all(|read| {
        let Some((other, others)) = accessed(view, ty, read) else { return false };
        let common = common_loops(store, read);
        let pairs = domains.iter().flat_map(|domain| others.iter().map(move |other| (domain, other)));
        pairs.into_iter().all(|(domain, other_domain)| {
            let pair = Pair::new((domain, &access), (other_domain, &other), common);
            pair.dependences_inside(0).iter().all(|found| comes_first(store, read, &found.directions))
        })
    })
}

/// An access by single elements, and its iterations.
fn accessed(view: &mut AffineView<'_>, ty: &Type, touch: &Touch) -> Option<(Access, Vec<Domain>)> {
    let at = |sub: &Sub| if let Sub::At(value) = sub { Some(*value) } else { None };
    let subs: Vec<Value> = touch.subs.iter().map(at).collect::<Option<_>>()?;
    let access = view.access(touch.kind, ty, &subs);
    let domains = view.cases_of(&touch.loops, &touch.guards, &access);
    Some((access, domains))
}

/// How many loops are around both, of those whose iterations tell which of the two comes first.
fn common_loops(store: &Touch, read: &Touch) -> usize {
    if store.statement != read.statement {
        return 0;
    }
    let common = store.loops.iter().zip(&read.loops).take_while(|(a, b)| a == b).count();
    // What a kernel finds it finds before all its points.
    if read.is_old { common.min(read.parallel.start) } else { common }
}

/// Whether the store comes before the read in iterations of the common loops with these directions.
fn comes_first(store: &Touch, read: &Touch, directions: &[Direction]) -> bool {
    let carrier = directions.iter().position(|direction| *direction != Direction::Equal);
    match carrier {
        Some(level) => directions[level] == Direction::Less && !store.parallel.contains(&level),
        None if store.statement != read.statement => store.statement < read.statement,
        None if read.is_old && store.kernel == read.kernel => false,
        None => store.at < read.at,
    }
}
