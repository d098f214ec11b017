//! Expressions of class double and of a wanted shape.

use super::{Class, Dim, Gen, ONE, SCALAR, Shape, matrix, row};

impl Gen {
    /// Numbers of this shape, below about 1e6 in magnitude.
    pub(super) fn expr(&mut self, shape: Shape, depth: usize) -> String {
        let Shape::Fixed(rows, columns, pages) = shape else { return self.leaf(shape) };
        if depth == 0 || self.chance(15) {
            return self.leaf(shape);
        }
        if shape == SCALAR {
            return self.scalar(depth);
        }
        match self.below(14) {
            0..=2 => {
                let (a, b) = (self.expr(shape, depth - 1), self.operand(shape, depth - 1));
                format!("({a} {} {b})", self.pick(&["+", "-"]))
            }
            3 => {
                let (a, b) = (self.expr(shape, depth - 1), self.operand(shape, depth - 1));
                format!("mod({a}, 11) .* mod({b}, 13)")
            }
            4..=5 => self.unary(shape, depth),
            6 => format!("double({})", self.truth(shape, depth - 1)),
            7 => {
                let class = self.class();
                match class {
                    Class::Complex => {
                        let z = self.complex(shape, depth - 1);
                        self.form(&["real(X)", "imag(X)", "real(X) - imag(X)"], &z)
                    }
                    _ => format!("double({})", self.value(class, shape, depth - 1)),
                }
            }
            8 => self.along(shape, depth),
            9..=12 if pages == ONE => self.of_matrix(rows, columns, depth),
            9..=12 => self.of_pages(rows, columns, pages, depth),
            _ => self.leaf(shape),
        }
    }

    /// What works along a dimension and keeps the shape.
    fn along(&mut self, shape: Shape, depth: usize) -> String {
        let (e, d) = (self.expr(shape, depth - 1), 1 + self.below(2));
        match self.below(9) {
            0 => format!("cumsum(mod({e}, 9), {d})"),
            1 => format!("sort(mod({e}, 15), {d})"),
            2 => format!("cumprod(mod(floor({e}), 3) + 1, {d})"),
            3 => format!("circshift({e}, {}, {d})", self.pick(&[1, 2])),
            4 => format!("flip({e}, {d})"),
            5 => format!("sort(mod({e}, 12), {d}, 'descend')"),
            6 => format!("({e} - {}(mod({e}, 33), [], {d}))", self.pick(&["min", "max"])),
            7 if matches!(shape, Shape::Fixed(_, _, ONE)) => format!("cummax(mod({e}, 19), {d})"),
            _ => format!("({e} + sum(mod({e}, 5), {d}))"),
        }
    }

    fn of_matrix(&mut self, rows: Dim, columns: Dim, depth: usize) -> String {
        let shape = matrix(rows, columns);
        match self.below(12) {
            0..=1 => {
                format!("({}){}", self.expr(matrix(columns, rows), depth - 1), self.pick(&["'", ".'"]))
            }
            2 => {
                let inner = self.dim();
                let (a, b) = (self.expr(matrix(rows, inner), 1), self.expr(matrix(inner, columns), 1));
                format!("(mod({a}, 7) * mod({b}, 5))")
            }
            3..=4 => self.part(rows, columns),
            5 if rows == ONE => {
                let inner = self.dim();
                let a = self.expr(matrix(inner, columns), depth - 1);
                let form =
                    ["sum(X, 1)", "max(mod(X, 31), [], 1)", "(any(X, 1) + 0)", "sum(X .* X, 1)", "prod(mod(X, 3), 1)"];
                if inner == ONE { a } else { self.form(&form, &format!("({a})")) }
            }
            5 if columns == ONE => {
                let inner = self.dim();
                let a = self.expr(matrix(rows, inner), depth - 1);
                self.form(
                    &["sum(X, 2)", "min(mod(X, 31), [], 2)", "(all(X, 2) + 0)", "floor(mean(X, 2))"],
                    &format!("({a})"),
                )
            }
            6 => match self.blocks(rows, columns, depth) {
                Some(text) => text,
                None => self.leaf(shape),
            },
            7 if rows == columns => {
                let e = self.expr(shape, depth - 1);
                self.form(
                    &["triu(X)", "tril(X)", "(diag(diag(X)) + 0)", "rot90(X)", "triu(X, 1)", "mod(X, 3)^2"],
                    &format!("({e})"),
                )
            }
            8 => {
                let e = self.expr(shape, depth - 1);
                self.form(&["fliplr(X)", "flipud(X)", "rot90(X, 2)"], &format!("({e})"))
            }
            9 => self.of_cube(rows, columns, depth),
            10 => {
                let mask = self.truth(shape, depth - 1);
                let (a, b) = (self.expr(shape, depth - 1), self.expr(shape, depth - 1));
                format!("({mask} .* {a} + (1 - {mask}) .* {b})")
            }
            _ => self.leaf(shape),
        }
    }

