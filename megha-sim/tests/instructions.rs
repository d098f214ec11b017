//! Every instruction that computes, against plain Rust, on random and on special values.

#![allow(clippy::neg_cmp_op_on_partial_ord)] // that is what the unordered comparisons are

mod common;

use common::{kernel, run};
use megha_sim::Launch;
use proptest::prelude::*;

/// An instruction on `%x0`, `%x1`, `%x2` with its result in `%x3`, where x is h, r, l, f or d for registers of 16, 32, 64 bits, single and
/// double precision; and what it computes of the bits.
type Case = (&'static str, fn(u64, u64, u64) -> u64);

fn f(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn fb(value: f32) -> u64 {
    u64::from(value.to_bits())
}

fn db(value: f64) -> u64 {
    value.to_bits()
}

fn w(value: i32) -> u64 {
    u64::from(value as u32)
}

fn h(value: i16) -> u64 {
    u64::from(value as u16)
}

/// The least of two doubles with NaN as no number and -0 below 0.
fn least(a: f64, b: f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a == 0.0 && b == 0.0 => d(db(a) | db(b)),
        _ => a.min(b),
    }
}

fn most(a: f64, b: f64) -> f64 {
    -least(-a, -b)
}

const INTEGER: &[Case] = &[
    ("add.s16 %h3, %h0, %h1;", |a, b, _| h((a as i16).wrapping_add(b as i16))),
    ("add.u32 %r3, %r0, %r1;", |a, b, _| w((a as i32).wrapping_add(b as i32))),
    ("add.s64 %l3, %l0, %l1;", |a, b, _| a.wrapping_add(b)),
    ("add.sat.s32 %r3, %r0, %r1;", |a, b, _| {
        w((i64::from(a as i32) + i64::from(b as i32)).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
    }),
    ("sub.sat.s32 %r3, %r0, %r1;", |a, b, _| {
        w((i64::from(a as i32) - i64::from(b as i32)).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
    }),
    ("sub.u16 %h3, %h0, %h1;", |a, b, _| u64::from((a as u16).wrapping_sub(b as u16))),
    ("sub.s32 %r3, %r0, %r1;", |a, b, _| w((a as i32).wrapping_sub(b as i32))),
    ("sub.u64 %l3, %l0, %l1;", |a, b, _| a.wrapping_sub(b)),
    ("mul.lo.s32 %r3, %r0, %r1;", |a, b, _| u64::from((a as u32).wrapping_mul(b as u32))),
    ("mul.lo.u64 %l3, %l0, %l1;", |a, b, _| a.wrapping_mul(b)),
    ("mul.hi.s32 %r3, %r0, %r1;", |a, b, _| u64::from(((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32)),
    ("mul.hi.u32 %r3, %r0, %r1;", |a, b, _| (u64::from(a as u32) * u64::from(b as u32)) >> 32),
    ("mul.hi.s64 %l3, %l0, %l1;", |a, b, _| ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64),
    ("mul.hi.u64 %l3, %l0, %l1;", |a, b, _| ((u128::from(a) * u128::from(b)) >> 64) as u64),
    ("mul.wide.s32 %l3, %r0, %r1;", |a, b, _| (i64::from(a as i32) * i64::from(b as i32)) as u64),
    ("mul.wide.u32 %l3, %r0, %r1;", |a, b, _| u64::from(a as u32) * u64::from(b as u32)),
    ("mul.wide.s16 %r3, %h0, %h1;", |a, b, _| w(i32::from(a as i16) * i32::from(b as i16))),
    ("mul.wide.u16 %r3, %h0, %h1;", |a, b, _| u64::from(a as u16) * u64::from(b as u16)),
    ("mad.lo.s32 %r3, %r0, %r1, %r2;", |a, b, c| u64::from((a as u32).wrapping_mul(b as u32).wrapping_add(c as u32))),
    ("mad.lo.u64 %l3, %l0, %l1, %l2;", |a, b, c| a.wrapping_mul(b).wrapping_add(c)),
    ("mad.wide.s32 %l3, %r0, %r1, %l2;", |a, b, c| {
        (i64::from(a as i32) * i64::from(b as i32)).wrapping_add(c as i64) as u64
    }),
    ("mad.wide.u32 %l3, %r0, %r1, %l2;", |a, b, c| (u64::from(a as u32) * u64::from(b as u32)).wrapping_add(c)),
    ("mad.hi.u32 %r3, %r0, %r1, %r2;", |a, b, c| {
        u64::from((((u64::from(a as u32) * u64::from(b as u32)) >> 32) as u32).wrapping_add(c as u32))
    }),
    ("min.s32 %r3, %r0, %r1;", |a, b, _| w((a as i32).min(b as i32))),
    ("min.u64 %l3, %l0, %l1;", |a, b, _| a.min(b)),
    ("max.s64 %l3, %l0, %l1;", |a, b, _| (a as i64).max(b as i64) as u64),
    ("max.u16 %h3, %h0, %h1;", |a, b, _| u64::from((a as u16).max(b as u16))),
    ("abs.s32 %r3, %r0;", |a, _, _| u64::from((a as i32).unsigned_abs())),
    ("abs.s64 %l3, %l0;", |a, _, _| (a as i64).unsigned_abs()),
    ("neg.s64 %l3, %l0;", |a, _, _| 0u64.wrapping_sub(a)),
    ("neg.s16 %h3, %h0;", |a, _, _| u64::from(0u16.wrapping_sub(a as u16))),
    ("sad.u32 %r3, %r0, %r1, %r2;", |a, b, c| u64::from((a as u32).abs_diff(b as u32).wrapping_add(c as u32))),
    ("sad.s32 %r3, %r0, %r1, %r2;", |a, b, c| u64::from((a as i32).abs_diff(b as i32).wrapping_add(c as u32))),
    // divisors are made odd, since zero is an error
    ("or.b64 %l1, %l1, 1; div.s64 %l3, %l0, %l1;", |a, b, _| (a as i64).wrapping_div(b as i64 | 1) as u64),
    ("or.b64 %l1, %l1, 1; div.u64 %l3, %l0, %l1;", |a, b, _| a / (b | 1)),
    ("or.b64 %l1, %l1, 1; rem.s64 %l3, %l0, %l1;", |a, b, _| (a as i64).wrapping_rem(b as i64 | 1) as u64),
    ("or.b32 %r1, %r1, 1; div.s32 %r3, %r0, %r1;", |a, b, _| w((a as i32).wrapping_div(b as i32 | 1))),
    ("or.b32 %r1, %r1, 1; rem.u32 %r3, %r0, %r1;", |a, b, _| u64::from(a as u32 % (b as u32 | 1))),
];

const BITS: &[Case] = &[
    ("and.b64 %l3, %l0, %l1;", |a, b, _| a & b),
    ("or.b32 %r3, %r0, %r1;", |a, b, _| u64::from(a as u32 | b as u32)),
    ("xor.b16 %h3, %h0, %h1;", |a, b, _| u64::from(a as u16 ^ b as u16)),
    ("not.b32 %r3, %r0;", |a, _, _| u64::from(!(a as u32))),
    ("cnot.b32 %r3, %r0;", |a, _, _| u64::from(a as u32 == 0)),
    // amounts up to 127, which reach beyond both widths
    ("and.b32 %r1, %r1, 127; shl.b32 %r3, %r0, %r1;", |a, b, _| {
        let n = b & 127;
        if n > 31 { 0 } else { u64::from((a as u32) << n) }
    }),
    ("and.b32 %r1, %r1, 127; shl.b64 %l3, %l0, %r1;", |a, b, _| if b & 127 > 63 { 0 } else { a << (b & 127) }),
    ("and.b32 %r1, %r1, 127; shr.u32 %r3, %r0, %r1;", |a, b, _| {
        let n = b & 127;
        if n > 31 { 0 } else { u64::from(a as u32 >> n) }
    }),
    ("and.b32 %r1, %r1, 127; shr.s32 %r3, %r0, %r1;", |a, b, _| w((i64::from(a as i32) >> (b & 127).min(63)) as i32)),
    ("and.b32 %r1, %r1, 127; shr.s64 %l3, %l0, %r1;", |a, b, _| (i128::from(a as i64) >> (b & 127)) as u64),
    ("shr.b64 %l3, %l0, %r1;", |a, b, _| if b as u32 > 63 { 0 } else { a >> (b as u32) }),
    ("popc.b64 %r3, %l0;", |a, _, _| u64::from(a.count_ones())),
    ("clz.b32 %r3, %r0;", |a, _, _| u64::from((a as u32).leading_zeros())),
    ("clz.b64 %r3, %l0;", |a, _, _| u64::from(a.leading_zeros())),
    ("brev.b32 %r3, %r0;", |a, _, _| u64::from((a as u32).reverse_bits())),
    ("brev.b64 %l3, %l0;", |a, _, _| a.reverse_bits()),
    ("bfind.u32 %r3, %r0;", |a, _, _| (a as u32).checked_ilog2().map_or(0xffff_ffff, u64::from)),
    ("bfe.u32 %r3, %r0, 5, 9;", |a, _, _| a >> 5 & 0x1ff),
    ("bfe.s32 %r3, %r0, 5, 9;", |a, _, _| w(((a as i32) << 18) >> 23)),
    ("bfe.s32 %r3, %r0, 28, 9;", |a, _, _| w(a as i32 >> 28)),
    ("bfe.u64 %l3, %l0, 60, 9;", |a, _, _| a >> 60),
    ("bfe.s64 %l3, %l0, 3, 50;", |a, _, _| (((a as i64) << 11) >> 14) as u64),
    ("bfe.u64 %l3, %l0, 3, 0;", |_, _, _| 0),
    ("bfi.b32 %r3, %r0, %r1, 4, 8;", |a, b, _| b & 0xffff_f00f | a << 4 & 0xff0),
    ("bfi.b64 %l3, %l0, %l1, 60, 8;", |a, b, _| b & !(0xf << 60) | a << 60),
    ("prmt.b32 %r3, %r0, %r1, 0x7531;", |a, b, _| {
        let byte = |value: u64, at: u32| value >> (8 * at) & 0xff;
        byte(a, 1) | byte(a, 3) << 8 | byte(b, 1) << 16 | byte(b, 3) << 24
    }),
    ("prmt.b32 %r3, %r0, %r1, 0x888b;", |a, _, _| {
        let sign = |at: u32| if a >> (8 * at + 7) & 1 == 1 { 0xff } else { 0 };
        sign(3) | sign(0) << 8 | sign(0) << 16 | sign(0) << 24
    }),
    ("lop3.b32 %r3, %r0, %r1, %r2, 0x96;", |a, b, c| u64::from((a ^ b ^ c) as u32)),
    ("lop3.b32 %r3, %r0, %r1, %r2, 0xca;", |a, b, c| u64::from((a & b | !a & c) as u32)),
    ("shf.l.wrap.b32 %r3, %r0, %r0, %r1;", |a, b, _| u64::from((a as u32).rotate_left(b as u32 & 31))),
    ("shf.r.wrap.b32 %r3, %r0, %r0, %r1;", |a, b, _| u64::from((a as u32).rotate_right(b as u32 & 31))),
    ("shf.l.clamp.b32 %r3, %r0, %r1, 40;", |a, _, _| u64::from(a as u32)),
    ("mov.b64 {%r4, %r5}, %l0; mov.b64 %l3, {%r5, %r4};", |a, _, _| a.rotate_left(32)),
    ("mov.b32 {%h0, %h1}, %r0; mov.b32 %r3, {%h1, %h0};", |a, _, _| u64::from((a as u32).rotate_left(16))),
];

const DOUBLE: &[Case] = &[
    ("add.rn.f64 %d3, %d0, %d1;", |a, b, _| db(d(a) + d(b))),
    ("sub.rn.f64 %d3, %d0, %d1;", |a, b, _| db(d(a) - d(b))),
    ("mul.rn.f64 %d3, %d0, %d1;", |a, b, _| db(d(a) * d(b))),
    ("div.rn.f64 %d3, %d0, %d1;", |a, b, _| db(d(a) / d(b))),
    ("fma.rn.f64 %d3, %d0, %d1, %d2;", |a, b, c| db(d(a).mul_add(d(b), d(c)))),
    ("mad.rn.f64 %d3, %d0, %d1, %d2;", |a, b, c| db(d(a).mul_add(d(b), d(c)))),
    ("min.f64 %d3, %d0, %d1;", |a, b, _| db(least(d(a), d(b)))),
    ("max.f64 %d3, %d0, %d1;", |a, b, _| db(most(d(a), d(b)))),
    ("abs.f64 %d3, %d0;", |a, _, _| a & (u64::MAX >> 1)),
    ("neg.f64 %d3, %d0;", |a, _, _| a ^ 1 << 63),
    ("copysign.f64 %d3, %d0, %d1;", |a, b, _| b & (u64::MAX >> 1) | a & 1 << 63),
    ("sqrt.rn.f64 %d3, %d0;", |a, _, _| db(d(a).sqrt())),
    ("rcp.rn.f64 %d3, %d0;", |a, _, _| db(1.0 / d(a))),
];

const SINGLE: &[Case] = &[
    ("add.rn.f32 %f3, %f0, %f1;", |a, b, _| fb(f(a) + f(b))),
    ("sub.rn.f32 %f3, %f0, %f1;", |a, b, _| fb(f(a) - f(b))),
    ("mul.rn.f32 %f3, %f0, %f1;", |a, b, _| fb(f(a) * f(b))),
    ("div.rn.f32 %f3, %f0, %f1;", |a, b, _| fb(f(a) / f(b))),
    ("fma.rn.f32 %f3, %f0, %f1, %f2;", |a, b, c| fb(f(a).mul_add(f(b), f(c)))),
    ("min.f32 %f3, %f0, %f1;", |a, b, _| fb(least(f(a).into(), f(b).into()) as f32)),
    ("max.f32 %f3, %f0, %f1;", |a, b, _| fb(most(f(a).into(), f(b).into()) as f32)),
    ("min.NaN.f32 %f3, %f0, %f1;", |a, b, _| {
        let (a, b) = (f(a), f(b));
        fb(if a.is_nan() || b.is_nan() { f32::NAN } else { least(a.into(), b.into()) as f32 })
    }),
    ("sqrt.rn.f32 %f3, %f0;", |a, _, _| fb(f(a).sqrt())),
    ("rcp.rn.f32 %f3, %f0;", |a, _, _| fb(1.0 / f(a))),
    ("add.sat.rn.f32 %f3, %f0, %f1;", |a, b, _| {
        let sum = f(a) + f(b);
        fb(if sum.is_nan() { 0.0 } else { sum.clamp(0.0, 1.0) + 0.0 })
    }),
    ("mul.rn.ftz.f32 %f3, %f0, %f1;", |a, b, _| {
        let flush = |x: f32| if x.abs() < f32::MIN_POSITIVE { x * 0.0 } else { x };
        fb(flush(flush(f(a)) * flush(f(b))))
    }),
];

const CONVERSION: &[Case] = &[
    ("cvt.rzi.s32.f64 %r3, %d0;", |a, _, _| if d(a).is_nan() { 1 << 31 } else { w(d(a) as i32) }),
    ("cvt.rni.s32.f64 %r3, %d0;", |a, _, _| if d(a).is_nan() { 1 << 31 } else { w(d(a).round_ties_even() as i32) }),
    ("cvt.rzi.s64.f64 %l3, %d0;", |a, _, _| if d(a).is_nan() { 1 << 63 } else { d(a) as i64 as u64 }),
    ("cvt.rmi.s64.f64 %l3, %d0;", |a, _, _| if d(a).is_nan() { 1 << 63 } else { d(a).floor() as i64 as u64 }),
    ("cvt.rpi.u64.f64 %l3, %d0;", |a, _, _| if d(a).is_nan() { 1 << 63 } else { d(a).ceil() as u64 }),
    ("cvt.rzi.u32.f32 %r3, %f0;", |a, _, _| u64::from(f(a) as u32)),
    ("cvt.rni.s32.f32 %r3, %f0;", |a, _, _| w(f(a).round_ties_even() as i32)),
    ("cvt.rzi.s64.f32 %l3, %f0;", |a, _, _| if f(a).is_nan() { 1 << 63 } else { f(a) as i64 as u64 }),
    ("cvt.rzi.u8.f32 %h3, %f0;", |a, _, _| u64::from(f(a) as u8)),
    ("cvt.rzi.s8.f32 %h3, %f0;", |a, _, _| h(i16::from(f(a) as i8))),
    ("cvt.rn.f64.s64 %d3, %l0;", |a, _, _| db(a as i64 as f64)),
    ("cvt.rn.f64.u64 %d3, %l0;", |a, _, _| db(a as f64)),
    ("cvt.rn.f32.s32 %f3, %r0;", |a, _, _| fb(a as i32 as f32)),
    ("cvt.rn.f32.u64 %f3, %l0;", |a, _, _| fb(a as f32)),
    ("cvt.rz.f64.s64 %d3, %l0;", |a, _, _| {
        let (exact, near) = (a as i64, a as i64 as f64);
        // nearest doubles of integers are integers; one above in magnitude goes down by a step
        let above = (near as i128).unsigned_abs() > u128::from(exact.unsigned_abs());
        db(if above { d(db(near) - 1) } else { near })
    }),
    ("cvt.f64.f32 %d3, %f0;", |a, _, _| db(f64::from(f(a)))),
    ("cvt.rn.f32.f64 %f3, %d0;", |a, _, _| fb(d(a) as f32)),
    ("cvt.rm.f32.f64 %f3, %d0;", |a, _, _| {
        let near = d(a) as f32;
        fb(if f64::from(near) > d(a) { near.next_down() } else { near })
    }),
    ("cvt.rni.f64.f64 %d3, %d0;", |a, _, _| db(d(a).round_ties_even())),
    ("cvt.rzi.f64.f64 %d3, %d0;", |a, _, _| db(d(a).trunc())),
    ("cvt.rmi.f64.f64 %d3, %d0;", |a, _, _| db(d(a).floor())),
    ("cvt.rpi.f32.f32 %f3, %f0;", |a, _, _| fb(f(a).ceil())),
    ("cvt.sat.f64.f64 %d3, %d0;", |a, _, _| db(if d(a).is_nan() { 0.0 } else { d(a).clamp(0.0, 1.0) + 0.0 })),
    ("cvt.s64.s32 %l3, %r0;", |a, _, _| a as i32 as i64 as u64),
    ("cvt.u64.u32 %l3, %r0;", |a, _, _| u64::from(a as u32)),
    ("cvt.u32.u64 %r3, %l0;", |a, _, _| u64::from(a as u32)),
    ("cvt.s32.s8 %r3, %r0;", |a, _, _| w(i32::from(a as i8))),
    ("cvt.s8.s32 %r3, %r0;", |a, _, _| w(i32::from(a as i8))),
    ("cvt.u16.u8 %h3, %h0;", |a, _, _| u64::from(a as u8)),
    ("cvt.sat.s8.s32 %r3, %r0;", |a, _, _| w((a as i32).clamp(-128, 127))),
    ("cvt.sat.u8.s32 %r3, %r0;", |a, _, _| w((a as i32).clamp(0, 255))),
    ("cvt.sat.u32.s64 %r3, %l0;", |a, _, _| (a as i64).clamp(0, i64::from(u32::MAX)) as u64),
    ("cvt.sat.s32.u64 %r3, %l0;", |a, _, _| a.min(i32::MAX as u64)),
];

const SELECTION: &[Case] = &[
    ("setp.lt.s32 %p0, %r0, %r1; selp.b32 %r3, %r0, %r1, %p0;", |a, b, _| w((a as i32).min(b as i32))),
    ("setp.hi.u32 %p0, %r0, %r1; selp.u32 %r3, %r0, %r1, %p0;", |a, b, _| u64::from((a as u32).max(b as u32))),
    ("setp.neu.f64 %p0, %d0, %d0; selp.b32 %r3, 1, 0, %p0;", |a, _, _| u64::from(d(a).is_nan())),
    ("setp.ne.f64 %p0, %d0, %d1; selp.b32 %r3, 1, 0, %p0;", |a, b, _| {
        u64::from(d(a).partial_cmp(&d(b)).is_some_and(|order| order.is_ne()))
    }),
    ("setp.eq.f32 %p0, %f0, %f1; selp.b32 %r3, 1, 0, %p0;", |a, b, _| u64::from(f(a) == f(b))),
    ("setp.equ.f32 %p0, %f0, %f1; selp.b32 %r3, 1, 0, %p0;", |a, b, _| {
        u64::from(f(a).partial_cmp(&f(b)).is_none_or(|order| order.is_eq()))
    }),
    ("setp.ltu.f64 %p0, %d0, %d1; selp.b32 %r3, 1, 0, %p0;", |a, b, _| u64::from(!(d(a) >= d(b)))),
    ("setp.leu.f64 %p0, %d0, %d1; selp.b32 %r3, 1, 0, %p0;", |a, b, _| u64::from(!(d(a) > d(b)))),
    ("setp.gtu.f64 %p0, %d0, %d1; selp.b32 %r3, 1, 0, %p0;", |a, b, _| u64::from(!(d(a) <= d(b)))),
    ("setp.geu.f64 %p0, %d0, %d1; selp.b32 %r3, 1, 0, %p0;", |a, b, _| u64::from(!(d(a) < d(b)))),
    ("setp.num.f64 %p0, %d0, %d1; selp.b32 %r3, 1, 0, %p0;", |a, b, _| {
        u64::from(!(d(a) + d(b)).is_nan() || !d(a).is_nan() && !d(b).is_nan())
    }),
    ("setp.nan.f64 %p0, %d0, %d1; selp.b32 %r3, 1, 0, %p0;", |a, b, _| u64::from(d(a).is_nan() || d(b).is_nan())),
    (
        "setp.eq.s64 %p1, %l0, %l2; setp.lt.and.s64 %p0|%p2, %l0, %l1, !%p1; selp.b32 %r3, 1, 0, %p0; selp.b32 %r2, 2, 0, %p2; or.b32 %r3, %r3, %r2;",
        |a, b, c| {
            let (less, other) = ((a as i64) < b as i64, a != c);
            u64::from(less && other) + 2 * u64::from(!less && other)
        },
    ),
    ("set.ge.u32.f64 %r3, %d0, %d1;", |a, b, _| if d(a) >= d(b) { 0xffff_ffff } else { 0 }),
    ("set.lo.f32.u64 %f3, %l0, %l1;", |a, b, _| fb(if a < b { 1.0 } else { 0.0 })),
    ("slct.b64.s32 %l3, %l0, %l1, %r2;", |a, b, c| if c as i32 >= 0 { a } else { b }),
    ("slct.b64.f32 %l3, %l0, %l1, %f2;", |a, b, c| if f(c) >= 0.0 { a } else { b }),
    ("testp.subnormal.f64 %p0, %d0; selp.b32 %r3, 1, 0, %p0;", |a, _, _| u64::from(d(a).is_subnormal())),
    ("testp.finite.f32 %p0, %f0; selp.b32 %r3, 1, 0, %p0;", |a, _, _| u64::from(f(a).is_finite())),
    (
        "setp.lt.u32 %p0, %r0, %r1; setp.lt.u32 %p1, %r1, %r2; xor.pred %p2, %p0, %p1; not.pred %p4, %p2; selp.b32 %r3, 1, 0, %p4;",
        |a, b, c| u64::from(((a as u32) < b as u32) == ((b as u32) < c as u32)),
    ),
];

/// The kernel of a case: `%l0`, `%l1` and `%l2` are three words of the input, and the other registers hold the same bits.
fn ptx(instruction: &str) -> String {
    let widen =
        match instruction.rsplit('%').find(|part| part.as_bytes().get(1) == Some(&b'3')).map(|part| part.as_bytes()[0])
        {
            Some(b'h') => "cvt.u64.u16 %l15, %h3;",
            Some(b'r') => "cvt.u64.u32 %l15, %r3;",
            Some(b'l') => "mov.b64 %l15, %l3;",
            Some(b'f') => "mov.b32 %r3, %f3; cvt.u64.u32 %l15, %r3;",
            Some(b'd') => "mov.b64 %l15, %d3;",
            other => panic!("no result in {instruction}: {other:?}"),
        };
    let mut body = String::from("    mul.lo.u64 %l4, %wide, 3;\n    add.u64 %l4, %first, %l4;\n");
    for i in 0..3 {
        body += &format!(
            "    ld.global.u64 %l{i}, [%l4+{}];
    cvt.u32.u64 %r{i}, %l{i};
    cvt.u16.u64 %h{i}, %l{i};
    mov.b32 %f{i}, %r{i};
    mov.b64 %d{i}, %l{i};\n",
            8 * i
        );
    }
    kernel("", &format!("{body}    {instruction}\n    {widen}"))
}

/// NaNs have no other identity.
fn canonical(instruction: &str, bits: u64) -> u64 {
    if instruction.contains("%d3") && d(bits).is_nan() {
        return db(f64::NAN);
    }
    if instruction.contains("%f3") && f(bits).is_nan() {
        return fb(f32::NAN);
    }
    bits
}

fn check(cases: &[Case], values: &[[u64; 3]]) {
    let input: Vec<u64> = values.iter().flatten().copied().collect();
    let launch = Launch::linear(values.len() as u32 / 32, 32);
    for (instruction, expected) in cases {
        let (results, _) =
            run(&ptx(instruction), launch, &input).unwrap_or_else(|error| panic!("{instruction}: {error}"));
        for ([a, b, c], result) in values.iter().zip(results) {
            let (result, expected) = (canonical(instruction, result), canonical(instruction, expected(*a, *b, *c)));
            assert_eq!(result, expected, "{instruction} of {a:#x}, {b:#x}, {c:#x}: {result:#x} for {expected:#x}");
        }
    }
}

/// Bits that are special as integers or floats of some width, their neighbours, small numbers, and anything.
fn operand() -> impl Strategy<Value = u64> {
    let floats = prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(1.0),
        Just(-1.0),
        Just(0.5),
        Just(2.5),
        Just(-3.5),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        Just(f64::NAN),
        Just(f64::MAX),
        Just(f64::MIN_POSITIVE),
        Just(5e-324),
        Just(2147483647.5),
        Just(-2147483649.0),
        Just(9.3e18),
        Just(1e300),
        Just(1e-310),
        -1e3..1e3f64,
    ];
    prop_oneof![
        3 => any::<u64>(),
        3 => floats.clone().prop_map(db),
        // the same in single precision, in the low half
        3 => floats.prop_map(|value| fb(value as f32)),
        1 => prop_oneof![Just(f32::MIN_POSITIVE / 2.0), Just(f32::MAX), Just(1e-45)].prop_map(fb),
        2 => prop_oneof![Just(i64::MIN), Just(i64::MAX), Just(i64::from(i32::MIN)), Just(i64::from(i32::MAX)), Just(1 << 31), -70..70i64].prop_map(|value| value as u64),
    ]
}

fn operands() -> impl Strategy<Value = Vec<[u64; 3]>> {
    proptest::collection::vec([operand(), operand(), operand()], 512)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn integer(values in operands()) {
        check(INTEGER, &values);
    }

    #[test]
    fn bits(values in operands()) {
        check(BITS, &values);
    }

    #[test]
    fn double(values in operands()) {
        check(DOUBLE, &values);
    }

    #[test]
    fn single(values in operands()) {
        check(SINGLE, &values);
    }

    #[test]
    fn conversion(values in operands()) {
        check(CONVERSION, &values);
    }

    #[test]
    fn selection(values in operands()) {
        check(SELECTION, &values);
    }
}

#[test]
fn approximations_are_close() {
    let values: Vec<[u64; 3]> = (1..=256).map(|i| [fb(i as f32 / 17.0), 0, 0]).collect();
    let input: Vec<u64> = values.iter().flatten().copied().collect();
    type Approximation = (&'static str, fn(f64) -> f64);
    let cases: [Approximation; 8] = [
        ("ex2.approx.f32", f64::exp2),
        ("lg2.approx.f32", f64::log2),
        ("sin.approx.f32", f64::sin),
        ("cos.approx.f32", f64::cos),
        ("rsqrt.approx.f32", |x| 1.0 / x.sqrt()),
        ("sqrt.approx.f32", f64::sqrt),
        ("rcp.approx.f32", |x| 1.0 / x),
        ("tanh.approx.f32", f64::tanh),
    ];
    for (name, exact) in cases {
        let (results, _) = run(&ptx(&format!("{name} %f3, %f0;")), Launch::linear(8, 32), &input).unwrap();
        for ([x, ..], result) in values.iter().zip(results) {
            let (exact, got) = (exact(f(*x).into()), f64::from(f(result)));
            assert!((got - exact).abs() <= 1e-6 * exact.abs().max(1e-3), "{name}({}) is {got} for {exact}", f(*x));
        }
    }
}

#[test]
fn literals_have_their_type() {
    let cases = [
        ("mov.f64 %d3, 1.5; mov.b64 %l15, %d3;", db(1.5)),
        ("mov.f64 %d3, -0d3FF0000000000000; mov.b64 %l15, %d3;", db(-1.0)),
        ("mov.f32 %f3, 0f3F800000; mov.b32 %r3, %f3; cvt.u64.u32 %l15, %r3;", fb(1.0)),
        ("mov.f32 %f3, 0.1; mov.b32 %r3, %f3; cvt.u64.u32 %l15, %r3;", fb(0.1)),
        ("mov.u32 %r3, -1; cvt.u64.u32 %l15, %r3;", 0xffff_ffff),
        ("mov.u64 %l15, 0xFFFFFFFFFFFFFFFF;", u64::MAX),
        ("cvt.rzi.u64.f64 %l15, 1e3;", 1000),
    ];
    for (instruction, expected) in cases {
        assert_eq!(common::results(instruction, 1), [expected], "{instruction}");
    }
}
