//! An active function: its values, its symbols, and the checks of what the static types promise.

use super::datum::{Datum, Scalar};
use super::failure::{Failure, InternalKind, Run};
use super::kernel::KernelState;
use crate::hash::{HashMap, HashSet};
use crate::ir::size::SymDef;
use crate::ir::{Class, Func, Op, Region, Size, Stmt, Sym, Type, Value};
use std::rc::Rc;

/// What is known of a function before it runs.
pub(super) struct FuncInfo {
    /// For each value the symbols that stand for it, an `Index` scalar. By number, as it is looked up wherever a value is defined.
    symbols_of: Vec<Vec<Sym>>,
    /// What takes a value over as its last use, in the region that defines it. There an array may be moved, not shared, so a loop that
    /// stores element by element works in place.
    takers: HashMap<Value, Taker>,
}

/// What may take a value over.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Taker {
    /// The statement with this first result: whatever takes an array gives one.
    Statement(Value),
    /// The end of a region in so many others: of those that run at a time only one is so deep.
    End(usize),
}

impl Taker {
    /// A statement that may take values over.
    pub fn of(stmt: &Stmt) -> Option<Self> {
        stmt.results.first().map(|result| Self::Statement(*result))
    }
}

impl FuncInfo {
    pub fn new(func: &Func) -> Self {
        let mut symbols_of = vec![Vec::new(); func.types.len()];
        for (sym, data) in func.symbols.iter() {
            // a module that was not verified may name a value that does not exist
            if let SymDef::Value(value) = data.def
                && let Some(symbols) = symbols_of.get_mut(value.index())
            {
                symbols.push(sym);
            }
        }
        let mut takers = HashMap::default();
        find_takers(&func.body, 1, &mut takers);
        Self { symbols_of, takers }
    }
}

/// Finds the takers in a region that is so deep, the function's body being the first.
fn find_takers(region: &Region, depth: usize, takers: &mut HashMap<Value, Taker>) {
    let own = region.params.iter().chain(region.stmts.iter().flat_map(|s| &s.results));
    let mut waiting: HashSet<Value> = own.copied().collect();
    // Backwards, the first use that is met is the last one.
    let mut take = |list: &[Value], all: &[Value], by: Option<Taker>| {
        let waits = |v: &Value| waiting.contains(v) && all.iter().filter(|u| *u == v).count() == 1;
        let taken: Vec<Value> = list.iter().copied().filter(|v| waits(v)).collect();
        if let Some(by) = by {
            takers.extend(taken.into_iter().map(|v| (v, by)));
        }
        all.iter().for_each(|v| {
            waiting.remove(v);
        });
    };
    take(region.term.values(), region.term.values(), Some(Taker::End(depth)));
    for stmt in region.stmts.iter().rev() {
        let mut used = Vec::new();
        stmt.op.for_each_operand(&mut |v| used.push(v));
        stmt.op.regions().into_iter().for_each(|inner| inner.for_each_use(&mut |v| used.push(v)));
        let list: &[Value] = match &stmt.op {
            Op::Store { array, .. } => std::slice::from_ref(array),
            Op::For { init, .. } | Op::While { init, .. } => init,
            _ => &[],
        };
        take(list, &used, Taker::of(stmt));
    }
    let inner = region.stmts.iter().flat_map(|s| s.op.regions());
    inner.for_each(|region| find_takers(region, depth + 1, takers));
}

/// An active function.
pub(super) struct Frame<'m> {
    pub func: &'m Func,
    pub info: Rc<FuncInfo>,
    values: Vec<Option<Datum>>,
    /// The sizes of the arguments.
    args: Vec<Vec<usize>>,
    /// Bytes of all arrays in `values`.
    pub bytes: u64,
    /// How many regions run, each within the one before.
    pub depth: usize,
    /// The kernel whose body runs.
    pub kernel: Option<Box<KernelState>>,
}

impl<'m> Frame<'m> {
    pub fn new(func: &'m Func, info: Rc<FuncInfo>, args: &[Datum]) -> Self {
        let args = args.iter().map(|d| d.dims().to_vec()).collect();
        Self { func, info, values: vec![None; func.types.len()], args, bytes: 0, depth: 0, kernel: None }
    }

    pub fn get(&self, value: Value) -> Run<&Datum> {
        self.values.get(value.index()).and_then(Option::as_ref).ok_or_else(|| Failure::undefined(value))
    }

