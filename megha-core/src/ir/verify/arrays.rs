//! Operations on whole arrays, subscripts, and calls.

use super::{Checker, Rule};
use crate::hash::HashMap;
use crate::ir::size::SymDef;
use crate::ir::{Class, Func, FuncId, Lib, ReduceOp, Size, Stmt, Sub, Type, Value, Written, typing};

impl<'m> Checker<'m> {
    pub(super) fn array(&mut self, ty: &Type, what: &str) {
        self.require(!ty.is_scalar(), Rule::Shape, || format!("{what} is a scalar, not an array"));
    }

    /// A scalar, or an array that has in each dimension the result's size or the constant one.
    pub(super) fn filled(&mut self, stmt: &'m Stmt, element: Value) {
        let (ty, own) = (self.ty(stmt.results[0]), self.ty(element));
        self.array(ty, "what is filled");
        let repeats =
            own.dims.len() <= ty.dims.len() && own.dims.iter().zip(&ty.dims).all(|(a, b)| a.is_one() || a == b);
        if own.class != ty.class {
            self.fail(Rule::Class, format!("{} is repeated in {}", self.show(own), self.show(ty)));
        }
        if !repeats {
            self.fail(Rule::Shape, format!("{} cannot be repeated in {}", self.show(own), self.show(ty)));
        }
    }

    /// Elements that hold anything: of a class that has a value for each pattern of bits.
    pub(super) fn filled_around(&mut self, stmt: &'m Stmt, element: Value, boxes: &[Written]) {
        self.filled(stmt, element);
        let (ty, own) = (self.ty(stmt.results[0]), self.ty(element));
        self.require(own.is_scalar(), Rule::Shape, || "an array is repeated around boxes".into());
        self.accepts("fill around", ty.class != Class::Logical, ty);
        let fits = boxes.iter().all(|b| [b.first.len(), b.count.len()] == [ty.dims.len(); 2]);
        self.require(fits, Rule::Shape, || "a box has other dimensions than the array".into());
    }

    pub(super) fn row(&mut self, stmt: &'m Stmt, ends: [Value; 2], index: bool) {
        let ty = self.ty(stmt.results[0]);
        let row = ty.dims.len() == 2 && ty.dims[0].is_one();
        self.require(row, Rule::Shape, || "the result is not a row".into());
        let from_index = index && ty.class == Class::Double && self.ty(ends[0]).class == Class::Index;
        let class = if from_index { Class::Index } else { ty.class };
        for end in ends {
            self.scalar(end, class, "an end or step");
        }
        self.accepts("linspace", index || ty.class.is_float(), ty);
    }

    pub(super) fn reshape(&mut self, from: &Type, to: &Type) {
        self.require(from.class == to.class, Rule::Class, || "`reshape` keeps the class".into());
        let fills = from.is_scalar() && !to.is_scalar();
        self.require(!fills, Rule::Shape, || "`reshape` makes an array of a scalar".into());
        let difference = from.numel().sub(&to.numel());
        let changed = difference.as_constant().is_some_and(|d| d != 0);
        self.require(!changed, Rule::Shape, || "`reshape` changes the number of elements".into());
    }

    pub(super) fn resize(&mut self, from: &Type, to: &Type) {
        self.array(to, "what is resized");
        self.require(from.class == to.class, Rule::Class, || "`resize` keeps the class".into());
        self.require(from.dims.len() <= to.dims.len(), Rule::Shape, || "`resize` takes a dimension away".into());
        let shrinks = |axis: usize| to.dim(axis).sub(&from.dim(axis)).as_constant().is_some_and(|d| d < 0);
        let smaller = (0..to.dims.len()).any(shrinks);
        self.require(!smaller, Rule::Shape, || "`resize` makes a dimension smaller".into());
    }

    /// The subscripts themselves; whether their number is right.
    fn subscripts(&mut self, array: Value, subs: &'m [Sub]) -> bool {
        let ty = self.ty(array);
        self.array(ty, "what is indexed");
        for sub in subs {
            match sub {
                Sub::All => {}
                Sub::At(v) => self.scalar(*v, Class::Index, "a subscript"),
                Sub::Range { start, step, .. } => {
                    self.scalar(*start, Class::Index, "a subscript");
                    self.require(*step != 0, Rule::Shape, || "the step of a subscript is zero".into());
                }
                Sub::Vector(v) => {
                    let ty = self.ty(*v);
                    self.accepts("vector", ty.class == Class::Double || ty.class.is_integer(), ty);
                    self.array(ty, "an index array");
                }
            }
        }
        let (found, rank) = (subs.len(), ty.dims.len());
        self.require(found == 1 || found == rank, Rule::Arity, || format!("{found} subscripts for {rank} dimensions"))
    }

