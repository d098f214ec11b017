//! Control flow, calls, exchange within warps, barriers, atomics, spaces of memory.

mod common;

use common::{HEAD, device, download, kernel, load, results, run, upload};
use megha_sim::{Arg, Launch, Stream};

#[test]
fn divergent_branches_meet_again() {
    let body = "
    and.b32 %r0, %t, 1;
    setp.eq.u32 %p0, %r0, 0;
    mov.u64 %l15, 100;
    @%p0 bra EVEN;
    add.u64 %l15, %l15, 1;
    setp.gt.u32 %p1, %t, 10;
    @%p1 bra BIG;
    add.u64 %l15, %l15, 10;
BIG:
    add.u64 %l15, %l15, 1000;
    bra MEET;
EVEN:
    add.u64 %l15, %l15, 2;
MEET:
    activemask.b32 %r1;
    popc.b32 %r1, %r1;
    cvt.u64.u32 %l1, %r1;
    mul.lo.u64 %l1, %l1, 100000;
    add.u64 %l15, %l15, %l1;";
    let expected: Vec<u64> =
        (0..32).map(|i| 3_200_100 + if i % 2 == 0 { 2 } else { 1001 + if i > 10 { 0 } else { 10 } }).collect();
    assert_eq!(results(body, 32), expected);
}

#[test]
fn loops_of_different_lengths() {
    // thread i sums 1..=i, skipping multiples of 3 by a branch back to the head
    let body = "
    mov.u32 %r0, 0;
LOOP:
    setp.ge.u32 %p0, %r0, %t;
    @%p0 bra OUT;
    add.u32 %r0, %r0, 1;
    rem.u32 %r1, %r0, 3;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra LOOP;
    cvt.u64.u32 %l1, %r0;
    add.u64 %l15, %l15, %l1;
    bra LOOP;
OUT:
    activemask.b32 %r2;
    setp.ne.u32 %p2, %r2, 0xffffffff;
    @%p2 trap;";
    let expected: Vec<u64> = (0..64).map(|i| (1..=i).filter(|k| k % 3 != 0).sum()).collect();
    assert_eq!(results(body, 64), expected);
}

#[test]
fn nested_loops_with_breaks() {
    let body = "
    mov.u32 %r0, 0;
OUTER:
    mov.u32 %r1, 0;
INNER:
    add.u64 %l15, %l15, 1;
    add.u32 %r1, %r1, 1;
    mad.lo.u32 %r2, %r0, 5, %r1;
    setp.eq.u32 %p0, %r2, %t;
    @%p0 bra OUT;
    setp.lt.u32 %p1, %r1, 5;
    @%p1 bra INNER;
    add.u32 %r0, %r0, 1;
    setp.lt.u32 %p2, %r0, 4;
    @%p2 bra OUTER;
OUT:";
    let expected: Vec<u64> = (0..32).map(|i| if (1..=20).contains(&i) { i } else { 20 }).collect();
    assert_eq!(results(body, 32), expected);
}

#[test]
fn guarded_exit_takes_threads_away() {
    let body = "
    setp.gt.u32 %p0, %t, 4;
    @%p0 exit;
    activemask.b32 %r0;
    cvt.u64.u32 %l15, %r0;";
    let (values, _) = run(&kernel("", body), Launch::linear(1, 32), &[0; 32]).unwrap();
    assert_eq!(values, [vec![0b11111; 5], vec![0; 27]].concat());
}

