//! The file of the fastest entries: a line that says what it is, then for each device its name, for each program its number, and a line for each kernel, order of memory and size.

use std::fmt::Write;

use super::{Case, MOST};

const TITLE: &str = "megha variants 1";
/// Most devices in a file.
const DEVICES: usize = 64;

/// What was found for a device.
#[derive(Debug, PartialEq)]
pub(super) struct Section {
    pub device: String,
    pub winners: Vec<(Case, usize)>,
}

/// Adds what was found for a device in the place of what was known of the same cases; the last ones stay.
pub(super) fn add(sections: &mut Vec<Section>, device: &str, found: &[(Case, usize)]) {
    if !sections.iter().any(|section| section.device == device) {
        sections.truncate(DEVICES - 1);
        sections.insert(0, Section { device: device.to_owned(), winners: Vec::new() });
    }
    for section in sections.iter_mut().filter(|section| section.device == device) {
        section.winners.retain(|(case, _)| found.iter().all(|(new, _)| new != case));
        section.winners.extend(found);
        let more = section.winners.len().saturating_sub(MOST);
        section.winners.drain(..more);
    }
}

/// The text of these sections.
pub(super) fn print(sections: &[Section]) -> String {
    let mut text = format!("{TITLE}\n");
    for Section { device, winners } in sections {
        let _ = writeln!(text, "device {device}");
        let mut before = None;
        for (Case { program, kernel, order, size }, way) in winners {
            if before != Some(program) {
                let _ = writeln!(text, "program {program:016x}");
                before = Some(program);
            }
            let order = ["columns", "rows"][*order];
            let _ = writeln!(text, "{kernel} {order} {size} {way}");
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
    let (mut sections, mut program): (Vec<Section>, _) = (Vec::new(), None);
    for line in lines {
        if let Some(device) = line.strip_prefix("device ") {
            program = None;
            sections.push(Section { device: device.to_owned(), winners: Vec::new() });
        } else if let Some(number) = line.strip_prefix("program ") {
            program = Some(u64::from_str_radix(number, 16).ok()?);
        } else {
            sections.last_mut()?.winners.push(winner(program?, line)?);
        }
    }
    let small = sections.len() <= DEVICES && sections.iter().all(|section| section.winners.len() <= MOST);
    small.then_some(sections)
}

fn winner(program: u64, line: &str) -> Option<(Case, usize)> {
    let mut words = line.split(' ');
    let kernel = words.next()?.parse().ok()?;
    let order = match words.next()? {
        "columns" => 0,
        "rows" => 1,
        _ => return None,
    };
    let (size, way) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some((Case { program, kernel, order, size }, way))
}
