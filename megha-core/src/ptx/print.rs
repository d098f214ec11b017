//! The text of entries.

use std::fmt::{Display, Write};

use megha_base::plan::MOST_COUNTERS;

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

/// The counters of all entries of a module, which run one after another.
const COUNTERS: &str = "counters";

/// How each text begins.
const HEADER: &str = ".version 6.4\n.target sm_70\n.address_size 64\n";

/// What stands before the entries: counters only if an entry has some use for them.
pub fn header<'c>(mut code: impl Iterator<Item = &'c EntryCode>) -> String {
    let mut text = HEADER.to_owned();
    if code.any(|code| code.insts.iter().any(|inst| matches!(inst, Inst::Counters { .. }))) {
        let _ = writeln!(text, ".global .align 4 .b8 {COUNTERS}[{}];", 4 * MOST_COUNTERS);
    }
    text
}

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
    for (bank, count) in Bank::ALL.into_iter().zip(register_counts(&code.insts)).filter(|(_, count)| *count > 0) {
        let (ty, prefix) = bank_name(bank);
        let _ = writeln!(text, "\t.reg .{ty} %{prefix}<{count}>;");
    }
    for (number, bytes) in code.shared.iter().enumerate() {
        let _ = writeln!(text, "\t.shared .align 8 .b8 s{number}[{bytes}];");
    }
    for inst in &code.insts {
        match inst {
            Inst::Label(at) => _ = Line(&mut text).label(*at).word(":\n"),
            inst => _ = instruction(Line(&mut text).word("\t"), inst).word(";\n"),
        }
    }
    text + "}\n"
}

/// For each bank one more than the largest number of a register that is defined; 0 if there is none.
fn register_counts(insts: &[Inst]) -> [u32; Bank::ALL.len()] {
    let mut counts = [0; Bank::ALL.len()];
    for inst in insts {
        inst.for_each_definition(&mut |reg| {
            let count = &mut counts[reg.bank as usize];
            *count = (reg.number + 1).max(*count);
        });
    }
    counts
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

/// A line that is written at the end of a text. Its parts go there one by one: texts of their own for instructions and their operands took
/// most of the time.
struct Line<'t>(&'t mut String);

impl Line<'_> {
    fn word(self, word: &str) -> Self {
        self.0.push_str(word);
        self
    }

    fn number(self, number: impl Display) -> Self {
        let _ = write!(self.0, "{number}");
        self
    }

    fn ty(self, ty: Ty) -> Self {
        self.word(type_name(ty))
    }

    fn reg(self, reg: Reg) -> Self {
        self.word("%").word(bank_name(reg.bank).1).number(reg.number)
    }

    fn operand(self, value: Operand) -> Self {
        match value {
            Operand::Reg(reg) => self.reg(reg),
            Operand::Int(number) => self.number(number),
            Operand::Double(bits) => self.number(format_args!("0d{bits:016X}")),
            Operand::Single(bits) => self.number(format_args!("0f{bits:08X}")),
        }
    }

    /// A destination and operands, which end an instruction.
    fn operands(self, dst: Reg, list: &[Operand]) -> Self {
        list.iter().fold(self.word(" ").reg(dst), |line, value| line.word(", ").operand(*value))
    }

    /// The same with registers alone.
    fn regs(self, dst: Reg, list: &[Reg]) -> Self {
        list.iter().fold(self.word(" ").reg(dst), |line, reg| line.word(", ").reg(*reg))
    }

    /// Registers that move together.
    fn list(self, list: &[Reg]) -> Self {
        let [first, others @ ..] = list else { return self };
        match others {
            [] => self.reg(*first),
            _ => others.iter().fold(self.word("{").reg(*first), |line, reg| line.word(", ").reg(*reg)).word("}"),
        }
    }

    fn address(self, base: Reg, offset: i64) -> Self {
        match offset {
            0 => self.word("[").reg(base).word("]"),
            offset => self.word("[").reg(base).word("+").number(offset).word("]"),
        }
    }

    fn label(self, at: Label) -> Self {
        self.word("$L").number(at.0)
    }
}

