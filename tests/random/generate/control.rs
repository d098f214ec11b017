//! Branches, loops, early ends.

use super::{Class, Gen, ONE, SCALAR, Shape, Var};

impl Gen {
    /// Statements of a branch or a loop body; what they declare is forgotten after them.
    fn block(&mut self, most: usize) {
        let known = self.vars.clone();
        self.indent += 1;
        for _ in 0..1 + self.below(most) {
            self.statement();
        }
        self.indent -= 1;
        self.vars = known;
    }

    pub(super) fn choice(&mut self) {
        match self.below(10) {
            0 | 1 => return self.switch_number(),
            2 => return self.switch_text(),
            _ => {}
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

    fn switch_number(&mut self) {
        let subject = self.small();
        self.line(&format!("switch mod({subject}, 4)"));
        for _ in 0..1 + self.below(2) {
            let (a, b) = (self.below(4), self.below(4));
            if self.chance(70) {
                self.line(&format!("case {a}"));
            } else {
                self.line(&format!("case {{{a}, {b}}}"));
            }
            self.block(2);
        }
        if self.chance(80) {
            self.line("otherwise");
            self.block(1);
        }
        self.line("end");
    }

    fn switch_text(&mut self) {
        let (name, text) = (self.name(), self.pick(&["red", "green", "blue"]));
        self.line(&format!("{name} = '{text}';"));
        self.line(&format!("switch {name}"));
        self.line("case 'red'");
        self.block(2);
        self.line("case {'green', 'grey'}");
        self.block(2);
        self.line("end");
    }

    pub(super) fn counted(&mut self) {
        const RANGES: [&str; 12] = [
            "1:n",
            "1:n",
            "1:n+1",
            "n:-1:1",
            "2:2:n",
            "1:3",
            "0:0.5:2",
            "n:1",
            "1:2:2*n",
            "-2:2",
            "1:numel(v)",
            "n:-2:0",
        ];
        let (name, range) = (self.name(), self.pick(&RANGES));
        self.line(&format!("for {name} = {range}"));
        self.body(Var { name, class: Class::Double, shape: SCALAR, fixed: true });
    }

    /// A loop over the elements of a row.
    pub(super) fn over_elements(&mut self) {
        let name = self.name();
        let list = match self.var(|v| v.class != Class::Complex && matches!(v.shape, Shape::Fixed(ONE, _, ONE))) {
            Some(var) if self.chance(70) => (var.name, var.class),
            _ => (self.pick(&["[3, 1, 2]", "[0.5, 4]", "[]", "7"]).to_owned(), Class::Double),
        };
        self.line(&format!("for {name} = {}", list.0));
        self.body(Var { name, class: list.1, shape: SCALAR, fixed: true });
    }

    /// The body of a loop over a variable, perhaps with a way out.
    fn body(&mut self, variable: Var) {
        let known = self.vars.clone();
        self.vars.push(variable);
        self.loops += 1;
        if self.chance(25) {
            let (cond, leave) = (self.condition(), self.pick(&["break", "continue"]));
            self.line(&format!("  if {cond}, {leave}; end"));
        }
        self.block(3);
        if self.chance(10) {
            let (cond, leave) = (self.condition(), self.pick(&["break", "continue"]));
            self.line(&format!("  if {cond}, {leave}; end"));
            self.block(1);
        }
        self.loops -= 1;
        self.vars = known;
        self.line("end");
    }

    pub(super) fn while_loop(&mut self) {
        let (name, count) = (self.name(), 1 + self.below(5));
        let counter = Var { name: name.clone(), class: Class::Double, shape: SCALAR, fixed: true };
        self.line(&format!("{name} = {count};"));
        if self.chance(20) {
            self.line("while true");
            self.line(&format!("  {name} = {name} - 1;"));
            self.line(&format!("  if {name} < 0, break; end"));
        } else {
            let cond = if self.chance(50) { String::new() } else { format!(" && ({})", self.condition()) };
            self.line(&format!("while {name} > 0{cond}"));
            self.line(&format!("  {name} = {name} - 1;"));
        }
        self.body(counter.clone());
        if self.indent == 1 {
            self.vars.push(Var { fixed: false, ..counter });
        }
    }

    /// Ends the program early, where that may be, or prints.
    pub(super) fn print_or_leave(&mut self) {
        let cond = self.condition();
        match self.below(3) {
            0 if self.results.is_some() => self.line(&format!("if {cond}, return; end")),
            1 if self.chance(20) => {
                let (limit, value) = (20 + self.below(30), self.small());
                self.line(&format!("if n * {value} > {limit}, error('p:high', 'too high: %d', {value}); end"));
            }
            _ => self.print(),
        }
    }
}
