//! Mistakes in PTX text: the line and what is wrong.

mod common;

use common::{HEAD, device, kernel};
use megha_sim::{Checks, Config, Device, Error};

fn message(ptx: &str) -> String {
    match device().load(ptx) {
        Err(Error::Ptx(error)) => error.to_string(),
        other => panic!("{other:?}\n{ptx}"),
    }
}

/// The message for an instruction, without its line, which is that of the instruction.
fn of(instruction: &str) -> String {
    let ptx = kernel("", &format!("    {instruction}"));
    let line = 1 + ptx.lines().position(|line| line.contains(instruction)).unwrap();
    let message = message(&ptx);
    let prefix = format!("PTX line {line}: ");
    message.strip_prefix(&prefix).unwrap_or_else(|| panic!("{message} is not on line {line}")).to_string()
}

#[test]
fn instructions() {
    let cases = [
        ("frobnicate.u32 %r0;", "the instruction `frobnicate` is not simulated"),
        ("add.u32 %r0, %r1;", "`add.u32` takes 3 operands, not 2"),
        ("add.u32 %r0, %r1, %l2;", "the register `%l2` is .b64, the instruction wants .u32"),
        ("add.u32 %r0, %r1, %nothing;", "`%nothing` is not declared"),
        ("add.u32 %r0, %r1, %p0;", "`%p0` is a predicate, the instruction wants .u32"),
        ("add.f16 %h0, %h1, %h2;", "`add.f16` names no type that is simulated"),
        ("add.rn.f64 %d0, %d1, %f2;", "the register `%f2` is .f32, the instruction wants .f64"),
        (
            "add.f64 %d0, %d1, %d2;",
            "`add.f64` without `.rn` may be contracted to `fma` by the assembler, which changes results",
        ),
        ("mul.rz.f64 %d0, %d1, %d2;", "arithmetic that rounds by .rz is not simulated, only .rn"),
        ("sqrt.f64 %d0, %d1;", "`sqrt.f64` must say how it rounds, as `.rn`"),
        ("div.approx.f64 %d0, %d1, %d2;", "`div.approx.f64` does not exist for .f64, or is not simulated"),
        ("mul.s32 %r0, %r1, %r2;", "`mul.s32` needs one of the modifiers .lo .hi .wide"),
        ("mul.lo.b32 %r0, %r1, %r2;", "`mul.lo.b32` does not exist for .b32, or is not simulated"),
        ("and.u32 %r0, %r1, %r2;", "`and.u32` does not exist for .u32, or is not simulated"),
        ("add.cc.u32 %r0, %r1, %r2;", "the modifier `.cc` of `add.cc.u32` is not simulated"),
        ("mov.u32 %r0, 4294967296;", "`4294967296` does not fit .u32"),
        ("mov.u16 %h0, -32769;", "`-32769` does not fit .u16"),
        (
            "mov.f64 %d0, 1;",
            "the integer `1` is not a value of type .f64; floating-point literals are written as `0d3FF0000000000000` or `1.0`",
        ),
        ("mov.u32 %r0, 1.0;", "a floating-point literal is not a value of type .u32"),
        ("mov.u64 %l0, %tid.x;", "`%tid.x` is .u32, the instruction wants .u64"),
        ("add.u32 %r0, %r1, %laneid;", "`%laneid` is a special register, which only `mov` and `cvt` read"),
        ("ld.global.u32 %r0, [64];", "an address as a number exists in local memory only"),
        ("mov.b64 {%r0, %r1, %r2}, %l0;", "a .b64 value does not have 3 parts"),
        ("cvt.s32.f64 %r0, %d0;", "`cvt.s32.f64` must say how it rounds, as `.rzi`"),
        ("cvt.f64.s32 %d0, %r0;", "`cvt.f64.s32` must say how it rounds, as `.rn`"),
        ("cvt.f32.f64 %f0, %d0;", "`cvt.f32.f64` must say how it rounds, as `.rn`"),
        ("setp.lo.s32 %p0, %r0, %r1;", "`setp.lo.s32` does not exist for .s32, or is not simulated"),
        ("setp.eq.and.s32 %p0, %r0, %r1;", "`setp.eq.and.s32` takes 4 operands, not 3"),
        ("selp.b32 %r0, %r1, %r2, %r3;", "`%r3` is not a predicate"),
        ("ld.global.f64 %d0, %l0;", "a memory operand is written in brackets, as `[%rd1+8]`"),
        ("ld.global.f64 %d0, [%r0];", "the register `%r0` is .b32, an address has 64 bits"),
        ("ld.global.v2.f64 %d0, [%l0];", "`ld.global.v2.f64` moves 2 registers, not 1"),
        ("ld.global.v4.f64 {%d0, %d1, %d2, %d3}, [%l0];", "`ld.global.v4.f64` moves more than 16 bytes"),
        ("ld.param.f64 %d0, [in+8];", "`ld.param.f64` reads beyond the parameter, which has 8 bytes"),
        ("st.param.u64 [in], %l0;", "`in` is a parameter of the entry and cannot be written"),
        ("st.const.u64 [%l0], %l1;", "constant memory cannot be written"),
        ("atom.global.add.s64 %l0, [%l1], %l2;", "`atom.global.add.s64` does not exist for .s64, or is not simulated"),
        ("bra NOWHERE;", "there is no label `NOWHERE` in this function"),
        ("call k, (%l0, %l1);", "`k` is an entry, which the host launches"),
        ("call nobody;", "there is no function `nobody` in this module"),
        ("@%r0 bra END;", "`%r0` is not a predicate"),
        ("shfl.down.b32 %r0, %r1, 1, 31;", "`shfl` needs `.sync`: targets from sm_70 have no other"),
        ("bar.arrive 0, 64;", "of the barriers only `.sync` is simulated, not `bar.arrive`"),
        (".reg .b32 %tid;", "`%tid` is a special register"),
        (".reg .b32 %laneid;", "`%laneid` is a special register"),
        (".reg .f64 %d0;", "`%d0` is declared twice"),
        ("END: ret;", "the label `END` is defined twice"),
        ("add.u32 %r0 %r1;", "expected `,` or `;`, found `%r1`"),
        ("mov.f64 %d0, 0d3FF;", "a literal of this form has 16 hexadecimal digits, this one is `3FF`"),
        ("mov.u32 %r0, 12ab;", "`12ab` is not an integer of 64 bits"),
        ("mov.u32 %r0, µ;", "the character 'µ' has no place in PTX"),
    ];
    for (instruction, expected) in cases {
        let found = match instruction {
            // the second definition is the one of the frame
            "END: ret;" => message(&kernel("", instruction)).split_once(": ").unwrap().1.to_string(),
            _ => of(instruction),
        };
        assert_eq!(found, expected, "{instruction}");
    }
}

