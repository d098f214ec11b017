//! Each check fires, says where, and is silent otherwise.

mod common;

use common::{fault, fault_kind, kernel, load, results, run, upload, without};
use megha_sim::{Arg, Checks, Device, Error, FaultKind, Launch, Stream};

const ONE: Launch = Launch { grid: [1, 1, 1], block: [1, 1, 1], shared: 0 };
const WARP: Launch = Launch { grid: [1, 1, 1], block: [32, 1, 1], shared: 0 };
const BLOCK: Launch = Launch { grid: [1, 1, 1], block: [64, 1, 1], shared: 0 };
const BLOCKS: Launch = Launch { grid: [2, 1, 1], block: [32, 1, 1], shared: 0 };

/// Runs a body on a device without one check; the others are on.
fn passes_without(change: fn(&mut Checks), variables: &str, body: &str, launch: Launch) {
    let device = without(change);
    let module = load(&device, &kernel(variables, body));
    let memory = upload(&device, &[0; 4096]);
    let result =
        device.launch(Stream::DEFAULT, &module, "k", launch, &[Arg::Ptr(memory), Arg::Ptr(memory.offset(8192))]);
    result.unwrap_or_else(|error| panic!("{error}"));
}

fn space_and_place(kind: FaultKind) -> (&'static str, usize, String) {
    match kind {
        FaultKind::OutOfBounds { space, bytes, place, .. } => (space, bytes, place),
        other => panic!("{other}"),
    }
}

#[test]
fn faults_say_where() {
    let ptx = kernel("", "\n    setp.eq.u32 %p0, %i, 13;\n    @%p0 ld.global.u32 %r0, [%first+2];");
    let fault = fault(&ptx, Launch { grid: [2, 1, 1], block: [8, 4, 1], shared: 0 });
    let line = 1 + ptx.lines().position(|line| line.contains("[%first+2]")).unwrap() as u32;
    // the index counts eight threads for a block: the second has 8 to 15, on each of its rows
    assert_eq!((fault.line, fault.block, fault.thread), (line, [1, 0, 0], [5, 0, 0]), "{fault}");
    assert_eq!((fault.kernel.as_str(), fault.instruction.as_str()), ("k", "ld.global.u32"));
}

#[test]
fn out_of_bounds() {
    // the input has 4096 words
    let kind = fault_kind("", "ld.global.u64 %l0, [%in+32768];", WARP);
    let (space, bytes, place) = space_and_place(kind);
    assert_eq!((space, bytes), ("global", 8));
    assert!(place.starts_with("at offset 32768 of the allocation of 32768 bytes"), "{place}");
    let (.., place) = space_and_place(fault_kind("", "st.global.u64 [%first+-8], %l15;", ONE));
    assert!(place.starts_with("8 bytes before the allocation"), "{place}");
    let (.., place) = space_and_place(fault_kind("", "mov.u64 %l1, 64; ld.global.u64 %l0, [%l1];", ONE));
    assert_eq!(place, "in no allocation");
    let (space, _, place) = space_and_place(fault_kind("", ".shared .b32 x[4]; ld.shared.u32 %r0, [x+16];", ONE));
    assert_eq!((space, place.as_str()), ("shared", "outside the 16 bytes of the block"));
    let (space, ..) = space_and_place(fault_kind("", ".local .b32 x[4]; ld.local.u32 %r0, [x+16];", ONE));
    assert_eq!(space, "local");
    let (.., place) = space_and_place(fault_kind(".const .b32 c = 1;", "mov.u64 %l0, c; st.global.u32 [%l0], 1;", ONE));
    assert_eq!(place, "in constant memory");
    let fault = fault(&kernel("", "setp.eq.u32 %p0, %t, 13; @%p0 ld.global.u64 %l0, [%in+32768];"), WARP);
    assert_eq!(fault.thread, [13, 0, 0]);
    results("ld.global.u64 %l0, [%in];", 1024);
}

