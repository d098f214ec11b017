use std::path::PathBuf;

use megha_base::plan::block::Task;

use super::super::kept::notes;
use super::*;

const CASE: Case = Case { program: 7, task: Task::Kernel(2), side: Side::Gpu, size: 20 };

fn measured(learned: &Learned, case: Case, ratios: &[f64]) {
    ratios.iter().for_each(|ratio| learned.took(case, 1e-3, ratio * 1e-3));
}

/// Whether two numbers differ by rounding only.
fn near(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-12
}

#[test]
fn a_correction_needs_several_measurements_and_ignores_single_ones() {
    let learned = Learned::new(None);
    measured(&learned, CASE, &[40.0, 3.0]);
    assert_eq!((learned.correction(CASE), learned.changes()), (1.0, 0));
    measured(&learned, CASE, &[3.0]);
    assert!(near(learned.correction(CASE), 3.0) && learned.changes() == 1);
    measured(&learned, CASE, &[1e6, 3.1, f64::NAN, 0.0, f64::INFINITY, -1.0]);
    assert!(near(learned.correction(CASE), 3.0) && learned.changes() == 1, "{}", learned.correction(CASE));
    measured(&learned, CASE, &[6.0, 6.0, 6.0]);
    assert!(near(learned.correction(CASE), 6.0) && learned.changes() == 2);
}

#[test]
fn sizes_that_were_not_measured_are_corrected_as_their_neighbours() {
    let learned = Learned::new(None);
    measured(&learned, CASE, &[3.0; 3]);
    measured(&learned, Case { size: 23, ..CASE }, &[5.0; 3]);
    let at = |size: u8| learned.correction(Case { size, ..CASE });
    let seen = [15, 16, 21, 22, 27, 28].map(|size| (at(size) * 1e6).round() / 1e6);
    assert_eq!(seen, [1.0, 3.0, 3.0, 5.0, 5.0, 1.0]);
    // what was not tried where the other side was may be faster
    let (other, none) = (Case { side: Side::Cpu, ..CASE }, Case { task: Task::Kernel(3), ..CASE });
    assert_eq!([CASE, other, none].map(|case| learned.is_untried(case)), [false, true, false]);
    assert_eq!([other, none].map(|case| learned.correction(case)), [1.0, 1.0]);
}

#[test]
fn launches_are_timed_often_at_first_and_then_seldom() {
    let learned = Learned::new(None);
    for _ in 0..RECENT {
        assert!(learned.wants(CASE));
        measured(&learned, CASE, &[1.0]);
    }
    let asked = (0..160).filter(|_| learned.wants(CASE)).count();
    assert_eq!(asked, 10);
}

#[test]
#[cfg_attr(miri, ignore = "too long")]
fn there_is_a_limit() {
    let learned = Learned::new(None);
    for kernel in 0..2 * MOST {
        measured(&learned, Case { task: Task::Kernel(kernel), ..CASE }, &[2.0; 3]);
    }
    assert_eq!(learned.changes(), MOST as u64);
    assert!(!learned.wants(Case { task: Task::Kernel(MOST), ..CASE }));
}

/// A device that is not asked for anything.
fn nothing() -> impl Device {
    super::super::absent::Absent::new("a test".into())
}

fn directory(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("megha-{name}-{}", std::process::id()))
}

#[test]
fn corrections_outlive_the_process() {
    let directory = directory("times");
    let file = || Some(Kept::within(&directory, "times-a-1"));
    let first = Learned::new(file());
    measured(&first, CASE, &[3.0; 3]);
    first.settle(&nothing());
    let second = Learned::new(file());
    assert!(near(second.correction(CASE), 3.0));
    // another program of another process
    let other = Case { program: 8, side: Side::Cpu, ..CASE };
    measured(&second, other, &[0.25; 3]);
    second.settle(&nothing());
    let third = Learned::new(file());
    assert!(near(third.correction(CASE), 3.0) && near(third.correction(other), 0.25));
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn files_that_are_none_are_ignored() {
    let directory = directory("no-times");
    std::fs::create_dir_all(&directory).unwrap();
    let long = format!("{}\n{}", text::print(&mut []).trim(), "program 0000000000000007\n".repeat(65));
    let broken = ["", "rates", "megha times 1\n", "megha times 2\nkernel1 cpu 2 3\n", &long];
    let lines = [
        "kernel1 cpu 2",
        "kernel1 gpu 2 3",
        "product1 cpu 300 3",
        "kernel1 cpu 2 -3",
        "kernel1 cpu 2 NaN",
        "kernel1 cpu 2 3 4",
        "1 cpu 2 3",
        "host cpu 2 3",
    ];
    let lines = lines.map(|line| format!("megha times 2\nprogram 7\n{line}\n"));
    let texts = broken.iter().copied().map(str::to_owned).chain(lines);
    for (number, text) in texts.enumerate() {
        let kept = Kept::within(&directory, &format!("times-{number}"));
        std::fs::write(kept.path(), &text).unwrap();
        let path = kept.path().display().to_string();
        let learned = Learned::new(Some(kept));
        assert_eq!(learned.correction(CASE), 1.0, "{text}");
        assert!(notes().contains(&format!("{path}: not a file of measured times")), "{text}");
        // it is replaced by what is learnt
        measured(&learned, CASE, &[3.0; 3]);
        learned.settle(&nothing());
        let again = Learned::new(Some(Kept::within(&directory, &format!("times-{number}"))));
        assert!(near(again.correction(CASE), 3.0), "{text}");
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_directory_that_cannot_be_written_changes_nothing() {
    let directory = directory("times-file");
    std::fs::write(&directory, "a file").unwrap();
    let learned = Learned::new(Some(Kept::within(&directory, "times")));
    measured(&learned, CASE, &[3.0; 3]);
    learned.settle(&nothing());
    assert!(near(learned.correction(CASE), 3.0));
    assert!(notes().iter().any(|note| note.starts_with(&directory.display().to_string())));
    std::fs::remove_file(directory).unwrap();
}

#[test]
fn copies_are_the_same_for_all_programs_and_outlive_the_process() {
    let directory = directory("copies");
    let file = || Some(Kept::within(&directory, "times-a-1"));
    let (up, down) = (Case::copy(Side::Gpu, 5000.0), Case::copy(Side::Cpu, 5000.0));
    let first = Learned::new(file());
    measured(&first, up, &[3.0; 3]);
    measured(&first, CASE, &[2.0; 3]);
    // a direction that was not tried is taken to be as estimated
    assert!(near(first.correction(up), 3.0) && first.correction(down) == 1.0);
    first.settle(&nothing());
    let again = Learned::new(file());
    let near_by = Case::copy(Side::Gpu, 70_000.0);
    assert!(
        near(again.correction(up), 3.0) && near(again.correction(near_by), 3.0) && near(again.correction(CASE), 2.0)
    );
    std::fs::remove_dir_all(directory).unwrap();
}
