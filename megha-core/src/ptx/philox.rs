//! Random bits: Philox4x32-10 as `megha_base::random` defines it.

use super::emit::Emitter;
use super::inst::{Arith, Bank, Inst, Operand, Ty};
use megha_base::random::{MULTIPLIERS, ROUNDS, WEYL};

/// 64 random bits for an element under a key.
pub fn bits(e: &mut Emitter, key: Operand, element: Operand) -> Operand {
    let [mut k0, mut k1] = halves(e, key);
    let [c0, c1] = halves(e, element);
    let mut counter = [c0, c1, Operand::Int(0), Operand::Int(0)];
    let word = |x: u32| Operand::Int(x.into());
    for round in 0..ROUNDS {
        if round > 0 {
            k0 = e.arith(Arith::Add, Ty::U32, &[k0, word(WEYL[0])]);
            k1 = e.arith(Arith::Add, Ty::U32, &[k1, word(WEYL[1])]);
        }
        let [a, b] = [(MULTIPLIERS[0], counter[0]), (MULTIPLIERS[1], counter[2])].map(|(by, c)| {
            let product = e.mul_wide(Ty::U32, c, word(by));
            halves(e, product)
        });
        let mixed = |e: &mut Emitter, high, word, key| {
            let both = e.arith(Arith::Xor, Ty::B32, &[high, word]);
            e.arith(Arith::Xor, Ty::B32, &[both, key])
        };
        counter = [mixed(e, b[1], counter[1], k0), b[0], mixed(e, a[1], counter[3], k1), a[0]];
    }
    let [low, high] = [counter[0], counter[1]].map(|c| e.in_reg(Ty::B32, c));
    e.pure(Bank::B64, |dst| Inst::Join { dst, low, high }).into()
}

/// The low and the high word.
fn halves(e: &mut Emitter, a: Operand) -> [Operand; 2] {
    let low = e.convert(Ty::U32, Ty::U64, a);
    let shifted = e.arith(Arith::Shr, Ty::U64, &[a, Operand::Int(32)]);
    [low, e.convert(Ty::U32, Ty::U64, shifted)]
}
