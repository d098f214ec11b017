//! The files of a compilation: the one that is named, and those beside it whose functions it calls.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::matlab::ast::{Function, Program};
use crate::matlab::{mentions, parse};
use crate::source::{FileId, SourceMap, Span};

/// A parsed file.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Its text.
    pub file: FileId,
    /// Where it was read from; `None` for text that was given.
    pub path: Option<PathBuf>,
    /// Its functions and statements.
    pub program: Program,
}

/// Reads a source file into `sources`. A byte-order mark is left out.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read(path: &Path, sources: &mut SourceMap) -> Result<FileId, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("`{}` cannot be read: {e}", path.display()))?;
    let text = String::from_utf8(bytes)
        .map_err(|e| format!("`{}` is not UTF-8 text (byte {})", path.display(), e.utf8_error().valid_up_to()))?;
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    Ok(sources.add(path.display().to_string(), text))
}

/// Parses `main` and, for a file, those files in its folder whose functions are called, directly or through others.
///
/// A file `f.m` beside it is read if the name `f` is mentioned and no function of `main` bears it.
pub fn gather(main: FileId, path: Option<&Path>, sources: &mut SourceMap, diags: &mut Diagnostics) -> Vec<Unit> {
    let mut units = vec![unit(main, path.map(Path::to_owned), sources, diags)];
    let Some(folder) = path.map(|p| p.parent().unwrap_or(Path::new(""))) else { return units };
    let mut known: BTreeSet<String> = units[0].program.functions.iter().map(|f| f.name.text.clone()).collect();
    let mut next = 0;
    while next < units.len() {
        for name in mentioned(&units[next].program) {
            let beside = folder.join(format!("{name}.m"));
            if !known.insert(name) || Some(beside.as_path()) == path || !beside.is_file() {
                continue;
            }
            match read(&beside, sources) {
                Ok(file) => units.push(unit(file, Some(beside), sources, diags)),
                Err(message) => diags.push(Diagnostic::error(Code::UnreadableFile, Span::new(main, 0, 0), message)),
            }
        }
        next += 1;
    }
    report_clashes(&units, diags);
    units
}

fn unit(file: FileId, path: Option<PathBuf>, sources: &SourceMap, diags: &mut Diagnostics) -> Unit {
    let program = sources.get(file).map(|f| parse(f, diags)).unwrap_or_default();
    Unit { file, path, program }
}

fn mentioned(program: &Program) -> BTreeSet<String> {
    program.functions.iter().flat_map(mentions::of_function).chain(mentions::of_block(&program.script)).collect()
}

fn report_clashes(units: &[Unit], diags: &mut Diagnostics) {
    let mut seen: Vec<&Function> = Vec::new();
    for function in units.iter().flat_map(|u| &u.program.functions) {
        match seen.iter().find(|f| f.name.text == function.name.text) {
            Some(first) => {
                let message = format!("`{}` is defined twice", function.name.text);
                let error = Diagnostic::error(Code::NameClash, function.name.span, message);
                diags.push(error.note_at(first.name.span, "here first").help("give one of them another name"));
            }
            None => seen.push(function),
        }
    }
}
