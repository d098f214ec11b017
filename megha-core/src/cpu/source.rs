//! Text of generated Rust: indented lines, and names that neither collide nor are keywords.

use crate::hash::HashMap;
use std::fmt::Write;

/// Lines of Rust source under construction.
#[derive(Debug, Default)]
pub struct Code {
    text: String,
    depth: usize,
}

impl Code {
    /// Appends a line at the current indentation.
    pub fn line(&mut self, text: impl AsRef<str>) {
        for line in text.as_ref().lines() {
            let indent = if line.is_empty() { 0 } else { 4 * self.depth };
            let _ = writeln!(self.text, "{:indent$}{line}", "");
        }
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// How many blocks are open.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Appends a line that opens a block, such as `if c {`, and indents what follows.
    pub fn open(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.depth += 1;
    }

    /// Ends a block.
    pub fn close(&mut self, text: &str) {
        self.depth -= 1;
        self.line(text);
    }

    /// Ends a block and opens the next in one line, such as `} else {`.
    pub fn reopen(&mut self, text: &str) {
        self.close(text);
        self.depth += 1;
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text
    }

    /// Appends other code, indented to this place.
    pub fn append(&mut self, other: Code) {
        self.line(other.text);
    }
}

/// Names in use.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Each with the last number that has made another name of it.
    taken: HashMap<String, u32>,
}

const RESERVED: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false", "fn",
    "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self",
    "Self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while", "abstract",
    "become", "box", "do", "final", "macro", "override", "priv", "try", "typeof", "unsized", "virtual",
    "yield", // and what the generated code itself uses:
    "rt", "l", "len", "layout", "DEVICE", "at", "row", "chunk", "block", "extents", "tile", "done", "space", "fault",
    "SITES", "L", "I", "T", "kernel", "Ok", "Err", "Some", "None", "drop", "f64", "f32", "i64", "usize", "bool", "u8",
    "ndarray", "_", "ROWS", "STEPS", "l_row", "l_step", "l_steps", "l_piece", "l_first", "l_count", "l_far", "call",
];

impl Names {
    /// A name as close to `wanted` as possible that is free, taken from now on.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut base: String = wanted.chars().map(|c| if is_word(c) { c } else { '_' }).collect();
        if base.is_empty() || base.starts_with(|c: char| c.is_ascii_digit()) {
            base.insert(0, 't');
        }
        // What a thread contributes to the result `x` is called `x_part`.
        if RESERVED.contains(&base.as_str()) || base.ends_with("_part") {
            base.push('_');
        }
        let Some(last) = self.taken.get(&base).copied() else {
            self.taken.insert(base.clone(), 1);
            return base;
        };
        let separator = if base.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        let mut numbers = last + 1..;
        let found = numbers.find_map(|number| {
            let name = format!("{base}{separator}{number}");
            (!self.taken.contains_key(&name)).then_some((name, number))
        });
        let (name, number) = found.unwrap_or_default();
        self.taken.insert(base, number);
        self.taken.insert(name.clone(), 1);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_free_words() {
        let mut names = Names::default();
        assert_eq!(names.fresh("x"), "x");
        assert_eq!(names.fresh("x"), "x2");
        assert_eq!(names.fresh("x2"), "x2_2");
        assert_eq!(names.fresh("x"), "x3");
        assert_eq!(names.fresh("loop"), "loop_");
        assert_eq!(names.fresh("kernel"), "kernel_");
        assert_eq!(names.fresh("t_part"), "t_part_");
        assert_eq!(names.fresh("%12"), "_12");
    }

    #[test]
    fn blocks_indent() {
        let mut code = Code::default();
        code.open("if c {");
        code.line("a();");
        code.reopen("} else {");
        code.line("b();");
        code.close("}");
        assert_eq!(code.finish(), "if c {\n    a();\n} else {\n    b();\n}\n");
    }
}
