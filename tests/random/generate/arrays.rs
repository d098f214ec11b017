//! Statements on whole arrays: masks, several results of one call, sorting, sets, function handles.

use super::{Class, Dim, Gen, ONE, SCALAR, Shape, Var, matrix, row};

impl Gen {
    /// Reads or stores by a mask, or finds.
    pub(super) fn mask(&mut self) {
        let Some(var) = self.var(|v| v.class == Class::Double && v.shape != SCALAR && !v.fixed) else {
            return self.assign();
        };
        let (name, limit) = (var.name, self.below(30));
        let is_row = matches!(var.shape, Shape::Row | Shape::Fixed(ONE, _, ONE));
        if !is_row || self.indent > 1 || self.chance(40) {
            let value = self.below(50);
            let forms = ["X(X > L) = V;", "X(~X) = V;", "X(X > L & mod(X, 2) == 0) = V;", "X(X < L) += 1;"];
            let text = self.form(&forms, &name).replace('L', &limit.to_string()).replace('V', &value.to_string());
            return self.line(&text);
        }
        let forms =
            ["X(X > L)", "find(X > L)", "X(find(mod(X, 2) == 0))", "X(logical(mod(floor(X), 2)))", "find(X > L, 2)"];
        let value = self.form(&forms, &name).replace('L', &limit.to_string());
        // What is left of one element is 0-by-0 in Octave, whatever the shape was.
        let value = if var.shape == Shape::Row { format!("[{value}, 1]") } else { value };
        self.assign_new(Class::Double, Shape::Row, &value);
    }

    /// Several results of a function of the program.
    pub(super) fn many(&mut self) {
        if self.indent > 1 || !self.own_function() {
            self.library();
        }
    }

    /// A call of a function of the program with two results; whether there is one.
    fn own_function(&mut self) -> bool {
        let two: Vec<(String, usize)> =
            self.helpers.iter().filter(|h| h.outputs == 2).map(|h| (h.name.clone(), h.inputs)).collect();
        if two.is_empty() {
            return false;
        }
        let (name, inputs) = two[self.below(two.len())].clone();
        let args: Vec<String> = (0..inputs).map(|_| self.small()).collect();
        let (a, b) = (self.name(), self.name());
        let first = if self.chance(25) { "~".to_owned() } else { a.clone() };
        self.line(&format!("[{first}, {b}] = {name}({});", args.join(", ")));
        if first != "~" {
            self.declare(&a, Class::Double, SCALAR);
        }
        self.declare(&b, Class::Double, SCALAR);
        true
    }

    /// Sorting, sums that run, sets, a loop over columns.
    pub(super) fn ordered(&mut self) {
        if self.indent > 1 {
            return self.update();
        }
        let n = row(Dim::N(0));
        let e = format!("mod({}, 23)", self.expr(n, 2));
        let (value, shape) = match self.below(13) {
            0 => (format!("sort({e})"), n),
            1 => (format!("cumsum({e})"), n),
            2 => (format!("unique({e})"), Shape::Row),
            3 => (format!("union({e}, [3, 5])"), Shape::Row),
            4 => (format!("intersect([{e}, 3], 0:9)"), Shape::Row),
            5 => (format!("setdiff([{e}, 50], [0, 1, 2])"), Shape::Row),
            6 => (format!("conv({e}, [1, 2])"), row(Dim::N(1))),
            7 => (format!("filter([1, 1], 1, {e})"), n),
            8 => (format!("histc({e}, 0:4)"), row(Dim::Known(5))),
            9 => (format!("accumarray(mod(floor({e}), 3)' + 1, 1, [3, 1])"), matrix(Dim::Known(3), ONE)),
            10 => (format!("kron({e}, 2)"), n),
            11 => return self.over_columns(),
            _ => (format!("fliplr({e})"), n),
        };
        self.assign_new(Class::Double, shape, &value);
    }

    fn over_columns(&mut self) {
        let (name, column) = (self.name(), self.name());
        self.line(&format!("{name} = 0;"));
        self.line(&format!("for {column} = A"));
        self.line(&format!("  {name} = mod({name}*3 + sum({column}), 59);"));
        self.line("end");
        self.declare(&name, Class::Double, SCALAR);
    }

    /// A row made of a row whose length only the run knows.
    pub(super) fn row_forms(&mut self) {
        let Some(name) = self.find(Class::Double, Shape::Row, false) else { return self.grow() };
        if self.indent > 1 {
            return self.update();
        }
        const FORMS: [&str; 12] = [
            "X(end:-1:1)",
            "sort(X)",
            "mod(X .* 3, 17)",
            "X + 1",
            "cumsum(mod(X, 4))",
            "X(1:2:end)",
            "[X, X]",
            "unique([X, 1])",
            "X(X == floor(X))",
            "fliplr(X) - X",
            "max(X, 5)",
            "[0, diff(X)]",
        ];
        let value = format!("mod({}, 47)", self.form(&FORMS, &name));
        self.assign_new(Class::Double, Shape::Row, &value);
    }

    /// A function handle and a call of it.
    pub(super) fn handle(&mut self) {
        if self.indent > 1 {
            return self.store();
        }
        let handle = self.name();
        let (c, shape) = (self.small(), self.shape());
        let body = self.form(&["t + X", "mod(t .* 3, 7) - X", "floor(t / 2) + (t > X)", "t .* t - X"], &c);
        self.line(&format!("{handle} = @(t) {body};"));
        let argument = format!("mod({}, 19)", self.expr(shape, 1));
        let value = match shape {
            Shape::Fixed(ONE, _, ONE) if self.chance(50) => format!("arrayfun({handle}, {argument})"),
            _ => format!("{handle}({argument})"),
        };
        self.assign_new(Class::Double, shape, &value);
    }

    /// An element of any variable that is not complex, for printing.
    pub(super) fn printable(&mut self) -> Option<Var> {
        self.var(|v| v.class != Class::Complex)
    }
}
