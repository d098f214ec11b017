//! Expressions of the classes other than double: logical, single, complex, integers that saturate.

use super::{Class, Gen, ONE, SCALAR, Shape};

impl Gen {
    /// An expression of a class and shape that fits into a variable.
    pub(super) fn value(&mut self, class: Class, shape: Shape, depth: usize) -> String {
        match class {
            Class::Double => {
                let value = self.expr(shape, depth + 1);
                format!("mod({value}, {})", self.pick(&["101", "64", "17"]))
            }
            Class::Logical => self.truth(shape, depth),
            Class::Int(class) => self.int(class, shape, depth),
            Class::Single => {
                let value = self.single(shape, depth);
                format!("mod({value}, {})", self.pick(&["61", "single(16)", "9"]))
            }
            Class::Complex => self.bounded(shape, depth),
        }
    }

    /// A variable of this class and shape that may be read.
    fn known(&mut self, percent: usize, class: Class, shape: Shape) -> Option<String> {
        if self.chance(percent) { self.find(class, shape, false) } else { None }
    }

    /// Truth values of this shape.
    pub(super) fn truth(&mut self, shape: Shape, depth: usize) -> String {
        if let Some(name) = self.known(30, Class::Logical, shape) {
            return name;
        }
        let depth = depth.max(1);
        match self.below(10) {
            0..=1 if depth > 1 => {
                let (a, b) = (self.truth(shape, depth - 1), self.truth(shape, depth - 1));
                let form = self.pick(&["(X & Y)", "(X | Y)", "xor(X, Y)", "(X == Y)"]);
                form.replace('X', &a).replace('Y', &b)
            }
            2..=3 if depth > 1 => format!("~{}", self.truth(shape, depth - 1)),
            4..=5 => {
                let class = self.ints[0];
                let (a, b) = (self.int(class, shape, depth - 1), self.below(40));
                format!("({a} {} {b})", self.pick(&[">", "<=", "~="]))
            }
            6 => {
                let (a, b) = (self.complex(shape, 0), self.complex(SCALAR, 0));
                format!("({a} {} {b})", self.pick(&["==", "~="]))
            }
            7 => {
                let a = self.expr(shape, depth - 1);
                self.form(&["logical(X)", "~(X)", "isnan(X)", "ismember(X, [1, 2, 5])", "(mod(X, 2) == 0)"], &a)
            }
            _ => {
                let (a, b) = (self.expr(shape, depth - 1), self.operand(shape, depth - 1));
                format!("({a} {} {b})", self.pick(&["<", "<=", ">", "==", "~="]))
            }
        }
    }

    /// Saturating integers of this shape.
    pub(super) fn int(&mut self, class: &'static str, shape: Shape, depth: usize) -> String {
        if let Some(name) = self.known(40, Class::Int(class), shape) {
            return name;
        }
        if depth == 0 {
            return format!("{class}({})", self.leaf(shape));
        }
        let a = self.int(class, shape, depth - 1);
        match self.below(14) {
            0 => format!("({a} + {})", self.int(class, SCALAR, 0)),
            1 => format!("({a} - {})", self.int(class, shape, 0)),
            2 => format!("({a} * {})", self.pick(&["2", "3.5", "7", "0.5", "-4", "1.25"])),
            3 => format!("({a} / {})", 2 + self.below(5)),
            4 => format!("{}({a}, {})", self.pick(&["min", "max"]), self.int(class, shape, 0)),
            5 => format!("{}({a}, {})", self.pick(&["mod", "rem"]), 3 + self.below(9)),
            6 => format!("({a} .* {})", self.int(class, shape, 0)),
            7 => format!("({a} ./ {})", self.int(class, shape, 0)),
            8 => {
                let form = self.form(&["abs(X)", "(-X)", "sign(X)", "idivide(X, Y)", "X .^ 2"], &format!("({a})"));
                form.replace('Y', &format!("{class}({})", 2 + self.below(5)))
            }
            9 => format!("({a} - {})", self.operand(shape, 0)),
            10 if matches!(shape, Shape::Fixed(_, _, ONE)) => {
                format!("{}({a}, {})", self.pick(&["sort", "flip", "cummin"]), 1 + self.below(2))
            }
            11 => format!("bitand(abs({a}), {})", 1 + self.below(100)),
            12 => format!("{class}({})", self.truth(shape, depth - 1)),
            _ => format!("{class}({})", self.expr(shape, depth - 1)),
        }
    }

    /// Numbers of class single, of few bits.
    fn single(&mut self, shape: Shape, depth: usize) -> String {
        if let Some(name) = self.known(40, Class::Single, shape) {
            return name;
        }
        if depth == 0 {
            return format!("single({})", self.leaf(shape));
        }
        let a = self.single(shape, depth - 1);
        match self.below(9) {
            0 => format!("({a} + {})", self.single(SCALAR, 0)),
            1 => format!("({a} - {})", self.single(shape, 0)),
            2 => format!("({a} * {})", self.pick(&["2", "0.5", "3"])),
            3 => format!("(mod({a}, 13) .* mod({}, 11))", self.single(shape, 0)),
            4 => format!("({a} + mod({}, 32))", self.operand(shape, 0)),
            5 => {
                self.form(&["abs(X)", "(-X)", "floor(X)", "round(X / 4)", "max(X, 3)", "min(X, 7)"], &format!("({a})"))
            }
            6 if matches!(shape, Shape::Fixed(..)) => {
                let d = 1 + self.below(2);
                self.form(&["cumsum(mod(X, 8), D)", "sort(X, D)", "flip(X, D)"], &a).replace('D', &d.to_string())
            }
            7 => format!("single({})", self.truth(shape, depth - 1)),
            _ => format!("single(mod({}, 64))", self.expr(shape, depth - 1)),
        }
    }

    /// A complex number in place of a variable's: its parts are bounded.
    fn bounded(&mut self, shape: Shape, depth: usize) -> String {
        if self.chance(50) {
            let (a, b) = (self.expr(shape, depth), self.expr(shape, depth.saturating_sub(1)));
            return format!("complex(mod({a}, 31), mod({b}, 23))");
        }
        let z = self.complex(shape, depth.min(2));
        format!("complex(mod(real({z}), 31), mod(imag({z}), 37))")
    }

    /// Complex numbers with parts of few bits.
    pub(super) fn complex(&mut self, shape: Shape, depth: usize) -> String {
        if let Some(name) = self.known(60, Class::Complex, shape) {
            return name;
        }
        if depth == 0 {
            let (re, im) = (self.leaf(shape), self.leaf(shape));
            return if self.chance(50) { format!("({re} + 1i*{im})") } else { format!("complex({re}, {im})") };
        }
        let z = self.complex(shape, depth - 1);
        match self.below(9) {
            0 => format!("({z} + {})", self.complex(shape, 0)),
            1 => format!("({z} - {})", self.complex(SCALAR, 0)),
            2 => format!("({z} .* {})", self.complex(shape, 0)),
            3 => format!("({z} * {})", self.pick(&["2i", "(1 - 2i)", "0.5", "1i"])),
            4 => self.form(&["conj(X)", "(-X)", "X / 2", "real(X) - 2i"], &z),
            5 => format!("({z} + {})", self.operand(shape, 0)),
            6 => match shape {
                Shape::Fixed(r, c, ONE) => {
                    let y = self.complex(Shape::Fixed(c, r, ONE), 0);
                    format!("({y}){}", self.pick(&["'", ".'"]))
                }
                _ => z,
            },
            7 if matches!(shape, Shape::Fixed(..)) => format!("cumsum({z}, {})", 1 + self.below(2)),
            _ => z,
        }
    }
}
