//! The schedules of the kernels of all examples: legal, the same as data and as text, and carried out by both back ends.

use std::collections::HashSet;
use std::path::Path;

use megha_core::diag::render_all;
use megha_core::driver::{Job, Outcome, compile, ptx, rust_without_devices};
use megha_core::ir::FuncId;
use megha_core::ptx::carries_out;
use megha_core::schedule::candidates::{Bounds, candidates};
use megha_core::schedule::{Memory, Schedule, Schedules, Target, subjects, verify};

fn examples() -> Vec<Outcome> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/matlab");
    let mut outcomes = Vec::new();
    for folder in [folder.clone(), folder.join("gallery")] {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        for path in entries.filter(|path| path.extension().is_some_and(|e| e == "m")) {
            let outcome = compile(Job::file(&path).unwrap());
            assert!(outcome.is_ok(), "{}", render_all(&outcome.diags, &outcome.sources, false));
            outcomes.push(outcome);
        }
    }
    outcomes
}

#[test]
fn default_schedules_are_legal_survive_their_text_and_are_carried_out() {
    let (mut count, mut others) = (0, 0);
    for mut outcome in examples() {
        let table = Schedules::of(&outcome.module);
        for (at, func) in outcome.module.funcs.iter().enumerate() {
            for subject in subjects(func) {
                for (target, memory) in Target::ALL.into_iter().flat_map(|t| Memory::ALL.map(|m| (t, m))) {
                    let all = table.all((FuncId::new(at), subject.kernel.id), target, memory);
                    for schedule in all {
                        let text = schedule.to_string();
                        assert_eq!(text.parse::<Schedule>().unwrap_or_else(|e| panic!("{e}\n{text}")), *schedule);
                        let legal = verify(schedule, &subject);
                        legal.unwrap_or_else(|e| panic!("{}: {}\n{text}", func.name, e.join("; ")));
                    }
                    count += 1;
                    others += all.len() - 1;
                }
            }
        }
        assert_eq!(ptx(&outcome).unwrap().refused, []);
        assert!(rust_without_devices(&mut outcome, "rt").is_some());
    }
    assert!(count > 1000 && others > 20, "{count} kernels, {others} schedules for many points");
}

/// All that is listed for the kernels of the examples is legal, survives its text, and there is no schedule twice; the default one is among it.
#[test]
fn listed_schedules_are_legal() {
    let (mut count, mut refused) = (0, 0);
    for outcome in examples() {
        let table = Schedules::of(&outcome.module);
        for (at, func) in outcome.module.funcs.iter().enumerate() {
            for (subject, memory) in subjects(func).iter().flat_map(|s| Memory::ALL.map(|memory| (s, memory))) {
                let all = candidates(subject, memory, &Bounds::TIMED).into_iter().flat_map(|(_, all)| all);
                let all: Vec<Schedule> = all.collect();
                for schedule in &all {
                    let text = schedule.to_string();
                    verify(schedule, subject).unwrap_or_else(|e| panic!("{}: {}\n{text}", func.name, e.join("; ")));
                    assert_eq!(text.parse::<Schedule>().unwrap_or_else(|e| panic!("{e}\n{text}")), *schedule);
                    refused += usize::from(carries_out(schedule, subject).is_err());
                }
                let own = table.all((FuncId::new(at), subject.kernel.id), Target::Gpu, memory);
                let missing = own.iter().find(|own| !all.contains(own));
                assert!(missing.is_none(), "{}: {}", func.name, missing.unwrap());
                let different: HashSet<&Schedule> = all.iter().collect();
                assert_eq!(different.len(), all.len(), "{}", func.name);
                count += all.len();
            }
        }
    }
    assert!(count > 2000 && refused * 10 < count, "{count} schedules, {refused} refused");
}

