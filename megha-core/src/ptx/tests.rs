//! The instruction layer, and the structure of small kernels; what they compute is tested on the simulated device.

use expect_test::expect;

use super::emit::Emitter;
use super::inst::{Arith, Bank, Compare, Inst, Operand, Reg, Ty};
use super::{Ptx, generate};
use crate::ir::parse::parse;
use crate::ir::verify::verify;
use crate::schedule::{Optimisations, Schedules};

fn ptx(text: &str) -> Ptx {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let schedules = Schedules::of(&module);
    generate(verify(&module).unwrap_or_else(|v| panic!("{}", v[0])), &schedules)
}

/// How many instructions begin so.
fn count(ptx: &Ptx, name: &str) -> usize {
    ptx.text.lines().filter(|line| line.trim_start().starts_with(name)).count()
}

const SAXPY: &str = "func @saxpy(%a: f64, %x: f64[n, 1], %y: f64[n, 1]) -> (z: f64[n, 1]) {
    sym n = dim 1 0, >= 0
    %z: f64[n, 1] = kernel 0 over [n] into (update %y) |%i| {
      %p: f64 = load %x[%i]
      %q: f64 = load out0[%i]
      %r: f64 = fma %a, %p, %q
      put out0[%i] = %r
    }
    return %z
  }";

#[test]
fn operands_must_fit() {
    let reg = |bank| Reg { bank, number: 1 };
    let (word, long, double) = (reg(Bank::B32), reg(Bank::B64), reg(Bank::F64));
    let add = |ty, dst, args: Vec<Operand>| Inst::Arith { op: Arith::Add, ty, dst, args }.check();
    assert!(add(Ty::S64, long, vec![long.into(), Operand::Int(1)]));
    assert!(!add(Ty::S64, long, vec![long.into(), word.into()]));
    assert!(!add(Ty::S64, word, vec![long.into(), long.into()]));
    assert!(!add(Ty::S64, long, vec![long.into()]));
    assert!(!add(Ty::F64, double, vec![double.into(), Operand::Int(1)]));
    assert!(!add(Ty::B64, long, vec![long.into(), long.into()]));
    let nan = Inst::Compare { op: Compare::Nan, ty: Ty::S64, dst: reg(Bank::Pred), a: long.into(), b: long.into() };
    assert!(!nan.check());
}

/// Words that wrap are small or negative numbers, as the type says with which they are read.
#[test]
fn known_words_are_numbers_of_their_type() {
    let (mut e, int) = (Emitter::new(Optimisations::ALL), Operand::Int);
    let below = e.arith(Arith::Sub, Ty::U32, &[int(0), int(2)]);
    assert_eq!(e.compare(Compare::Lt, Ty::S32, below, int(1)), int(1));
    assert_eq!(e.compare(Compare::Lt, Ty::U32, below, int(1)), int(0));
    assert_eq!(e.compare(Compare::Gt, Ty::U32, int(-2), int(1)), int(1));
    assert_eq!(e.compare(Compare::Eq, Ty::U32, int(-2), below), int(1));
    assert_eq!(e.arith(Arith::Max, Ty::U32, &[int(-2), int(1)]), below);
    assert_eq!(e.arith(Arith::Min, Ty::U32, &[int(-2), int(1)]), int(1));
    let wide = [Ty::S32, Ty::U32].map(|from| e.convert(Ty::S64, from, below));
    assert_eq!(wide, [int(-2), int(0xffff_fffe)]);
    assert_eq!(e.convert(Ty::S64, Ty::U32, int(-2)), wide[1]);
    assert_eq!(e.convert(Ty::S32, Ty::S64, wide[1]), wide[0]);
}

