//! Values and sizes by the names and expressions of the source.

use crate::hash::HashMap;
use std::cell::Cell;

use crate::ir::size::SymDef;
use crate::ir::{Func, Lib, Loc, Op, Size, Sym, Value};
use crate::kernels::report::{BlockReport, Origin, Origins};
use crate::lower::SpanTable;
use crate::source::{SourceFile, SourceMap, Span};

/// What the source calls things.
pub(super) struct Names<'a> {
    pub func: &'a Func,
    pub sources: &'a SourceMap,
    spans: &'a SpanTable,
    origins: Origins,
    /// The expressions behind values that kernels make; a kernel's own place is that of its first expression.
    made: HashMap<Value, Loc>,
    /// The variable of each loop by its iteration number, and whether it counts 1, 2, 3, ….
    loops: HashMap<Value, (String, bool)>,
    /// Values that are the length of the range at their place.
    lengths: Vec<Value>,
    clamped: Cell<bool>,
}

/// Expressions longer than this are cut.
const LONGEST: usize = 48;

impl<'a> Names<'a> {
    pub fn new(func: &'a Func, blocks: &[BlockReport], sources: &'a SourceMap, spans: &'a SpanTable) -> Self {
        let origins = Origins::of(func);
        let statements = blocks.iter().flat_map(|b| &b.kernels).flat_map(|k| &k.statements);
        let made = statements.map(|s| (s.value, s.loc)).collect();
        let mut names = Self {
            func,
            sources,
            spans,
            origins,
            made,
            loops: HashMap::default(),
            lengths: Vec::new(),
            clamped: Cell::new(false),
        };
        func.body.walk(&mut |stmt| match &stmt.op {
            Op::For { body, .. } => {
                let variable = names.header(stmt.loc).and_then(|text| loop_variable(&text));
                names.loops.extend(body.params.first().copied().zip(variable));
            }
            Op::Lib(Lib::RangeLen, _) => names.lengths.extend(stmt.results.first()),
            _ => {}
        });
        names
    }

    /// Whether a size was shown that stands for 0 where it would be negative.
    pub fn clamped(&self) -> bool {
        self.clamped.get()
    }

    /// The name of the file that most of the function stands in.
    pub fn file(&self) -> Option<&str> {
        self.main_file().map(SourceFile::name)
    }

