//! Text of generated Rust: indented lines, and names that neither collide nor are keywords.

use crate::hash::HashMap;

/// Lines of Rust source under construction.
#[derive(Debug, Default)]
pub struct Code {
    text: String,
    depth: usize,
}

impl Code {
    /// Appends a line at the current indentation.
    pub fn line(&mut self, text: impl AsRef<str>) {
        let mut rest = text.as_ref();
        while let Some(end) = rest.find('\n') {
            self.indented(&rest[..end]);
            rest = &rest[end + 1..];
        }
        if !rest.is_empty() {
            self.indented(rest);
        }
    }

    fn indented(&mut self, line: &str) {
        if !line.is_empty() {
            (0..self.depth).for_each(|_| self.text.push_str("    "));
            self.text.push_str(line);
        }
        self.text.push('\n');
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

/// Keywords, and what the generated code itself uses, in order.
const RESERVED: &[&str] = &[
    "DEVICE", "Err", "I", "L", "None", "Ok", "ROWS", "SITES", "STEPS", "Self", "Some", "T", "_", "abstract", "as",
    "async", "at", "await", "become", "block", "bool", "box", "break", "call", "chunk", "const", "continue", "crate",
    "do", "done", "drop", "dyn", "else", "enum", "extents", "extern", "f32", "f64", "false", "fault", "final", "fn",
    "for", "gen", "i64", "if", "impl", "in", "kernel", "l", "layout", "len", "let", "loop", "macro", "match", "mod",
    "move", "mut", "ndarray", "override", "packed", "part", "points", "priv", "pub", "ref", "return", "row", "rows",
    "rt", "self", "slab", "space", "static", "struct", "super", "tile", "trait", "true", "try", "type", "typeof", "u8",
    "unsafe", "unsized", "use", "usize", "virtual", "where", "while", "yield",
];

impl Names {
    /// A name as close to `wanted` as possible that is free, taken from now on.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut base = wanted.replace(|c: char| !is_word(c), "_");
        if base.is_empty() || base.starts_with(|c: char| c.is_ascii_digit()) {
            base.insert(0, 't');
        }
        // What a thread contributes to the result `x` is called `x_part`, and what the loops of kernels keep for themselves begins with `l_`.
        let is_ours = base.ends_with("_part") || base.starts_with("l_");
        if is_ours || RESERVED.binary_search(&base.as_str()).is_ok() {
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
        assert!(RESERVED.is_sorted());
        let mut names = Names::default();
        assert_eq!(names.fresh("x"), "x");
        assert_eq!(names.fresh("x"), "x2");
        assert_eq!(names.fresh("x2"), "x2_2");
        assert_eq!(names.fresh("x"), "x3");
        assert_eq!(names.fresh("loop"), "loop_");
        assert_eq!(names.fresh("kernel"), "kernel_");
        assert_eq!(names.fresh("t_part"), "t_part_");
        assert_eq!([names.fresh("l_sums"), names.fresh("rows")], ["l_sums_", "rows_"]);
        assert_eq!(names.fresh("%12"), "_12");
    }

    #[test]
    fn blocks_indent() {
        let mut code = Code::default();
        code.open("if c {");
        code.line("a();");
        code.reopen("} else {");
        code.line("b();\n\n  c();\n");
        code.close("}");
        code.line("");
        code.line("\n");
        assert_eq!(code.finish(), "if c {\n    a();\n} else {\n    b();\n\n      c();\n}\n\n");
    }
}