/// The text of an instruction without its semicolon.
fn instruction<'t>(line: Line<'t>, inst: &Inst) -> Line<'t> {
    match inst {
        Inst::Arith { op, ty, dst, args } => arithmetic(line, *op, *ty).operands(*dst, args),
        Inst::MulWide { ty, dst, a, b } => line.word("mul.wide.").ty(*ty).operands(*dst, &[*a, *b]),
        Inst::Compare { op, ty, dst, a, b } => {
            line.word("setp.").word(comparison(*op, *ty)).word(".").ty(*ty).operands(*dst, &[*a, *b])
        }
        Inst::Select { ty, dst, a, b, cond } => {
            line.word("selp.").word(bits(*ty)).operands(*dst, &[*a, *b, Operand::Reg(*cond)])
        }
        Inst::Convert { to, from, dst, a } => conversion(line, *to, *from).regs(*dst, &[*a]),
        Inst::Move { ty, dst, a } => line.word("mov.").ty(*ty).operands(*dst, &[*a]),
        Inst::Special { dst, from } => special(line.word("mov.u32 ").reg(*dst).word(", "), *from),
        Inst::Param { ty, dst, number } => {
            line.word("ld.param.").ty(*ty).regs(*dst, &[]).word(", [p").number(number).word("]")
        }
        Inst::ToGlobal { dst, a } => line.word("cvta.to.global.u64").regs(*dst, &[*a]),
        Inst::SharedAddress { dst, array } => line.word("mov.u32").regs(*dst, &[]).word(", s").number(array.0),
        Inst::Load { space, ty, dst, base, offset } => {
            let line = line.word("ld.").word(space_name(*space)).word(".").ty(*ty);
            line.regs(*dst, &[]).word(", ").address(*base, *offset)
        }
        Inst::Store { space, ty, base, offset, value } => {
            let line = line.word("st.").word(space_name(*space)).word(".").ty(*ty).word(" ");
            line.address(*base, *offset).word(", ").operand(*value)
        }
        Inst::LoadVector { space, ty, dsts, base, offset } => {
            let line = line.word("ld.").word(space_name(*space)).word(vector(dsts)).word(".").ty(*ty).word(" ");
            line.list(dsts).word(", ").address(*base, *offset)
        }
        Inst::StoreVector { ty, base, offset, values } => {
            let line = line.word("st.global").word(vector(values)).word(".").ty(*ty).word(" ");
            line.address(*base, *offset).word(", ").list(values)
        }
        Inst::Flag { base, value } => line.word("st.volatile.global.u8 ").address(*base, 0).word(", ").reg(*value),
        Inst::AtomicMin { base, value } => line.word("red.global.min.u64 ").address(*base, 0).word(", ").reg(*value),
        Inst::ShuffleDown { dst, a, offset } => {
            line.word("shfl.sync.down.b32").regs(*dst, &[*a]).word(", ").number(offset).word(", 31, 0xffffffff")
        }
        Inst::ShuffleIndex { dst, a, lane } => {
            line.word("shfl.sync.idx.b32").regs(*dst, &[*a, *lane]).word(", 31, 0xffffffff")
        }
        Inst::Split { low, high, a } => line.word("mov.b64 {").reg(*low).word(", ").reg(*high).word("}, ").reg(*a),
        Inst::Join { dst, low, high } => {
            line.word("mov.b64").regs(*dst, &[]).word(", {").reg(*low).word(", ").reg(*high).word("}")
        }
        Inst::Label(at) => line.label(*at),
        Inst::Branch { to, cond, uniform } => {
            let line = match cond {
                Some((reg, true)) => line.word("@").reg(*reg).word(" "),
                Some((reg, false)) => line.word("@!").reg(*reg).word(" "),
                None => line,
            };
            line.word(if *uniform { "bra.uni " } else { "bra " }).label(*to)
        }
        Inst::Counters { dst } => line.word("mov.u64").regs(*dst, &[]).word(", ").word(COUNTERS),
        Inst::Count { dst, base, limit } => {
            line.word("atom.global.inc.u32").regs(*dst, &[]).word(", ").address(*base, 0).word(", ").operand(*limit)
        }
        Inst::Fence => line.word("membar.gl"),
        Inst::Barrier => line.word("bar.sync 0"),
        Inst::Return => line.word("ret"),
    }
}

fn space_name(space: Space) -> &'static str {
    match space {
        Space::Global => "global",
        Space::Constant => "global.nc",
        Space::Volatile => "volatile.global",
        Space::Shared => "shared",
    }
}

/// How many registers move together.
fn vector(list: &[Reg]) -> &'static str {
    match list.len() {
        2 => ".v2",
        4 => ".v4",
        _ => "",
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

fn arithmetic(line: Line<'_>, op: Arith, ty: Ty) -> Line<'_> {
    let float = ty.is_float();
    let name = match op {
        Arith::Add if float => "add.rn.",
        Arith::Add => "add.",
        Arith::Sub if float => "sub.rn.",
        Arith::Sub => "sub.",
        Arith::Mul if float => "mul.rn.",
        Arith::Mul => "mul.lo.",
        Arith::MulHigh => "mul.hi.",
        Arith::Div if float => "div.rn.",
        Arith::Div => "div.",
        Arith::Rem => "rem.",
        Arith::Min => "min.",
        Arith::Max => "max.",
        Arith::Neg => "neg.",
        Arith::Abs => "abs.",
        Arith::Sqrt => "sqrt.rn.",
        Arith::Fma => "fma.rn.",
        Arith::And => "and.",
        Arith::Or => "or.",
        Arith::Xor => "xor.",
        Arith::Not => "not.",
        Arith::Shl => "shl.",
        Arith::Shr => "shr.",
        Arith::Rint => "cvt.rni.",
        Arith::Floor => "cvt.rmi.",
        Arith::Ceil => "cvt.rpi.",
        Arith::Trunc => "cvt.rzi.",
    };
    let line = line.word(name).ty(ty);
    match op {
        Arith::Rint | Arith::Floor | Arith::Ceil | Arith::Trunc => line.word(".").ty(ty),
        _ => line,
    }
}

fn comparison(op: Compare, ty: Ty) -> &'static str {
    match op {
        Compare::Eq => "eq",
        Compare::Ne if ty.is_float() => "neu",
        Compare::Ne => "ne",
        Compare::Lt => "lt",
        Compare::Le => "le",
        Compare::Gt => "gt",
        Compare::Ge => "ge",
        Compare::Nan => "nan",
    }
}

fn conversion(line: Line<'_>, to: Ty, from: Ty) -> Line<'_> {
    let name = match (to.is_float(), from.is_float()) {
        (true, false) => "cvt.rn.",
        (false, true) => "cvt.rzi.",
        (true, true) if to == Ty::F32 => "cvt.rn.",
        _ => "cvt.",
    };
    line.word(name).ty(to).word(".").ty(from)
}

fn special(line: Line<'_>, from: Special) -> Line<'_> {
    let (name, axis) = match from {
        Special::Tid(axis) => ("%tid", axis),
        Special::Ntid(axis) => ("%ntid", axis),
        Special::Ctaid(axis) => ("%ctaid", axis),
        Special::Nctaid(axis) => ("%nctaid", axis),
    };
    let axis = match axis {
        Axis::X => ".x",
        Axis::Y => ".y",
        Axis::Z => ".z",
    };
    line.word(name).word(axis)
}
