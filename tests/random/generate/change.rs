//! Statements that change variables: assignments, stores, growth, deletion.

use super::{Class, Dim, Gen, ONE, SCALAR, Shape, Var, matrix, row};

impl Gen {
    /// A new variable, or, inside loops and branches too, an old one of the same type.
    pub(super) fn assign(&mut self) {
        let (class, shape) = (self.class(), self.shape());
        let value = self.value(class, shape, 2);
        match self.find(class, shape, true) {
            Some(name) if self.indent > 1 || self.chance(40) => self.line(&format!("{name} = {value};")),
            _ if self.free() && self.chance(15) => self.retype(class, shape, &value),
            // What a branch declares is a scratch variable there: not used after it.
            _ => self.assign_new(class, shape, &value),
        }
    }

    /// Declares a variable with this value.
    pub(super) fn assign_new(&mut self, class: Class, shape: Shape, value: &str) {
        let name = self.name();
        self.line(&format!("{name} = {value};"));
        self.declare(&name, class, shape);
    }

    /// A variable gets another class or shape.
    fn retype(&mut self, class: Class, shape: Shape, value: &str) {
        match self.var(|v| v.name.starts_with('x') && !v.fixed) {
            Some(var) => {
                self.line(&format!("{} = {value};", var.name));
                self.declare(&var.name, class, shape);
            }
            None => self.assign_new(class, shape, value),
        }
    }

    /// A stored element, row, column, page or block of an array of fixed sizes.
    pub(super) fn store(&mut self) {
        let fits = |v: &Var| !v.fixed && v.shape != SCALAR && v.shape != Shape::Row;
        let Some(Var { name, class, shape: Shape::Fixed(rows, columns, pages), .. }) = self.var(fits) else {
            return self.assign();
        };
        if pages != ONE {
            return self.store_page(&name, class, [rows, columns, pages]);
        }
        let [i, j] = [rows, columns].map(|d| self.subscript(&d.text()));
        let (place, shape) = match self.below(9) {
            0 => (self.subscript(&format!("numel({name})")), SCALAR),
            1 => (format!(":, {j}"), matrix(rows, ONE)),
            2 => (format!("{i}, :"), row(columns)),
            3 => (":".to_owned(), SCALAR),
            4 if columns.least() > 1 => ("I, 1:end-1".replace('I', &i), row(columns.plus(-1))),
            5 if rows.least() > 2 => ("2:end-1, J".replace('J', &j), SCALAR),
            6 if columns.least() > 1 => ("I, [2, 1]".replace('I', &i), row(Dim::Known(2))),
            7 if rows.least() > 1 => ("end:-1:1, :".to_owned(), matrix(rows, columns)),
            _ => (format!("{i}, {j}"), SCALAR),
        };
        let value = self.value(class, shape, 1);
        self.line(&format!("{name}({place}) = {value};"));
    }

    fn store_page(&mut self, name: &str, class: Class, [rows, columns, pages]: [Dim; 3]) {
        let [i, j, k] = [rows, columns, pages].map(|d| self.subscript(&d.text()));
        let (place, shape) = match self.below(4) {
            0 => (format!(":, :, {k}"), matrix(rows, columns)),
            1 => (format!("{i}, :, {k}"), row(columns)),
            2 => (format!("{i}, {j}, :"), SCALAR),
            _ => (format!("{i}, {j}, {k}"), SCALAR),
        };
        let value = self.value(class, shape, 1);
        self.line(&format!("{name}({place}) = {value};"));
    }

