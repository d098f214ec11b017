//! Calls of MATLAB's functions on variables, with one or several results.

use super::{Class, Dim, Gen, ONE, SCALAR, Shape, Var, matrix, row};

/// A call: its text, in which `X` is the variable, and the classes and shapes of its results.
type Call = (&'static str, Vec<(Class, Shape)>);

const D: Class = Class::Double;
const L: Class = Class::Logical;

impl Gen {
    /// A call of a function on a variable.
    pub(super) fn library(&mut self) {
        if self.indent > 1 {
            return self.assign();
        }
        let fits = |v: &Var| v.class == D && v.shape != SCALAR;
        let Some(var) = self.var(fits) else { return self.assign() };
        let (text, results) = match var.shape {
            Shape::Row => self.on_row_of_unknown_length(),
            Shape::Fixed(ONE, columns, ONE) => self.on_row(columns),
            Shape::Fixed(rows, columns, ONE) => self.on_matrix(rows, columns),
            Shape::Fixed(rows, columns, pages) => self.on_pages(rows, columns, pages),
        };
        let names: Vec<String> = results.iter().map(|_| self.name()).collect();
        let left = if names.len() == 1 { names[0].clone() } else { format!("[{}]", names.join(", ")) };
        let argument = self.small();
        self.line(&format!("{left} = {};", text.replace('X', &var.name).replace('K', &argument)));
        for (name, (class, shape)) in names.iter().zip(results) {
            self.declare(name, class, shape);
        }
    }

    fn on_row(&mut self, columns: Dim) -> Call {
        let same = row(columns);
        let shorter = columns.least() > 2;
        match self.below(22) {
            0 => ("max(X)", vec![(D, SCALAR), (D, SCALAR)]),
            1 => ("min(X)", vec![(D, SCALAR), (D, SCALAR)]),
            2 => ("sort(X)", vec![(D, same), (D, same)]),
            3 => ("sort(X, 'descend')", vec![(D, same), (D, same)]),
            4 => ("ismember(X, [1, 5, 7])", vec![(L, same), (D, same)]),
            5 => ("X(mod(floor(X), numel(X)) + 1)", vec![(D, same)]),
            6 => ("conv(X, [1, 0, 2])", vec![(D, row(columns.plus(2)))]),
            7 => ("cummin(X)", vec![(D, same), (D, same)]),
            8 if shorter => ("diff(X, 1)", vec![(D, row(columns.plus(-1)))]),
            9 => ("histc(X, [0, 3, 6, 9])", vec![(D, row(Dim::Known(4)))]),
            10 => ("X(X == max(X))", vec![(D, Shape::Row)]),
            11 => ("X([true, X(2:end) ~= X(1:end-1)])", vec![(D, Shape::Row)]),
            12 => ("sum(X(1:floor(end/2)))", vec![(D, SCALAR)]),
            13 => ("X(end-mod(K, 2))", vec![(D, SCALAR)]),
            14 => ("filter(1, [1, 0.5], mod(X, 8))", vec![(D, same)]),
            15 => ("interp1(1:numel(X), X, 1.5)", vec![(D, SCALAR)]),
            16 => ("trapz(X)", vec![(D, SCALAR)]),
            17 => ("meshgrid(X, 1:2)", vec![(D, matrix(Dim::Known(2), columns)), (D, matrix(Dim::Known(2), columns))]),
            18 => ("cumprod(mod(floor(X), 3) + 1)", vec![(D, same)]),
            19 => ("mode(X)", vec![(D, SCALAR)]),
            20 => ("polyval(X(1:2), K)", vec![(D, SCALAR)]),
            _ => ("size(X)", vec![(D, SCALAR), (D, SCALAR)]),
        }
    }

    fn on_matrix(&mut self, rows: Dim, columns: Dim) -> Call {
        let (across, down) = (row(columns), matrix(rows, ONE));
        let same = matrix(rows, columns);
        match self.below(20) {
            0 => ("max(X, [], 1)", vec![(D, across), (D, across)]),
            1 => ("min(X, [], 2)", vec![(D, down), (D, down)]),
            2 => ("sort(X, 1)", vec![(D, same), (D, same)]),
            3 => ("sum(X(:, any(X > 6, 1)), 2)", vec![(D, down)]),
            4 => ("sum(X(mod(1:size(X, 1), 2) == 1, :), 1)", vec![(D, across)]),
            5 => ("size(X)", vec![(D, row(Dim::Known(2)))]),
            6 => ("median(X, 1)", vec![(D, across)]),
            7 => ("mode(X, 1)", vec![(D, across)]),
            8 => ("any(X > 12, 2)", vec![(L, down)]),
            9 => ("all(X < 40, 1)", vec![(L, across)]),
            10 => ("mean(X > 3, 1) > 0.5", vec![(L, across)]),
            11 => ("circshift(X, [1, -1])", vec![(D, same)]),
            12 => ("isequal(X, X')", vec![(L, SCALAR)]),
            13 => ("accumarray(mod(floor(X(:)), 3) + 1, X(:), [3, 1])", vec![(D, matrix(Dim::Known(3), ONE))]),
            14 => ("prod(mod(floor(X), 3), 2)", vec![(D, down)]),
            15 => ("norm(X, 1)", vec![(D, SCALAR)]),
            16 => ("triu(X) - tril(X, -1)", vec![(D, same)]),
            17 => ("sum(sort(X(:)) .* (1:numel(X))')", vec![(D, SCALAR)]),
            18 => ("cumsum(X > 4, 2)", vec![(D, same)]),
            _ => ("nnz(X > K)", vec![(D, SCALAR)]),
        }
    }

    fn on_pages(&mut self, rows: Dim, columns: Dim, pages: Dim) -> Call {
        let same = Shape::Fixed(rows, columns, pages);
        match self.below(9) {
            0 => ("sum(X, 3)", vec![(D, matrix(rows, columns))]),
            1 => ("max(X, [], 3)", vec![(D, matrix(rows, columns)), (D, matrix(rows, columns))]),
            2 => ("permute(X, [3, 1, 2])", vec![(D, Shape::Fixed(pages, rows, columns))]),
            3 => ("squeeze(X(1, :, :))", vec![(D, matrix(columns, pages))]),
            4 => ("X(:, :, end:-1:1)", vec![(D, same)]),
            5 => ("size(X)", vec![(D, SCALAR), (D, SCALAR), (D, SCALAR)]),
            6 => ("sum(X(:))", vec![(D, SCALAR)]),
            7 => ("cat(3, X, X(:, :, 1))", vec![(D, Shape::Fixed(rows, columns, pages.plus(1)))]),
            _ => ("any(X > 5, 3)", vec![(L, matrix(rows, columns))]),
        }
    }

    fn on_row_of_unknown_length(&mut self) -> Call {
        match self.below(8) {
            0 => ("sum(X(1:floor(end/2)))", vec![(D, SCALAR)]),
            1 => ("size(X)", vec![(D, SCALAR), (D, SCALAR)]),
            2 => ("sort([X, 3], 'descend')", vec![(D, Shape::Row), (D, Shape::Row)]),
            3 => ("max([X, 2])", vec![(D, SCALAR), (D, SCALAR)]),
            4 => ("cumsum([1, X])", vec![(D, Shape::Row)]),
            5 => ("numel(unique([X, 1]))", vec![(D, SCALAR)]),
            6 => ("isempty(X)", vec![(L, SCALAR)]),
            _ => ("[X, X(end:-1:1)]", vec![(D, Shape::Row)]),
        }
    }
}
