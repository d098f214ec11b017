//! The arrays that a function copies, and why.

use super::names::Names;
use super::page::Page;
use crate::cpu::inline::Inlined;
use crate::cpu::storage::{self, Copied, Why};
use crate::hash::HashSet;
use crate::ir::{Func, Value};

/// The copies in the code for the CPU, in the order of the text.
pub(super) fn of(func: &Func) -> Vec<Copied> {
    let inlined = Inlined::of(func, &func.body);
    storage::assign(func, &inlined, &HashSet::default()).copies
}

/// Where a kernel puts the next state of an array, if not in the array's place.
pub(super) fn place(copies: &[Copied], array: Value, result: Value) -> Option<&'static str> {
    let copied = copies.iter().find(|copied| (copied.array, copied.into) == (array, result))?;
    Some(if copied.whole { "in a copy" } else { "in a second place" })
}

/// Writes the list.
pub(super) fn list(names: &Names<'_>, copies: &[Copied], page: &mut Page) {
    if copies.is_empty() {
        return;
    }
    page.blank();
    page.heading("Arrays that are copied");
    for copied in copies {
        let line = names.line(copied.loc).map_or_else(String::new, |line| format!("line {line}: "));
        page.paragraph(&format!("{line}{}", text(names, copied)));
    }
}

fn text(names: &Names<'_>, copied: &Copied) -> String {
    let name = names.value(copied.array);
    let why = match copied.why {
        Why::Callers => "which the caller keeps",
        Why::UsedAgain => "which is needed again as it was",
        Why::OldState => "of which points read elements that others store",
    };
    let how = if copied.whole { "all of it" } else { "but for what is stored next" };
    format!("{name}, {why}: {how}")
}
