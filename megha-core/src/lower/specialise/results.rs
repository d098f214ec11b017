//! The results of a specialisation: their types in terms of the arguments' sizes.
//!
//! A size that is one of the arguments' sizes, or a constant, is the same for caller and callee. Any other is returned as
//! an `Index` before the result whose size it is, so what a call gives is a dependent tuple.

use super::arguments::Passed;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Class, FuncId, Op, Size, Stmt, Type, Value};
use crate::lower::facts::Facts;
use crate::lower::form::join_classes;
use crate::lower::{Lower, Lowered};
use crate::matlab::ast::Function;

/// The type of a result.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Form {
    class: Class,
    /// No sizes for a scalar; `None` for a size that is returned. The others are constants and symbols of the callee's
    /// first symbols, which are the arguments' sizes.
    dims: Vec<Option<Size>>,
}

impl Form {
    /// The form of results of this type, of a function whose arguments have so many different sizes.
    fn of(ty: &Type, sizes: usize) -> Self {
        let follows = |size: &Size| size.as_constant().is_some() || size.as_sym().is_some_and(|s| s.index() < sizes);
        Self { class: ty.class, dims: ty.dims.iter().map(|d| follows(d).then(|| d.clone())).collect() }
    }

    /// The form that holds results of both.
    fn join(&self, other: &Self) -> Option<Self> {
        if self.dims.len() != other.dims.len() {
            return None;
        }
        let class = join_classes(self.class, other.class)?;
        let dims = self.dims.iter().zip(&other.dims);
        Some(Self { class, dims: dims.map(|(a, b)| if a == b { a.clone() } else { None }).collect() })
    }

    fn returned_sizes(&self) -> usize {
        self.dims.iter().filter(|d| d.is_none()).count()
    }
}

impl Lower<'_> {
    /// The forms of a function's results, joined with what was assumed of them.
    pub(super) fn result_forms(
        &mut self,
        function: &Function,
        values: &[Value],
        sizes: usize,
        assumed: Option<&[Form]>,
    ) -> Lowered<Vec<Form>> {
        let found = values.iter().map(|v| Form::of(self.builder.func.ty(*v), sizes)).collect::<Vec<_>>();
        let Some(assumed) = assumed else { return Ok(found) };
        let joined: Option<Vec<Form>> = assumed.iter().zip(&found).map(|(a, b)| a.join(b)).collect();
        match joined {
            Some(joined) if assumed.len() == found.len() => Ok(joined),
            _ => self.report(unsettled(function)),
        }
    }

    /// The values that a function returns for results of these forms.
    pub(super) fn returned_values(&mut self, values: &[Value], forms: &[Form]) -> Vec<Value> {
        let (mut sizes, mut results) = (Vec::new(), Vec::new());
        for (value, form) in values.iter().zip(forms) {
            let value = self.convert(*value, form.class);
            let own = self.builder.func.ty(value).dims.clone();
            let mut dims = own.clone();
            for (dim, _) in dims.iter_mut().zip(&form.dims).filter(|(_, d)| d.is_none()) {
                let index = self.builder.size(dim);
                *dim = self.symbol_for(index, vec![Size::constant(0)], Vec::new());
                self.learn(index, Facts::whole(dim.clone(), true));
                sizes.push(index);
            }
            let class = form.class;
            results.push(match dims == own {
                true => value,
                false => self.emit(Op::Reshape(value), Type { class, dims }, Facts::default()),
            });
        }
        sizes.append(&mut results);
        sizes
    }

    /// The call of a specialisation whose results have these forms.
    pub(super) fn push_call(&mut self, id: FuncId, passed: Passed, forms: &[Form]) -> Vec<Value> {
        let count: usize = forms.iter().map(Form::returned_sizes).sum();
        let mut all: Vec<Value> = (0..count).map(|_| self.builder.func.new_value(Type::scalar(Class::Index))).collect();
        let mut symbols = Vec::new();
        for index in &all {
            let symbol = self.symbol_for(*index, vec![Size::constant(0)], Vec::new());
            self.learn(*index, Facts::whole(symbol.clone(), true));
            symbols.push(symbol);
        }
        let mut symbols = symbols.into_iter();
        let mut results = Vec::new();
        for form in forms {
            let own = |size: &Size| size.substitute(&mut |s| passed.sizes.get(s.index()).cloned().unwrap_or_default());
            let dim = |d: &Option<Size>| d.as_ref().map(own).or_else(|| symbols.next()).unwrap_or_default();
            let dims = form.dims.iter().map(dim).collect();
            let result = self.builder.func.new_value(Type { class: form.class, dims });
            let nonnegative = form.class == Class::Logical;
            self.learn(result, Facts { nonnegative, integral: nonnegative, ..Facts::default() });
            results.push(result);
        }
        all.extend(&results);
        let loc = self.builder.loc();
        self.builder.push_stmt(Stmt { results: all, op: Op::Call(id, passed.values), loc });
        results
    }
}

/// The results have different types on different ways.
pub(super) fn unsettled(function: &Function) -> Diagnostic {
    let name = &function.name.text;
    let message = format!("`{name}`, which calls itself, gives results of different types on different ways");
    Diagnostic::error(Code::Recursion, function.signature, message)
        .help("give each result one class and one number of dimensions on all ways")
}
