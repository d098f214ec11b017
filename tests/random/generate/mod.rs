//! Random MATLAB functions that are right by construction: every operation fits the shapes and classes of its operands.
//!
//! A number makes a program: the same one always the same program, so that Octave's results can be kept. All values are
//! whole numbers, or halves and quarters of them, and stay small, so every operation is exact and its result does not
//! depend on the order of summation: results compare with `==`. Each program has the parameters `(n, v, A)`: a whole
//! number, a row of n numbers and an n-by-n matrix.

mod expr;

use std::fmt::Write;

/// One size of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dim {
    /// A constant.
    Known(usize),
    /// `n` plus a constant.
    N(usize),
}

/// The class of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Double,
    Logical,
    Int32,
}

/// What is known of a variable's sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// These rows and columns.
    Fixed(Dim, Dim),
    /// A row of a length that the run decides.
    Row,
}

#[derive(Debug, Clone)]
struct Var {
    name: String,
    class: Class,
    shape: Shape,
    /// Loop variables are read only.
    fixed: bool,
}

/// A generated function.
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its file: the function and the functions that it calls.
    pub text: String,
    /// The names of its results.
    pub results: Vec<String>,
}

const SCALAR: Shape = Shape::Fixed(Dim::Known(1), Dim::Known(1));

/// The program of a number.
pub fn program(seed: u64) -> Program {
    let mut gen_ = Gen::new(seed);
    let name = format!("p{seed}");
    gen_.function(&name)
}

struct Gen {
    state: u64,
    text: String,
    indent: usize,
    vars: Vec<Var>,
    helpers: Vec<Helper>,
    names: usize,
    /// Loops around the statement.
    loops: usize,
    /// Statements that may still be made.
    budget: usize,
}

/// A function of scalars that the program may call.
struct Helper {
    name: String,
    inputs: usize,
    outputs: usize,
}

