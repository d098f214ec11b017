//! Single numbers of class double, and conditions.

use super::{Class, Gen, ONE, SCALAR, Shape, Var, matrix, row};

impl Gen {
    pub(super) fn scalar(&mut self, depth: usize) -> String {
        match self.below(20) {
            0..=2 => {
                let (a, b) = (self.expr(SCALAR, depth - 1), self.expr(SCALAR, depth - 1));
                format!("({a} {} {b})", self.pick(&["+", "-"]))
            }
            3 => {
                let (a, b) = (self.expr(SCALAR, depth - 1), self.expr(SCALAR, depth - 1));
                format!("mod({a}, 29)*mod({b}, 31)")
            }
            4..=5 => self.unary(SCALAR, depth),
            6..=7 => self.of_array(depth),
            8 => self.of_row(),
            9..=10 => self.call(),
            11..=13 => self.element(),
            14 => self.question(),
            15 => {
                let class = self.class();
                match class {
                    Class::Complex => {
                        let z = self.complex(SCALAR, depth - 1);
                        self.form(&["real(X)", "imag(X)", "real(X * conj(X))", "real(X' * X)"], &z)
                    }
                    _ => format!("double({})", self.value(class, SCALAR, depth - 1)),
                }
            }
            16 => self.number_theory(),
            17 => {
                let list: Vec<String> = (0..3).map(|_| self.expr(SCALAR, depth - 1)).collect();
                self.form(&["max([X])", "min([X])", "sum([X])", "median([X])", "numel(unique([X]))"], &list.join(", "))
            }
            _ => self.leaf(SCALAR),
        }
    }

    /// A number made of a whole array.
    fn of_array(&mut self, depth: usize) -> String {
        let shape = matrix(self.dim(), self.dim());
        let array = format!("mod({}, 21)", self.expr(shape, depth - 1));
        let matrices = [
            "sum(sum(X))",
            "max(max(X))",
            "min(min(X))",
            "sum(sum(X .* X))",
            "numel(X)",
            "nnz(X)",
            "sum(X(:))",
            "(any(any(X > 12)) + 0)",
            "(all(X(:) < 20) + 0)",
            "numel(find(X > 6))",
            "max(X(:))",
            "sum(sumsq(X))",
            "size(X, 2)",
            "numel(unique(X))",
            "sum(sum(kron(X, [1, 2])))",
            "floor(mean(X(:)))",
            "length(X)",
        ];
        let form = self.pick(&matrices);
        // Only a variable has elements.
        if !form.contains("X(") {
            return form.replace('X', &array);
        }
        match self.var(|v| v.class == Class::Double && matches!(v.shape, Shape::Fixed(..)) && v.shape != SCALAR) {
            Some(var) => form.replace('X', &var.name),
            None => format!("sum(sum({array}))"),
        }
    }

    /// A number made of a row whose length only the run knows.
    fn of_row(&mut self) -> String {
        const FORMS: [&str; 10] = [
            "sum(X)",
            "numel(X)",
            "length(X)",
            "sum(X(end:-1:1) .* X)",
            "sum(X > 3)",
            "sum(sort(X) .* (1:numel(X)))",
            "(isempty(X) + 0)",
            "sum(mod(X, 4) == 1)",
            "numel(unique(X))",
            "sum(cumsum(X))",
        ];
        match self.find(Class::Double, Shape::Row, false) {
            Some(name) => self.form(&FORMS, &name),
            None => self.leaf(SCALAR),
        }
    }

    /// A call of a function of scalars.
    fn call(&mut self) -> String {
        let list: Vec<(String, usize)> =
            self.helpers.iter().filter(|h| h.scalar()).map(|h| (h.name.clone(), h.inputs)).collect();
        if list.is_empty() {
            return self.leaf(SCALAR);
        }
        let (name, inputs) = list[self.below(list.len())].clone();
        let args: Vec<String> = (0..inputs).map(|_| self.small()).collect();
        format!("{name}({})", args.join(", "))
    }

