//! Numbers that are not finite, zeros with a sign, rows without elements, and statements that fail.
//!
//! Whether a subscript, a size or a condition is wrong must not be known when compiling: it comes from `v(1)`, which is 7 when a program
//! begins.

use super::{Class, Dim, Gen, ONE, SCALAR, Shape, Var, matrix, row};

impl Gen {
    /// A statement that makes special numbers or an empty row.
    pub(super) fn special(&mut self) {
        match self.below(8) {
            0..=2 => self.special_array(),
            3 => self.special_scalar(),
            4 => self.special_element(),
            5 if self.indent == 1 => self.empty_row(),
            6 if self.indent == 1 => self.of_special_array(),
            _ => self.asked(),
        }
    }

    /// Exact numbers divided by, or multiplied with, what makes some of them special.
    fn special_array(&mut self) {
        const FORMS: [&str; 10] = [
            "X ./ (X > 5)",
            "(X - 3) ./ (mod(floor(X), 3) > 0)",
            "-X .* 0",
            "(X > 6) ./ (X ~= 2) - 1",
            "(X - 4) .* Inf",
            "X .* (0 ./ (X < 9))",
            "(-X) ./ Inf",
            "max(X ./ (X > 3), -Inf)",
            "-mod(X, 2)",
            "(2 - X) .* 0",
        ];
        let shape = match self.below(4) {
            0 => row(Dim::N(0)),
            1 => matrix(Dim::N(0), ONE),
            _ => matrix(Dim::N(0), Dim::Known(2 + self.below(2))),
        };
        let e = self.expr(shape, 1);
        let value = self.form(&FORMS, &format!("mod({e}, 9)"));
        self.special_assign(shape, &value);
    }

    /// In branches and loops only what is there already may change.
    fn special_assign(&mut self, shape: Shape, value: &str) {
        match self.find(Class::Double, shape, true).filter(|name| name != "v") {
            Some(name) if self.indent > 1 || self.chance(30) => self.line(&format!("{name} = {value};")),
            _ => self.assign_new(Class::Double, shape, value),
        }
    }

    fn special_scalar(&mut self) {
        let value =
            self.pick(&["v(end) * NaN", "v(end) / 0", "-Inf * v(end)", "v(end) * -0", "0 / v(end)", "Inf - v(end)"]);
        self.special_assign(SCALAR, value);
    }

    fn special_element(&mut self) {
        let fits = |v: &Var| {
            !v.fixed && v.name != "v" && v.class == Class::Double && matches!(v.shape, Shape::Fixed(_, _, ONE))
        };
        let Some(var) = self.var(|v| fits(v) && v.shape != SCALAR) else { return self.special_scalar() };
        let (at, value) = (self.subscript(&format!("numel({})", var.name)), self.pick(&["NaN", "Inf", "-Inf", "-0"]));
        self.line(&format!("{}({at}) = {value};", var.name));
    }

    /// A row that may have no element, or has none.
    fn empty_row(&mut self) {
        const ROWS: [&str; 6] = ["v(v > 60)", "v(v ~= v)", "find(v > 8)", "(n:3)", "(n + v(1):4)", "v(isnan(v))"];
        if self.find(Class::Double, row(Dim::N(0)), false).as_deref() != Some("v") {
            return self.special_scalar();
        }
        let value = self.pick(&ROWS);
        // What is left of one element is 0-by-0 in Octave.
        let value = if value.starts_with('v') || value.starts_with('f') {
            format!("[{value}, zeros(1, 0)]")
        } else {
            value.to_owned()
        };
        self.assign_new(Class::Double, Shape::Row, &value);
    }

    /// What functions make of special numbers.
    fn of_special_array(&mut self) {
        let fits = |v: &Var| v.class == Class::Double && v.name.starts_with('x') && v.shape != SCALAR;
        let Some(var) = self.var(|v| fits(v) && matches!(v.shape, Shape::Fixed(_, _, ONE))) else {
            return self.special_array();
        };
        let Shape::Fixed(rows, columns, _) = var.shape else { return };
        let same = var.shape;
        let (text, class, shape) = match self.below(22) {
            0 => ("isnan(X)", Class::Logical, same),
            1 => ("isinf(X)", Class::Logical, same),
            2 => ("0 ./ X", Class::Double, same),
            3 => ("sort(X, 1)", Class::Double, same),
            4 => ("sort(X, 2, 'descend')", Class::Double, same),
            5 => ("max(X, [], 1)", Class::Double, row(columns)),
            6 => ("min(X, [], 2)", Class::Double, matrix(rows, ONE)),
            7 => ("any(X, 1)", Class::Logical, row(columns)),
            8 => ("all(X, 2)", Class::Logical, matrix(rows, ONE)),
            9 => ("int8(X)", Class::Int("int8"), same),
            10 => ("uint16(X)", Class::Int("uint16"), same),
            11 => ("(X == X)", Class::Logical, same),
            12 => ("max(X, 3)", Class::Double, same),
            13 => ("min(X, X')", Class::Double, same),
            14 => ("sign(X)", Class::Double, same),
            15 => ("fix(X)", Class::Double, same),
            16 => ("round(X)", Class::Double, same),
            17 => ("mod(X, 4)", Class::Double, same),
            18 => ("rem(4, X)", Class::Double, same),
            19 => ("abs(X)", Class::Double, same),
            20 => ("cummax(X, 1)", Class::Double, same),
            _ => ("(X > -1)", Class::Logical, same),
        };
        let text = if text == "min(X, X')" && rows != columns { "min(X, 0)" } else { text };
        self.assign_new(class, shape, &text.replace('X', &var.name));
    }