/// Each rule of the verifier, by a schedule that breaks it alone.
#[test]
fn what_is_wrong_with_a_schedule_is_said() {
    let text = "func @f(%a: f64[m, p], %b: f64[p, n]) -> (c: f64[m, n]) {
      sym m = dim 0 0 sym p = dim 0 1 sym n = dim 1 1
      %c: f64[m, n] = kernel 0 over [m, n] into (fresh) |%i, %j| {
        %trip = size p
        %s = for %trip with 0.0 |%k, %acc| {
          %x = load %a[%i, %k]
          %t = add %acc, %x
          yield %t
        }
        put out0[%i, %j] = %s
      }
      return %c
    }";
    let module = megha_core::ir::parse::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let list = subjects(&module.funcs[0]);
    let said = |lines: &str| {
        let schedule: Schedule =
            format!("schedule on cpu, columns first\n{lines}").parse().unwrap_or_else(|e| panic!("{e}"));
        verify(&schedule, &list[0]).err().unwrap_or_default().join("; ")
    };
    assert_eq!(said("order j i/32 k i\nbind core j i/32, vector i"), "");
    assert_eq!(said("order j i/128 k i\nbind core j i/128, vector i\njam j 4\nsweep k steps 4"), "");
    assert_eq!(
        said("order j i/128 k i\nbind core j i/128, vector i\nsweep i steps 4"),
        "`i` does not stand directly in the kernel's body, so it goes through no tiles"
    );
    assert_eq!(
        said("order j i k\nbind core j i, vector i\nsweep k points 8"),
        "`k` stands inside of the loop along vectors, so it goes through no tiles"
    );
    assert_eq!(
        said("order k/16 j/64 i/64 k j i\nbind vector i"),
        "",
        "sequential loops may be cut into consecutive pieces"
    );
    let mut empty: Schedule = "schedule on cpu, columns first\norder j i k\nbind vector i".parse().unwrap();
    empty.levels[0].loops.clear();
    assert_eq!(
        verify(&empty, &list[0]).unwrap_err(),
        ["the loop `j` is missing from the order", "the order, or a level of it, is empty"]
    );
    assert_eq!(said("order j i k\nbind core i, vector i"), "`i` is at `core`, but a loop around it is not");
    assert_eq!(said("order j i k\nbind core j"), "no loop is at `vector`");
    assert_eq!(said("order j i k\nbind vector i j"), "`j` and `i` are both at `vector`");
    assert_eq!(
        said("order j i/32 i/16 k i\nbind vector i/16"),
        "`i/16` goes over tiles; along vectors go the iterations of one"
    );
    assert_eq!(said("order j i/32 i/12 k i\nbind vector i"), "tiles of 32 are not made of whole tiles of 12");
    assert_eq!(said("order j i k\nbind vector k"), "`k` is sequential: its iterations cannot be shared at `vector`");
    assert_eq!(
        said("order j (i k)\nbind vector (i k)"),
        "`(i k)` holds a loop of the body, which counts with no other as one"
    );
    assert_eq!(
        said("order j i k\nbind vector i\nstage array 3 at k in registers"),
        "the kernel has no array 3: it has 2"
    );
    assert_eq!(said("order j i k\nbind vector i\nstage array 1 at i in cache"), "");
    assert_eq!(
        said("order j i k\nbind vector i\nstage array 0 at i in cache"),
        "the kernel writes array 0, and in `cache` are copies"
    );
    assert_eq!(
        said("order j i k\nbind vector i\ncombine 4"),
        "`combine` stands in schedules of reductions on a device, and in all of them"
    );
}

/// Threads may compute the terms of one sum, but not iterations that hand on more than it.
#[test]
fn threads_share_the_terms_of_one_sum() {
    let said = |body: &str| {
        let text = format!(
            "func @f(%a: f64[p, n]) -> (c: f64[n]) {{
              sym p = dim 0 0 sym n = dim 0 1
              %c: f64[n] = kernel 0 over [n] into (fresh) |%j| {{ %trip = size p {body} put out0[%j] = %s }}
              return %c
            }}"
        );
        let module = megha_core::ir::parse::parse(&text).unwrap_or_else(|e| panic!("{e}"));
        let list = subjects(&module.funcs[0]);
        let lines = "schedule on gpu, columns first\norder i j/32 j\nbind block.x i, thread.x i, thread.y j\n\
                     stage terms at j/32 in shared pad 1";
        verify(&lines.parse::<Schedule>().unwrap_or_else(|e| panic!("{e}")), &list[0]).err().unwrap_or_default()
    };
    let one = "%s = for %trip with 0.0 |%k, %acc| { %x = load %a[%k, %j] %t = add %acc, %x yield %t }";
    assert_eq!(said(one), Vec::<String>::new());
    let two = "%s, %q = for %trip with 0.0, 1.0 |%k, %acc, %b| { %x = load %a[%k, %j] %t = add %acc, %b \
               %u = mul %b, %x yield %t, %u }";
    assert_eq!(said(two), ["`j` is sequential: its iterations cannot be shared at `thread.y`"]);
}

/// Loops of one body beside each other, of which one is not the same at all points, and loops inside of each other.
#[test]
fn loops_of_a_body_keep_their_order() {
    let text = "func @f(%a: f64[n, n]) -> (c: f64[n]) {
      sym n = dim 0 0
      %c: f64[n] = kernel 0 over [n] into (fresh) |%i| {
        %first = for %i with 0.0 |%k, %acc| {
          %x = load %a[%i, %k]
          %t = add %acc, %x
          yield %t
        }
        %trip = size n
        %second = for %trip with %first |%m, %sum| {
          %u = for %trip with %sum |%l, %inner| {
            %z = load %a[%m, %l]
            %w = mul %inner, %z
            yield %w
          }
          yield %u
        }
        put out0[%i] = %second
      }
      return %c
    }";
    let module = megha_core::ir::parse::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let list = subjects(&module.funcs[0]);
    let table = Schedules::of(&module);
    let default = table.get((FuncId::new(0), 0), Target::Cpu, Memory::ColumnMajor).unwrap();
    verify(default, &list[0]).unwrap_or_else(|e| panic!("{}\n{default}", e.join("; ")));
    // The loops of the body are `j`, and `k` with `l` inside.
    let said = |order: &str| {
        let schedule: Schedule = format!("schedule on cpu, columns first\norder {order}\nbind vector i")
            .parse()
            .unwrap_or_else(|e| panic!("{e}"));
        verify(&schedule, &list[0]).err().unwrap_or_default().join("; ")
    };
    assert_eq!(said("i j k l"), "");
    assert_eq!(said("k i j l"), "");
    assert!(said("i j l k").starts_with("`l` is sequential and inside of `k` in the body, so it stands inside of it"));
    assert!(said("i j k/16 l/32 k l").contains("stands inside of it"));
    assert!(said("i k j l").contains("comes after the loops of the body in front of it"));
    assert!(said("j i k l").contains("cannot stand outside of `i`"));
}