#[test]
fn the_last_bytes_are_exact() {
    let device = without(|_| {});
    let module = load(&device, &kernel("", "ld.global.u32 %r0, [%first+8];"));
    for (bytes, fits) in [(12, true), (11, false), (9, false)] {
        let input = device.alloc(bytes).unwrap();
        device.fill(Stream::DEFAULT, input, 0, bytes).unwrap();
        let out = upload(&device, &[0]);
        let result = device.launch(Stream::DEFAULT, &module, "k", ONE, &[Arg::Ptr(input), Arg::Ptr(out)]);
        assert_eq!(result.is_ok(), fits, "{bytes}: {result:?}");
    }
}

#[test]
fn freed_memory() {
    let device = without(|_| {});
    let module = load(&device, &kernel("", "ld.global.u64 %l0, [%in];"));
    let (stale, out) = (upload(&device, &[0; 4]), upload(&device, &[0]));
    device.free(stale).unwrap();
    let again = upload(&device, &[0; 4]);
    assert_ne!(stale, again, "addresses are not used twice");
    let result = device.launch(Stream::DEFAULT, &module, "k", ONE, &[Arg::Ptr(stale), Arg::Ptr(out)]);
    let Err(Error::Kernel(fault)) = result else { panic!("{result:?}") };
    assert!(space_and_place(fault.kind).2.contains("which was freed"));
    let Err(Error::Address { place, .. }) = device.free(stale) else { panic!("freed twice") };
    assert!(place.contains("freed"));
}

#[test]
fn misaligned() {
    assert!(matches!(
        fault_kind("", "ld.global.u64 %l0, [%first+4];", ONE),
        FaultKind::Misaligned { space: "global", bytes: 8, .. }
    ));
    assert!(matches!(
        fault_kind("", "ld.global.v2.u64 {%l0, %l1}, [%first+8];", ONE),
        FaultKind::Misaligned { bytes: 16, .. }
    ));
    assert!(matches!(
        fault_kind("", ".shared .align 8 .b8 x[8]; st.shared.u32 [x+2], 1;", ONE),
        FaultKind::Misaligned { space: "shared", bytes: 4, .. }
    ));
    results("ld.global.u32 %r0, [%first+4];", 32);
}

#[test]
fn uninitialised_shared_memory() {
    let body = ".shared .align 8 .b32 x[2]; st.shared.u32 [x], 1; ld.shared.u64 %l0, [x];";
    assert!(matches!(fault_kind("", body, ONE), FaultKind::Uninitialised { space: "shared", bytes: 8, .. }));
    passes_without(|checks| checks.uninitialised_shared = false, "", body, ONE);
    // what another block wrote is gone
    let body = ".shared .b32 x;
        setp.eq.u32 %p0, %block, 0;
        @%p0 st.shared.u32 [x], 1;
        bar.warp.sync 0xffffffff;
        ld.shared.u32 %r0, [x];";
    let fault = fault(&kernel("", body), BLOCKS);
    assert_eq!(fault.block, [1, 0, 0]);
    results(".shared .b32 x; st.shared.u32 [x], 1; ld.shared.u32 %r0, [x];", 1);
}

#[test]
fn uninitialised_global_memory() {
    let run = |device: Device| {
        let module = load(&device, &kernel("", "ld.global.u64 %l15, [%in];"));
        let (input, out) = (device.alloc(8).unwrap(), upload(&device, &[0]));
        device.launch(Stream::DEFAULT, &module, "k", ONE, &[Arg::Ptr(input), Arg::Ptr(out)])?;
        device.copy_out(Stream::DEFAULT, &mut [0; 8], input)
    };
    let Err(Error::Kernel(fault)) = run(without(|_| {})) else { panic!("the read was not found") };
    assert!(matches!(fault.kind, FaultKind::Uninitialised { space: "global", .. }));
    run(without(|checks| checks.uninitialised_global = false)).unwrap();
    let device = without(|_| {});
    let fresh = device.alloc(8).unwrap();
    assert!(device.copy_out(Stream::DEFAULT, &mut [0; 8], fresh).is_err());
    let other = device.alloc(8).unwrap();
    device.copy_within(Stream::DEFAULT, other, fresh, 8).unwrap();
    assert!(device.copy_out(Stream::DEFAULT, &mut [0; 8], other).is_err(), "a copy is as uninitialised as its source");
}