    /// Questions about single numbers, which print.
    fn asked(&mut self) {
        let Some(name) = self.find(Class::Double, SCALAR, false) else { return self.special_scalar() };
        const FORMS: [&str; 8] = [
            "fprintf('%g %d\\n', X, isnan(X));",
            "if X > 2, fprintf('more\\n'); elseif X <= 2, fprintf('less\\n'); else, fprintf('none\\n'); end",
            "fprintf('%d|%5.1f|%x\\n', X, X, X);",
            "disp(X)",
            "disp([X, 1; 2, X])",
            "fprintf('%d\\n', numel(1:X + 2 - X));",
            "fprintf('[%s]\\n', num2str(X));",
            "disp(mat2str([X, -X]))",
        ];
        let text = self.form(&FORMS, &name);
        self.line(&text);
    }

    /// A statement that fails where it is reached, most often; its result may be used or not.
    pub(super) fn failing(&mut self) {
        const FORMS: [&str; 26] = [
            "v(q + 40)",
            "v(q / 2)",
            "v(q - 7)",
            "A(q, q + 50)",
            "A(:, -q)",
            "v(q * NaN)",
            "v(1:q / 0)",
            "!(v * NaN)",
            "(v | q / 0 * 0)",
            "xor(A, A ./ 0 .* 0)",
            "v + zeros(1, q + 20)",
            "A * zeros(q + 9, 2)",
            "[v; ones(1, q + 30)]",
            "[A, zeros(q + 30, 1)]",
            "reshape(A, q + 50, 2)",
            "accumarray([1; 2; q - 8], 1)",
            "factorial(-q)",
            "primes(q / 0)",
            "chol([1, 2; 2, 1] * q)",
            "(1:q / 0)",
            "bitshift(1, q / 2)",
            "gcd(q / 2, 3)",
            "logical(v * NaN)",
            "zeros(q, q / 0 * 0)",
            "v(logical([zeros(1, q + 20), 1]))",
            "merge(q * NaN, 1, 2)",
        ];
        const STATEMENTS: [&str; 9] = [
            "x(q - 8) = 1;",
            "x(q / 2) = 1;",
            "x(1:q * NaN) = 1;",
            "x(q + 60) = [];",
            "x(:) = ones(1, q + 20);",
            "if q * NaN, x = 1; end",
            "while x * NaN, x = 1; end",
            "if x > 1 && q * NaN, x = 1; end",
            "if q > 2, error('p:failed', 'failed %d', q); end",
        ];
        let inside = self.chance(40);
        if inside {
            let cond = self.condition();
            self.line(&format!("if {cond}"));
            self.indent += 1;
        }
        let (q, x) = (self.name(), self.name());
        self.line(&format!("{q} = v(1);"));
        let text = if self.chance(70) {
            format!("x = {};", self.pick(&FORMS))
        } else {
            self.line(&format!("{x} = v;"));
            self.pick(&STATEMENTS).to_owned()
        };
        self.line(&with_names(&text, &q, &x));
        if self.chance(40) {
            self.line(&format!("disp(size({x}))"));
        }
        if inside {
            self.indent -= 1;
            self.line("end");
        }
    }
}

/// The text with the variables `q` and `x` under these names.
fn with_names(text: &str, q: &str, x: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let alone = |at: usize| {
        let word = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric() || *c == '_');
        !(word(letters.get(at + 1)) || at > 0 && word(letters.get(at - 1)))
    };
    let one = |(at, c): (usize, &char)| match c {
        'q' if alone(at) => q.to_owned(),
        'x' if alone(at) => x.to_owned(),
        c => c.to_string(),
    };
    letters.iter().enumerate().map(one).collect()
}
