//! The parameters of a kernel as they lie in memory.

use super::super::{Address, Arg};

/// Packs arguments in order with natural alignment, as the PTX ISA lays parameters out.
pub(super) fn pack(args: &[Arg]) -> Vec<u8> {
    let mut block = Vec::with_capacity(args.len() * 8);
    for arg in args {
        match *arg {
            Arg::Address(Address(address)) => put(&mut block, &address.to_ne_bytes()),
            Arg::Before(Address(address), bytes) => put(&mut block, &address.wrapping_sub(bytes).to_ne_bytes()),
            Arg::I64(value) => put(&mut block, &value.to_ne_bytes()),
            Arg::U64(value) => put(&mut block, &value.to_ne_bytes()),
            Arg::F64(value) => put(&mut block, &value.to_ne_bytes()),
            Arg::I32(value) => put(&mut block, &value.to_ne_bytes()),
            Arg::U32(value) => put(&mut block, &value.to_ne_bytes()),
            Arg::F32(value) => put(&mut block, &value.to_ne_bytes()),
        }
    }
    block
}

fn put(block: &mut Vec<u8>, bytes: &[u8]) {
    block.resize(block.len().next_multiple_of(bytes.len()), 0);
    block.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alignment_is_natural() {
        let block =
            pack(&[Arg::U32(1), Arg::Address(Address(2)), Arg::I32(-1), Arg::F32(1.0), Arg::U32(3), Arg::F64(1.0)]);
        let words: Vec<u32> = block.chunks(4).map(|b| u32::from_ne_bytes(b.try_into().unwrap())).collect();
        assert_eq!(words, [1, 0, 2, 0, u32::MAX, 0x3f80_0000, 3, 0, 0, 0x3ff0_0000]);
        assert_eq!(pack(&[Arg::Before(Address(2), 3)]), u64::MAX.to_ne_bytes());
        assert_eq!(pack(&[Arg::I32(1)]).len(), 4, "nothing is added at the end");
        assert!(pack(&[]).is_empty());
    }
}
