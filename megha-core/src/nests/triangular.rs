//! Interchange of loops of which the inner one's bounds depend on the outer one.
//!
//! ```text
//! for i < m { for k < i { for j < n { S(i, k, j) } } }     becomes     for k < m { for j < n { for i in k+1..m { S(i, k, j) } } }
//! ```
//!
//! A loop that ends where the counter of one around it says cannot leave that one as it is ([`super::permute`]). Where `i` carries a
//! dependence and `k` does not, its bounds are turned round (M. Wolfe, "Optimizing Supercompilers for Supercomputers", 1989, section 4.4;
//! [`super::ranges`]), and it becomes the outermost loop. This is done where more leading loops are then parallel than in any order that needs no
//! such turn, and one of them lets no bound depend on it: along that one there are vectors whose lanes all do the same.

use super::dependence::vectors;
use super::permute::{DEEPEST, best, chain, has_bounds, is_legal, is_long, leading, orders, repeated, work};
use super::ranges::{Placed, ranges};
use super::tree::{Frame, Loop, Node, Trip};
use crate::kernels::accesses::Counted;
use crate::schedule::cost::exchange_pays;

/// The statements of a perfect nest under their loops in the new order, if there is a better one.
pub(super) fn run(frame: &Frame<'_>, outermost: &Loop) -> Option<Vec<Placed>> {
    let (heads, glue, body) = chain(frame, outermost.clone());
    if !(3..=DEEPEST).contains(&heads.len()) || !heads.iter().any(is_bounded) || !body.iter().all(Node::is_movable) {
        return None;
    }
    let loops: Vec<Counted> = heads.iter().map(Loop::counted).collect();
    let (as_is, _) = best(frame, &heads, &glue, &body, (0, &loops))?;
    let nodes = [glue.concat(), body.clone()].concat();
    let vectors = vectors(frame, &frame.sites(&nodes, &loops), 0, loops.len())?;
    let pays = |order: &[usize]| exchange_pays(repeated(frame, &heads, &glue, order), body.iter().map(work).sum());
    let may_be = |order: &Vec<usize>| {
        let first = order[0];
        let parallel = leading(&vectors, order);
        // The other loops keep the bounds that they have, but for that which the first one's end depends on.
        let rest: Vec<usize> = order[1..].to_vec();
        let is_free =
            |at: &usize| matches!(heads[*at].trip, Trip::Size(_)) && frame.may_be_exchanged(&heads[*at], &heads);
        first > 0
            && is_bounded(&heads[first])
            && parallel > as_is
            && order[1..parallel].iter().any(|at| is_free(at) && is_long(&heads[*at]))
            && is_legal(&vectors, order)
            && has_bounds(frame, &heads, &glue, &rest)
            && pays(order)
    };
    let order = orders(heads.len()).into_iter().find(may_be)?;
    let time = order[0];
    let mut ranges: Vec<_> = ranges(frame, (&[], &heads[0]), &heads, time)?.into_iter().map(Some).collect();
    // There is none for the time.
    ranges.insert(time, None);
    let ranges = order[1..].iter().filter_map(|at| ranges[*at].take()).collect();
    let loops = order.iter().map(|at| heads[*at].clone()).collect();
    Some(vec![Placed { loops, nodes, time: 0, ranges }])
}

fn is_bounded(head: &Loop) -> bool {
    matches!(head.trip, Trip::Bounded(_))
}