    /// Elements of an array. A single subscript may give any shape that has the right number of elements.
    pub(super) fn indexed(&mut self, array: Value, subs: &'m [Sub], result: &Type) {
        if !self.subscripts(array, subs) {
            return;
        }
        let [sub] = subs else { return };
        let (func, array) = (self.func, self.ty(array));
        self.require(array.class == result.class, Rule::Class, || "the result has not the array's class".into());
        let len = typing::sub_len(sub, &array.numel(), &|v| Some(func.ty(v)));
        let fits = len == Some(result.numel());
        self.require(fits, Rule::Shape, || "the result has not as many elements as the subscript".into());
    }

    pub(super) fn stored(&mut self, array: Value, subs: &'m [Sub], value: &Type) {
        if !self.subscripts(array, subs) {
            return;
        }
        let (func, array) = (self.func, self.ty(array));
        self.require(array.class == value.class, Rule::Class, || "what is stored has not the array's class".into());
        let fits = match subs {
            _ if value.is_scalar() => true,
            [sub] => typing::sub_len(sub, &array.numel(), &|v| Some(func.ty(v))) == Some(value.numel()),
            _ => typing::index_type(array, subs, &|v| Some(func.ty(v))).is_some_and(|ty| ty.dims == value.dims),
        };
        self.require(fits, Rule::Shape, || "what is stored has not the sizes of the subscripts".into());
    }

    pub(super) fn reduction(&mut self, op: ReduceOp, array: Value, axes: &[usize]) {
        let ty = self.ty(array);
        self.array(ty, "what is reduced");
        self.reduced_class(op, ty);
        self.increasing(axes, ty.dims.len());
    }

    pub(super) fn scan(&mut self, op: ReduceOp, array: Value, axis: usize, result: &Type) {
        self.reduction(op, array, &[axis]);
        let running = !matches!(op, ReduceOp::Any | ReduceOp::All);
        self.require(running, Rule::Class, || format!("there is no running `{}`", op.name()));
        let (own, shown) = (self.ty(array), self.show(result));
        self.require(own == result, Rule::Shape, || format!("a running sum does not give {shown}"));
    }

    /// A reduction's operand: numbers, or truth values for `any` and `all`.
    pub(super) fn reduced_class(&mut self, op: ReduceOp, ty: &Type) {
        let logical = matches!(op, ReduceOp::Any | ReduceOp::All);
        let number = ty.class != Class::Logical && ty.class != Class::Char;
        self.accepts(op.name(), if logical { ty.class == Class::Logical } else { number }, ty);
    }

    pub(super) fn increasing(&mut self, axes: &[usize], rank: usize) {
        let increasing = axes.windows(2).all(|pair| pair[0] < pair[1]) && axes.iter().all(|a| *a < rank);
        self.require(increasing, Rule::Shape, || format!("{axes:?} are not increasing axes of {rank}"));
    }

    pub(super) fn lib(&mut self, lib: Lib, args: &'m [Value], result: &'m Type) {
        if self.row_lib(lib, args, result) {
            return;
        }
        if lib == Lib::RangeLen {
            self.require(args.len() == 3, Rule::Arity, || "`rangelen` takes three operands".into());
            args.iter().for_each(|a| self.scalar(*a, Class::Double, "a bound of a range"));
            self.require(*result == Type::scalar(Class::Index), Rule::Class, || {
                "the length of a range is an index".into()
            });
            return;
        }
        if lib == Lib::Fourier {
            return self.fourier(args, result);
        }
        if lib.factors() {
            return self.factors(lib, args, result);
        }
        if matches!(lib, Lib::Find | Lib::Sort | Lib::SortIndex | Lib::Middle | Lib::Lookup) {
            return self.ordering(lib, args, result);
        }
        if matches!(lib, Lib::SumsAt | Lib::CountsAt) {
            return self.sums_at(lib, args, result);
        }
        let types: Vec<&Type> = args.iter().map(|v| self.ty(*v)).collect();
        let sizes = match (lib, types.as_slice()) {
            (Lib::MatMul | Lib::MatMulToCompare | Lib::LeftDivide | Lib::RightDivide, [a, b]) => {
                product_sizes(lib, a, b)
            }
            _ => return self.fail(Rule::Arity, format!("`{}` does not take {} operands", lib.name(), args.len())),
        };
        let Some(sizes) = sizes else {
            return self.fail(Rule::Shape, "the sizes of the matrices do not fit together".into());
        };
        self.same_class(args);
        self.accepts(lib.name(), types[0].class.is_float(), types[0]);
        let expected = Type::array(types[0].class, sizes);
        let fits = expected == *result;
        let (expected, result) = (self.show(&expected), self.show(result));
        self.require(fits, Rule::Shape, || format!("the result is {result} where the operands give {expected}"));
    }

