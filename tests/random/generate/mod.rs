//! Random MATLAB functions that are right by construction, or fail where they should: every operation fits the shapes and classes of its operands.
//!
//! A number makes a program: the same one always the same program, so that Octave's results can be kept. All values are
//! whole numbers, or halves and quarters of them, and stay small, so every operation is exact and its result does not
//! depend on the order of summation: results compare with `==`. Each program has the parameters `(n, v, A)`, a whole
//! number, a row of n numbers and an n-by-n matrix, and perhaps one more of another class or rank. Some have special numbers too
//! (`special.rs`), and some are made to fail.

mod arrays;
mod change;
mod classes;
mod control;
mod expr;
mod function;
mod library;
mod print;
mod scalar;
mod special;

use std::fmt::Write;

/// One size of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dim {
    /// A constant.
    Known(usize),
    /// `n` plus a constant.
    N(isize),
}

const ONE: Dim = Dim::Known(1);

impl Dim {
    /// The size that is larger by `by`.
    fn plus(self, by: isize) -> Self {
        match self {
            Dim::Known(k) => Dim::Known(k.saturating_add_signed(by)),
            Dim::N(k) => Dim::N(k + by),
        }
    }

    /// The least that it can be: programs are called with `n` of 3 and more.
    fn least(self) -> isize {
        match self {
            Dim::Known(k) => k as isize,
            Dim::N(k) => 3 + k,
        }
    }

    /// It as an expression.
    fn text(self) -> String {
        match self {
            Dim::Known(k) => k.to_string(),
            Dim::N(0) => "n".to_owned(),
            Dim::N(k) => format!("(n{k:+})"),
        }
    }
}

/// The class of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Double,
    Single,
    Logical,
    Complex,
    /// An integer class by its name.
    Int(&'static str),
}

/// What is known of a variable's sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// These rows, columns and pages.
    Fixed(Dim, Dim, Dim),
    /// A row of a length that the run decides.
    Row,
}

const SCALAR: Shape = Shape::Fixed(ONE, ONE, ONE);

/// The shape of a row.
fn row(columns: Dim) -> Shape {
    Shape::Fixed(ONE, columns, ONE)
}

/// The shape of a matrix.
fn matrix(rows: Dim, columns: Dim) -> Shape {
    Shape::Fixed(rows, columns, ONE)
}

#[derive(Debug, Clone)]
struct Var {
    name: String,
    class: Class,
    shape: Shape,
    /// Loop variables are read only.
    fixed: bool,
}

/// A parameter or a result.
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: Class,
}

/// A generated function.
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its file: the function and the functions that it calls.
    pub text: String,
    /// A parameter after `(n, v, A)`.
    pub extra: Option<Entry>,
    /// Its results.
    pub results: Vec<Entry>,
}

/// The program of a number.
pub fn program(seed: u64) -> Program {
    Gen::new(seed).program(&format!("p{seed}"))
}