#[test]
fn functions_take_and_return_values() {
    let functions = "
.func (.param .f64 result) square_plus(.param .f64 x, .param .b32 n)
{
    .reg .f64 %x;
    .reg .b32 %n;
    .reg .f64 %m;
    ld.param.f64 %x, [x];
    ld.param.b32 %n, [n];
    cvt.rn.f64.u32 %m, %n;
    fma.rn.f64 %x, %x, %x, %m;
    st.param.f64 [result], %x;
    ret;
}
.func (.reg .b32 %result) factorial(.reg .b32 %n)
{
    .reg .pred %p;
    .reg .b32 %m;
    setp.gt.u32 %p, %n, 1;
    mov.u32 %result, 1;
    @!%p ret;
    sub.u32 %m, %n, 1;
    call (%result), factorial, (%m);
    mul.lo.u32 %result, %result, %n;
}
";
    let body = "
    cvt.rn.f64.u32 %d0, %t;
    {
        .param .f64 x;
        .param .b32 n;
        .param .f64 value;
        st.param.f64 [x], %d0;
        st.param.b32 [n+0], %t;
        call.uni (value), square_plus, (x, n);
        ld.param.f64 %d1, [value];
    }
    cvt.rzi.u64.f64 %l15, %d1;
    setp.lt.u32 %p0, %t, 8;
    @%p0 call (%r0), factorial, (%t);
    @!%p0 mov.u32 %r0, 0;
    mad.wide.u32 %l15, %r0, 10000, %l15;";
    let (values, _) = run(&kernel(functions, body), Launch::linear(1, 32), &[0; 32]).unwrap();
    let factorial = |n: u64| if n < 8 { (1..=n).product() } else { 0 };
    let expected: Vec<u64> = (0..32).map(|i| i * i + i + 10000 * factorial(i)).collect();
    assert_eq!(values, expected);
}

#[test]
fn shuffles() {
    let shuffle = |mode: &str, b: &str, c: &str| {
        let body = format!(
            "shfl.sync.{mode}.b32 %r0|%p0, %t, {b}, {c}, 0xffffffff;
             selp.b32 %r1, 100, 0, %p0;
             add.u32 %r0, %r0, %r1;
             cvt.u64.u32 %l15, %r0;"
        );
        results(&body, 32)
    };
    let map = |f: fn(u64) -> u64| (0..32).map(f).collect::<Vec<u64>>();
    assert_eq!(shuffle("down", "3", "31"), map(|i| if i + 3 < 32 { 100 + i + 3 } else { i }));
    assert_eq!(shuffle("up", "3", "0"), map(|i| if i >= 3 { 100 + i - 3 } else { i }));
    assert_eq!(shuffle("bfly", "5", "31"), map(|i| 100 + (i ^ 5)));
    assert_eq!(shuffle("idx", "7", "31"), map(|_| 107));
    // segments of 8 lanes
    assert_eq!(shuffle("down", "3", "0x1807"), map(|i| if i % 8 + 3 < 8 { 100 + i + 3 } else { i }));
    assert_eq!(shuffle("idx", "2", "0x1807"), map(|i| 100 + i / 8 * 8 + 2));
}

#[test]
fn votes() {
    let body = "
    setp.lt.u32 %p0, %t, 5;
    vote.sync.ballot.b32 %r0, %p0, 0xffffffff;
    vote.sync.any.pred %p1, %p0, 0xffffffff;
    vote.sync.all.pred %p2, %p0, 0xffffffff;
    vote.sync.uni.pred %p3, !%p0, 0xffffffff;
    vote.sync.all.pred %p4, 1, 0xffffffff;
    cvt.u64.u32 %l15, %r0;
    @%p1 add.u64 %l15, %l15, 1000;
    @%p2 add.u64 %l15, %l15, 10000;
    @%p3 add.u64 %l15, %l15, 100000;
    @%p4 add.u64 %l15, %l15, 1000000;";
    assert_eq!(results(body, 32), [0b11111 + 1_001_000; 32]);
}

