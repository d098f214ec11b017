//! Launches: geometry and arguments.

use crate::Error;
use crate::form::Function;

/// The geometry of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
}

impl Launch {
    /// `blocks` blocks of `threads` threads in a row.
    pub fn linear(blocks: u32, threads: u32) -> Launch {
        Launch { grid: [blocks, 1, 1], block: [threads, 1, 1], shared: 0 }
    }
}

/// The address of a byte of device memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ptr(pub u64);

impl Ptr {
    /// The address `bytes` further on.
    pub fn offset(self, bytes: u64) -> Ptr {
        Ptr(self.0.wrapping_add(bytes))
    }
}

/// An argument of a launch.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the variants are the types they hold
pub enum Arg {
    I8(i8),
    U8(u8),
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    F32(f32),
    F64(f64),
    Ptr(Ptr),
    /// A structure or array as it lies in memory.
    Bytes(Vec<u8>),
}

impl Arg {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Arg::I8(value) => value.to_le_bytes().into(),
            Arg::U8(value) => value.to_le_bytes().into(),
            Arg::I32(value) => value.to_le_bytes().into(),
            Arg::U32(value) => value.to_le_bytes().into(),
            Arg::I64(value) => value.to_le_bytes().into(),
            Arg::U64(value) => value.to_le_bytes().into(),
            Arg::F32(value) => value.to_le_bytes().into(),
            Arg::F64(value) => value.to_le_bytes().into(),
            Arg::Ptr(Ptr(address)) => address.to_le_bytes().into(),
            Arg::Bytes(bytes) => bytes.clone(),
        }
    }

    /// Whether it is a floating-point number; `None` where it may be anything.
    fn is_float(&self) -> Option<bool> {
        match self {
            Arg::F32(_) | Arg::F64(_) => Some(true),
            Arg::Bytes(_) => None,
            _ => Some(false),
        }
    }
}

/// The parameter block of an entry for these arguments.
pub(crate) fn parameters(entry: &Function, args: &[Arg]) -> Result<Vec<u8>, Error> {
    let wrong = |reason: String| Error::Launch { kernel: entry.name.clone(), reason };
    if args.len() != entry.block.len() {
        return Err(wrong(format!("it takes {} arguments, not {}", entry.block.len(), args.len())));
    }
    let mut block = Vec::new();
    for (number, (param, arg)) in entry.block.iter().zip(args).enumerate() {
        let bytes = arg.bytes();
        let (name, ty) = (&param.name, param.ty.name());
        if bytes.len() != param.bytes as usize {
            let (wanted, got) = (param.bytes, bytes.len());
            return Err(wrong(format!("argument {} (`{name}`) has {wanted} bytes, {got} were given", number + 1)));
        }
        if !param.ty.is_bits() && arg.is_float().is_some_and(|float| float != param.ty.is_float()) {
            return Err(wrong(format!("argument {} (`{name}`) is .{ty}, {arg:?} was given", number + 1)));
        }
        block.resize(param.offset as usize, 0);
        block.extend(bytes);
    }
    Ok(block)
}

/// Refuses what a device would not start.
pub(crate) fn check_geometry(entry: &Function, launch: &Launch, shared: u64, shared_limit: u32) -> Result<(), Error> {
    let wrong = |reason: String| Err(Error::Launch { kernel: entry.name.clone(), reason });
    let Launch { grid, block, .. } = *launch;
    if grid.contains(&0) || block.contains(&0) {
        return wrong(format!("the grid {grid:?} or the block {block:?} is empty"));
    }
    if grid[0] > i32::MAX as u32 || grid[1] > 65535 || grid[2] > 65535 {
        return wrong(format!("the grid {grid:?} exceeds [2147483647, 65535, 65535]"));
    }
    let threads = block.iter().map(|extent| u64::from(*extent)).product::<u64>();
    if block[0] > 1024 || block[1] > 1024 || block[2] > 64 || threads > 1024 {
        return wrong(format!("the block {block:?} exceeds [1024, 1024, 64] or 1024 threads"));
    }
    if grid.iter().try_fold(1u32, |all, extent| all.checked_mul(*extent)).is_none() {
        return wrong(format!("the grid {grid:?} has more blocks than can be simulated"));
    }
    if entry.required_block.is_some_and(|required| required != block) {
        return wrong(format!(
            "the block is {block:?}, `.reqntid` demands {:?}",
            entry.required_block.unwrap_or_default()
        ));
    }
    if entry.max_threads.is_some_and(|most| threads > u64::from(most)) {
        return wrong(format!(
            "the block has {threads} threads, `.maxntid` allows {}",
            entry.max_threads.unwrap_or_default()
        ));
    }
    if shared > u64::from(shared_limit) {
        return wrong(format!("it takes {shared} bytes of shared memory, the device has {shared_limit} for a block"));
    }
    Ok(())
}