    /// A number that changes by itself.
    pub(super) fn update(&mut self) {
        if self.chance(25)
            && let Some(var) = self.var(|v| !v.fixed && v.class == Class::Int("int32") && v.shape == SCALAR)
        {
            let form = self.form(&["X = X + 7;", "X += 3;", "X = X * 2;", "X -= 40;", "X = X / 3;"], &var.name);
            return self.line(&form);
        }
        let Some(name) = self.find(Class::Double, SCALAR, true) else { return self.assign() };
        let value = self.expr(SCALAR, 1);
        let forms =
            ["{x} = mod({x} + {e}, 103);", "{x} = max({x}, {e});", "{x} = {x} - sign({e});", "{x} += mod({e}, 3);"];
        let text = self.pick_form(&forms, &name, &value);
        self.line(&text);
    }

    fn pick_form(&mut self, forms: &[&str], name: &str, value: &str) -> String {
        self.pick(forms).replace("{x}", name).replace("{e}", value)
    }

    /// A row that grows, by a loop or by concatenation.
    pub(super) fn grow(&mut self) {
        let value = self.expr(SCALAR, 2);
        if let Some(name) = self.find(Class::Double, Shape::Row, true) {
            let forms =
                ["{x}(end+1) = {e};", "{x} = [{x}, {e}];", "{x}(numel({x}) + 2) = {e};", "{x} = [{e}, 1, {x}];"];
            let text = self.pick_form(&forms, &name, &format!("mod({value}, 41)"));
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
        let (k, more, by) = (self.name(), self.below(3), 1 + self.below(7));
        self.line(&format!("for {k} = 1:n+{more}"));
        self.line(&format!("  {name}({k}) = mod({k}*{by} + {value}, 19);"));
        self.line("end");
        self.declare(&name, Class::Double, Shape::Row);
    }

    /// Elements, rows or columns are added or deleted.
    pub(super) fn resize(&mut self) {
        if let Some(name) = self.find(Class::Double, Shape::Row, true).filter(|_| self.chance(40)) {
            let forms = ["X(2) = [];", "X(end) = [];", "X(1:2) = [];", "X([1, end]) = [];", "X(X > 20) = [];"];
            let text = self.form(&forms, &name);
            return self.line(&format!("if numel({name}) > 2, {text} end"));
        }
        let fits = |v: &Var| !v.fixed && matches!(v.shape, Shape::Fixed(_, _, ONE)) && v.shape != SCALAR;
        let Some(Var { name, class, shape: Shape::Fixed(rows, columns, _), .. }) = self.var(fits) else {
            return self.assign();
        };
        if !self.free() {
            return self.store();
        }
        let small = |d: Dim| d.least() > 2;
        let large = |d: Dim| d.plus(-4).least() > 3;
        let shape = match self.below(6) {
            0 if small(columns) => {
                let j = self.subscript(&columns.text());
                self.line(&format!("{name}(:, {j}) = [];"));
                matrix(rows, columns.plus(-1))
            }
            1 if small(rows) => {
                let form = self.form(&["X(1, :) = [];", "X(end, :) = [];"], &name);
                self.line(&form);
                matrix(rows.plus(-1), columns)
            }
            2 if !large(rows) => {
                let value = self.value(class, row(columns), 1);
                self.line(&format!("{name}(end+1, :) = {value};"));
                matrix(rows.plus(1), columns)
            }
            3 if !large(columns) => {
                let value = self.value(class, matrix(rows, ONE), 1);
                let form = self.form(&["X = [X, E];", "X(:, end+1) = E;", "X = [E, X];"], &name);
                self.line(&form.replace('E', &format!("({value})")));
                matrix(rows, columns.plus(1))
            }
            4 if !large(columns) && rows != ONE => {
                let value = self.value(class, SCALAR, 1);
                self.line(&format!("{name}({}, {}) = {value};", rows.plus(1).text(), columns.plus(1).text()));
                matrix(rows.plus(1), columns.plus(1))
            }
            _ if rows == ONE && !large(columns) => {
                let value = self.value(class, SCALAR, 1);
                self.line(&format!("{name}(end+2) = {value};"));
                row(columns.plus(2))
            }
            _ => return self.store(),
        };
        self.reshaped(&name, shape);
    }
}