#[test]
fn special_registers() {
    let body = "
    mov.u32 %r0, %laneid;
    mov.u32 %r1, %warpid;
    mov.u32 %r2, %lanemask_lt;
    popc.b32 %r2, %r2;
    mov.u32 %r3, %lanemask_ge;
    popc.b32 %r3, %r3;
    mov.u32 %r4, %tid.y;
    mov.u32 %r5, %nctaid.y;
    mov.u32 %r6, %ctaid.y;
    mad.lo.u32 %r0, %r1, 100, %r0;
    sub.u32 %r2, %r2, %lane;
    mad.lo.u32 %r0, %r2, 10000000, %r0;
    mad.lo.u32 %r0, %r4, 10000, %r0;
    add.u32 %r3, %r3, %lane;
    mov.u32 %r7, %tid.x;
    mov.u32 %r8, %ntid.x;
    mad.lo.u32 %r7, %r4, %r8, %r7;
    mov.u32 %r9, %ntid.y;
    mul.lo.u32 %r9, %r9, %r8;
    mad.lo.u32 %r7, %r6, %r9, %r7;
    mul.wide.u32 %wide, %r7, 8;
    add.u64 %out, %result, %wide;
    mad.lo.u32 %r0, %r6, 100000, %r0;
    mad.lo.u32 %r0, %r3, 1000000, %r0;
    mad.lo.u32 %r0, %r5, 1000, %r0;
    cvt.u64.u32 %l15, %r0;";
    let launch = Launch { grid: [1, 2, 1], block: [8, 8, 1], shared: 0 };
    let (values, _) = run(&kernel("", body), launch, &[0; 128]).unwrap();
    let expected: Vec<u64> = (0..128)
        .map(|i| {
            let (block, thread) = (i / 64, i % 64);
            32_000_000 + block * 100_000 + thread / 8 * 10_000 + 2_000 + thread / 32 * 100 + thread % 32
        })
        .collect();
    assert_eq!(values, expected);
}

#[test]
fn shared_memory_and_barriers_between_warps() {
    // each thread reads what the thread on the other end of the block wrote, twice
    let body = "
    .shared .align 8 .b8 buffer[1024];
    mov.u32 %r0, buffer;
    shl.b32 %r1, %t, 3;
    add.u32 %r1, %r1, %r0;
    mov.u32 %r2, 1016;
    sub.u32 %r2, %r2, %r1;
    add.u32 %r2, %r2, %r0;
    cvt.u64.u32 %l0, %t;
    st.shared.u64 [%r1], %l0;
    bar.sync 0;
    ld.shared.u64 %l1, [%r2];
    barrier.sync 1, 128;
    mad.lo.u64 %l1, %l1, 10, 1;
    st.shared.u64 [%r1], %l1;
    bar.sync 0;
    ld.shared.u64 %l15, [%r2];";
    let expected: Vec<u64> = (0..128).map(|i| i * 10 + 1).collect();
    assert_eq!(results(body, 128), expected);
}

#[test]
fn dynamic_shared_memory_follows_the_static() {
    let ptx = kernel(
        ".extern .shared .align 16 .b8 dynamic[];\n.shared .b32 one;",
        "
    mov.u64 %l0, dynamic;
    mov.u64 %l1, one;
    mov.u32 %r0, %dynamic_smem_size;
    st.shared.b32 [one], 5;
    st.shared.v2.b64 [dynamic+16], {%l0, %l1};
    ld.shared.v2.b64 {%l2, %l3}, [%l0+16];
    mad.wide.u32 %l15, %r0, 1000, %l2;",
    );
    let launch = Launch { shared: 32, ..Launch::linear(1, 1) };
    assert_eq!(run(&ptx, launch, &[0]).unwrap().0, [32_016]);
}

