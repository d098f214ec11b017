//! Expressions of a wanted class and shape.

use super::{Class, Dim, Gen, SCALAR, Shape, size};

const ONE: Dim = Dim::Known(1);

impl Gen {
    /// Numbers of this shape, below about 1e6 in magnitude.
    pub(super) fn expr(&mut self, shape: Shape, depth: usize) -> String {
        if depth == 0 || self.chance(15) {
            return self.leaf(shape);
        }
        if shape == SCALAR {
            return self.scalar(depth);
        }
        let Shape::Fixed(rows, columns) = shape else { return self.leaf(shape) };
        match self.below(12) {
            0..=2 => {
                let (a, b) = (self.expr(shape, depth - 1), self.operand(shape, depth - 1));
                format!("({a} {} {b})", self.pick(&["+", "-"]))
            }
            3 => {
                let (a, b) = (self.expr(shape, depth - 1), self.operand(shape, depth - 1));
                format!("mod({a}, 11) .* mod({b}, 13)")
            }
            4 => self.unary(shape, depth),
            5 => format!("{}'", self.atom(Shape::Fixed(columns, rows), depth - 1)),
            6 => {
                let inner = self.dim();
                let (a, b) = (self.expr(Shape::Fixed(rows, inner), 1), self.expr(Shape::Fixed(inner, columns), 1));
                format!("(mod({a}, 7) * mod({b}, 5))")
            }
            7 => self.part(rows, columns),
            8 if rows == ONE => {
                let inner = self.dim();
                let a = self.expr(Shape::Fixed(inner, columns), depth - 1);
                format!("{}({a}, 1)", self.pick(&["sum", "sum"]))
            }
            8 if columns == ONE => format!("sum({}, 2)", self.expr(Shape::Fixed(rows, Dim::N(0)), depth - 1)),
            9 => format!("cumsum(mod({}, 9), {})", self.expr(shape, depth - 1), 1 + self.below(2)),
            10 => format!("double({})", self.truth(shape, depth - 1)),
            _ => self.leaf(shape),
        }
    }

    fn scalar(&mut self, depth: usize) -> String {
        match self.below(12) {
            0..=2 => {
                let (a, b) = (self.expr(SCALAR, depth - 1), self.expr(SCALAR, depth - 1));
                format!("({a} {} {b})", self.pick(&["+", "-"]))
            }
            3 => {
                let (a, b) = (self.expr(SCALAR, depth - 1), self.expr(SCALAR, depth - 1));
                format!("mod({a}, 29)*mod({b}, 31)")
            }
            4..=5 => self.unary(SCALAR, depth),
            6 => {
                let shape = Shape::Fixed(self.dim(), self.dim());
                let array = self.expr(shape, depth - 1);
                let form = self.pick(&["sum(sum(X))", "max(max(X))", "min(min(X))", "sum(sum(X .* X))", "numel(X)"]);
                form.replace('X', &format!("mod({array}, 21)"))
            }
            7 => match self.find(Class::Double, Shape::Row, false) {
                Some(row) => {
                    let form = self.pick(&["sum(X)", "numel(X)", "length(X)", "sum(X(end:-1:1) .* X)", "sum(X > 3)"]);
                    form.replace('X', &row)
                }
                None => self.leaf(SCALAR),
            },
            8 => {
                let one: Vec<(String, usize)> =
                    self.helpers.iter().filter(|h| h.outputs >= 1).map(|h| (h.name.clone(), h.inputs)).collect();
                if one.is_empty() {
                    return self.leaf(SCALAR);
                }
                let (name, inputs) = one[self.below(one.len())].clone();
                let args: Vec<String> = (0..inputs).map(|_| self.small()).collect();
                format!("{name}({})", args.join(", "))
            }
            9 if self.find(Class::Double, Shape::Fixed(Dim::N(0), Dim::N(0)), false).is_some() => {
                let at = self.subscript("n");
                if at == "end" || self.chance(50) {
                    format!("v({at})")
                } else {
                    format!("A({at}, {})", self.subscript("n"))
                }
            }
            10 => format!("double({})", self.int(SCALAR, 1)),
            _ => self.leaf(SCALAR),
        }
    }

    fn unary(&mut self, shape: Shape, depth: usize) -> String {
        let a = self.expr(shape, depth - 1);
        let form = self.pick(&[
            "abs(X)",
            "floor(X / 2)",
            "mod(X, 7)",
            "rem(X, 5)",
            "sign(X)",
            "round(X / 4)",
            "fix(X / 3)",
            "-X",
            "ceil(X * 0.5)",
            "X / 2",
            "mod(X, 8) .^ 2",
            "min(X, 6)",
            "max(X, 2)",
        ]);
        form.replace('X', &format!("({a})"))
    }