    /// An element of a variable.
    fn element(&mut self) -> String {
        let of = |v: &Var| v.class == Class::Double && matches!(v.shape, Shape::Fixed(..)) && v.shape != SCALAR;
        let Some(Var { name, shape: Shape::Fixed(rows, columns, pages), .. }) = self.var(of) else {
            return self.leaf(SCALAR);
        };
        if pages != ONE && self.chance(60) {
            let [i, j, k] = [rows, columns, pages].map(|d| self.subscript(&d.text()));
            return format!("{name}({i}, {j}, {k})");
        }
        if pages == ONE && self.chance(50) {
            let [i, j] = [rows, columns].map(|d| self.subscript(&d.text()));
            return format!("{name}({i}, {j})");
        }
        let at = self.subscript(&format!("numel({name})"));
        format!("{name}({at})")
    }

    /// A size or another question about a variable.
    fn question(&mut self) -> String {
        const FORMS: [&str; 12] = [
            "numel(X)",
            "size(X, 1)",
            "size(X, 2)",
            "length(X)",
            "ndims(X)",
            "size(X, 3)",
            "isempty(X)",
            "isscalar(X)",
            "isvector(X)",
            "rows(X)",
            "columns(X)",
            "prod(size(X))",
        ];
        match self.var(|v| v.class != Class::Complex) {
            Some(var) => format!("({} + 0)", self.form(&FORMS, &var.name)),
            None => self.leaf(SCALAR),
        }
    }

    fn number_theory(&mut self) -> String {
        const FORMS: [&str; 8] = [
            "gcd(X, Y)",
            "lcm(X + 1, Y + 1)",
            "factorial(mod(X, 6))",
            "isprime(X + 1)",
            "bitand(X, Y)",
            "bitor(X, Y)",
            "bitshift(X, 2)",
            "polyval([1, X, 2], Y)",
        ];
        let (x, y) = (self.below(12).to_string(), self.whole(9));
        let form = self.pick(&FORMS);
        format!("({} + 0)", form.replace('X', &x).replace('Y', &y))
    }

    /// A whole number from zero that is below a limit.
    fn whole(&mut self, limit: usize) -> String {
        match self.find(Class::Double, SCALAR, false) {
            Some(name) => format!("mod(floor({name}), {limit})"),
            None => self.below(limit).to_string(),
        }
    }

    /// A whole number that is not large.
    pub(super) fn small(&mut self) -> String {
        let limit = 5 + self.below(9);
        if self.chance(70) { self.whole(limit) } else { self.below(12).to_string() }
    }

    pub(super) fn condition(&mut self) -> String {
        match self.below(12) {
            0..=1 => {
                let length = self.dim();
                let truth = self.truth(row(length), 1);
                format!("{}({truth})", self.pick(&["any", "all"]))
            }
            2 => match self.find(Class::Logical, SCALAR, false) {
                Some(name) => format!("{}{name}", self.pick(&["", "~", "!"])),
                None => self.comparison(),
            },
            3 => match self.var(|v| v.class == Class::Double) {
                Some(var) => {
                    self.form(&["isempty(X)", "~isempty(X)", "numel(X) > 4", "X", "isequal(X, X + 1)"], &var.name)
                }
                None => self.comparison(),
            },
            4 => {
                let (class, depth) = (Class::Int(self.ints[0]), 1);
                let value = self.value(class, SCALAR, depth);
                format!("{value} {} {}", self.pick(&["<", ">=", "=="]), self.below(30))
            }
            5..=7 => {
                let (first, c, op) = (self.comparison(), self.expr(SCALAR, 1), self.pick(&["&&", "||", "&", "|"]));
                format!("({first}) {op} ({c} > {})", self.below(20))
            }
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> String {
        let (a, b) = (self.expr(SCALAR, 1), self.expr(SCALAR, 1));
        format!("{a} {} {b}", self.pick(&["<", "<=", ">", ">=", "==", "~=", "!="]))
    }
}