#[test]
fn atomics_on_global_and_shared_memory() {
    let ptx = kernel(
        ".global .align 8 .b8 totals[64];",
        "
    .shared .align 4 .u32 count;
    mov.u64 %l0, totals;
    cvt.rn.f64.u32 %d0, %t;
    red.global.add.f64 [%l0], %d0;
    atom.global.add.u32 %r0, [%l0+8], 1;
    sub.s32 %r1, 5, %t;
    atom.relaxed.gpu.global.min.s32 %r2, [%l0+12], %r1;
    atom.global.max.u64 %l1, [%l0+16], %wide;
    atom.global.inc.u32 %r3, [%l0+24], 9;
    atom.global.or.b32 %r3, [%l0+28], %t;
    setp.eq.u32 %p0, %t, 0;
    @%p0 st.shared.u32 [count], 0;
    bar.sync 0;
    atom.shared.add.u32 %r4, [count], 2;
TRY:
    ld.relaxed.gpu.global.u64 %l4, [%l0+32];
    add.u64 %l5, %l4, 3;
    atom.global.cas.b64 %l6, [%l0+32], %l4, %l5;
    setp.ne.u64 %p1, %l6, %l4;
    @%p1 bra TRY;
    bar.sync 0;
    ld.shared.u32 %r5, [count];
    cvt.u64.u32 %l15, %r5;
    mad.wide.u32 %l15, %r0, 1000, %l15;",
    );
    let device = device();
    let module = load(&device, &ptx);
    let out = upload(&device, &[0; 64]);
    let arguments = [Arg::Ptr(out), Arg::Ptr(out)];
    let report = device.launch(Stream::DEFAULT, &module, "k", Launch::linear(1, 64), &arguments).unwrap();
    assert_eq!(download(&device, out, 64), (0..64).map(|i| i * 1000 + 128).collect::<Vec<u64>>());
    let (totals, bytes) = device.symbol(&module, "totals").unwrap();
    assert_eq!(bytes, 64);
    let words = download(&device, totals, 8);
    assert_eq!(f64::from_bits(words[0]), 2016.0);
    assert_eq!([words[1] as u32, (words[1] >> 32) as u32], [64, -58i32 as u32]);
    assert_eq!(words[2], 63 * 8);
    assert_eq!([words[3] as u32, (words[3] >> 32) as u32], [4, 63]);
    assert_eq!(words[4], 3 * 64);
    assert!(report.traffic.atomics > 64 * 7);
}

#[test]
fn warps_wait_for_each_other_in_loops() {
    let body = "
    .shared .align 4 .u32 flag;
    setp.eq.u32 %p0, %t, 0;
    @%p0 st.shared.u32 [flag], 0;
    bar.sync 0;
    setp.lt.u32 %p1, %t, 32;
    @!%p1 bra SET;
WAIT:
    ld.volatile.shared.u32 %r0, [flag];
    setp.eq.u32 %p2, %r0, 0;
    @%p2 bra WAIT;
    bra DONE;
SET:
    st.volatile.shared.u32 [flag], 9;
    mov.u32 %r0, 9;
DONE:
    cvt.u64.u32 %l15, %r0;";
    assert_eq!(results(body, 64), [9; 64]);
}

#[test]
fn constant_local_and_generic_memory() {
    let ptx = kernel(
        ".const .align 8 .f64 table[3] = {1.5, 0d4004000000000000, -3};
         .global .align 4 .u32 numbers[] = {1, 2, 0x10};",
        "",
    );
    // an integer is no initial value of a double
    assert!(device().load(&ptx).is_err());
    let ptx = kernel(
        ".const .align 8 .f64 table[3] = {1.5, 0d4004000000000000, -3.0};
         .global .align 4 .u32 numbers[] = {1, 2, 0x10};",
        "
    .local .align 8 .b8 stack[64];
    .shared .align 8 .b64 cell[32];
    and.b32 %r0, %t, 1;
    mul.wide.u32 %l0, %r0, 8;
    mov.u64 %l1, table;
    add.u64 %l0, %l0, %l1;
    ld.const.f64 %d0, [%l0];
    ld.const.f64 %d1, [table+16];
    st.local.f64 [stack+8], %d0;
    mov.u64 %l2, stack;
    cvta.local.u64 %l3, %l2;
    ld.f64 %d2, [%l3+8];
    add.rn.f64 %d2, %d2, %d1;
    mov.u64 %l4, cell;
    add.u64 %l4, %l4, %wide;
    cvta.shared.u64 %l5, %l4;
    st.f64 [%l5], %d2;
    cvta.to.shared.u64 %l6, %l5;
    ld.shared.f64 %d3, [%l6];
    cvta.global.u64 %l7, numbers;
    ld.u32 %r1, [%l7+8];
    cvt.rn.f64.u32 %d4, %r1;
    // one address in global, one in shared memory
    setp.eq.u32 %p0, %r0, 0;
    selp.b64 %l8, %l5, %in, %p0;
    ld.u64 %l9, [%l8];
    fma.rn.f64 %d3, %d3, %d4, 0d0000000000000000;
    cvt.rzi.s64.f64 %l15, %d3;
    setp.ne.u64 %p1, %l9, 77;
    @%p1 add.u64 %l15, %l15, 1000;",
    );
    let (values, _) = run(&ptx, Launch::linear(1, 32), &[77; 32]).unwrap();
    let expected: Vec<u64> = (0..32).map(|i| if i % 2 == 0 { 1000 - 24 } else { -8i64 as u64 }).collect();
    assert_eq!(values, expected);
}

