//! The order of a kernel's loops for each memory layout and for the GPU.
//!
//! MEGHA, section 3.2.2: for each loop count the references that touch consecutive memory locations in successive iterations, the other
//! loops standing still. On the CPU the loops are sorted by increasing count, so that the one with most locality is innermost; on the GPU
//! it becomes the outermost, which is mapped to neighbouring threads.

use super::access::Access;
use crate::ir::{Kernel, Mem, Size, Type};

/// The memory order of the arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// The first index varies fastest.
    ColumnMajor,
    /// The last index varies fastest.
    RowMajor,
}

/// Whether an access that moves by `step` along the dimensions of an array of these sizes reaches the next element in memory.
pub fn is_consecutive(step: &[i64], dims: &[Size], memory: Memory) -> bool {
    let moved: Vec<usize> = (0..step.len()).filter(|d| step[*d] != 0).collect();
    let [dim] = moved[..] else { return false };
    if step[dim] != 1 {
        return false;
    }
    if step.len() == 1 && dims.len() > 1 {
        return memory == Memory::ColumnMajor || dims.iter().filter(|d| !d.is_one()).count() <= 1;
    }
    let mut faster = match memory {
        Memory::ColumnMajor => dims[..dim].iter(),
        Memory::RowMajor => dims[dim + 1..].iter(),
    };
    faster.all(Size::is_one)
}

/// How many accesses reach consecutive memory locations in successive iterations of each loop.
pub fn locality(kernel: &Kernel, accesses: &[Access<'_>], ty: &dyn Fn(Mem) -> Type, memory: Memory) -> Vec<usize> {
    let count = |axis: usize| {
        let consecutive = |access: &&Access<'_>| {
            let dims = ty(access.mem).dims;
            access.step(axis).is_some_and(|step| !dims.is_empty() && is_consecutive(&step, &dims, memory))
        };
        accesses.iter().filter(consecutive).count()
    };
    (0..kernel.domain.len()).map(count).collect()
}

/// The loops of a kernel on the CPU, outermost first: by increasing locality; among equals those come further in whose index varies faster
/// in memory. Loops of one iteration are left out.
pub fn cpu(kernel: &Kernel, accesses: &[Access<'_>], ty: &dyn Fn(Mem) -> Type, memory: Memory) -> Vec<usize> {
    let count = locality(kernel, accesses, ty, memory);
    let mut order: Vec<usize> = (0..kernel.domain.len()).filter(|axis| !kernel.domain[*axis].is_one()).collect();
    if memory == Memory::ColumnMajor {
        order.reverse();
    }
    order.sort_by_key(|axis| count[*axis]);
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
