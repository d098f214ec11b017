//! Instructions that compute values in registers.

use super::modifiers::Modifiers;
use super::operand::Width;
use super::{Decoder, Flops, Result, TEMPORARIES};
use crate::alu::{Fn1, Fn2, Fn3, bits, float, int};
use crate::form::{Op, Scalar4, Slot};
use crate::ptx::syntax::Operand;
use crate::ptx::types::Type;

/// What the division, roots and reciprocals count for in floating-point operations, from their throughput on hardware.
const SLOW_FLOPS: u32 = 8;
const APPROXIMATE_FLOPS: u32 = 4;

enum Function {
    One(Fn1),
    Two(Fn2),
    Three(Fn3),
    Divide(Fn2),
}

/// How a floating-point instruction departs from plain IEEE arithmetic.
#[derive(Clone, Copy, Default)]
struct Departures {
    flush: bool,
    saturate: bool,
}

impl Decoder<'_> {
    pub(super) fn arithmetic(&mut self, m: &mut Modifiers) -> Result<()> {
        let ty = m.ty()?;
        if ty.is_float() { self.float_arithmetic(m, ty) } else { self.int_arithmetic(m, ty) }
    }

    fn float_arithmetic(&mut self, m: &mut Modifiers, ty: Type) -> Result<()> {
        let name = m.name();
        let method = m.one_of(&["rn", "rz", "rm", "rp", "approx", "full"]);
        let flush = m.flag("ftz");
        let departures = Departures { flush: flush && ty == Type::F32, saturate: m.flag("sat") };
        if let Some(mode @ ("rz" | "rm" | "rp")) = method {
            return Err(m.error(format!("arithmetic that rounds by .{mode} is not simulated, only .rn")));
        }
        let approximate = matches!(method, Some("approx" | "full"));
        let (function, flops) = match name {
            "add" | "sub" | "mul" => {
                self.require_rounding(m, method)?;
                (float::binary(name, ty).map(Function::Two), 1)
            }
            "fma" | "mad" if method == Some("rn") => (float::fused(ty).map(Function::Three), 2),
            "div" if approximate && ty == Type::F32 => (float::binary(name, ty).map(Function::Two), APPROXIMATE_FLOPS),
            "div" if method == Some("rn") => (float::binary(name, ty).map(Function::Two), SLOW_FLOPS),
            "min" | "max" if method.is_none() => {
                let name = if m.flag("NaN") { format!("{name}.NaN") } else { name.to_string() };
                (float::binary(&name, ty).map(Function::Two), 1)
            }
            "copysign" if method.is_none() => (float::binary(name, ty).map(Function::Two), 0),
            "abs" | "neg" if method.is_none() => (float::unary(name, ty).map(Function::One), 0),
            "fma" | "mad" | "div" | "sqrt" | "rcp" if method.is_none() => {
                return Err(m.error(format!("`{}` must say how it rounds, as `.rn`", m.full_name())));
            }
            _ => {
                let cost = if approximate { APPROXIMATE_FLOPS } else { SLOW_FLOPS };
                let ftz = if flush && ty == Type::F64 { ".ftz" } else { "" };
                let name = format!("{name}.{}{ftz}", method.unwrap_or_default());
                (float::unary(&name, ty).map(Function::One), cost)
            }
        };
        let function = function.ok_or_else(|| m.no_such(ty))?;
        let flops = match ty {
            Type::F32 => Flops { single: flops, ..Flops::default() },
            _ => Flops { double: flops, ..Flops::default() },
        };
        self.emit_function(m, function, [ty; 4], departures, flops)
    }

    /// A sum or product without `.rn` may be fused with its neighbour by the assembler, and then computes something else.
    fn require_rounding(&self, m: &Modifiers, method: Option<&str>) -> Result<()> {
        match method {
            None if self.rounding_required => Err(m.error(format!(
                "`{}` without `.rn` may be contracted to `fma` by the assembler, which changes results",
                m.full_name()
            ))),
            None | Some("rn") => Ok(()),
            Some(other) => Err(m.error(format!("`{}` does not exist with .{other}", m.name()))),
        }
    }

    fn int_arithmetic(&mut self, m: &mut Modifiers, ty: Type) -> Result<()> {
        let name = m.name();
        let mut types = [ty; 4];
        let function = match name {
            "mul" | "mad" => {
                let half = m.required(&["lo", "hi", "wide"])?;
                if half == "wide" {
                    let wide = widened(ty).ok_or_else(|| m.no_such(ty))?;
                    types[0] = wide;
                    types[3] = wide;
                }
                let name = format!("{name}.{half}");
                int::binary(&name, ty).map(Function::Two).or_else(|| int::ternary(&name, ty).map(Function::Three))
            }
            "div" | "rem" => int::divide(name, ty).map(Function::Divide),
            "add" | "sub" if m.flag("sat") => int::saturating(name, ty).map(Function::Two),
            "sad" => int::ternary(name, ty).map(Function::Three),
            "abs" | "neg" => int::unary(name, ty).map(Function::One),
            _ => int::binary(name, ty).map(Function::Two),
        };
        let function = function.ok_or_else(|| m.no_such(ty))?;
        self.emit_function(m, function, types, Departures::default(), Flops::default())
    }

    /// `types` are those of the result and the operands.
    fn emit_function(
        &mut self,
        m: &mut Modifiers,
        function: Function,
        types: [Type; 4],
        departures: Departures,
        flops: Flops,
    ) -> Result<()> {
        let operands: Vec<&Operand> = match function {
            Function::One(_) => m.operands::<2>()?.into(),
            Function::Two(_) | Function::Divide(_) => m.operands::<3>()?.into(),
            Function::Three(_) => m.operands::<4>()?.into(),
        };
        let d = self.target(operands[0], types[0])?;
        let mut sources: Vec<Slot> = Vec::new();
        for (operand, ty) in operands[1..].iter().zip(&types[1..]) {
            sources.push(self.value(operand, *ty)?);
        }
        if departures.flush {
            for (temporary, source) in (0..TEMPORARIES).zip(&mut sources) {
                self.emit_silent(Op::Map1 { f: float::flush32(), d: temporary, a: *source });
                *source = temporary;
            }
        }
        let op = match function {
            Function::One(f) => Op::Map1 { f, d, a: sources[0] },
            Function::Two(f) => Op::Map2 { f, d, a: sources[0], b: sources[1] },
            Function::Divide(f) => Op::Divide { f, d, a: sources[0], b: sources[1] },
            Function::Three(f) => Op::Map3 { f, d, a: sources[0], b: sources[1], c: sources[2] },
        };
        self.emit(&m.full_name(), op, flops);
        if departures.flush {
            self.emit_silent(Op::Map1 { f: float::flush32(), d, a: d });
        }
        if departures.saturate {
            let f = float::saturate(types[0]).ok_or_else(|| m.no_such(types[0]))?;
            self.emit_silent(Op::Map1 { f, d, a: d });
        }
        Ok(())
    }

    /// Logic, shifts and bit fields.
    pub(super) fn bits(&mut self, m: &mut Modifiers) -> Result<()> {
        let name = m.name();
        if matches!(name, "and" | "or" | "xor" | "not") && m.flag("pred") {
            return self.predicate_logic(m);
        }
        let ty = m.ty()?;
        let count = Type::U32;
        let (function, types) = match name {
            "and" | "or" | "xor" => (bits::logic(name, ty).map(Function::Two), [ty; 4]),
            "shl" | "shr" => (bits::shift(name, ty).map(Function::Two), [ty, ty, count, ty]),
            "shf" => {
                let name = format!("shf.{}.{}", m.required(&["l", "r"])?, m.required(&["wrap", "clamp"])?);
                (bits::ternary(&name, ty).map(Function::Three), [ty, ty, ty, count])
            }
            "bfe" => (bits::ternary(name, ty).map(Function::Three), [ty, ty, count, count]),
            "prmt" => (bits::ternary(name, ty).map(Function::Three), [ty; 4]),
            "popc" | "clz" | "bfind" => (bits::unary(name, ty).map(Function::One), [count, ty, ty, ty]),
            "bfi" | "lop3" => return self.four_operands(m, ty),
            _ => (bits::unary(name, ty).map(Function::One), [ty; 4]),
        };
        let function = function.ok_or_else(|| m.no_such(ty))?;
        self.emit_function(m, function, types, Departures::default(), Flops::default())
    }

    fn four_operands(&mut self, m: &mut Modifiers, ty: Type) -> Result<()> {
        let (f, types): (Scalar4, [Type; 4]) = match (m.name(), ty) {
            ("bfi", Type::B32) => (|a, b, c, e| bits::insert(a, b, c, e, 32), [ty, ty, Type::U32, Type::U32]),
            ("bfi", Type::B64) => (|a, b, c, e| bits::insert(a, b, c, e, 64), [ty, ty, Type::U32, Type::U32]),
            ("lop3", Type::B32) => (bits::lookup, [ty; 4]),
            _ => return Err(m.no_such(ty)),
        };
        let [d, sources @ ..] = m.operands::<5>()?;
        let d = self.target(d, ty)?;
        let mut operands = [0; 4];
        for (slot, (source, ty)) in operands.iter_mut().zip(sources.iter().zip(types)) {
            *slot = self.wide_value(source, ty, Width::Same)?;
        }
        self.emit(&m.full_name(), Op::Map4 { f, d, operands }, Flops::default());
        Ok(())
    }
}

fn widened(ty: Type) -> Option<Type> {
    Some(match ty {
        Type::U16 => Type::U32,
        Type::S16 => Type::S32,
        Type::U32 => Type::U64,
        Type::S32 => Type::S64,
        _ => return None,
    })
}
