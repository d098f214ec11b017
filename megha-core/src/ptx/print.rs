//! The text of entries.

use std::fmt::Write;

use super::inst::{Arith, Axis, Bank, Compare, Inst, Label, Operand, Reg, Space, Special, Ty};

/// An entry, ready to be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryCode {
    /// The types of its parameters in order.
    pub params: Vec<Ty>,
    /// The bytes of each shared array.
    pub shared: Vec<u64>,
    /// Its instructions.
    pub insts: Vec<Inst>,
    /// The most threads of a block that it is launched with.
    pub threads: u32,
}

/// What stands before the entries.
pub const HEADER: &str = ".version 6.4\n.target sm_70\n.address_size 64\n";

/// The text of an entry of this name; `about` goes into a comment above it.
pub fn entry(name: &str, code: &EntryCode, about: &str) -> String {
    let mut text = String::new();
    for line in about.lines() {
        let _ = writeln!(text, "// {line}");
    }
    let params: Vec<String> =
        code.params.iter().enumerate().map(|(n, ty)| format!("\t.param .{} p{n}", type_name(*ty))).collect();
    let _ = writeln!(
        text,
        ".visible .entry {name}(\n{}\n)\n.maxntid {}, 1, 1\n.minnctapersm 1\n{{",
        params.join(",\n"),
        code.threads
    );
    for bank in Bank::ALL {
        let last = code.insts.iter().flat_map(Inst::defines).filter(|r| r.bank == bank).map(|r| r.number).max();
        if let Some(last) = last {
            let (ty, prefix) = bank_name(bank);
            let _ = writeln!(text, "\t.reg .{ty} %{prefix}<{}>;", last + 1);
        }
    }
    for (number, bytes) in code.shared.iter().enumerate() {
        let _ = writeln!(text, "\t.shared .align 8 .b8 s{number}[{bytes}];");
    }
    for inst in &code.insts {
        match inst {
            Inst::Label(at) => drop(writeln!(text, "{}:", label(*at))),
            inst => drop(writeln!(text, "\t{};", instruction(inst))),
        }
    }
    text + "}\n"
}

fn bank_name(bank: Bank) -> (&'static str, &'static str) {
    match bank {
        Bank::Pred => ("pred", "p"),
        Bank::B32 => ("b32", "r"),
        Bank::B64 => ("b64", "rd"),
        Bank::F32 => ("f32", "f"),
        Bank::F64 => ("f64", "fd"),
    }
}

fn type_name(ty: Ty) -> &'static str {
    match ty {
        Ty::Pred => "pred",
        Ty::U8 => "u8",
        Ty::S8 => "s8",
        Ty::U16 => "u16",
        Ty::S16 => "s16",
        Ty::U32 => "u32",
        Ty::S32 => "s32",
        Ty::B32 => "b32",
        Ty::U64 => "u64",
        Ty::S64 => "s64",
        Ty::B64 => "b64",
        Ty::F32 => "f32",
        Ty::F64 => "f64",
    }
}

fn register(reg: Reg) -> String {
    format!("%{}{}", bank_name(reg.bank).1, reg.number)
}

fn label(at: Label) -> String {
    format!("$L{}", at.0)
}

fn operand(value: Operand) -> String {
    match value {
        Operand::Reg(reg) => register(reg),
        Operand::Int(number) => number.to_string(),
        Operand::Double(bits) => format!("0d{bits:016X}"),
        Operand::Single(bits) => format!("0f{bits:08X}"),
    }
}

/// The text of an instruction without its semicolon.
fn instruction(inst: &Inst) -> String {
    match inst {
        Inst::Arith { op, ty, dst, args } => {
            let args: Vec<String> = args.iter().map(|a| operand(*a)).collect();
            format!("{} {}, {}", arithmetic(*op, *ty), register(*dst), args.join(", "))
        }
        Inst::MulWide { ty, dst, a, b } => three(&format!("mul.wide.{}", type_name(*ty)), *dst, *a, *b),
        Inst::Compare { op, ty, dst, a, b } => three(&comparison(*op, *ty), *dst, *a, *b),
        Inst::Select { ty, dst, a, b, cond } => {
            format!("{}, {}", three(&format!("selp.{}", bits(*ty)), *dst, *a, *b), register(*cond))
        }
        Inst::Convert { to, from, dst, a } => {
            format!("{} {}, {}", conversion(*to, *from), register(*dst), register(*a))
        }
        Inst::Move { ty, dst, a } => format!("mov.{} {}, {}", type_name(*ty), register(*dst), operand(*a)),
        Inst::Special { dst, from } => format!("mov.u32 {}, {}", register(*dst), special(*from)),
        Inst::Param { ty, dst, number } => format!("ld.param.{} {}, [p{number}]", type_name(*ty), register(*dst)),
        Inst::ToGlobal { dst, a } => format!("cvta.to.global.u64 {}, {}", register(*dst), register(*a)),
        Inst::SharedAddress { dst, array } => format!("mov.u32 {}, s{}", register(*dst), array.0),
        Inst::Load { space, ty, dst, base, offset } => {
            format!("ld.{}.{} {}, {}", space_name(*space), type_name(*ty), register(*dst), address(*base, *offset))
        }
        Inst::Store { space, ty, base, offset, value } => {
            format!("st.{}.{} {}, {}", space_name(*space), type_name(*ty), address(*base, *offset), operand(*value))
        }
        Inst::Flag { base, value } => format!("st.volatile.global.u8 {}, {}", address(*base, 0), register(*value)),
        Inst::AtomicMin { base, value } => format!("red.global.min.u64 {}, {}", address(*base, 0), register(*value)),
        Inst::ShuffleDown { dst, a, offset } => {
            format!("shfl.sync.down.b32 {}, {}, {offset}, 31, 0xffffffff", register(*dst), register(*a))
        }
        Inst::ShuffleIndex { dst, a, lane } => {
            format!("shfl.sync.idx.b32 {}, {}, {}, 31, 0xffffffff", register(*dst), register(*a), register(*lane))
        }
        Inst::Split { low, high, a } => {
            format!("mov.b64 {{{}, {}}}, {}", register(*low), register(*high), register(*a))
        }
        Inst::Join { dst, low, high } => {
            format!("mov.b64 {}, {{{}, {}}}", register(*dst), register(*low), register(*high))
        }
        Inst::Label(at) => label(*at),
        Inst::Branch { to, cond, uniform } => {
            let guard = match cond {
                Some((reg, true)) => format!("@{} ", register(*reg)),
                Some((reg, false)) => format!("@!{} ", register(*reg)),
                None => String::new(),
            };
            format!("{guard}bra{} {}", if *uniform { ".uni" } else { "" }, label(*to))
        }
        Inst::Barrier => "bar.sync 0".into(),
        Inst::Return => "ret".into(),
    }
}

