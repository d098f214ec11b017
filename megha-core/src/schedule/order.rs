//! The order of a kernel's loops for each memory layout and for the GPU.
//!
//! MEGHA, section 3.2.2: for each loop count the references that touch consecutive memory locations in successive iterations, the other
//! loops standing still. On the CPU the loops are sorted by increasing count, so that the one with most locality is innermost; on the GPU
//! it becomes the outermost, which is mapped to neighbouring threads.

use super::access::Access;
use crate::ir::{Kernel, Mem, Size, Type};

/// The memory order of the arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Memory {
    /// The first index varies fastest.
    ColumnMajor,
    /// The last index varies fastest.
    RowMajor,
}

impl Memory {
    /// Both.
    pub const ALL: [Self; 2] = [Self::ColumnMajor, Self::RowMajor];

    /// Whether a dimension is faster than another.
    pub fn is_faster(self, dim: usize, other: usize) -> bool {
        match self {
            Self::ColumnMajor => dim < other,
            Self::RowMajor => dim > other,
        }
    }
}

/// How far apart, in elements, neighbours along each dimension of an array lie.
pub fn strides(ty: &Type, memory: Memory) -> Vec<Size> {
    let product = |dims: &[Size]| dims.iter().fold(Size::constant(1), |n, d| n.mul(d));
    let stride = |axis: usize| match memory {
        Memory::ColumnMajor => product(&ty.dims[..axis]),
        Memory::RowMajor => product(&ty.dims[axis + 1..]),
    };
    (0..ty.dims.len()).map(stride).collect()
}

/// Whether an access that moves by `step` along the dimensions of an array of these sizes reaches the next element in memory.
pub fn is_consecutive(step: &[i64], dims: &[Size], memory: Memory) -> bool {
    distance(step, dims, memory) == Some(1)
}

/// Whether it reaches the next element or the one before.
pub fn is_neighbouring(step: &[i64], dims: &[Size], memory: Memory) -> bool {
    distance(step, dims, memory).is_some_and(|by| matches!(by, 1 | -1))
}

/// How many elements further in memory an access gets that moves by `step`, if that is a number.
fn distance(step: &[i64], dims: &[Size], memory: Memory) -> Option<i64> {
    let moved: Vec<usize> = (0..step.len()).filter(|d| step[*d] != 0).collect();
    let [dim] = moved[..] else { return None };
    if step.len() == 1 && dims.len() > 1 {
        let is_fastest = memory == Memory::ColumnMajor || dims.iter().filter(|d| !d.is_one()).count() <= 1;
        return is_fastest.then_some(step[dim]);
    }
    let mut faster = match memory {
        Memory::ColumnMajor => dims[..dim].iter(),
        Memory::RowMajor => dims[dim + 1..].iter(),
    };
    faster.all(Size::is_one).then_some(step[dim])
}