fn race(kind: FaultKind) -> (&'static str, &'static str, &'static str, u32, u32) {
    match kind {
        FaultKind::Race { space, this, earlier, thread, block, .. } => (space, this, earlier, thread, block),
        other => panic!("{other}"),
    }
}

const SHARED: &str = ".shared .align 8 .b64 x[128];
    mov.u64 %l0, x;
    add.u64 %l0, %l0, %wide;";

#[test]
fn races_in_shared_memory() {
    let read_after_write =
        format!("{SHARED} st.shared.u64 [%l0], %wide; setp.eq.u32 %p0, %t, 40; @%p0 ld.shared.u64 %l1, [x+24];");
    assert_eq!(race(fault_kind("", &read_after_write, BLOCK)), ("shared", "read", "write", 3, 0));
    passes_without(|checks| checks.races = false, "", &read_after_write, BLOCK);
    let write_after_read =
        format!("{SHARED} st.shared.u64 [%l0], 0; bar.sync 0; ld.shared.u64 %l1, [x+24]; st.shared.u64 [%l0], %wide;");
    assert_eq!(race(fault_kind("", &write_after_read, BLOCK)).1, "write");
    let write_after_write = "
        .shared .b32 x;
        st.shared.u32 [x], %t;";
    assert_eq!(race(fault_kind("", write_after_write, WARP)), ("shared", "write", "write", 0, 0));
    let bytes =
        ".shared .b8 x[64]; mov.u64 %l0, x; cvt.u64.u32 %l1, %t; add.u64 %l0, %l0, %l1; st.shared.u8 [%l0], %r15;";
    results(bytes, 64);
}

#[test]
fn ordered_accesses_of_shared_memory_are_no_race() {
    let barrier = format!(
        "{SHARED} st.shared.u64 [%l0], %wide; bar.sync 0; ld.shared.u64 %l1, [x+24]; bar.sync 0; st.shared.u64 [%l0], 1;"
    );
    results(&barrier, 64);
    let warp = format!(
        "{SHARED} st.shared.u64 [%l0], %wide; bar.warp.sync 0xffffffff; ld.shared.u64 %l1, [x+24];
         bar.warp.sync 0xffffffff; st.shared.u64 [%l0], 1;"
    );
    results(&warp, 32);
    // the same is a race with another warp, and without the second synchronisation
    let two_warps =
        format!("{SHARED} st.shared.u64 [%l0], %wide; bar.warp.sync 0xffffffff; ld.shared.u64 %l1, [x+24];");
    assert_eq!(race(fault_kind("", &two_warps, BLOCK)).1, "read");
    let same_value = ".shared .b32 x; st.shared.u32 [x], 1; bar.sync 0; st.shared.u32 [x], 1;";
    results(same_value, 64);
}

#[test]
fn races_in_global_memory() {
    let between_blocks = "
        setp.eq.u32 %p0, %t, 0;
        @%p0 st.global.u32 [%first], %block;";
    assert_eq!(race(fault_kind("", between_blocks, BLOCKS)), ("global", "write", "write", 0, 0));
    let read_by_other = "
        setp.eq.u32 %p0, %i, 40;
        ld.global.u64 %l0, [%first+80];
        @%p0 st.global.u64 [%first+80], %wide;";
    assert_eq!(race(fault_kind("", read_by_other, BLOCKS)).2, "read");
    // a barrier orders a block but not the blocks
    let with_barrier = "
        ld.global.u64 %l0, [%first+80];
        bar.sync 0;
        setp.eq.u32 %p0, %t, 8;
        @%p0 st.global.u64 [%first+80], %wide;";
    results(with_barrier, 64);
    assert_eq!(race(fault_kind("", with_barrier, BLOCKS)).4, 0);
    let plain_and_atomic = "
        setp.eq.u32 %p0, %i, 0;
        @%p0 ld.global.u32 %r0, [%first];
        atom.global.add.u32 %r1, [%first], 1;";
    assert_eq!(race(fault_kind("", plain_and_atomic, BLOCKS)).1, "atomic");
    run(&kernel("", "red.global.add.u32 [%first], 1;"), BLOCKS, &[0; 64]).unwrap();
}