struct Gen {
    state: u64,
    text: String,
    indent: usize,
    vars: Vec<Var>,
    helpers: Vec<function::Helper>,
    /// The integer classes of the program.
    ints: [&'static str; 2],
    names: usize,
    /// Loops around the statement.
    loops: usize,
    /// Statements that may still be made.
    budget: usize,
    /// The results, from where on a `return` may end the program; variables then keep their types.
    results: Option<Vec<Var>>,
    /// Whether there are special numbers and empty rows.
    special: bool,
    /// How many statements are left before one that fails.
    until_failure: Option<usize>,
}

const INTS: [&str; 8] = ["int32", "uint8", "int8", "int16", "uint16", "uint32", "int64", "uint64"];

impl Gen {
    fn new(seed: u64) -> Self {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
        let mut new = Self {
            state,
            text: String::new(),
            indent: 0,
            vars: Vec::new(),
            helpers: Vec::new(),
            ints: ["int32"; 2],
            names: 0,
            loops: 0,
            budget: 0,
            results: None,
            special: false,
            until_failure: None,
        };
        new.ints = [new.pick(&INTS[..2]), new.pick(&INTS)];
        new
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// One of these forms, `X` standing for the text.
    fn form(&mut self, forms: &[&str], x: &str) -> String {
        self.pick(forms).replace('X', x)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * self.indent);
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    fn program(&mut self, name: &str) -> Program {
        self.special = self.chance(40);
        let helpers = self.helpers(name);
        self.parameter("n", Class::Double, SCALAR, true);
        self.parameter("v", Class::Double, row(Dim::N(0)), false);
        self.parameter("A", Class::Double, matrix(Dim::N(0), Dim::N(0)), false);
        let extra = self.extra();
        self.indent = 1;
        self.budget = 6 + self.below(14);
        self.until_failure = self.chance(15).then(|| self.below(self.budget));
        if self.chance(20) {
            (0..1 + self.below(3)).for_each(|_| self.assign());
            self.results = Some(self.chosen());
        }
        while self.budget > 0 {
            self.statement();
        }
        let results = self.results.take().unwrap_or_else(|| self.chosen());
        let body = std::mem::take(&mut self.text);
        let list: Vec<&str> = results.iter().map(|v| v.name.as_str()).collect();
        let more = extra.as_ref().map_or(String::new(), |e| format!(", {}", e.name));
        let text = format!("function [{}] = {name}(n, v, A{more})\n{body}end\n\n{helpers}", list.join(", "));
        let results = results.into_iter().map(|v| Entry { name: v.name, class: v.class }).collect();
        Program { name: name.to_owned(), text, extra, results }
    }

    fn parameter(&mut self, name: &str, class: Class, shape: Shape, fixed: bool) {
        self.vars.push(Var { name: name.into(), class, shape, fixed });
    }

    /// A parameter of another class or rank, in half of the programs.
    fn extra(&mut self) -> Option<Entry> {
        let n = Dim::N(0);
        let (name, class, shape) = match self.below(12) {
            0 => ("T", Class::Double, Shape::Fixed(n, Dim::Known(2), n)),
            1 => ("w", Class::Int("int32"), row(n)),
            2 => ("u", Class::Int("uint8"), row(n)),
            3 => ("s", Class::Single, matrix(n, ONE)),
            4 => ("m", Class::Logical, matrix(n, n)),
            5 => ("z", Class::Complex, row(n)),
            _ => return None,
        };
        self.parameter(name, class, shape, false);
        Some(Entry { name: name.to_owned(), class })
    }

    /// At most four variables.
    fn chosen(&mut self) -> Vec<Var> {
        let mut live: Vec<Var> = self.vars.iter().filter(|v| v.name != "n").cloned().collect();
        while live.len() > 4 {
            let at = self.below(live.len());
            live.remove(at);
        }
        live
    }

    /// Whether variables may get other types here.
    fn free(&self) -> bool {
        self.indent == 1 && self.results.is_none()
    }

    fn statement(&mut self) {
        self.budget = self.budget.saturating_sub(1);
        if self.until_failure == Some(0) {
            self.until_failure = None;
            return self.failing();
        }
        self.until_failure = self.until_failure.map(|left| left - 1);
        if self.special && self.chance(20) {
            return self.special();
        }
        match self.below(if self.loops < 2 { 28 } else { 19 }) {
            0..=4 => self.assign(),
            5..=6 => self.store(),
            7 => self.update(),
            8 => self.grow(),
            9 => self.mask(),
            10 => self.many(),
            11 => self.ordered(),
            12 => self.resize(),
            13 => self.print(),
            14 => self.row_forms(),
            15 => self.handle(),
            16 => self.print_or_leave(),
            17..=18 => self.library(),
            19..=21 => self.choice(),
            22..=25 => self.counted(),
            26 => self.over_elements(),
            _ => self.while_loop(),
        }
    }

    fn dim(&mut self) -> Dim {
        let helper = self.vars.first().is_none_or(|v| v.name != "n");
        match self.below(5) {
            0 => ONE,
            k if k == 1 || helper => Dim::Known(2 + self.below(3)),
            2 => Dim::N(1),
            _ => Dim::N(0),
        }
    }

    fn shape(&mut self) -> Shape {
        match self.below(100) {
            0..30 => SCALAR,
            30..88 => matrix(self.dim(), self.dim()),
            _ => Shape::Fixed(self.dim(), self.dim(), Dim::Known(2 + self.below(2))),
        }
    }

    fn class(&mut self) -> Class {
        match self.below(20) {
            0..=2 => Class::Logical,
            3..=6 => Class::Int(self.pick(&self.ints.clone())),
            7..=8 => Class::Single,
            9..=10 => Class::Complex,
            _ => Class::Double,
        }
    }

    /// A variable that passes.
    fn var(&mut self, fits: impl Fn(&Var) -> bool) -> Option<Var> {
        let list: Vec<&Var> = self.vars.iter().filter(|v| fits(v)).collect();
        let count = list.len();
        (count > 0).then(|| {
            let at = (self.next() % count as u64) as usize;
            self.vars.iter().filter(|v| fits(v)).nth(at).expect("counted").clone()
        })
    }

    /// A variable of this class and shape that may be changed.
    fn find(&mut self, class: Class, shape: Shape, writable: bool) -> Option<String> {
        self.var(|v| v.class == class && v.shape == shape && !(writable && v.fixed)).map(|v| v.name)
    }

    fn declare(&mut self, name: &str, class: Class, shape: Shape) {
        self.vars.retain(|v| v.name != name);
        self.vars.push(Var { name: name.to_owned(), class, shape, fixed: false });
    }

    /// A variable has another shape from here on.
    fn reshaped(&mut self, name: &str, shape: Shape) {
        if let Some(var) = self.vars.iter_mut().find(|v| v.name == name) {
            var.shape = shape;
        }
    }
}