impl Gen {
    fn new(seed: u64) -> Self {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
        let (text, vars, helpers) = (String::new(), Vec::new(), Vec::new());
        Self { state, text, indent: 0, vars, helpers, names: 0, loops: 0, budget: 0 }
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

    fn pick<'t, T: ?Sized>(&mut self, list: &[&'t T]) -> &'t T {
        list[self.below(list.len())]
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * self.indent);
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    fn function(&mut self, name: &str) -> Program {
        let mut helpers = String::new();
        for number in 0..self.below(3) {
            let helper = self.helper(&format!("{name}_f{number}"));
            helpers += &std::mem::take(&mut self.text);
            self.helpers.push(helper);
        }
        for (name, shape) in
            [("n", SCALAR), ("v", Shape::Fixed(Dim::Known(1), Dim::N(0))), ("A", Shape::Fixed(Dim::N(0), Dim::N(0)))]
        {
            self.vars.push(Var { name: name.into(), class: Class::Double, shape, fixed: name == "n" });
        }
        self.indent = 1;
        self.budget = 6 + self.below(14);
        while self.budget > 0 {
            self.statement();
        }
        let mut live: Vec<Var> = self.vars.iter().filter(|v| v.name != "n").cloned().collect();
        while live.len() > 4 {
            let at = self.below(live.len());
            live.remove(at);
        }
        let body = std::mem::take(&mut self.text);
        let results: Vec<String> = live.into_iter().map(|v| v.name).collect();
        let text = format!("function [{}] = {name}(n, v, A)\n{body}end\n\n{helpers}", results.join(", "));
        Program { name: name.to_owned(), text, results }
    }

    /// A function of scalars: arithmetic with a choice, or a recursion.
    fn helper(&mut self, name: &str) -> Helper {
        let inputs = 1 + self.below(2);
        if self.chance(30) {
            self.line(&format!("function r = {name}(a)"));
            let (low, by) = (self.below(3), 1 + self.below(2));
            let (m, c) = (2 + self.below(5), self.below(9));
            self.line(&format!("if a <= {low}, r = {c}; return; end"));
            self.line(&format!("r = mod({m}*{name}(a - {by}) + a, 97);"));
            self.line("end");
            self.line("");
            return Helper { name: name.to_owned(), inputs: 1, outputs: 1 };
        }
        let outputs = 1 + self.below(2);
        let args = ["a", "b"];
        let outs = ["r", "s"];
        let double = |name: &str| Var { name: name.into(), class: Class::Double, shape: SCALAR, fixed: true };
        self.vars = args[..inputs].iter().map(|a| double(a)).collect();
        self.line(&format!("function [{}] = {name}({})", outs[..outputs].join(", "), args[..inputs].join(", ")));
        self.indent = 1;
        for out in &outs[..outputs] {
            let value = self.expr(SCALAR, 2);
            self.line(&format!("{out} = mod({value}, 89);"));
            let cond = self.condition();
            let value = self.expr(SCALAR, 1);
            self.line(&format!("if {cond}, {out} = mod({value}, 53); end"));
        }
        if self.chance(30) {
            let cond = self.condition();
            self.line(&format!("if {cond}, return; end"));
            self.line("r = r + 1;");
        }
        self.indent = 0;
        self.line("end");
        self.line("");
        self.vars.clear();
        Helper { name: name.to_owned(), inputs, outputs }
    }

    fn statement(&mut self) {
        self.budget = self.budget.saturating_sub(1);
        match self.below(if self.loops < 2 { 17 } else { 11 }) {
            0..=3 => self.assign(),
            4..=5 => self.store(),
            6 => self.update(),
            7 => self.grow(),
            8 => self.mask(),
            9 => self.many(),
            10 => self.rows_and_order(),
            11..=12 => self.choice(),
            13..=15 => self.counted(),
            _ => self.while_loop(),
        }
    }

    fn dim(&mut self) -> Dim {
        let helper = self.vars.first().is_none_or(|v| v.name != "n");
        match self.below(5) {
            0 => Dim::Known(1),
            k if k == 1 || helper => Dim::Known(2 + self.below(3)),
            2 => Dim::N(1),
            _ => Dim::N(0),
        }
    }

    fn shape(&mut self) -> Shape {
        if self.chance(35) { SCALAR } else { Shape::Fixed(self.dim(), self.dim()) }
    }

    /// A variable of this class and shape that may be changed.
    fn find(&mut self, class: Class, shape: Shape, writable: bool) -> Option<String> {
        let fits = |v: &&Var| v.class == class && v.shape == shape && !(writable && v.fixed);
        let list: Vec<String> = self.vars.iter().filter(fits).map(|v| v.name.clone()).collect();
        if list.is_empty() { None } else { Some(list[self.below(list.len())].clone()) }
    }

    fn declare(&mut self, name: &str, class: Class, shape: Shape) {
        self.vars.push(Var { name: name.to_owned(), class, shape, fixed: false });
    }

    /// A new variable, or, inside loops and branches too, an old one of the same type.
    fn assign(&mut self) {
        let class = match self.below(8) {
            0 => Class::Logical,
            1 => Class::Int32,
            _ => Class::Double,
        };
        let shape = self.shape();
        let value = match class {
            Class::Double => {
                let value = self.expr(shape, 3);
                let m = self.pick(&["101", "64", "17"]);
                format!("mod({value}, {m})")
            }
            Class::Logical => self.truth(shape, 2),
            Class::Int32 => self.int(shape, 2),
        };
        let old = self.find(class, shape, true);
        let nested = self.indent > 1;
        match old {
            Some(name) if nested || self.chance(40) => self.line(&format!("{name} = {value};")),
            _ if nested => {
                // A variable of a branch is a scratch variable there: not used after it.
                let name = self.name();
                self.line(&format!("{name} = {value};"));
                self.declare(&name, class, shape);
            }
            _ => {
                let name = self.name();
                self.line(&format!("{name} = {value};"));
                self.declare(&name, class, shape);
            }
        }
    }

    /// A stored element, row, column or block of an array of fixed sizes.
    fn store(&mut self) {
        let list: Vec<Var> = self
            .vars
            .iter()
            .filter(|v| !v.fixed && v.class == Class::Double && v.shape != SCALAR && v.shape != Shape::Row)
            .cloned()
            .collect();
        if list.is_empty() {
            return self.assign();
        }
        let var = list[self.below(list.len())].clone();
        let Shape::Fixed(rows, columns) = var.shape else { return };
        let name = var.name;
        match self.below(5) {
            0 => {
                let (i, value) = (self.subscript(&format!("numel({name})")), self.expr(SCALAR, 2));
                self.line(&format!("{name}({i}) = {value};"));
            }
            1 => {
                let (j, value) = (self.subscript(&size(columns)), self.expr(Shape::Fixed(rows, Dim::Known(1)), 2));
                self.line(&format!("{name}(:, {j}) = mod({value}, 31);"));
            }
            2 => {
                let (i, value) = (self.subscript(&size(rows)), self.expr(Shape::Fixed(Dim::Known(1), columns), 2));
                self.line(&format!("{name}({i}, :) = mod({value}, 37);"));
            }
            3 => {
                let value = self.expr(SCALAR, 2);
                self.line(&format!("{name}(:) = {value};"));
            }
            _ => {
                let (i, j) = (self.subscript(&size(rows)), self.subscript(&size(columns)));
                let value = self.expr(SCALAR, 2);
                self.line(&format!("{name}({i}, {j}) = {value};"));
            }
        }
    }

    /// A number or an array that changes by itself.
    fn update(&mut self) {
        let Some(name) = self.find(Class::Double, SCALAR, true) else { return self.assign() };
        let value = self.expr(SCALAR, 1);
        let form = self.pick(&["{x} = mod({x} + {e}, 103);", "{x} = max({x}, {e});", "{x} = {x} - sign({e});"]);
        self.line(&form.replace("{x}", &name).replace("{e}", &value));
    }

    /// A row that grows, by a loop or by concatenation.
    fn grow(&mut self) {
        let value = self.expr(SCALAR, 2);
        if let Some(name) = self.find(Class::Double, Shape::Row, true) {
            let form = self.pick(&["{x}(end+1) = {e};", "{x} = [{x}, {e}];", "{x}(numel({x}) + 2) = {e};"]);
            let text = form.replace("{x}", &name).replace("{e}", &format!("mod({value}, 41)"));
            // Growth in nested loops stays small.
            return self.line(&format!("if numel({name}) < 40, {text} end"));
        }
        if self.indent > 1 {
            return self.assign();
        }
        let name = self.name();
        if self.chance(50) {
            self.line(&format!("{name} = [];"));
        }
        let k = self.name();
        let text = format!("for {k} = 1:n+{}", self.below(3));
        self.line(&text);
        let text = format!("  {name}({k}) = mod({k}*{} + {value}, 19);", 1 + self.below(7));
        self.line(&text);
        self.line("end");
        self.declare(&name, Class::Double, Shape::Row);
    }

    /// Reads or stores by a mask, or finds.
    fn mask(&mut self) {
        let length = Dim::N(self.below(2));
        let Some(name) =
            self.find(Class::Double, Shape::Fixed(Dim::Known(1), length), true).or_else(|| Some("v".to_owned()))
        else {
            return;
        };
        let limit = self.below(30);
        if self.indent > 1 || self.chance(40) {
            let text = format!("{name}({name} > {limit}) = {};", self.below(50));
            return self.line(&text);
        }
        let new = self.name();
        match self.below(3) {
            0 => self.line(&format!("{new} = {name}({name} > {limit});")),
            1 => self.line(&format!("{new} = find({name} > {limit});")),
            _ => self.line(&format!("{new} = {name}(find(mod({name}, 2) == 0));")),
        }
        self.declare(&new, Class::Double, Shape::Row);
    }

    /// Several results of one call.
    fn many(&mut self) {
        let two: Vec<String> = self.helpers.iter().filter(|h| h.outputs == 2).map(|h| h.name.clone()).collect();
        if two.is_empty() || self.indent > 1 {
            let Some(name) = self.find(Class::Double, Shape::Fixed(Dim::Known(1), Dim::N(0)), false) else {
                return self.assign();
            };
            if self.indent > 1 {
                return self.assign();
            }
            let (a, b) = (self.name(), self.name());
            let f = self.pick(&["max", "min"]);
            self.line(&format!("[{a}, {b}] = {f}({name});"));
            self.declare(&a, Class::Double, SCALAR);
            return self.declare(&b, Class::Double, SCALAR);
        }
        let name = two[self.below(two.len())].clone();
        let inputs = self.helpers.iter().find(|h| h.name == name).map_or(1, |h| h.inputs);
        let args: Vec<String> = (0..inputs).map(|_| self.small()).collect();
        let (a, b) = (self.name(), self.name());
        let first = if self.chance(25) { "~".to_owned() } else { a.clone() };
        self.line(&format!("[{first}, {b}] = {name}({});", args.join(", ")));
        if first != "~" {
            self.declare(&a, Class::Double, SCALAR);
        }
        self.declare(&b, Class::Double, SCALAR);
    }

    /// Rows of a matrix by a loop over its columns, and sorting.
    fn rows_and_order(&mut self) {
        if self.indent > 1 {
            return self.update();
        }
        let name = self.name();
        match self.below(3) {
            0 => {
                let row = self.expr(Shape::Fixed(Dim::Known(1), Dim::N(0)), 2);
                self.line(&format!("{name} = sort(mod({row}, 23));"));
                self.declare(&name, Class::Double, Shape::Fixed(Dim::Known(1), Dim::N(0)));
            }
            1 => {
                let column = self.name();
                self.line(&format!("{name} = 0;"));
                self.line(&format!("for {column} = A"));
                self.line(&format!("  {name} = mod({name}*3 + sum({column}), 59);"));
                self.line("end");
                self.declare(&name, Class::Double, SCALAR);
            }
            _ => {
                let row = self.expr(Shape::Fixed(Dim::Known(1), Dim::N(0)), 2);
                self.line(&format!("{name} = cumsum(mod({row}, 13));"));
                self.declare(&name, Class::Double, Shape::Fixed(Dim::Known(1), Dim::N(0)));
            }
        }
    }

    /// Statements of a branch or a loop body; what they declare is forgotten after them.
    fn block(&mut self, most: usize) {
        let known = self.vars.len();
        self.indent += 1;
        for _ in 0..1 + self.below(most) {
            self.statement();
        }
        self.indent -= 1;
        self.vars.truncate(known);
    }

    fn choice(&mut self) {
        if self.chance(20) {
            let subject = self.small();
            self.line(&format!("switch mod({subject}, 4)"));
            for _ in 0..1 + self.below(2) {
                let case = self.below(4);
                self.line(&format!("case {case}"));
                self.block(2);
            }
            self.line("otherwise");
            self.block(1);
            return self.line("end");
        }
        let cond = self.condition();
        self.line(&format!("if {cond}"));
        self.block(3);
        if self.chance(30) {
            let cond = self.condition();
            self.line(&format!("elseif {cond}"));
            self.block(2);
        }
        if self.chance(50) {
            self.line("else");
            self.block(2);
        }
        self.line("end");
    }

    fn counted(&mut self) {
        let name = self.name();
        let range = self.pick(&["1:n", "1:n+1", "n:-1:1", "2:2:n", "1:3", "0:0.5:2", "n:1", "1:2:2*n"]);
        self.line(&format!("for {name} = {range}"));
        self.vars.push(Var { name, class: Class::Double, shape: SCALAR, fixed: true });
        self.loops += 1;
        if self.chance(25) {
            let cond = self.condition();
            let leave = self.pick(&["break", "continue"]);
            self.line(&format!("  if {cond}, {leave}; end"));
        }
        self.block(3);
        self.loops -= 1;
        self.vars.pop();
        self.line("end");
    }

    fn while_loop(&mut self) {
        let name = self.name();
        let text = format!("{name} = {};", 1 + self.below(5));
        self.line(&text);
        let cond = if self.chance(50) { String::new() } else { format!(" && ({})", self.condition()) };
        self.line(&format!("while {name} > 0{cond}"));
        self.line(&format!("  {name} = {name} - 1;"));
        self.vars.push(Var { name, class: Class::Double, shape: SCALAR, fixed: true });
        self.loops += 1;
        self.block(3);
        self.loops -= 1;
        let counter = self.vars.pop();
        self.line("end");
        if self.indent == 1 {
            self.vars.extend(counter.map(|c| Var { fixed: false, ..c }));
        }
    }

    /// A subscript between 1 and an extent that is at least 1.
    fn subscript(&mut self, extent: &str) -> String {
        match self.below(4) {
            0 => "1".to_owned(),
            1 if extent != "1" => "end".to_owned(),
            _ => {
                let value = self.small();
                format!("mod({value}, {extent}) + 1")
            }
        }
    }

    /// A whole number that is not large.
    fn small(&mut self) -> String {
        let whole = |e: String| format!("floor({e})");
        match self.find(Class::Double, SCALAR, false) {
            Some(name) if self.chance(70) => whole(format!("mod({name}, {})", 5 + self.below(9))),
            _ => self.below(12).to_string(),
        }
    }

    fn condition(&mut self) -> String {
        if self.chance(15) {
            let length = self.dim();
            let truth = self.truth(Shape::Fixed(Dim::Known(1), length), 1);
            return format!("{}({truth})", self.pick(&["any", "all"]));
        }
        let (a, b) = (self.expr(SCALAR, 1), self.expr(SCALAR, 1));
        let first = format!("{a} {} {b}", self.pick(&["<", "<=", ">", ">=", "==", "~="]));
        if self.chance(30) {
            let (c, op) = (self.expr(SCALAR, 1), self.pick(&["&&", "||"]));
            return format!("{first} {op} {c} > {}", self.below(20));
        }
        first
    }
}

/// A size as an expression.
fn size(dim: Dim) -> String {
    match dim {
        Dim::Known(k) => k.to_string(),
        Dim::N(0) => "n".to_owned(),
        Dim::N(k) => format!("(n+{k})"),
    }
}