#[test]
fn a_kernel_of_a_vector_has_one_entry_for_both_orders() {
    expect![[r#"
        .version 6.4
        .target sm_70
        .address_size 64

        // points over n
        // p0: iterations of loop 0
        // p1: first number of loop 0
        // p2: array x
        // p3: array z
        // p4: scalar %0
        .visible .entry saxpy_k0(
        	.param .s64 p0,
        	.param .s64 p1,
        	.param .u64 p2,
        	.param .u64 p3,
        	.param .f64 p4
        )
        .maxntid 256, 1, 1
        .minnctapersm 1
        {
        	.reg .pred %p<2>;
        	.reg .b32 %r<13>;
        	.reg .b64 %rd<8>;
        	.reg .f64 %fd<5>;
        	ld.param.u32 %r8, [p0];
        	ld.param.u32 %r10, [p1];
        	ld.param.u64 %rd1, [p2];
        	cvta.to.global.u64 %rd2, %rd1;
        	ld.param.u64 %rd5, [p3];
        	cvta.to.global.u64 %rd6, %rd5;
        	ld.param.f64 %fd3, [p4];
        	mov.u32 %r1, %ctaid.x;
        	mov.u32 %r2, %ntid.x;
        	mul.lo.u32 %r3, %r1, %r2;
        	mov.u32 %r4, %tid.x;
        	add.u32 %r5, %r3, %r4;
        	mov.u32 %r6, %nctaid.x;
        	mul.lo.u32 %r7, %r6, %r2;
        	mov.b32 %r9, %r5;
        $L2:
        	setp.ge.u32 %p1, %r9, %r8;
        	@%p1 bra $L3;
        	add.u32 %r11, %r9, %r10;
        	mul.wide.s32 %rd3, %r11, 8;
        	add.s64 %rd4, %rd2, %rd3;
        	ld.global.nc.f64 %fd1, [%rd4];
        	add.s64 %rd7, %rd6, %rd3;
        	ld.global.f64 %fd2, [%rd7];
        	fma.rn.f64 %fd4, %fd3, %fd1, %fd2;
        	st.global.f64 [%rd7], %fd4;
        $L1:
        	add.u32 %r12, %r9, %r7;
        	mov.b32 %r9, %r12;
        	bra.uni $L2;
        $L3:
        	ret;
        }
    "#]]
    .assert_eq(&ptx(SAXPY).text);
}

#[test]
fn multiply_adds_are_fused_where_the_ir_says_so() {
    let fused = ptx(SAXPY);
    assert_eq!((count(&fused, "fma.rn.f64"), count(&fused, "mul.rn.f64")), (1, 0));
    let apart = ptx(&SAXPY.replace("%r: f64 = fma %a, %p, %q", "%m: f64 = mul %a, %p %r: f64 = add %m, %q"));
    assert_eq!((count(&apart, "fma"), count(&apart, "mul.rn.f64"), count(&apart, "add.rn.f64")), (0, 1, 1));
}

/// A kernel of singles computes in single, as far as its functions have forms for singles, and in registers of 32 bits.
#[test]
fn functions_of_singles_need_no_doubles() {
    let of = |body: &str, class: &str| {
        ptx(&format!(
            "func @f(%x: {class}[n, 1]) -> (y: {class}[n, 1]) {{
              sym n = dim 0 0, >= 0
              %y: {class}[n, 1] = kernel 0 over [n] into (fresh) |%i| {{
                %a = load %x[%i]
                {body}
                put out0[%i] = %b
              }}
              return %y
            }}"
        ))
    };
    let unary = ["exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh"];
    let more = ["cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "round", "fix", "sign", "sqrt"];
    let binary = ["mul 0.1,", "pow 2.5,", "atan2 0.5,", "hypot 3.0,", "rem 3.0,"];
    for name in unary.into_iter().chain(more).chain(binary) {
        let body = format!("%b = {name} %a");
        assert!(!of(&body, "f32").text.contains(".f64"), "{name}");
        assert!(of(&body, "f64").text.contains(".f64"), "{name}");
    }
    let whole = of("%w: i32 = convert %a %b: f32 = convert %w", "f32");
    assert!(!whole.text.contains(".f64"), "{}", whole.text);
    let exp = of("%b = exp %a", "f32");
    // The first entry: that of neighbouring points converts addresses.
    let first = exp.text.split("_v1").next().unwrap_or_default();
    assert!(["shl.b64", "shr.u64", "cvt."].iter().all(|name| !first.contains(name)), "{first}");
}

#[test]
fn what_is_written_is_not_read_as_constant() {
    let text = ptx(SAXPY);
    assert_eq!((count(&text, "ld.global.nc.f64"), count(&text, "ld.global.f64")), (1, 1));
}

/// Whatever the sizes are, one multiplication for each stride, and shared subscripts are computed once.
#[test]
fn addresses_are_shared() {
    let text = "func @f(%a: f64[n, m], %b: f64[n, m]) -> (c: f64[n, m]) {
        sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
        %c: f64[n, m] = kernel 0 over [n, m] into (fresh) |%i, %j| {
          %x: f64 = load %a[%i, %j]
          %y: f64 = load %b[%i, %j]
          %z: f64 = add %x, %y
          put out0[%i, %j] = %z
        }
        return %c
      }";
    let ptx = ptx(text);
    assert_eq!(ptx.kernels[0].entries.each_ref().map(|e| e.name.as_str()), ["f_k0_c", "f_k0_r"]);
    // In each entry, four products say where a thread begins and how far it steps; none has 64 bits.
    assert_eq!((count(&ptx, "mul.lo.u32"), count(&ptx, "mul.lo.s64")), (2 * (4 + 1), 0), "{}", ptx.text);
    assert_eq!(count(&ptx, "mul.wide.s32"), 2, "{}", ptx.text);
    assert_eq!(count(&ptx, "div"), 0);
}

