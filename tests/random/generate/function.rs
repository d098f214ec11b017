//! The functions that a program calls.

use super::{Class, Gen, SCALAR, Var};

/// A function of scalars that the program may call.
pub struct Helper {
    pub name: String,
    pub inputs: usize,
    pub outputs: usize,
}

impl Helper {
    /// Whether its first result is a number.
    pub fn scalar(&self) -> bool {
        self.outputs >= 1
    }
}

impl Gen {
    /// Makes up to three functions; their text.
    pub(super) fn helpers(&mut self, program: &str) -> String {
        let mut text = String::new();
        for number in 0..self.below(4) {
            let helper = self.helper(&format!("{program}_f{number}"));
            text += &std::mem::take(&mut self.text);
            self.helpers.push(helper);
        }
        text
    }

    fn helper(&mut self, name: &str) -> Helper {
        let (inputs, outputs) = match self.below(14) {
            0..=1 => self.recursion(name),
            2 => self.recursion_of_two(name),
            3 => self.recursion_of_rows(name),
            4 => self.with_default(name),
            5 => self.search(name),
            6..=7 => self.search_of_two(name),
            8 => self.grown(name),
            9 => self.table(name),
            _ => self.arithmetic(name),
        };
        Helper { name: name.to_owned(), inputs, outputs }
    }

    fn lines(&mut self, text: &str) {
        text.lines().for_each(|line| self.line(line));
        self.line("");
    }

    fn recursion(&mut self, name: &str) -> (usize, usize) {
        let (low, by, m, c) = (self.below(3), 1 + self.below(2), 2 + self.below(5), self.below(9));
        self.lines(&format!(
            "function r = {name}(a)\nif a <= {low}, r = {c}; return; end\nr = mod({m}*{name}(a - {by}) + a, 97);\nend"
        ));
        (1, 1)
    }

    /// Two arguments and two results, as in Euclid's algorithm.
    fn recursion_of_two(&mut self, name: &str) -> (usize, usize) {
        let c = 1 + self.below(4);
        self.lines(&format!(
            "function [r, s] = {name}(a, b)\nif b <= 0\n  r = a; s = {c};\nelse\n  \
             [r, s] = {name}(b, mod(a, b));\n  s = s + 1;\nend\nend"
        ));
        (2, 2)
    }

    /// A recursion over rows that get shorter, behind a function of a number.
    fn recursion_of_rows(&mut self, name: &str) -> (usize, usize) {
        let m = 3 + self.below(9);
        self.lines(&format!(
            "function r = {name}(a)\nx = mod((1:a+2) * {m}, 10);\nr = {name}_r(x) * 2 + a;\nend\n\n\
             function t = {name}_r(x)\nif numel(x) < 2\n  t = sum(x);\nelse\n  \
             h = floor(numel(x) / 2);\n  t = {name}_r(x(1:h)) - {name}_r(x(h+1:end));\nend\nend"
        ));
        (1, 1)
    }

    /// A parameter that calls may leave out.
    fn with_default(&mut self, name: &str) -> (usize, usize) {
        let (c, inputs) = (2 + self.below(6), 1 + self.below(2));
        self.lines(&format!(
            "function [r, s] = {name}(a, b)\nif nargin < 2\n  b = {c};\nend\nr = mod(a, b + 1);\n\
             if nargout > 1\n  s = a - r;\nend\nend"
        ));
        (inputs, 2)
    }

    /// A loop that ends with a `return`.
    fn search(&mut self, name: &str) -> (usize, usize) {
        let (m, limit) = (2 + self.below(5), 10 + self.below(40));
        // A loop over whole numbers up to NaN is an error, where Octave makes one pass with NaN.
        let last = if self.special { "max(a, 0)" } else { "a" };
        self.lines(&format!(
            "function [r, s] = {name}(a)\nr = 0; s = 0;\nfor k = 1:{last}\n  s = mod(s * {m} + k, 83);\n  \
             if s > {limit}, r = k; return; end\nend\nr = -1;\nend"
        ));
        (1, 2)
    }

    /// Two loops that a `return` leaves from inside; behind them an error, or another result.
    fn search_of_two(&mut self, name: &str) -> (usize, usize) {
        let (m, want) = (3 + self.below(9), 4 + self.below(12));
        let last = if self.chance(30) { "error('p:none', 'none of %d', numel(x));" } else { "r = -a; s = sum(x);" };
        self.lines(&format!(
            "function [r, s] = {name}(a)\nx = mod((1:a+3) * {m}, 11);\nfor i = 1:numel(x)\n  for j = i+1:numel(x)\n    \
             if x(i) + x(j) == {want}\n      r = i; s = x(j);\n      return;\n    end\n  end\nend\n{last}\nend"
        ));
        (1, 2)
    }

    /// An array that a loop of unknown length makes.
    fn grown(&mut self, name: &str) -> (usize, usize) {
        let (m, low) = (3 + self.below(20), 1 + self.below(4));
        self.lines(&format!(
            "function [r, s] = {name}(a)\nv = [];\nk = a;\nwhile true\n  k = mod(k * {m} + 1, 31);\n  v(end + 1) = k;\n  \
             if k < {low} || numel(v) > 12, break; end\n  if mod(k, 3) == 0, continue; end\n  v = [v, k - 1];\nend\n\
             r = sum(v);\ns = numel(v);\nend"
        ));
        (1, 2)
    }

    /// A table that the first call makes.
    fn table(&mut self, name: &str) -> (usize, usize) {
        let (m, len) = (2 + self.below(9), 3 + self.below(5));
        self.lines(&format!(
            "function r = {name}(a)\npersistent t\nif isempty(t)\n  t = zeros(1, {len});\n  for k = 1:{len}, t(k) = mod(k * {m}, 7); end\n\
             end\nr = t(1 + mod(floor(abs(a)), {len})) + a;\nend"
        ));
        (1, 1)
    }

    /// Arithmetic with a choice.
    fn arithmetic(&mut self, name: &str) -> (usize, usize) {
        let (inputs, outputs) = (1 + self.below(2), 1 + self.below(2));
        let (args, outs) = (["a", "b"], ["r", "s"]);
        let number = |name: &str| Var { name: name.into(), class: Class::Double, shape: SCALAR, fixed: true };
        self.vars = args[..inputs].iter().map(|a| number(a)).collect();
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
        self.lines("end");
        self.vars.clear();
        (inputs, outputs)
    }
}