#[test]
fn launches_are_ordered() {
    let device = without(|_| {});
    let body = "st.global.u64 [%in], %wide; setp.eq.u32 %p0, %i, 63; @%p0 ld.global.u64 %l0, [%first];";
    let module = load(&device, &kernel("", body));
    let (input, out) = (upload(&device, &[9; 64]), upload(&device, &[0; 64]));
    let launch = |launch| device.launch(Stream::DEFAULT, &module, "k", launch, &[Arg::Ptr(input), Arg::Ptr(out)]);
    // a block of the second launch writes what one of the first has written
    launch(WARP).unwrap();
    device.fill(Stream::DEFAULT, input, 0xff, 512).unwrap();
    launch(WARP).unwrap();
    let Err(Error::Kernel(fault)) = launch(BLOCKS) else { panic!("the last thread reads what the first block wrote") };
    assert_eq!((fault.block, race(fault.kind)), ([1, 0, 0], ("global", "read", "write", 0, 0)));
}

#[test]
fn the_last_block_may_read_what_the_others_released() {
    let body = |fence: &str| {
        format!(
            "
        .shared .b32 last;
        setp.ne.u32 %p0, %t, 0;
        @%p0 bra MEET;
        mul.wide.u32 %l0, %block, 8;
        add.u64 %l0, %first, %l0;
        st.global.u64 [%l0], 5;
        {fence}
        atom.global.add.u32 %r0, [%first+256], 1;
        st.shared.u32 [last], %r0;
    MEET:
        bar.sync 0;
        ld.shared.u32 %r1, [last];
        setp.ne.u32 %p1, %r1, 1;
        @%p1 bra OVER;
        ld.global.u64 %l1, [%first];
        ld.global.u64 %l2, [%first+8];
        add.u64 %l15, %l1, %l2;
    OVER:"
        )
    };
    let (values, _) = run(&kernel("", &body("membar.gl;")), BLOCKS, &[0; 64]).unwrap();
    assert_eq!(values, [[0; 32], [10; 32]].concat());
    assert_eq!(race(fault_kind("", &body(""), BLOCKS)), ("global", "read", "write", 0, 0));
}

#[test]
fn divergent_barriers() {
    let body = "setp.lt.u32 %p0, %t, 5; @%p0 bar.sync 0;";
    assert_eq!(fault_kind("", body, WARP), FaultKind::DivergentBarrier { missing: 5 });
    passes_without(|checks| checks.barriers = false, "", body, WARP);
    let exited = "setp.ge.u32 %p0, %t, 40; @%p0 exit; bar.sync 0;";
    assert_eq!(fault_kind("", exited, BLOCK), FaultKind::ExitedBarrier { exited: 24 });
    passes_without(|checks| checks.barriers = false, "", exited, BLOCK);
    let different = "setp.lt.u32 %p0, %t, 32; selp.b32 %r0, 1, 2, %p0; bar.sync %r0;";
    assert_eq!(fault_kind("", different, BLOCK), FaultKind::Deadlock { waiting: 32, expected: 64 });
    assert!(matches!(fault_kind("", "bar.sync 16;", WARP), FaultKind::BadBarrier { id: 16, .. }));
    assert_eq!(results("setp.lt.u32 %p0, %t, 32; @%p0 bar.sync 0; @!%p0 bar.sync 0;", 64), [0; 64]);
}

