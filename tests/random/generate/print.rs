//! Statements that print: the text is a result like the others.

use super::{Class, Dim, Gen, SCALAR, matrix, row};

impl Gen {
    pub(super) fn print(&mut self) {
        match self.below(8) {
            0..=1 => self.formatted(),
            2 => self.formatted_array(),
            3..=4 => self.shown(),
            5 => self.texts(),
            6 => self.converted(),
            _ => {
                let value = self.value(Class::Double, SCALAR, 1);
                self.line(&format!("disp({value})"));
            }
        }
    }

    /// `fprintf` of numbers.
    fn formatted(&mut self) {
        const FORMATS: [&str; 16] = [
            "%d", "%g", "%i", "%5.2f", "%8.3f|", "%+d", "%-6d|", "%05d", "%e", "%.3g", "%6.1e", "%x", "%5s", "%u",
            "%o", "%G",
        ];
        let (mut format, mut args) = (String::new(), Vec::new());
        for _ in 0..1 + self.below(3) {
            let conversion = self.pick(&FORMATS);
            format += &format!("{conversion} ");
            let class = if self.chance(25) { self.class() } else { Class::Double };
            let class = if class == Class::Complex { Class::Double } else { class };
            // Octave 7 prints nothing where a text should stand and a fraction does.
            args.push(if conversion == "%5s" { self.small() } else { self.value(class, SCALAR, 1) });
        }
        let quote = self.pick(&["'", "\""]);
        self.line(&format!("fprintf({quote}{format}\\n{quote}, {});", args.join(", ")));
    }

    /// `fprintf` of an array, whose format is used again and again.
    fn formatted_array(&mut self) {
        let Some(var) = self.printable() else { return self.formatted() };
        let forms = [
            "fprintf('%d ', X); fprintf('\\n');",
            "fprintf('<%g, %g>\\n', X);",
            "fprintf('%d: %d\\n', 7, X);",
            "fprintf('%g ', double(X) / 8);",
        ];
        let text = self.form(&forms, &var.name);
        self.line(&text);
    }

    /// `disp` of a variable, or a statement without a semicolon.
    fn shown(&mut self) {
        let Some(var) = self.printable() else { return self.formatted() };
        let forms = ["disp(X)", "disp(X)", "X", "disp(double(X) / 4)", "disp(-double(X))", "disp(double(X) * 1000)"];
        let text = self.form(&forms, &var.name);
        self.line(&text);
    }

    /// Texts, known ones and others.
    fn texts(&mut self) {
        let (name, word, value) = (self.name(), self.pick(&["abc", "Hello", "x y"]), self.small());
        let forms = [
            "X = 'W'; disp(X); fprintf('%s has %d\\n', X, numel(X));",
            "X = ['W', ' ', num2str(V)]; disp(X);",
            "X = sprintf('%d-%d', V, 3); disp(X); fprintf('[%s]\\n', X);",
            "X = upper('W'); fprintf('%s %s\\n', X, lower(X));",
            "X = 'W'; fprintf('%c.', X); fprintf('\\n%d\\n', X(end));",
            "if strcmp('W', 'abc'), fprintf('same %d\\n', V); else, fprintf('other\\n'); end",
            "fprintf('%s\\n', 'W', 'end');",
            "X = double('W'); disp(X(1) + V);",
        ];
        let text = self.form(&forms, &name).replace('W', word).replace('V', &value);
        self.line(&text);
    }

    /// Numbers made into text.
    fn converted(&mut self) {
        let (shape, cast) = match self.below(3) {
            0 => (SCALAR, "num2str"),
            1 => (row(Dim::N(0)), "num2str"),
            _ => (matrix(Dim::Known(2), Dim::Known(3)), "mat2str"),
        };
        let class = self.pick(&[Class::Double, Class::Double, Class::Logical, Class::Int("int32")]);
        let value = self.value(class, shape, 1);
        let cast = if shape == SCALAR && self.chance(30) { "int2str" } else { cast };
        self.line(&format!("disp([{cast}({value}), ';'])"));
    }
}