fn three(name: &str, dst: Reg, a: Operand, b: Operand) -> String {
    format!("{name} {}, {}, {}", register(dst), operand(a), operand(b))
}

fn address(base: Reg, offset: i64) -> String {
    match offset {
        0 => format!("[{}]", register(base)),
        offset => format!("[{}+{offset}]", register(base)),
    }
}

fn space_name(space: Space) -> &'static str {
    match space {
        Space::Global => "global",
        Space::Constant => "global.nc",
        Space::Shared => "shared",
    }
}

/// `selp` and the like of 32 and 64 bits do not look at the sign.
fn bits(ty: Ty) -> &'static str {
    match ty {
        Ty::F32 | Ty::F64 => type_name(ty),
        ty if ty.bytes() == 8 => "b64",
        _ => "b32",
    }
}

fn arithmetic(op: Arith, ty: Ty) -> String {
    let (float, t) = (ty.is_float(), type_name(ty));
    let round = if float { ".rn" } else { "" };
    match op {
        Arith::Add => format!("add{round}.{t}"),
        Arith::Sub => format!("sub{round}.{t}"),
        Arith::Mul if float => format!("mul.rn.{t}"),
        Arith::Mul => format!("mul.lo.{t}"),
        Arith::MulHigh => format!("mul.hi.{t}"),
        Arith::Div => format!("div{round}.{t}"),
        Arith::Rem => format!("rem.{t}"),
        Arith::Min => format!("min.{t}"),
        Arith::Max => format!("max.{t}"),
        Arith::Neg => format!("neg.{t}"),
        Arith::Abs => format!("abs.{t}"),
        Arith::Sqrt => format!("sqrt.rn.{t}"),
        Arith::Fma => format!("fma.rn.{t}"),
        Arith::And => format!("and.{t}"),
        Arith::Or => format!("or.{t}"),
        Arith::Xor => format!("xor.{t}"),
        Arith::Not => format!("not.{t}"),
        Arith::Shl => format!("shl.{t}"),
        Arith::Shr => format!("shr.{t}"),
        Arith::Rint => format!("cvt.rni.{t}.{t}"),
        Arith::Floor => format!("cvt.rmi.{t}.{t}"),
        Arith::Ceil => format!("cvt.rpi.{t}.{t}"),
        Arith::Trunc => format!("cvt.rzi.{t}.{t}"),
    }
}

fn comparison(op: Compare, ty: Ty) -> String {
    let name = match op {
        Compare::Eq => "eq",
        Compare::Ne if ty.is_float() => "neu",
        Compare::Ne => "ne",
        Compare::Lt => "lt",
        Compare::Le => "le",
        Compare::Gt => "gt",
        Compare::Ge => "ge",
        Compare::Nan => "nan",
    };
    format!("setp.{name}.{}", type_name(ty))
}

fn conversion(to: Ty, from: Ty) -> String {
    let round = match (to.is_float(), from.is_float()) {
        (true, false) => ".rn",
        (false, true) => ".rzi",
        (true, true) if to == Ty::F32 => ".rn",
        _ => "",
    };
    format!("cvt{round}.{}.{}", type_name(to), type_name(from))
}

fn special(from: Special) -> String {
    let (name, axis) = match from {
        Special::Tid(axis) => ("tid", axis),
        Special::Ntid(axis) => ("ntid", axis),
        Special::Ctaid(axis) => ("ctaid", axis),
        Special::Nctaid(axis) => ("nctaid", axis),
    };
    let axis = match axis {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
    };
    format!("%{name}.{axis}")
}