#[test]
fn modules() {
    let cases = [
        (".target sm_70\n".to_string(), "PTX line 1: expected `.version`, which opens every module, found `.target`"),
        (".version 99.1\n".to_string(), "PTX line 1: expected a PTX version from 3.0 to 9.0, found `99.1`"),
        (".version 6.4\n.target tesla\n".to_string(), "PTX line 2: `tesla` is not a target as `sm_70`"),
        (
            ".version 6.4\n.target sm_70\n.address_size 32\n".to_string(),
            "PTX line 3: only 64-bit addresses are simulated",
        ),
        (format!("{HEAD}.global .f16 x;"), "PTX line 4: the type or attribute `.f16` is not simulated"),
        (format!("{HEAD}.global .b32 x[2] = {{1, 2, 3}};"), "PTX line 4: `x` has more initial values than elements"),
        (format!("{HEAD}.global .b32 x[];"), "PTX line 4: the array `x` has no size"),
        (format!("{HEAD}.extern .global .b32 x;"), "PTX line 4: `x` is external, and modules are not linked"),
        (format!("{HEAD}.shared .b32 x = 1;"), "PTX line 4: a .shared variable has no initial value"),
        (format!("{HEAD}.global .b32 x;\n.global .b32 x;"), "PTX line 5: `x` is declared twice"),
        (format!("{HEAD}.entry k() {{\n ret;"), "PTX line 5: expected an instruction, found the end of the text"),
        (
            format!("{HEAD}.entry k() {{ ret; }}\n.entry k() {{ ret; }}"),
            "PTX line 5: the function `k` is defined twice",
        ),
        (
            format!("{HEAD}.func f(.param .b32 x);\n.entry k()\n{{ call f; }}"),
            "PTX line 6: there is no function `f` in this module",
        ),
        (
            format!("{HEAD}.func f(.reg .b32 %x) {{ ret; }}\n.entry k()\n{{ call f; }}"),
            "PTX line 6: `f` takes 1 arguments and returns 0, the call has 0 and 0",
        ),
        (
            format!("{HEAD}.entry k(.param .b8 x[5000]) {{ ret; }}"),
            "PTX line 4: the parameters of this entry take more than 4096 bytes",
        ),
        (format!("{HEAD}/* open"), "PTX line 4: this comment has no `*/`"),
        (format!("{HEAD}.alias f, g;"), "PTX line 4: the directive `.alias` is not simulated"),
    ];
    for (ptx, expected) in cases {
        assert_eq!(message(&ptx), expected, "{ptx}");
    }
}

#[test]
fn contraction_may_be_allowed() {
    let checks = Checks { contraction: false, ..Checks::all() };
    let device = Device::new(Config { checks, ..Config::default() });
    device.load(&kernel("", "add.f64 %d0, %d1, %d2; mul.f32 %f0, %f1, %f2;")).unwrap();
}

/// Text that is cut short or has a piece missing never makes the reader panic.
#[test]
fn damaged_text_is_an_error() {
    let whole = include_str!("../benches/kernels/reduction.ptx");
    let device = device();
    device.load(whole).unwrap();
    for end in (0..whole.len()).step_by(7) {
        let _ = device.load(&whole[..end]);
        let mut missing = whole.to_string();
        missing.replace_range(end..(end + 3).min(whole.len()), "");
        let _ = device.load(&missing);
        let mut other = whole.to_string();
        other.replace_range(end..end + 1, "{");
        let _ = device.load(&other);
    }
}
