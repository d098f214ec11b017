//! Plans for a device's memory.

use std::process::Command;

use super::megha;
use expect_test::expect;

/// What a kernel makes again faster than the link brings it is not copied.
#[test]
fn what_is_computed_again_is_said() {
    megha(
        &["explain", "idle.m", "--memory", "8.5M", "--sizes", "m=512,n=512"],
        expect![[r#"
        exit code 0
        idle, block 1: 5 statements, 6 arrays; 8.5 MiB of memory
          x      2.0 MiB  ##==#
          s      2.0 MiB  ##--#
          p      2.0 MiB  .##..
          y      2.0 MiB  ..##=
          q      2.0 MiB  ..##.
          r      2.0 MiB  ...##
          # used on the device, = kept there, - left for others, h used by the host, . not there
            1 idle_k0_c: 4.0 MiB
            2 idle_k1_c: 6.0 MiB
            3 idle_k2_c: 10.0 MiB, 8.0 MiB once arrays have left
            4 idle_k3_c: 10.0 MiB, 8.0 MiB once arrays have left
            5 idle_k4_c: 8.0 MiB
        together on the device, if nothing left:
          statement 3: x, s, p, y, q (10.0 MiB, too much)
          statement 4: x, s, y, q, r (10.0 MiB, too much)
        leaves: chosen by the next use; copies and computing again take 0.006 ms more
          s (2.0 MiB) from statement 2 to statement 5, computed again in 0.006 ms

        --- messages ---
    "#]],
    );
}

#[test]
fn the_memory_of_a_device_is_planned() {
    let path = std::env::temp_dir().join(format!("megha-memory-{}.svg", std::process::id()));
    let svg = path.to_string_lossy().into_owned();
    megha(
        &["explain", "turns.m", "--memory", "6.5M", "--sizes", "m=512,n=512", "--svg", &svg],
        expect![[r#"
            exit code 0
            turns, block 1, in a loop: 4 statements, 4 arrays; 6.5 MiB of memory
              b      2.0 MiB  ###-
              a      2.0 MiB  ##==
              c      2.0 MiB  ==##
              d      2.0 MiB  ---#
              # used on the device, = kept there, - left for others, h used by the host, . not there
                1 turns_k0_c: 8.0 MiB, 6.0 MiB once arrays have left
                2 turns_k1_c: 8.0 MiB, 6.0 MiB once arrays have left
                3 turns_k2_c: 8.0 MiB, 6.0 MiB once arrays have left
                4 turns_k3_c: 8.0 MiB, 6.0 MiB once arrays have left
            together on the device, if nothing left:
              statement 4: b, a, c, d (8.0 MiB, too much)
            leaves: chosen by the next use; copies take 3.474 ms more
              b (2.0 MiB) from statement 3 to statement 1
              d (2.0 MiB) from statement 4 to statement 4
            or, where that is faster: some steps at once, on the same rows, so that a plane is copied once for all of them

            --- messages ---
        "#]],
    );
    let drawn = std::fs::read_to_string(&path).expect("the drawing is written");
    assert!(drawn.starts_with("<svg ") && drawn.trim_end().ends_with("</svg>"), "{drawn}");
    assert_eq!(drawn.matches("<svg ").count(), 1);
    std::fs::remove_file(&path).expect("it can be removed");
    megha(
        &["explain", "turns.m", "--memory", "1G", "--sizes", "m=512,n=512"],
        expect![[r#"
        exit code 0
        turns, block 1, in a loop: 4 statements, 4 arrays; 1.0 GiB of memory
          b      2.0 MiB  ###=
          a      2.0 MiB  ##==
          c      2.0 MiB  ==##
          d      2.0 MiB  ===#
          # used on the device, = kept there, - left for others, h used by the host, . not there
            1 turns_k0_c: 8.0 MiB
            2 turns_k1_c: 8.0 MiB
            3 turns_k2_c: 8.0 MiB
            4 turns_k3_c: 8.0 MiB
        together on the device, if nothing left:
          statement 4: b, a, c, d (8.0 MiB)
        leaves: nothing leaves

        --- messages ---
    "#]],
    );
    // what does not fit alone, what is not given, what is no number
    megha(
        &["explain", "turns.m", "--memory", "3M", "--sizes", "m=512,n=512"],
        expect![[r#"
            exit code 0
            turns, block 1, in a loop: 4 statements, 4 arrays; 3.0 MiB of memory
              b      2.0 MiB  hhh.
              a      2.0 MiB  hh..
              c      2.0 MiB  ..hh
              d      2.0 MiB  ...h
              # used on the device, = kept there, - left for others, h used by the host, . not there
                1 turns_k0_c: 0 B does not fit alone: in parts
                2 turns_k1_c: 0 B does not fit alone: in parts
                3 turns_k2_c: 0 B does not fit alone: in parts
                4 turns_k3_c: 0 B does not fit alone: in parts
            together on the device, if nothing left:
            leaves: nothing leaves
            or, where that is faster: some steps at once, on the same rows, so that a plane is copied once for all of them

            --- messages ---
        "#]],
    );
    megha(
        &["explain", "turns.m", "--memory", "8G", "--sizes", "m=40000,k=3"],
        expect![[r#"
        exit code 2
        --- messages ---
        megha: these sizes are to be given: --sizes n=...; no size has this name: `k`
    "#]],
    );
    megha(
        &["explain", "turns.m", "--memory", "much"],
        expect![[r#"
        exit code 2
        --- messages ---
        error: invalid value 'much' for '--memory <BYTES>': a number of bytes is written as 512M, 1.5G or 400000000

        For more information, try '--help'.
    "#]],
    );
}

/// Steps of a loop over time may go through at once where their arrays do not fit, which is said.
#[test]
fn loops_over_time_have_another_way() {
    let explain = ["explain", "heat.m", "--sizes", "m=4096,n=4096", "--memory"];
    megha(
        &[&explain[..], &["64M"]].concat(),
        expect![[r#"
            exit code 0
            heat, block 1, in a loop: 1 statements, 2 arrays; 64.0 MiB of memory
              u    128.0 MiB  h
              v    128.0 MiB  h
              # used on the device, = kept there, - left for others, h used by the host, . not there
                1 heat_k0_c: 0 B does not fit alone: in parts
            together on the device, if nothing left:
            leaves: nothing leaves
            or, where that is faster: some steps at once, each a row behind the one before, so that a plane is copied once for all of them

            --- messages ---
        "#]],
    );
    let all = Command::new(env!("CARGO_BIN_EXE_megha"))
        .args([&explain[..], &["1G"]].concat())
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli"))
        .output()
        .expect("the command runs");
    assert!(all.status.success() && !String::from_utf8_lossy(&all.stdout).contains("at once"));
}