#[test]
fn vectors_and_narrow_values() {
    let body = "
    .reg .b32 %v<4>;
    ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%first];
    ld.global.s8 %r0, [%first+3];
    ld.global.u8 %r1, [%first+3];
    ld.global.s16 %l0, [%first+2];
    st.global.v2.u32 [%out], {%v3, %v0};
    ld.global.u64 %l15, [%out];
    st.global.u8 [%out], %r1;
    ld.global.v2.u32 {_, %r3}, [%out];
    cvt.s64.s32 %l1, %r0;
    add.s64 %l15, %l15, %l1;
    add.s64 %l15, %l15, %l0;";
    let (values, _) =
        run(&kernel("", body), Launch::linear(1, 1), &[0x8000_0002_f1f2_f3f4, 0x0000_0005_0000_0006]).unwrap();
    let low = 0xffff_ffff_ffff_fff1u64;
    assert_eq!(values, [0xf1f2_f3f4_0000_0005u64.wrapping_add(low).wrapping_add(0xffff_ffff_ffff_f1f2)]);
}

#[test]
fn the_clock_advances() {
    let body = "
    mov.u64 %l0, %clock64;
    add.u32 %r0, %t, 1;
    mov.u64 %l1, %clock64;
    setp.gt.u64 %p0, %l1, %l0;
    selp.b64 %l15, 1, 0, %p0;";
    assert_eq!(results(body, 1), [1]);
}

#[test]
fn counts_of_a_launch() {
    let body = "
    ld.global.f64 %d0, [%in];
    fma.rn.f64 %d0, %d0, %d0, %d0;
    add.rn.f64 %d0, %d0, %d0;
    mov.b64 %l15, %d0;";
    let (_, report) = run(&kernel("", body), Launch::linear(2, 48), &[1; 96]).unwrap();
    assert_eq!(report.flops64, 3 * 96);
    assert_eq!((report.flops32, report.slots32), (0, 0));
    // two instructions of two warps in two blocks, the second of them half empty
    assert_eq!(report.slots64, 2 * 2 * 2 * 32);
    assert_eq!(report.instructions["fma.rn.f64"], 96);
    assert_eq!(report.instructions["ld.param.u64"], 2 * 96);
    let (loaded, stored) = (report.traffic.global_loaded, report.traffic.global_stored);
    assert_eq!((loaded, stored), (96 * 8, 96 * 8));
    // 96 values of 8 bytes, read and written, in sectors of 32 bytes
    assert_eq!((report.traffic.sectors, report.traffic.unique_sectors), (48, 48));
    assert_eq!(report.traffic.global_requests, 8, "two of each of two warps in two blocks");
    assert_eq!(report.thread_instructions, report.instructions.values().sum());
    assert_eq!(report.lines.values().sum::<u64>(), report.thread_instructions);
}

#[test]
fn labels_at_the_end_and_empty_bodies() {
    let ptx = format!("{HEAD}.entry k(.param .u64 a, .param .u64 b) {{ .reg .pred %p; setp.eq.u32 %p, %p_, 0; }}");
    assert!(device().load(&ptx).is_err());
    let ptx = format!("{HEAD}.visible .entry k(.param .u64 a, .param .u64 b)\n{{ }}");
    assert_eq!(run(&ptx, Launch::linear(1, 1), &[0]).unwrap().0, [0]);
}
