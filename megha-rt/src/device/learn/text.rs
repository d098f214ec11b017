//! The file of corrections: a line that says what it is, then for each program its number and a line for each correction.

use std::fmt::Write;

use megha_base::plan::block::Task;

use super::super::schedule::Side;
use super::{COPIES, Case, MOST};

const TITLE: &str = "megha times 2";
/// Most programs in a file: those that were written last.
const PROGRAMS: usize = 64;

/// The corrections of a program.
#[derive(Debug, PartialEq)]
pub(super) struct Section {
    pub program: u64,
    pub ratios: Vec<(Case, f64)>,
}

/// The file of these programs; of the last ones only as many as it may have.
pub(super) fn print(sections: &mut [Section]) -> String {
    let mut text = format!("{TITLE}\n");
    for Section { program, ratios } in sections.iter_mut().take(PROGRAMS) {
        ratios.sort_unstable_by_key(|(case, _)| (case.task, case.side as u8, case.size));
        let _ = writeln!(text, "program {program:016x}");
        for (Case { task, side, size, .. }, ratio) in ratios.iter().take(MOST) {
            let side = if *side == Side::Cpu { "cpu" } else { "device" };
            let _ = writeln!(text, "{} {side} {size} {ratio:e}", task.word());
        }
    }
    text
}

/// `None` unless all of the text is such a file.
pub(super) fn parse(text: &str) -> Option<Vec<Section>> {
    let mut lines = text.lines();
    if lines.next()? != TITLE {
        return None;
    }
    let mut sections: Vec<Section> = Vec::new();
    for line in lines {
        if let Some(program) = line.strip_prefix("program ") {
            let program = u64::from_str_radix(program, 16).ok()?;
            sections.push(Section { program, ratios: Vec::new() });
        } else {
            let section = sections.last_mut()?;
            section.ratios.push(correction(section.program, line)?);
        }
    }
    let small = sections.len() <= PROGRAMS && sections.iter().all(|section| section.ratios.len() <= MOST);
    small.then_some(sections)
}

fn correction(program: u64, line: &str) -> Option<(Case, f64)> {
    let mut words = line.split(' ');
    let task = Task::parse(words.next()?).filter(|task| (*task == Task::Host) == (program == COPIES))?;
    let side = match words.next()? {
        "cpu" => Side::Cpu,
        "device" => Side::Gpu,
        _ => return None,
    };
    let size = words.next()?.parse().ok()?;
    let ratio: f64 = words.next()?.parse().ok()?;
    let sound = ratio > 0.0 && ratio.is_finite() && words.next().is_none();
    sound.then_some((Case { program, task, side, size }, ratio))
}
