//! What became of the loops of an offloaded Rust function: what `#[offload(explain)]` says, with their lines.

use super::Options;
use super::page::Page;
use crate::driver::rust_file::Offloaded;
use crate::source::SourceMap;

/// A heading and a paragraph for each loop, in the order of the source.
pub fn offloaded(function: &Offloaded, sources: &SourceMap, options: Options) -> String {
    let mut page = Page::new(options);
    let file = function.loops.first().and_then(|(span, _)| sources.get(span.file));
    let file = file.map_or_else(String::new, |file| format!("  ({})", file.name()));
    page.heading(&format!("{}{file}", title(function)));
    page.blank();
    for (span, note) in &function.loops {
        let line = sources.get(span.file).map_or(0, |file| file.line_col(span.start).line);
        page.item(&format!("line {line} "), &note.to_string());
    }
    if function.loops.is_empty() {
        page.line("  no loops");
    }
    page.finish()
}

/// The function's name with what its type parameters stand for.
pub fn title(function: &Offloaded) -> String {
    match &function.instance[..] {
        "" => function.name.clone(),
        instance => format!("{} with {instance}", function.name),
    }
}
