//! Source text: files, byte spans into them, and line/column lookup.

use std::fmt;

/// Names one file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

impl fmt::Debug for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "file{}", self.0)
    }
}

/// A half-open range of bytes `start..end` of one file.
///
/// Spans order by file, then by position, which is the order in which diagnostics are shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The file that the offsets point into.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Span { file, start, end }
    }

    /// The smallest span that covers `self` and `other`, which lie in the same file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span just after `self`: where something that is missing should have been.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}:{}..{}", self.file.0, self.start, self.end)
    }
}

/// A position for people: line and column count from 1, columns in characters (not bytes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineCol {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub col: u32,
}

/// One source file: its name as shown to people, its text, and where its lines start.
#[derive(Clone, Debug)]
pub struct SourceFile {
    id: FileId,
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// A file outside every [`SourceMap`]: the id is for the caller to keep apart from those of a map.
    pub(crate) fn new(id: FileId, name: String, text: String) -> Self {
        let mut line_starts = vec![0];
        let mut at = 0;
        // The search for a character is compiled with optimisation, a loop over the bytes here is not.
        while let Some(len) = text[at..].find('\n') {
            at += len + 1;
            let Ok(start) = u32::try_from(at) else { break };
            line_starts.push(start);
        }
        SourceFile { id, name, text, line_starts }
    }

    /// The id by which spans refer to this file.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// The name shown in diagnostics, usually a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of lines; a text that ends in a line break has an empty last line.
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }

    /// The line and column of a byte offset; an offset past the end means the end of the text.
    pub fn line_col(&self, offset: u32) -> LineCol {
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        let start = self.line_starts[line - 1] as usize;
        let end = self.floor_boundary(offset as usize);
        let col = self.text.get(start..end).map_or(0, |before| before.chars().count());
        LineCol { line: line as u32, col: col as u32 + 1 }
    }

    /// The byte offset of a line and column; `None` if there is no such line.
    pub fn offset(&self, at: LineCol) -> Option<u32> {
        let start = *self.line_starts.get((at.line as usize).checked_sub(1)?)?;
        let before = self.text.get(start as usize..)?.chars().take((at.col as usize).checked_sub(1)?);
        Some(start + before.map(char::len_utf8).sum::<usize>() as u32)
    }

    /// The text of a line (from 1) without its line break; empty if there is no such line.
    pub fn line_text(&self, line: u32) -> &str {
        let index = line as usize;
        let Some(&start) = index.checked_sub(1).and_then(|i| self.line_starts.get(i)) else {
            return "";
        };
        let end = self.line_starts.get(index).map_or(self.text.len(), |&next| next as usize);
        let line = self.text.get(start as usize..end).unwrap_or("");
        line.trim_end_matches(['\n', '\r'])
    }

    /// The text that `span` covers; empty if the span does not fit this file.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The largest character boundary that is not past `offset`.
    fn floor_boundary(&self, offset: usize) -> usize {
        let mut at = offset.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// All files of one compilation.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and returns its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile::new(id, name.into(), text.into()));
        id
    }

    /// The file with this id, if it was added to this map.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All files in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// `name:line:col` of the start of `span`.
    pub fn describe(&self, span: Span) -> String {
        match self.get(span.file) {
            Some(file) => {
                let LineCol { line, col } = file.line_col(span.start);
                format!("{}:{line}:{col}", file.name())
            }
            None => String::from("<unknown>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> (SourceMap, FileId) {
        let mut map = SourceMap::new();
        let id = map.add("a.m", text);
        (map, id)
    }

    #[test]
    fn columns_count_characters() {
        let (map, id) = one("é = 1;\nαβ = 2;");
        let file = map.get(id).unwrap();
        assert_eq!(file.line_col(0), LineCol { line: 1, col: 1 });
        assert_eq!(file.line_col(3), LineCol { line: 1, col: 3 });
        assert_eq!(file.line_col(8), LineCol { line: 2, col: 1 });
        assert_eq!(file.line_col(10), LineCol { line: 2, col: 2 });
        assert_eq!(file.line_col(11), LineCol { line: 2, col: 2 }, "inside β is β");
        assert_eq!(file.line_col(9999), LineCol { line: 2, col: 8 });
    }

    #[test]
    fn lines_lose_their_breaks() {
        let (map, id) = one("a\r\nb\n");
        let file = map.get(id).unwrap();
        assert_eq!((1..=4).map(|line| file.line_text(line)).collect::<Vec<_>>(), ["a", "b", "", ""]);
        assert_eq!(file.line_text(0), "");
        assert_eq!(file.line_count(), 3);
    }

    #[test]
    fn describe_names_file_line_and_column() {
        let (map, id) = one("x = 1\ny = 2");
        assert_eq!(map.describe(Span::new(id, 6, 7)), "a.m:2:1");
        assert_eq!(map.describe(Span::new(FileId(7), 0, 1)), "<unknown>");
    }
}