    /// The value for a statement or the end of a region; moved out if that is its last use. Scalars stay: symbols may stand for them.
    pub fn take(&mut self, value: Value, taker: Option<Taker>) -> Run<Datum> {
        let datum = self.get(value)?;
        if !matches!(datum, Datum::Array(_)) || taker.is_none() || self.info.takers.get(&value).copied() != taker {
            return Ok(datum.clone());
        }
        let datum = self.values[value.index()].take().ok_or_else(|| Failure::undefined(value))?;
        self.bytes -= datum.bytes();
        Ok(datum)
    }

    pub fn take_all(&mut self, values: &[Value], taker: Option<Taker>) -> Run<Vec<Datum>> {
        values.iter().map(|v| self.take(*v, taker)).collect()
    }

    /// Lets go of values that nothing uses any more.
    pub fn forget(&mut self, values: &[Value]) {
        for value in values {
            let old = self.values.get_mut(value.index()).and_then(Option::take);
            self.bytes -= old.map_or(0, |datum| datum.bytes());
        }
    }

    pub fn scalar(&self, value: Value) -> Run<Scalar> {
        match self.get(value)? {
            Datum::Scalar(scalar) => Ok(*scalar),
            _ => Err(Failure::malformed(format!("{value} is not a scalar"))),
        }
    }

    pub fn index(&self, value: Value) -> Run<i64> {
        match self.scalar(value)? {
            Scalar::Index(i) => Ok(i),
            other => Err(Failure::malformed(format!("{value} is of class {}, not index", other.class().name()))),
        }
    }

    pub fn logical(&self, value: Value) -> Run<bool> {
        match self.scalar(value)? {
            Scalar::Logical(b) => Ok(b),
            other => Err(Failure::malformed(format!("{value} is of class {}, not logical", other.class().name()))),
        }
    }

    pub fn all(&self, values: &[Value]) -> Run<Vec<Datum>> {
        values.iter().map(|v| self.get(*v).cloned()).collect()
    }

    /// Gives values to several results at once, then checks them: the sizes of one may mention another.
    pub fn define(&mut self, values: &[Value], data: Vec<Datum>) -> Run<()> {
        if values.len() != data.len() {
            return Err(Failure::malformed(format!("{} values for {} results", data.len(), values.len())));
        }
        for (value, datum) in values.iter().zip(data) {
            let Some(slot) = self.values.get_mut(value.index()) else { return Err(Failure::undefined(*value)) };
            self.bytes += datum.bytes();
            self.bytes -= slot.replace(datum).map_or(0, |old| old.bytes());
        }
        values.iter().try_for_each(|v| self.check(*v))
    }

    fn check(&self, value: Value) -> Run<()> {
        let (datum, ty) = (self.get(value)?, self.func.ty(value));
        if self.kernel.is_some() && !ty.is_scalar() {
            return Err(Failure::malformed(format!("{value} in a kernel is not a scalar")));
        }
        self.check_type(datum, ty, &|| self.func.name_of(value))?;
        self.info.symbols_of[value.index()].iter().try_for_each(|s| self.check_bounds(*s))
    }

    /// Class and sizes against a static type. What they are of is asked for a message only: every value that is defined comes by here.
    pub fn check_type(&self, datum: &Datum, ty: &Type, what: &dyn Fn() -> String) -> Run<()> {
        let wrong = |found: String, wanted: String| {
            let message = format!("`{}` is {found}, but its type says {wanted}", what());
            Err(Failure::internal(InternalKind::Type, message))
        };
        if datum.class() != ty.class {
            return wrong(datum.class().name().to_owned(), ty.class.name().to_owned());
        }
        if ty.is_scalar() == matches!(datum, Datum::Array(_)) {
            let text = |scalar| if scalar { "a scalar" } else { "an array" }.to_owned();
            return wrong(text(!ty.is_scalar()), text(ty.is_scalar()));
        }
        if ty.is_scalar() {
            return Ok(());
        }
        let dims = self.dims(ty)?;
        if datum.dims() != dims { wrong(shape(datum.dims()), shape(&dims)) } else { Ok(()) }
    }

