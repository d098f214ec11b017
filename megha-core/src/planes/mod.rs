//! Planes as arrays of their own.
//!
//! `f(:,:,q)` with nine known numbers `q`, of an `f` that a loop carries: each plane is read and stored as a whole or in part, and nothing uses
//! the array as one. Kept as one array each store of a plane is an update of all of it, which orders statements and
//! keeps kernels apart; as nine arrays the planes are independent values, new ones instead of updates, and fuse. This is scalar
//! replacement of aggregates (Muchnick, section 12.2) as in `small_arrays`, with arrays for the scalars.
//!
//! `candidates` finds the values, `rewrite` replaces them. What the program has as a whole before and behind the outermost loop is taken
//! apart and put together there, once; inside of loops nothing is, so no iteration copies. A sum along the dimension adds the
//! planes in the order of the fixed tree, which for so few is the plain one.

mod candidates;
mod rewrite;
#[cfg(test)]
mod tests;

use crate::hash::HashMap;
use crate::ir::{Class, Const, Func, Op, Size, Type, Value};

/// An array of more planes stays one.
const MOST: i64 = 16;

/// Replaces arrays of a function by their planes.
pub fn run(func: &mut Func) {
    let has_rank = func.types.iter().any(|ty| axis_of(ty).is_some());
    let known = if has_rank { constants(func) } else { return };
    let parted = candidates::find(func, &known);
    if parted.is_empty() {
        return;
    }
    let body = std::mem::take(&mut func.body);
    let body = rewrite::Rewrite::new(func, &known, &parted).body(body);
    func.body = body;
}

/// The dimension along which arrays of a type may be parted and how many planes there are: the last of three or more that has a small
/// constant size.
fn axis_of(ty: &Type) -> Option<(usize, usize)> {
    if ty.dims.len() < 3 || matches!(ty.class, Class::Char | Class::Complex) || ty.numel().as_constant().is_some() {
        return None;
    }
    let few = |size: &Size| size.as_constant().filter(|n| (2..=MOST).contains(n));
    let axis = ty.dims.iter().rposition(|size| few(size).is_some())?;
    Some((axis, few(&ty.dims[axis])? as usize))
}

/// The type of one plane.
fn plane_type(ty: &Type, axis: usize) -> Type {
    let mut dims = ty.dims.clone();
    dims[axis] = Size::constant(1);
    while dims.len() > 2 && dims.last().is_some_and(Size::is_one) {
        dims.pop();
    }
    Type { class: ty.class, dims }
}

/// The `Index` values that are known when compiling.
fn constants(func: &Func) -> HashMap<Value, i64> {
    let mut known = HashMap::default();
    func.body.walk(&mut |stmt| {
        let constant = match &stmt.op {
            Op::Const(Const::Int(c)) => Some(*c),
            Op::Size(size) => size.as_constant(),
            _ => None,
        };
        known.extend(stmt.results.first().copied().zip(constant));
    });
    known
}