    /// A matrix from an array with pages.
    fn of_cube(&mut self, rows: Dim, columns: Dim, depth: usize) -> String {
        let of = |v: &super::Var| matches!(v.shape, Shape::Fixed(r, c, p) if r == rows && c == columns && p != ONE);
        if let Some(var) = self.var(|v| v.class == Class::Double && of(v))
            && let Shape::Fixed(_, _, pages) = var.shape
        {
            let k = self.subscript(&pages.text());
            return format!("{}(:, :, {k})", var.name);
        }
        let cube = Shape::Fixed(rows, columns, Dim::Known(2));
        let e = self.expr(cube, depth - 1);
        self.form(&["sum(X, 3)", "max(mod(X, 27), [], 3)", "sum(mod(X, 4) > 1, 3)"], &format!("({e})"))
    }

    fn of_pages(&mut self, rows: Dim, columns: Dim, pages: Dim, depth: usize) -> String {
        let e = |gen_: &mut Gen, shape| gen_.expr(shape, depth - 1);
        match self.below(5) {
            0 if pages == Dim::Known(2) => {
                let (a, b) = (e(self, matrix(rows, columns)), e(self, matrix(rows, columns)));
                format!("cat(3, {a}, {b})")
            }
            1 => format!("permute({}, [2, 1, 3])", e(self, Shape::Fixed(columns, rows, pages))),
            2 => format!("repmat({}, [1, 1, {}])", e(self, matrix(rows, columns)), pages.text()),
            3 => format!("cumsum(mod({}, 9), 3)", e(self, Shape::Fixed(rows, columns, pages))),
            _ => {
                let count = format!("{}*{}*{}", rows.text(), columns.text(), pages.text());
                let m = 5 + self.below(20);
                format!("reshape(mod(1:{count}, {m}), {}, {}, {})", rows.text(), columns.text(), pages.text())
            }
        }
    }

    /// A matrix put together from parts.
    fn blocks(&mut self, rows: Dim, columns: Dim, depth: usize) -> Option<String> {
        let e = |gen_: &mut Gen, r, c| gen_.expr(matrix(r, c), depth - 1);
        if columns.least() > 1 && self.chance(50) {
            let (a, b) = (e(self, rows, columns.plus(-1)), e(self, rows, ONE));
            return Some(format!("[{a}, {b}]"));
        }
        if rows.least() > 1 {
            let (a, b) = (e(self, ONE, columns), e(self, rows.plus(-1), columns));
            return Some(format!("[{a}; {b}]"));
        }
        None
    }

    /// An element-wise function of numbers of this shape.
    pub(super) fn unary(&mut self, shape: Shape, depth: usize) -> String {
        const FORMS: [&str; 18] = [
            "abs(X)",
            "floor(X / 2)",
            "mod(X, 7)",
            "rem(X, 5)",
            "sign(X)",
            "round(X / 4)",
            "fix(X / 3)",
            "(-X)",
            "ceil(X * 0.5)",
            "X / 2",
            "mod(X, 8) .^ 2",
            "min(X, 6)",
            "max(X, 2)",
            "mod(X, -4)",
            "bitand(mod(floor(abs(X)), 64), 13)",
            "bitxor(mod(floor(X), 16), 5)",
            "mod(floor(X), 5) .^ 3",
            "2 .^ mod(floor(X), 6)",
        ];
        let a = self.expr(shape, depth - 1);
        self.form(&FORMS, &format!("({a})"))
    }