    /// Whether a symbol, where it and its bounds are defined, is within them.
    pub fn check_bounds(&self, sym: Sym) -> Run<()> {
        let data = self.func.symbols.get(sym);
        let Ok(value) = self.symbol(sym) else { return Ok(()) };
        let outside = |relation: &str, bound: &Size| {
            let message =
                format!("{} is {value}, but said to be {relation} {}", data.name, self.func.symbols.show(bound));
            Err(Failure::internal(InternalKind::Bound, message))
        };
        for bound in &data.at_least {
            if self.size(bound).is_ok_and(|b| value < b) {
                return outside("at least", bound);
            }
        }
        for bound in &data.at_most {
            if self.size(bound).is_ok_and(|b| value > b) {
                return outside("at most", bound);
            }
        }
        Ok(())
    }

    /// The value of a size.
    pub fn size(&self, size: &Size) -> Run<i64> {
        let overflow = || Failure::overflow(&self.func.symbols, size);
        let mut sum = 0i64;
        for (monomial, coefficient) in size.terms() {
            let mut product = coefficient;
            for sym in monomial {
                product = product.checked_mul(self.symbol(*sym)?).ok_or_else(overflow)?;
            }
            sum = sum.checked_add(product).ok_or_else(overflow)?;
        }
        Ok(sum)
    }

    /// The value of a size that counts elements.
    pub fn extent(&self, size: &Size) -> Run<usize> {
        let value = self.size(size)?;
        usize::try_from(value).map_err(|_| {
            let text = self.func.symbols.show(size);
            Failure::internal(InternalKind::Type, format!("the size {text} is negative: {value}"))
        })
    }

    fn symbol(&self, sym: Sym) -> Run<i64> {
        if sym.index() >= self.func.symbols.len() {
            return Err(Failure::malformed(format!("the symbol {sym} does not exist")));
        }
        let none = || Failure::malformed(format!("the symbol {} has no value", self.func.symbols.get(sym).name));
        match &self.func.symbols.get(sym).def {
            SymDef::Dim(param, axis) => {
                let dims = self.args.get(*param).ok_or_else(none)?;
                i64::try_from(dims.get(*axis).copied().unwrap_or(1)).map_err(|_| none())
            }
            SymDef::Value(value) => self.index(*value),
            SymDef::Max(a, b) => Ok(self.size(a)?.max(self.size(b)?)),
            SymDef::Min(a, b) => Ok(self.size(a)?.min(self.size(b)?)),
            SymDef::FloorDiv(a, b) => megha_base::int::index_div(self.size(a)?, self.size(b)?).ok_or_else(none),
        }
    }

    /// The sizes of a type, as arrays have them.
    pub fn dims(&self, ty: &Type) -> Run<Vec<usize>> {
        let mut dims: Vec<usize> = ty.dims.iter().map(|d| self.extent(d)).collect::<Run<_>>()?;
        super::datum::normalise(&mut dims);
        Ok(dims)
    }

    /// The bytes that an array of a type takes.
    pub fn bytes_of(&self, ty: &Type) -> Run<u64> {
        if ty.is_scalar() || ty.class == Class::Char {
            return Ok(0);
        }
        let bytes = self.dims(ty)?.iter().try_fold(ty.class.bytes(), |n, d| n.checked_mul(*d as u64));
        Ok(bytes.unwrap_or(u64::MAX))
    }
}

/// `3-by-4`
pub(super) fn shape(dims: &[usize]) -> String {
    dims.iter().map(usize::to_string).collect::<Vec<_>>().join("-by-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    #[test]
    fn last_uses_take_arrays_over() {
        let text = "func @f(%x: f64[3, 1], %n: index, %c: bool) -> (f64[3, 1], f64[3, 1]) {
            %y = add %x, 1.0
            %z = for %n with %y |%i, %a| { %b = store %a[%i, 0] = 2.0  yield %b }
            %w = if %c { yield %z } else { yield %x }
            return %z, %w }";
        let func = parse(text).unwrap().funcs.remove(0);
        let info = FuncInfo::new(&func);
        let named = |name: &str| (0..func.names.len()).map(Value::new).find(|v| func.name_of(*v) == name).unwrap();
        let taker = |name: &str| info.takers.get(&named(name)).copied();
        let by = |name: &str| Some(Taker::Statement(named(name)));
        assert!(taker("y") == by("z") && taker("a") == by("b"), "statements");
        assert!(taker("b") == Some(Taker::End(2)), "the end of the loop's body");
        // What an arm yields is used behind it.
        assert!(taker("z") == Some(Taker::End(1)) && taker("w") == Some(Taker::End(1)), "the end of the function");
        assert!(taker("x").is_none(), "an arm does not take what it has not made");
    }
}