    /// The second operand of an element-wise operation: the same shape, a scalar, a row or a column.
    fn operand(&mut self, shape: Shape, depth: usize) -> String {
        let Shape::Fixed(rows, columns) = shape else { return self.expr(SCALAR, depth) };
        match self.below(5) {
            0 => self.expr(SCALAR, depth),
            1 => self.expr(Shape::Fixed(ONE, columns), depth),
            2 => self.expr(Shape::Fixed(rows, ONE), depth),
            _ => self.expr(shape, depth),
        }
    }

    /// An expression that may be transposed.
    fn atom(&mut self, shape: Shape, depth: usize) -> String {
        format!("({})", self.expr(shape, depth))
    }

    /// Rows and columns of a larger array.
    fn part(&mut self, rows: Dim, columns: Dim) -> String {
        match (rows, columns) {
            (Dim::N(0), Dim::N(0)) => {
                self.pick(&["A(end:-1:1, :)", "A(:, end:-1:1)", "A.'", "A([2:n, 1], :)", "A(n:-1:1, 1:n)"]).to_owned()
            }
            (Dim::Known(1), Dim::N(0)) => {
                let i = self.subscript("n");
                self.pick(&["A(I, :)", "v(end:-1:1)", "v([2:end, 1])", "(1:n)", "A(I, n:-1:1)"]).replace('I', &i)
            }
            (Dim::N(0), Dim::Known(1)) => {
                let i = self.subscript("n");
                self.pick(&["A(:, I)", "(1:n)'", "v(:)", "A((1:n)', I)"]).replace('I', &i)
            }
            _ => self.leaf(Shape::Fixed(rows, columns)),
        }
    }

    fn leaf(&mut self, shape: Shape) -> String {
        if self.chance(65)
            && let Some(name) = self.find(Class::Double, shape, false)
        {
            return name;
        }
        let Shape::Fixed(rows, columns) = shape else { return "[1, 2]".to_owned() };
        if shape == SCALAR {
            return match self.below(6) {
                0 => self.vars.first().map_or("3".to_owned(), |v| v.name.clone()),
                1 => format!("{}.5", self.below(4)),
                _ => self.below(20).to_string(),
            };
        }
        let (r, c) = (size(rows), size(columns));
        match self.below(6) {
            0 => format!("zeros({r}, {c})"),
            1 => format!("{}*ones({r}, {c})", 1 + self.below(9)),
            2 if rows != ONE && columns != ONE => format!("(eye({r}, {c}) + 0)"),
            3 if rows == ONE => format!("(1:{c})"),
            4 => format!("repmat({}, {r}, {c})", self.below(7)),
            5 if rows == ONE || columns == ONE => format!(
                "linspace(0, {0}, {1}){2}",
                "0",
                if rows == ONE { &c } else { &r },
                if rows == ONE { "" } else { "'" }
            ),
            _ => format!("reshape(1:{r}*{c}, {r}, {c})"),
        }
    }

    /// Truth values of this shape.
    pub(super) fn truth(&mut self, shape: Shape, depth: usize) -> String {
        if self.chance(30)
            && let Some(name) = self.find(Class::Logical, shape, false)
        {
            return name;
        }
        let depth = depth.max(1);
        match self.below(5) {
            0 if depth > 1 => {
                let (a, b) = (self.truth(shape, depth - 1), self.truth(shape, depth - 1));
                format!("({a} {} {b})", self.pick(&["&", "|"]))
            }
            1 if depth > 1 => format!("~{}", self.truth(shape, depth - 1)),
            2 => {
                let (a, b) = (self.int(shape, depth - 1), self.below(40));
                format!("({a} > {b})")
            }
            _ => {
                let (a, b) = (self.expr(shape, depth - 1), self.operand(shape, depth - 1));
                format!("({a} {} {b})", self.pick(&["<", "<=", ">", "==", "~="]))
            }
        }
    }

    /// Saturating 32-bit integers of this shape.
    pub(super) fn int(&mut self, shape: Shape, depth: usize) -> String {
        if self.chance(40)
            && let Some(name) = self.find(Class::Int32, shape, false)
        {
            return name;
        }
        if depth == 0 {
            return format!("int32({})", self.leaf(shape));
        }
        match self.below(7) {
            0 => format!("({} + {})", self.int(shape, depth - 1), self.int(SCALAR, 0)),
            1 => format!("({} - {})", self.int(shape, depth - 1), self.int(shape, 0)),
            2 => format!("({} * {})", self.int(shape, depth - 1), 2 + self.below(9)),
            3 => format!("({} / {})", self.int(shape, depth - 1), 2 + self.below(5)),
            4 => format!("min({}, {})", self.int(shape, depth - 1), self.int(shape, 0)),
            5 => format!("mod({}, {})", self.int(shape, depth - 1), 3 + self.below(9)),
            _ => format!("int32({})", self.expr(shape, depth - 1)),
        }
    }
}
