//! Text with headings, indentation and columns.

use super::Options;

/// A text being written.
pub(super) struct Page {
    text: String,
    depth: usize,
    pub options: Options,
}

/// Width of the first column under a heading.
const LABEL: usize = 9;

/// Lines longer than this are broken where they list things.
const WIDTH: usize = 110;

impl Page {
    pub fn new(options: Options) -> Self {
        Self { text: String::new(), depth: 0, options }
    }

    /// A line in bold, if that is wanted.
    pub fn heading(&mut self, text: &str) {
        if self.options.bold { self.line(&format!("\x1b[1m{text}\x1b[0m")) } else { self.line(text) }
    }

    pub fn line(&mut self, text: &str) {
        self.text.extend(std::iter::repeat_n(' ', 2 * self.depth));
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// An empty line, unless there is one or the text is brief.
    pub fn blank(&mut self) {
        if !self.options.brief && !self.text.ends_with("\n\n") && !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    pub fn indent(&mut self) {
        self.depth += 1;
    }

    pub fn dedent(&mut self) {
        self.depth -= 1;
    }

    /// A label and a text that continues under its own beginning.
    pub fn item(&mut self, label: &str, text: &str) {
        let room = WIDTH.saturating_sub(2 * self.depth + LABEL + 2);
        for (number, part) in wrap(text, room).iter().enumerate() {
            let label = if number == 0 { label } else { "" };
            self.line(&format!("  {label:LABEL$}{part}"));
        }
    }

    /// An indented text that is broken where it is long.
    pub fn paragraph(&mut self, text: &str) {
        if !self.options.brief {
            let room = WIDTH.saturating_sub(2 * self.depth + 2);
            wrap(text, room).iter().for_each(|part| self.line(&format!("  {part}")));
        }
    }

    /// A label and rows of two columns.
    pub fn list(&mut self, label: &str, rows: &[(String, String)]) {
        let width = rows.iter().map(|(first, _)| first.chars().count()).max().unwrap_or(0);
        for (number, (first, second)) in rows.iter().enumerate() {
            let label = if number == 0 { label } else { "" };
            self.line(&format!("  {label:LABEL$}{first:width$}  {second}"));
        }
    }

    /// How much has been written.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Takes back what was written since the text had this length.
    pub fn take_back(&mut self, len: usize) {
        self.text.truncate(len);
    }

    pub fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        self.text.push('\n');
        self.text
    }
}

/// Breaks a text at spaces.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
        }
        used += length;
    }
    lines
}