    /// Sums of values by their places.
    fn sums_at(&mut self, lib: Lib, args: &'m [Value], result: &Type) {
        let column = matches!(&result.dims[..], [_, one] if one.is_one());
        let fits = match args.iter().map(|v| self.ty(*v)).collect::<Vec<_>>()[..] {
            [places] if lib == Lib::CountsAt => {
                [places, result].iter().all(|ty| ty.class == Class::Double) && column && places.is_vector()
            }
            [places, values] if lib == Lib::SumsAt => {
                let doubles = [places, values, result].iter().all(|ty| ty.class == Class::Double);
                doubles && column && places.is_vector() && (values.is_scalar() || values.is_vector())
            }
            _ => false,
        };
        let shown = self.show(result);
        self.require(fits, Rule::Shape, || format!("`{}` does not give {shown}", lib.name()));
        if let Some(places) = args.first() {
            self.array(self.ty(*places), "the operand");
        }
    }

    /// Transforms of the lines of a matrix.
    fn fourier(&mut self, args: &'m [Value], result: &Type) {
        let &[re, im, axis, inverse] = args else {
            return self.fail(Rule::Arity, format!("`fourier` does not take {} operands", args.len()));
        };
        self.scalar(axis, Class::Index, "the dimension");
        self.scalar(inverse, Class::Logical, "the direction");
        let (re, im) = (self.ty(re), self.ty(im));
        self.array(re, "the operand");
        let pair = re == im && re.class == Class::Double && re.ndims() == 2;
        let planes = result.class == Class::Double && result.ndims() == 3 && result.dim(2) == Size::constant(2);
        // The axis may be unknown here: the size across it stays.
        let kept = (0..2).any(|axis| result.dim(axis) == re.dim(axis));
        let shown = self.show(result);
        self.require(pair && planes && kept, Rule::Shape, || format!("`fourier` does not give {shown}"));
    }

    /// Factorisations of a matrix.
    fn factors(&mut self, lib: Lib, args: &'m [Value], result: &Type) {
        let matrix = match *args {
            [matrix] => self.ty(matrix),
            [matrix, other] if matches!(lib, Lib::Eigenvalues | Lib::Eigenvectors) => {
                self.array(self.ty(other), "the second operand");
                let (matrix, other) = (self.ty(matrix), self.ty(other));
                self.require(matrix == other, Rule::Shape, || "the matrices of a pair differ in type".into());
                matrix
            }
            _ => return self.fail(Rule::Arity, format!("`{}` does not take {} operands", lib.name(), args.len())),
        };
        self.array(matrix, "the operand");
        let doubles = matrix.class == Class::Double && result.class == Class::Double;
        let fits = doubles && matrix.ndims() == 2 && result.ndims() == 2 && {
            let [rows, columns] = [matrix.dim(0), matrix.dim(1)];
            match lib {
                Lib::Lu => [result.dim(0), result.dim(1)] == [rows, columns.add_const(1)],
                Lib::Qr => result.dim(0) == rows, // the columns of Q may be a minimum
                Lib::Eigenvalues => [result.dim(0), result.dim(1)] == [rows, Size::constant(2)],
                Lib::Eigenvectors => [result.dim(0), result.dim(1)] == [rows, columns.scale(2).add_const(2)],
                Lib::SingularValues => result.dim(1) == Size::constant(1), // their number is a minimum
                Lib::Cholesky | Lib::Inverse => [result.dim(0), result.dim(1)] == [rows, columns],
                Lib::MatMul | Lib::MatMulToCompare | Lib::LeftDivide | Lib::RightDivide => false,
                Lib::Fourier | Lib::RangeLen | Lib::Find => false,
                Lib::Sort
                | Lib::SortIndex
                | Lib::Middle
                | Lib::Lookup
                | Lib::SumsAt
                | Lib::CountsAt
                | Lib::RandPerm => false,
                Lib::DateVector | Lib::DateSeconds | Lib::TextLength | Lib::TextCodes => false,
            }
        };
        let shown = self.show(result);
        self.require(fits, Rule::Shape, || format!("`{}` does not give {shown}", lib.name()));
    }

