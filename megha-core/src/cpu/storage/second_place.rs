//! Which elements an update stores in a second place for its array: those need not be copied before.

use crate::cpu::inline::Inlined;
use crate::hash::HashSet;
use crate::ir::{Const, Func, Mem, Op, Size, Stmt, Sym, SymDef, Value};
use crate::schedule::Subject;
use crate::schedule::access::{Access, Affine};

/// A box of elements of an array: in each dimension the first and how many.
pub type Stored = Vec<[Size; 2]>;

/// A scalar of the function as a size.
fn size_of(func: &Func, inlined: &Inlined<'_>, value: Value) -> Option<Size> {
    match inlined.get(value) {
        Some(Op::Const(Const::Int(number))) => Some(Size::constant(*number)),
        Some(Op::Size(size)) => Some(size.clone()),
        _ => {
            let own = func.symbols.iter().find(|(_, data)| data.def == SymDef::Value(value));
            own.map(|(sym, _)| Size::sym(sym))
        }
    }
}

/// A box of which a kernel stores each element, whatever the old ones are, in out-variable `out`; as large as one store is.
pub fn stored_box(func: &Func, inlined: &Inlined<'_>, stmt: &Stmt, out: usize) -> Option<Stored> {
    let Op::Kernel(kernel) = &stmt.op else { return None };
    let subject = Subject::of(func, stmt, kernel);
    let of_out: Vec<&Access<'_>> = subject.accesses.iter().filter(|a| a.mem == Mem::Out(out)).collect();
    // What a point loads of what it has stored before is not the old state.
    let is_load = |access: &&Access<'_>| matches!(access.op, Op::Load(..));
    let is_direct = |access: &Access<'_>| kernel.body.stmts.iter().any(|stmt| std::ptr::eq(&stmt.op, access.op));
    let stored_before = |end: usize, map: &Option<Vec<Affine>>| {
        let mut before = of_out[..end].iter().filter(|a| !is_load(a) && is_direct(a));
        map.is_some() && before.any(|a| a.map == *map)
    };
    let loads = of_out.iter().any(is_load);
    let old = |(at, access): (usize, &&Access<'_>)| is_load(access) && !stored_before(at, &access.map);
    if of_out.iter().enumerate().any(old) || subject.maps.is_narrowed() {
        return None;
    }
    let mut inside = HashSet::default();
    kernel.body.defined(&mut inside);
    let known = |sym: Sym| func.symbols.is_known(sym, &|value| !inside.contains(&value));
    let dims = &func.ty(stmt.results[out]).dims;
    let of_store = |access: &&Access<'_>| {
        let mut unused: Vec<usize> = (0..kernel.domain.len()).collect();
        let mut side = |at: &Affine| {
            let moving: Vec<usize> = (0..at.coeffs.len()).filter(|axis| at.coeffs[*axis] != 0).collect();
            let count = match moving[..] {
                [] => Size::constant(1),
                [axis] if at.coeffs[axis] == 1 => {
                    unused.retain(|other| *other != axis);
                    kernel.domain[axis].clone()
                }
                _ => return None,
            };
            let first = at
                .uniform
                .iter()
                .try_fold(at.size.clone(), |sum, (value, by)| Some(sum.plus(*by, &size_of(func, inlined, *value)?)))?;
            let is_known = first.symbols().all(known);
            is_known.then_some([first, count])
        };
        // Where the point loads the element too, each store of it counts as made always.
        let always = !is_load(access) && !access.conditional && (!loads || is_direct(access));
        let map = access.map.as_ref().filter(|_| always)?;
        let long: Vec<usize> = (0..dims.len()).filter(|axis| !dims[*axis].is_one()).collect();
        let stored: Stored = match (&map[..], &long[..]) {
            (map, _) if map.len() == dims.len() => map.iter().map(&mut side).collect::<Option<_>>()?,
            // One subscript of a vector.
            ([only], [long]) => {
                let mut stored = vec![[Size::default(), Size::constant(1)]; dims.len()];
                stored[*long] = side(only)?;
                stored
            }
            _ => return None,
        };
        unused.iter().all(|axis| kernel.domain[*axis].is_one()).then_some(stored)
    };
    of_out.iter().find_map(of_store)
}