    /// The file of the first statement that has one.
    pub fn main_file(&self) -> Option<&'a SourceFile> {
        let span = self.func.body.stmts.iter().find_map(|s| self.span(s.loc))?;
        self.sources.get(span.file)
    }

    /// The span of a place; the function's own header counts as none, for what stands there comes from no statement.
    pub fn span(&self, loc: Loc) -> Option<Span> {
        let span = self.spans.span(loc)?;
        let file = self.sources.get(span.file)?;
        let header = file.line_text(file.line_col(span.start).line).trim_start().starts_with("function");
        (!header).then_some(span)
    }

    /// The line in which a place starts.
    pub fn line(&self, loc: Loc) -> Option<u32> {
        let span = self.span(loc)?;
        Some(self.sources.get(span.file)?.line_col(span.start).line)
    }

    /// The first line of a statement from where it starts, without comment and semicolon.
    pub fn header(&self, loc: Loc) -> Option<String> {
        let line = self.line(loc)?;
        let file = self.sources.get(self.span(loc)?.file)?;
        let text = file.line_text(line).trim();
        let text = text.split('%').next().unwrap_or(text).trim_end();
        Some(text.trim_end_matches([';', ',']).to_owned())
    }

    /// The text at a place in one line, cut if it is long.
    pub fn text(&self, loc: Loc) -> Option<String> {
        self.span_text(self.span(loc)?)
    }

    /// The same for a span.
    pub fn span_text(&self, span: Span) -> Option<String> {
        let text = self.sources.get(span.file)?.slice(span);
        let text: Vec<&str> = text.split_whitespace().filter(|word| *word != "...").collect();
        let text = text.join(" ");
        let text = unwrapped(text.trim_end_matches(';'));
        if text.is_empty() {
            return None;
        }
        if text.chars().count() <= LONGEST {
            return Some(text.to_owned());
        }
        Some(text.chars().take(LONGEST - 1).chain(['…']).collect())
    }

    /// A variable's name, or the expression that computes the value.
    pub fn value(&self, value: Value) -> String {
        let mut origin = self.origins.get(self.func, value);
        origin.loc = self.made.get(&value).copied().unwrap_or(origin.loc);
        self.origin(&origin)
    }

    /// The same for a value of an earlier form of the function.
    pub fn origin(&self, origin: &Origin) -> String {
        match (&origin.name, self.text(origin.loc)) {
            (Some(name), _) => name.clone(),
            (None, Some(text)) => format!("`{text}`"),
            (None, None) => "an intermediate result".to_owned(),
        }
    }

    /// The name, if the program names the value.
    pub fn given(&self, value: Value) -> Option<&str> {
        self.func.variable(value)
    }

    /// `nx+1 by ny`
    pub fn dims(&self, dims: &[Size]) -> String {
        let texts: Vec<String> = dims.iter().map(|d| self.size(d)).collect();
        if texts.is_empty() { "1 by 1".to_owned() } else { texts.join(" by ") }
    }

    /// A size in the names of the source: `2*n+1`. A size that is clamped at 0 is shown without the clamp.
    pub fn size(&self, size: &Size) -> String {
        let plain = size.substitute(&mut |sym| self.unclamped(sym));
        plain.display_with(&|sym| self.symbol(sym)).replace(" + ", "+").replace(" - ", "-")
    }

    /// The size behind `max(0, size)`, all the way.
    fn unclamped(&self, sym: Sym) -> Size {
        let zero = Size::constant(0);
        match &self.func.symbols.get(sym).def {
            SymDef::Max(a, b) if *a == zero || *b == zero => {
                self.clamped.set(true);
                let inner = if *a == zero { b } else { a };
                inner.substitute(&mut |s| self.unclamped(s))
            }
            SymDef::Value(value) => match self.loops.get(value) {
                // The iteration number counts from zero; the program's variable counts from one.
                Some((_, true)) => Size::sym(sym).add_const(-1),
                _ => Size::sym(sym),
            },
            _ => Size::sym(sym),
        }
    }

    fn symbol(&self, sym: Sym) -> String {
        let data = self.func.symbols.get(sym);
        match &data.def {
            SymDef::Max(a, b) => format!("max({}, {})", self.size(a), self.size(b)),
            SymDef::Min(a, b) => format!("min({}, {})", self.size(a), self.size(b)),
            SymDef::FloorDiv(a, b) => format!("floor(({})/{})", self.size(a), self.size(b)),
            SymDef::Dim(param, axis) => {
                let array = self.func.params.get(*param).map_or("", |p| p.name.as_str());
                // The name that lowering makes up when the declaration gives none.
                let unnamed = data.name == format!("{array}_{}", axis + 1);
                if unnamed { format!("size({array},{})", axis + 1) } else { data.name.clone() }
            }
            SymDef::Value(value) => self.value_symbol(*value, &data.name),
        }
    }

    fn value_symbol(&self, value: Value, name: &str) -> String {
        let made_up = name == format!("v{}", value.index());
        match self.loops.get(&value) {
            Some((variable, true)) => variable.clone(),
            Some((variable, false)) => format!("(iterations of {variable} before)"),
            None if !made_up => name.to_owned(),
            None => {
                let origin = self.origins.get(self.func, value);
                match origin.name.or_else(|| self.text(origin.loc)) {
                    Some(text) if self.lengths.contains(&value) => format!("length({text})"),
                    Some(text) => text,
                    None => "a size known at run time".to_owned(),
                }
            }
        }
    }
}

/// The text without a pair of parentheses around the whole.
fn unwrapped(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else { return text };
    let mut depth = 0_i32;
    let balanced = inner.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    });
    if balanced { unwrapped(inner.trim()) } else { text }
}

/// The variable in `for k = 1:n`, and whether its values are 1, 2, 3, ….
fn loop_variable(header: &str) -> Option<(String, bool)> {
    let rest = header.strip_prefix("for")?.trim_start().trim_start_matches('(');
    let (name, values) = rest.split_once('=')?;
    let name = name.trim();
    let values = values.trim_start();
    let steps = values.split(',').next().unwrap_or(values).matches(':').count();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| (name.to_owned(), steps == 1 && values.starts_with("1:")))
}