    /// The second operand of an element-wise operation: the same shape, a scalar, a row, a column or a page.
    pub(super) fn operand(&mut self, shape: Shape, depth: usize) -> String {
        let Shape::Fixed(rows, columns, pages) = shape else { return self.expr(SCALAR, depth) };
        match self.below(6) {
            0 => self.expr(SCALAR, depth),
            1 => self.expr(row(columns), depth),
            2 => self.expr(matrix(rows, ONE), depth),
            3 if pages != ONE => self.expr(matrix(rows, columns), depth),
            4 if pages != ONE => format!("reshape(1:{p}, 1, 1, {p})", p = pages.text()),
            _ => self.expr(shape, depth),
        }
    }

    /// Rows and columns of a larger array, or a range.
    fn part(&mut self, rows: Dim, columns: Dim) -> String {
        let v = self.find(Class::Double, row(Dim::N(0)), false);
        let a = self.find(Class::Double, matrix(Dim::N(0), Dim::N(0)), false);
        let (Some(v), Some(a)) = (v, a) else { return self.leaf(matrix(rows, columns)) };
        let i = self.subscript("n");
        let forms: &[&str] = match (rows, columns) {
            (Dim::N(0), Dim::N(0)) => &[
                "A(end:-1:1, :)",
                "A(:, end:-1:1)",
                "A.'",
                "A([2:n, 1], :)",
                "A(n:-1:1, 1:n)",
                "A(:, [n, 1:n-1])",
                "V + V'",
            ],
            (ONE, Dim::N(0)) => &[
                "A(I, :)",
                "V(end:-1:1)",
                "V([2:end, 1])",
                "(1:n)",
                "A(I, n:-1:1)",
                "(1:2:2*n)",
                "(n-1:-1:0)",
                "(0:0.5:(n-1)/2)",
                "linspace(0, n - 1, n)",
                "diag(A)'",
                "V(mod((1:n) * 2, n) + 1)",
            ],
            (Dim::N(0), ONE) => &["A(:, I)", "(1:n)'", "V(:)", "A((1:n)', I)", "diag(A)", "A(:, end)", "V.'"],
            (Dim::N(-1), Dim::N(0)) => &["A(2:end, :)", "A(1:end-1, :)", "diff(A)", "A([1:I-1, I+1:n], :)"],
            (Dim::N(0), Dim::N(-1)) => &["A(:, 2:end)", "A(:, 1:n-1)", "diff(A, 1, 2)"],
            (ONE, Dim::N(-1)) => &["V(2:end)", "diff(V)", "V(1:end-1) .* V(2:end)", "(2:n)"],
            _ => return self.leaf(matrix(rows, columns)),
        };
        self.pick(forms).replace('A', &a).replace('V', &v).replace('I', &i)
    }

    /// A variable or a constant array.
    pub(super) fn leaf(&mut self, shape: Shape) -> String {
        if self.chance(65)
            && let Some(name) = self.find(Class::Double, shape, false)
        {
            return name;
        }
        let Shape::Fixed(rows, columns, pages) = shape else { return "[1, 2]".to_owned() };
        if shape == SCALAR {
            return match self.below(6) {
                0 => self.vars.first().map_or("3".to_owned(), |v| v.name.clone()),
                1 => format!("{}.5", self.below(4)),
                _ => self.below(20).to_string(),
            };
        }
        let (r, c) = (rows.text(), columns.text());
        if pages != ONE {
            let p = pages.text();
            return match self.below(3) {
                0 => format!("zeros({r}, {c}, {p})"),
                1 => format!("({}*ones({r}, {c}, {p}))", 1 + self.below(9)),
                _ => format!("reshape(1:{r}*{c}*{p}, {r}, {c}, {p})"),
            };
        }
        match self.below(6) {
            0 => format!("zeros({r}, {c})"),
            1 => format!("({}*ones({r}, {c}))", 1 + self.below(9)),
            2 if rows != ONE && columns != ONE => format!("(eye({r}, {c}) + 0)"),
            3 if rows == ONE => format!("(1:{c})"),
            4 => format!("repmat({}, {r}, {c})", self.below(7)),
            5 if rows == ONE => format!("linspace(0, 0, {c})"),
            _ => format!("reshape(1:{r}*{c}, {r}, {c})"),
        }
    }

    /// A subscript between 1 and an extent that is at least 1.
    pub(super) fn subscript(&mut self, extent: &str) -> String {
        match self.below(5) {
            0 => "1".to_owned(),
            1 if extent != "1" => "end".to_owned(),
            2 if extent == "n" => "end-1".to_owned(),
            _ => {
                let value = self.small();
                format!("mod({value}, {extent}) + 1")
            }
        }
    }
}