#[test]
fn reductions_shuffle_or_meet() {
    let text = "func @f(%a: f64[n, m]) -> (c: f64[n, 1]) {
        sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
        %c: f64[n, 1] = kernel 0 over [n, m] into (reduce sum along [1]) |%i, %j| {
          %x: f64 = load %a[%i, %j]
          accumulate out0, %x
        }
        return %c
      }";
    let ptx = ptx(text);
    let plan = &ptx.kernels[0];
    expect![[r#"
        f_k0_c: n by 1 reductions of m elements, neighbours side by side
        p0: size n
        p1: size m
        p2: iterations of loop 0
        p3: chunks
        p4: first number of loop 0
        p5: first chunk
        p6: array a
        p7: size stride(n)
        p8: partial results of c
        f_k0_r: n reductions of m elements, warps together
        p0: size n
        p1: size m
        p2: chunks
        p3: iterations of loop 0
        p4: first number of loop 0
        p5: first chunk
        p6: array a
        p7: size stride(m)
        p8: partial results of c
        f_k0_v1_c: n reductions of m elements, warps together
        p0: size n
        p1: size m
        p2: chunks
        p3: iterations of loop 0
        p4: first number of loop 0
        p5: first chunk
        p6: array a
        p7: size stride(n)
        p8: partial results of c
        f_k0_v1_r: n by 1 reductions of m elements, neighbours side by side
        p0: size n
        p1: size m
        p2: iterations of loop 0
        p3: chunks
        p4: first number of loop 0
        p5: first chunk
        p6: array a
        p7: size stride(m)
        p8: partial results of c
        f_k0_combine: chunks of n reductions of m elements
        p0: size n
        p1: size m
        p2: iterations of loop 0
        p3: first number of loop 0
        p4: partial results of c
        p5: array c
        f_k0_finish_c: n by 1 reductions of m elements, neighbours side by side
        p0: size n
        p1: size m
        p2: iterations of loop 0
        p3: chunks
        p4: first number of loop 0
        p5: first chunk
        p6: array a
        p7: size stride(n)
        p8: partial results of c
        p9: array c
        f_k0_finish_r: n reductions of m elements, warps together
        p0: size n
        p1: size m
        p2: chunks
        p3: iterations of loop 0
        p4: first number of loop 0
        p5: first chunk
        p6: array a
        p7: size stride(m)
        p8: partial results of c
        p9: array c
        f_k0_v1_finish_c: n reductions of m elements, warps together
        p0: size n
        p1: size m
        p2: chunks
        p3: iterations of loop 0
        p4: first number of loop 0
        p5: first chunk
        p6: array a
        p7: size stride(n)
        p8: partial results of c
        p9: array c
        f_k0_v1_finish_r: n by 1 reductions of m elements, neighbours side by side
        p0: size n
        p1: size m
        p2: iterations of loop 0
        p3: chunks
        p4: first number of loop 0
        p5: first chunk
        p6: array a
        p7: size stride(m)
        p8: partial results of c
        p9: array c
    "#]]
    .assert_eq(&plan.to_string());
    // Columns first the lanes of neighbours meet in shared memory, in five steps; rows first warps fill tiles of four rows each and fold
    // 64-bit values by shuffles, in halves as the combination does or in order, a lane for each round.
    assert_eq!(plan.entries.each_ref().map(|e| e.shared_bytes), [256 * 8, 2 * 4 * 256 * 8]);
    // An entry that does all in one launch has both, and two barriers around the count of its blocks.
    // Each order has entries of both forms, and one combination is for all.
    let (of_neighbours, of_warps) = (6 + (6 + 2 + 6), 1 + (1 + 2 + 1));
    assert_eq!(count(&ptx, "bar.sync"), 2 * (of_neighbours + of_warps) + 1);
    let (sum, combined) = (10 + 2, 10);
    let shuffles = 2 * (sum + (sum + combined)) + combined;
    assert_eq!((count(&ptx, "shfl.sync.down.b32"), count(&ptx, "atom.global.inc.u32")), (shuffles, 4));
}

/// A body that does more than read and compute a little is computed for one element at a time, under a condition.
#[test]
fn light_bodies_are_computed_ahead() {
    let sum = |body: &str| {
        ptx(&format!(
            "func @f(%a: f64[n, 1]) -> (c: f64) {{
               sym n = dim 0 0, >= 0
               %c: f64 = kernel 0 over [n] into (reduce sum along [0]) |%i| {{
                 %x: f64 = load %a[%i]
                 {body}
                 accumulate out0, %y
               }}
               return %c
             }}"
        ))
    };
    let loads = |ptx: &Ptx| count(ptx, "ld.global.nc.f64");
    // In the combination there are eight more; the entry that does both in one launch has the first ones again.
    assert_eq!(loads(&sum("%y: f64 = mul %x, %x")), 4 + 8 + 4);
    assert_eq!(loads(&sum("%y: f64 = exp %x")), 1 + 8 + 1);
    assert_eq!(loads(&sum("%p: bool = lt %x, 1.0 assert %p, \"too large\" %y: f64 = neg %x")), 1 + 8 + 1);
}

