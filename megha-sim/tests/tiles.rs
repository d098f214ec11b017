//! Copies that go on beside a kernel, and products on tensor cores.

mod common;

use common::{fault_kind, kernel, results, run};
use megha_sim::{FaultKind, Launch};

const WARP: Launch = Launch { grid: [1, 1, 1], block: [32, 1, 1], shared: 0 };
const BLOCK: Launch = Launch { grid: [1, 1, 1], block: [64, 1, 1], shared: 0 };
const TILE: &str = ".shared .align 16 .b8 tile[1024];\nmov.u32 %r0, tile;\nmad.lo.u32 %r1, %t, 8, %r0;\n";
const SEND: &str = "cp.async.ca.shared.global [%r1], [%in], 8;\ncp.async.commit_group;\n";

/// Numbers of very different magnitude, of which sums in another order, or rounded elsewhere, differ.
fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 11
    };
    (0..count).map(|_| (next() as f64 / (1u64 << 52) as f64 - 1.0) * 2f64.powi((next() % 30) as i32)).collect()
}

/// A tile of `rows` by 8 sums, from a left one by rows, a right one by columns, and sums by rows.
fn chains(rows: usize, terms: usize, left: &[f64], right: &[f64], sums: &[f64]) -> Vec<f64> {
    let sum = |at: usize| {
        let (row, column) = (at / 8, at % 8);
        (0..terms).fold(sums[at], |sum, k| left[row * terms + k].mul_add(right[column * terms + k], sum))
    };
    (0..rows * 8).map(sum).collect()
}

#[test]
fn products_are_chains() {
    for (rows, terms) in [(8, 4), (16, 4), (16, 8), (16, 16)] {
        let (left, right, sums) = (numbers(rows * terms, 1), numbers(8 * terms, 2), numbers(rows * 8, 3));
        let wanted = chains(rows, terms, &left, &right, &sums);
        let mut body = "shr.u32 %r2, %t, 2;\nand.b32 %r3, %t, 3;\n".to_owned();
        let mut first = 0;
        // the fragments by the manual: row or column lane / 4, term or pair of columns lane % 4
        let mut fragment = |name: &str, places: &[(usize, usize)], line: usize, unit: usize, length: usize| {
            for (register, (lines, inward)) in places.iter().enumerate() {
                let at = 8 * (first + lines * line + inward);
                body += &format!(
                    "mul.wide.u32 %l0, %r2, {};\nmul.wide.u32 %l1, %r3, {};\nadd.u64 %l0, %l0, %l1;\nadd.u64 %l0, %l0, %first;\nld.global.f64 %{name}{register}, [%l0+{at}];\n",
                    8 * line,
                    8 * unit
                );
            }
            first += length;
        };
        let blocks = rows / 8;
        let left_places: Vec<_> = (0..rows * terms / 32).map(|r| (r % blocks * 8, r / blocks * 4)).collect();
        let right_places: Vec<_> = (0..terms / 4).map(|r| (0, r * 4)).collect();
        let sum_places: Vec<_> = (0..rows / 4).map(|r| (r / 2 * 8, r % 2)).collect();
        fragment("a", &left_places, terms, 1, left.len());
        fragment("b", &right_places, terms, 1, right.len());
        fragment("c", &sum_places, 8, 2, sums.len());
        let list = |name: &str, count: usize| (0..count).map(|at| format!("%{name}{at}")).collect::<Vec<_>>().join(",");
        let [a, b, c] = [("a", left_places.len()), ("b", right_places.len()), ("c", sum_places.len())]
            .map(|(name, count)| list(name, count));
        body += &format!(
            "mma.sync.aligned.m{rows}n8k{terms}.row.col.f64.f64.f64.f64 {{{c}}}, {{{a}}}, {{{b}}}, {{{c}}};\n"
        );
        for register in 0..sum_places.len() {
            let input: Vec<u64> = left.iter().chain(&right).chain(&sums).map(|x| x.to_bits()).collect();
            let declared = format!(".reg .f64 %a<8>, %b<4>, %c<4>;\n{body}mov.b64 %l15, %c{register};");
            let (got, report) = run(&kernel("", &declared), WARP, &input).unwrap();
            assert_eq!(report.tensor64, (2 * rows * 8 * terms) as u64);
            for (lane, bits) in got.iter().enumerate() {
                let (row, column) = (lane / 4 + register / 2 * 8, lane % 4 * 2 + register % 2);
                assert_eq!(*bits, wanted[row * 8 + column].to_bits(), "m{rows}n8k{terms}: {row}, {column}");
            }
        }
    }
}

#[test]
fn products_take_a_whole_warp() {
    let body = "setp.lt.u32 %p0, %t, 16;\n@%p0 mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0,%d1}, {%d2}, {%d3}, {%d0,%d1};";
    assert!(matches!(fault_kind("", body, WARP), FaultKind::Members { .. }));
}

#[test]
fn copies_arrive() {
    let own = format!("{TILE}{SEND}cp.async.wait_group 0;\nld.shared.u64 %l15, [%r1];");
    assert_eq!(results(&own, 64), [7; 64]);
    let all =
        format!("{TILE}cp.async.ca.shared.global [%r1], [%in], 8;\ncp.async.wait_all;\nld.shared.u64 %l15, [%r1];");
    let input: Vec<u64> = (0..64).map(|at| at * 3 + 1).collect();
    assert_eq!(run(&kernel("", &all), BLOCK, &input).unwrap().0, input);
    // those of neighbours after a barrier
    let other =
        format!("{TILE}{SEND}cp.async.wait_group 0;\nbar.sync 0;\nxor.b32 %r1, %r1, 504;\nld.shared.u64 %l15, [%r1];");
    let backwards: Vec<u64> = input.iter().rev().copied().collect();
    assert_eq!(run(&kernel("", &other), BLOCK, &input).unwrap().0, backwards);
}

#[test]
fn copies_are_waited_for() {
    let early = format!("{TILE}{SEND}ld.shared.u64 %l15, [%r1];");
    assert!(matches!(fault_kind("", &early, WARP), FaultKind::Uninitialised { .. }));
    let one_of_two = format!("{TILE}{SEND}{SEND}cp.async.wait_group 2;\nld.shared.u64 %l15, [%r1];");
    assert!(matches!(fault_kind("", &one_of_two, WARP), FaultKind::Uninitialised { .. }));
    // the wait is each thread's own: others need a barrier
    let without = format!("{TILE}{SEND}cp.async.wait_group 0;\nxor.b32 %r1, %r1, 504;\nld.shared.u64 %l15, [%r1];");
    assert!(matches!(fault_kind("", &without, BLOCK), FaultKind::Race { .. } | FaultKind::Uninitialised { .. }));
}

/// What others still read is not sent for.
#[test]
fn copies_may_arrive_at_once() {
    let body = format!(
        "{TILE}st.shared.u64 [%r1], 1;\nbar.sync 0;\nxor.b32 %r2, %r1, 504;\nld.shared.u64 %l15, [%r2];\n{SEND}bar.sync 0;\ncp.async.wait_group 0;"
    );
    assert!(matches!(fault_kind("", &body, BLOCK), FaultKind::Race { .. }));
    let after = body.replace(SEND, &format!("bar.sync 0;\n{SEND}"));
    run(&kernel("", &after), BLOCK, &[5; 64]).unwrap();
}