/// How many accesses reach consecutive memory locations in successive iterations of each loop.
pub fn locality(kernel: &Kernel, accesses: &[Access<'_>], ty: &dyn Fn(Mem) -> Type, memory: Memory) -> Vec<usize> {
    within(&distances(kernel, accesses, ty, memory), 1)
}

/// For each loop how many elements further in memory each access gets in successive iterations, where that is a number.
fn distances(
    kernel: &Kernel,
    accesses: &[Access<'_>],
    ty: &dyn Fn(Mem) -> Type,
    memory: Memory,
) -> Vec<Vec<Option<i64>>> {
    let mut loops = vec![Vec::with_capacity(accesses.len()); kernel.domain.len()];
    for access in accesses {
        let dims = ty(access.mem).dims;
        for (axis, found) in loops.iter_mut().enumerate() {
            let step = access.step(axis).filter(|_| !dims.is_empty());
            found.push(step.and_then(|step| distance(&step, &dims, memory)));
        }
    }
    loops
}

/// How many accesses get so many elements further at most in successive iterations of each loop.
fn within(loops: &[Vec<Option<i64>>], most: i64) -> Vec<usize> {
    let is_near = |by: &&Option<i64>| by.is_some_and(|by| (1..=most).contains(&by));
    loops.iter().map(|accesses| accesses.iter().filter(is_near).count()).collect()
}

/// The farthest that two elements of a line of memory are apart.
const LINE: i64 = 7;

/// The loops of a kernel on the CPU, outermost first: by increasing locality; among equals those come further in along which more accesses stay within
/// a line of memory, then those whose index varies faster. Loops of one iteration are left out.
pub fn cpu(kernel: &Kernel, accesses: &[Access<'_>], ty: &dyn Fn(Mem) -> Type, memory: Memory) -> Vec<usize> {
    let distances = distances(kernel, accesses, ty, memory);
    let count = within(&distances, 1);
    let mut order: Vec<usize> = (0..kernel.domain.len()).filter(|axis| !kernel.domain[*axis].is_one()).collect();
    if memory == Memory::ColumnMajor {
        order.reverse();
    }
    let near = within(&distances, LINE);
    order.sort_by_key(|axis| (count[*axis], near[*axis]));
    order
}

/// The loops of a kernel on the GPU, outermost first: the outermost is mapped to neighbouring threads, so it has most locality.
pub fn gpu(kernel: &Kernel, accesses: &[Access<'_>], ty: &dyn Fn(Mem) -> Type, memory: Memory) -> Vec<usize> {
    let mut order = cpu(kernel, accesses, ty, memory);
    if let Some(fastest) = order.pop() {
        order.insert(0, fastest);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Op, parse::parse};
    use crate::schedule::access::Maps;

    /// The loop orders of the only kernel of a function: on the CPU for columns first and rows first, on the GPU for columns first.
    fn orders(text: &str) -> [Vec<usize>; 3] {
        let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
        let func = &module.funcs[0];
        let kernel = func.body.stmts.iter().find_map(|s| if let Op::Kernel(k) = &s.op { Some((s, k)) } else { None });
        let (stmt, kernel) = kernel.expect("a kernel");
        let ty = |mem: Mem| match mem {
            Mem::In(v) => func.ty(v).clone(),
            Mem::Out(k) => func.ty(stmt.results[k]).clone(),
        };
        let accesses = Maps::of(func, kernel).accesses();
        [
            cpu(kernel, &accesses, &ty, Memory::ColumnMajor),
            cpu(kernel, &accesses, &ty, Memory::RowMajor),
            gpu(kernel, &accesses, &ty, Memory::ColumnMajor),
        ]
    }

    /// MEGHA, section 3.2.2: `indexVar1 = 2 + (k-1); tempVar2(i, j, k) = Ey(i, j, indexVar1)`.
    #[test]
    fn the_example_of_the_thesis() {
        let text = "func @f(%ey: f64[x, y, z + 1]) -> (t: f64[x, y, z]) {
            sym x = dim 0 0 sym y = dim 0 1 sym z1 = dim 0 2 sym z = max(z1 - 1, 0)
            %t: f64[x, y, z] = kernel 0 over [x, y, z] into (fresh) |%i, %j, %k| {
              %index = add %k, 1
              %e = load %ey[%i, %j, %index]
              put out0[%i, %j, %k] = %e
            }
            return %t
          }";
        assert_eq!(orders(text), [vec![2, 1, 0], vec![0, 1, 2], vec![0, 2, 1]]);
    }

    #[test]
    fn the_loop_with_most_consecutive_references_is_innermost() {
        let text = "func @f(%a: f64[n, m], %b: f64[m, n], %c: f64[m, n]) -> (t: f64[n, m]) {
            sym n = dim 0 0 sym m = dim 0 1
            %t: f64[n, m] = kernel 0 over [n, m] into (fresh) |%i, %j| {
              %x = load %b[%j, %i]
              %y = load %c[%j, %i]
              %z = add %x, %y
              put out0[%i, %j] = %z
            }
            return %t
          }";
        assert_eq!(orders(text), [vec![0, 1], vec![1, 0], vec![1, 0]]);
    }

    #[test]
    fn strides_and_unit_dimensions() {
        let (n, one) = (Size::sym(crate::ir::Sym::new(0)), Size::constant(1));
        let is = |step: &[i64], dims: &[Size], memory| is_consecutive(step, dims, memory);
        assert!(is(&[1, 0], &[n.clone(), n.clone()], Memory::ColumnMajor));
        assert!(!is(&[1, 0], &[n.clone(), n.clone()], Memory::RowMajor));
        assert!(is(&[1, 0], &[n.clone(), one.clone()], Memory::RowMajor));
        assert!(is(&[0, 1], &[one.clone(), n.clone()], Memory::ColumnMajor));
        assert!(!is(&[2, 0], &[n.clone(), one.clone()], Memory::ColumnMajor));
        assert!(!is(&[1, 1], &[n.clone(), n.clone()], Memory::ColumnMajor));
        assert!(!is(&[0, 0], &[n.clone(), n], Memory::ColumnMajor));
    }
}