/// More reductions than tiles have room for stay on the CPU.
#[test]
fn too_many_reductions_are_refused() {
    let text = |n: usize| {
        let list = |each: &dyn Fn(usize) -> String, sep: &str| (0..n).map(each).collect::<Vec<_>>().join(sep);
        format!(
            "func @f(%a: f64[n, 1]) -> ({}) {{
               sym n = dim 0 0, >= 0
               {} = kernel 0 over [n] into ({}) |%i| {{ %x: f64 = load %a[%i] {} }}
               return {}
             }}",
            list(&|k| format!("c{k}: f64"), ", "),
            list(&|k| format!("%c{k}: f64"), ", "),
            list(&|_| "reduce sum along [0]".into(), ", "),
            list(&|k| format!("accumulate out{k}, %x"), " "),
            list(&|k| format!("%c{k}"), ", "),
        )
    };
    for n in 1..=12 {
        let ptx = ptx(&text(n));
        assert_eq!(ptx.refused, []);
        // the last block's word has to fit too
        let plan = &ptx.kernels[0];
        assert!(plan.all_entries().all(|entry| entry.shared_bytes <= 48 << 10));
        assert_eq!(!plan.finish.is_empty(), n < 12);
    }
    let refused = ptx(&text(13)).refused;
    assert!(refused.len() == 1 && refused[0].reason.starts_with("13 reductions in one kernel"), "{refused:?}");
}

#[test]
fn calls_of_functions_that_call_themselves_stay_on_the_cpu() {
    let text = "func @g(%x: f64) -> f64 {
        %p: bool = lt %x, 1.0
        %r: f64 = if %p { yield %x } else { %h: f64 = mul %x, 0.5 %s: f64 = call @g(%h) yield %s }
        return %r
      }
      func @f(%a: f64[n, 1]) -> (c: f64[n, 1]) {
        sym n = dim 0 0, >= 0
        %c: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| {
          %x: f64 = load %a[%i]
          %y: f64 = call @g(%x)
          put out0[%i] = %y
        }
        return %c
      }";
    let refused = ptx(text).refused;
    assert_eq!(refused.iter().map(|r| r.reason.as_str()).collect::<Vec<_>>(), ["a call of another function"]);
}

/// Tests of all iterations have no order: a thread for each point, and nothing to combine. A sum beside them makes it a reduction again.
#[test]
fn a_kernel_that_only_tests_is_element_wise() {
    let kernel = |op: &str| {
        let ty = if op == "sum" { "f64" } else { "bool" };
        let value = if op == "sum" { "%p" } else { "%c" };
        format!(
            "func @f(%x: f64[n, m]) -> (y: f64[n, m], t: bool, s: {ty}) {{
               sym n = dim 0 0, >= 0
               sym m = dim 0 1, >= 0
               %t: bool, %s: {ty}, %y: f64[n, m] = kernel 0 over [n, m] into (reduce all along [0, 1], reduce {op} along [0, 1], fresh) |%i, %j| {{
                 %z: f64 = const 0.0
                 %p: f64 = load %x[%i, %j]
                 %c: bool = lt %p, %z
                 accumulate out0, %c
                 accumulate out1, {value}
                 put out2[%i, %j] = %p
               }}
               return %y, %t, %s }}"
        )
    };
    let tests = ptx(&kernel("any"));
    let plan = &tests.kernels[0];
    assert!(matches!(plan.entries[0].grid, megha_base::plan::Grid::Points(_)) && plan.combine.is_none(), "{plan}");
    let roles: Vec<_> = plan.arrays.iter().map(|array| array.role.clone()).collect();
    use megha_base::plan::Role;
    assert_eq!(roles, [Role::Flag(true), Role::Flag(false), Role::Fresh, Role::In]);
    let stores = tests.text.matches("st.volatile.global.u8").count();
    // two in the entry for each order of memory
    assert_eq!((stores, count(&tests, "bar.sync")), (4, 0), "{}", tests.text);
    let sums = ptx(&kernel("sum"));
    assert!(sums.kernels[0].combine.is_some() && !sums.text.contains("st.volatile"));
}