    /// `find`, `sort` and what else follows from the order of elements.
    fn ordering(&mut self, lib: Lib, args: &'m [Value], result: &Type) {
        let fits = match args {
            [mask] if lib == Lib::Find => {
                let mask = self.ty(*mask);
                mask.class == Class::Logical && result.class == Class::Double && result.is_vector()
            }
            [array, axis] if lib == Lib::Middle => {
                self.scalar(*axis, Class::Index, "the dimension");
                let array = self.ty(*array);
                let two = |(axis, size): (usize, &Size)| *size == array.dim(axis) || size.as_constant() == Some(2);
                let fits = array.ndims() == result.ndims() && result.dims.iter().enumerate().all(two);
                array.class.is_float() && array.class == result.class && fits
            }
            [table, values] if lib == Lib::Lookup => {
                let (table, values) = (self.ty(*table), self.ty(*values));
                self.array(values, "the second operand");
                table.class == Class::Double && values.class == Class::Double && values == result
            }
            [array, axis, descending] if matches!(lib, Lib::Sort | Lib::SortIndex) => {
                self.scalar(*axis, Class::Index, "the dimension");
                self.scalar(*descending, Class::Logical, "the direction");
                let array = self.ty(*array);
                let class = if lib == Lib::Sort { array.class } else { Class::Double };
                array.class != Class::Char && *result == array.with_class(class)
            }
            _ => return self.fail(Rule::Arity, format!("`{}` does not take {} operands", lib.name(), args.len())),
        };
        let shown = self.show(result);
        self.require(fits, Rule::Shape, || format!("`{}` does not give {shown}", lib.name()));
        let array = self.ty(args[0]);
        self.array(array, "the operand");
    }

    pub(super) fn call(&mut self, stmt: &'m Stmt, id: FuncId, args: &'m [Value]) {
        let callee = &self.module.funcs[id.index()];
        let (found, wanted) = (args.len(), callee.params.len());
        if !self.require(found == wanted, Rule::Arity, || format!("{found} arguments for {wanted} parameters")) {
            return;
        }
        let dims = dims_by_symbol(callee, args.iter().map(|v| self.ty(*v)).collect());
        let params = callee.params.iter().map(|p| callee.ty(p.value));
        let pairs: Vec<(&Value, &Type)> =
            args.iter().zip(params).chain(stmt.results.iter().zip(&callee.results)).collect();
        for (value, theirs) in pairs {
            let ours = self.ty(*value);
            self.require(ours.class == theirs.class, Rule::Class, || {
                format!("{value} has not the class that `@{}` declares", callee.name)
            });
            let fits = ours.dims.len() == theirs.dims.len()
                && ours.dims.iter().zip(&theirs.dims).all(|(ours, theirs)| match translated(theirs, &dims) {
                    Some(theirs) => *ours == theirs,
                    None => true,
                });
            self.require(fits, Rule::Shape, || format!("{value} has not the sizes that `@{}` declares", callee.name));
        }
    }
}

/// The caller's sizes for the callee's symbols that stand for dimensions of parameters.
fn dims_by_symbol(callee: &Func, args: Vec<&Type>) -> HashMap<usize, Size> {
    let size_of = |param: usize, axis: usize| args.get(param)?.dims.get(axis).cloned();
    let syms = callee.symbols.iter().filter_map(|(sym, data)| match data.def {
        SymDef::Dim(param, axis) => Some((sym.index(), size_of(param, axis)?)),
        _ => None,
    });
    syms.collect()
}

/// A size of the callee in the caller's symbols, if it is over dimensions of parameters only.
fn translated(size: &Size, dims: &HashMap<usize, Size>) -> Option<Size> {
    let known = size.symbols().all(|s| dims.contains_key(&s.index()));
    known.then(|| size.substitute(&mut |s| dims.get(&s.index()).cloned().unwrap_or_default()))
}

/// The sizes of a product or quotient of matrices.
fn product_sizes(lib: Lib, a: &Type, b: &Type) -> Option<Vec<Size>> {
    let ([rows_a, columns_a], [rows_b, columns_b]) = (a.dims.as_slice(), b.dims.as_slice()) else { return None };
    let (inner, sizes) = match lib {
        Lib::LeftDivide => ([rows_a, rows_b], [columns_a, columns_b]),
        Lib::RightDivide => ([columns_a, columns_b], [rows_a, rows_b]),
        Lib::MatMul | Lib::MatMulToCompare => ([columns_a, rows_b], [rows_a, columns_b]),
        Lib::Fourier | Lib::Lu | Lib::Cholesky | Lib::Qr | Lib::Inverse => return None,
        Lib::Eigenvalues | Lib::Eigenvectors | Lib::SingularValues | Lib::RangeLen | Lib::Find => return None,
        Lib::Sort | Lib::SortIndex | Lib::Middle | Lib::Lookup | Lib::SumsAt | Lib::CountsAt | Lib::RandPerm => {
            return None;
        }
        Lib::DateVector | Lib::DateSeconds | Lib::TextLength | Lib::TextCodes => return None,
    };
    (inner[0] == inner[1]).then(|| sizes.map(Size::clone).to_vec())
}