#[test]
fn exchange_with_inactive_lanes() {
    let body = "setp.lt.u32 %p0, %t, 8; @%p0 shfl.sync.down.b32 %r0, %t, 1, 31, 0xffffffff;";
    assert_eq!(fault_kind("", body, WARP), FaultKind::Members { mask: u32::MAX, active: 0xff });
    let body = "setp.lt.u32 %p0, %t, 8; @%p0 shfl.sync.down.b32 %r0, %t, 1, 31, 0xff;";
    assert_eq!(fault_kind("", body, WARP), FaultKind::InactiveLane { from: 8 });
    let body = "setp.lt.u32 %p0, %t, 8; @%p0 shfl.sync.bfly.b32 %r0, %t, 1, 31, 0xff;";
    results(body, 32);
    assert!(matches!(fault_kind("", "vote.sync.any.pred %p0, %p1, 1;", WARP), FaultKind::Members { mask: 1, .. }));
    let part = Launch::linear(1, 20);
    assert_eq!(
        fault_kind("", "shfl.sync.down.b32 %r0, %t, 1, 31, 0xffffffff;", part),
        FaultKind::InactiveLane { from: 20 }
    );
}

#[test]
fn endless_loops_traps_and_zero_divisors() {
    assert!(matches!(fault_kind("", "AGAIN: bra AGAIN;", ONE), FaultKind::Endless { .. }));
    assert_eq!(fault_kind("", "trap;", ONE), FaultKind::Trap);
    let divide = "div.u32 %r0, 7, %t;";
    let fault = fault(&kernel("", divide), WARP);
    assert_eq!((fault.kind, fault.thread), (FaultKind::DivisionByZero, [0; 3]));
    results("setp.ne.u32 %p0, %t, 0; @%p0 div.u32 %r0, 7, %t;", 32);
    assert_eq!(fault_kind("", "setp.eq.u32 %p0, %t, 0; @%p0 bra.uni END;", WARP), FaultKind::NotUniform);
    let endless = ".func f() { call f; }";
    assert!(matches!(fault_kind(endless, "call f;", ONE), FaultKind::Calls { .. }));
}

#[test]
fn bad_launches() {
    let device = without(|_| {});
    let text = format!(
        "{}\n.visible .entry needs(.param .f64 x, .param .u32 n) .reqntid 64 {{ ret; }}
        .visible .entry most() .maxntid 128 {{ ret; }}",
        kernel(".shared .b8 big[40000];", "mov.u64 %l0, big;")
    );
    let module = load(&device, &text);
    assert_eq!(module.entries(), ["k", "needs", "most"]);
    let reason = |entry: &str, launch: Launch, args: &[Arg]| match device.launch(
        Stream::DEFAULT,
        &module,
        entry,
        launch,
        args,
    ) {
        Err(Error::Launch { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    let pointers = [Arg::U64(0), Arg::U64(0)];
    assert!(reason("other", ONE, &[]).contains("no such entry"));
    assert!(reason("k", ONE, &[]).contains("takes 2 arguments, not 0"));
    assert!(reason("k", ONE, &[Arg::U64(0), Arg::U32(0)]).contains("argument 2 (`out`) has 8 bytes, 4 were given"));
    assert!(reason("needs", BLOCK, &[Arg::U64(0), Arg::U32(0)]).contains("is .f64"));
    assert!(reason("needs", WARP, &[Arg::F64(0.0), Arg::U32(0)]).contains("`.reqntid` demands [64, 1, 1]"));
    assert!(reason("most", Launch::linear(1, 256), &[]).contains("`.maxntid` allows 128"));
    assert!(reason("k", Launch::linear(0, 32), &pointers).contains("empty"));
    assert!(reason("k", Launch::linear(1, 1025), &pointers).contains("1024 threads"));
    assert!(reason("k", Launch { grid: [1, 70000, 1], ..ONE }, &pointers).contains("exceeds"));
    assert!(reason("k", Launch { shared: 9153, ..ONE }, &pointers).contains("49153 bytes of shared memory"));
    device.launch(Stream::DEFAULT, &module, "needs", BLOCK, &[Arg::F64(0.0), Arg::U32(0)]).unwrap();
    device.launch(Stream::DEFAULT, &module, "most", BLOCK, &[]).unwrap();
}
