//! Symbolic sizes: making symbols, comparing sizes, bounds.

use super::facts::Facts;
use super::{Lower, Lowered};
use crate::ir::{Class, Op, Size, SymData, SymDef, Type, Value};
use crate::source::Span;

/// What tests that have passed say of sizes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Proven {
    /// These are equal.
    Equal(Size, Size),
    /// This is zero or more.
    NotNegative(Size),
    /// This is not one.
    NotOne(Size),
    /// So many elements of a mask are true.
    Count(Value, Size),
    /// These are the numbers of a mask's true elements.
    Places(Value, Value),
}

impl Lower<'_> {
    /// A new symbol for the value of an `Index` scalar.
    pub fn symbol_for(&mut self, value: Value, at_least: Vec<Size>, at_most: Vec<Size>) -> Size {
        let name = format!("v{}", value.index());
        self.new_symbol(SymData { name, def: SymDef::Value(value), at_least, at_most })
    }

    fn new_symbol(&mut self, data: SymData) -> Size {
        let sym = self.builder.func.symbols.define(data);
        Size::sym(sym)
    }

    fn derived(&mut self, prefix: &str, def: SymDef, at_least: Vec<Size>, at_most: Vec<Size>) -> Size {
        let name = format!("{prefix}{}", self.builder.func.symbols.len());
        self.new_symbol(SymData { name, def, at_least, at_most })
    }

    /// The larger of the two.
    pub fn size_max(&mut self, a: Size, b: Size) -> Size {
        if self.never_negative(&a.sub(&b)) {
            return a;
        }
        if self.never_negative(&b.sub(&a)) {
            return b;
        }
        // One form for all that differ by a number, so that `max(1, x + 1)` ends where `max(0, x)` begins.
        for (number, other) in [(&a, &b), (&b, &a)] {
            let Some(number) = number.as_constant().filter(|number| *number != 0) else { continue };
            let less = other.add_const(number.saturating_neg());
            // Sizes saturate.
            if less.add_const(number) == *other {
                return self.size_max(Size::constant(0), less).add_const(number);
            }
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.derived("max", SymDef::Max(a.clone(), b.clone()), vec![a, b], Vec::new())
    }

    /// The smaller of the two.
    pub fn size_min(&mut self, a: Size, b: Size) -> Size {
        if self.never_negative(&a.sub(&b)) {
            return b;
        }
        if self.never_negative(&b.sub(&a)) {
            return a;
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.derived("min", SymDef::Min(a.clone(), b.clone()), Vec::new(), vec![a, b])
    }

    /// A size from a number that may be negative: MATLAB takes such a size as zero.
    pub fn size_from(&mut self, number: Size) -> Size {
        self.size_max(number, Size::constant(0))
    }

    /// The quotient by a positive number, rounded down.
    pub fn size_div(&mut self, a: Size, by: i64) -> Size {
        if by == 1 {
            return a;
        }
        if let Some(exact) = a.div_exact(by) {
            return exact;
        }
        if let Some(c) = a.as_constant() {
            return Size::constant(c.div_euclid(by));
        }
        let mut low = Vec::new();
        let mut high = Vec::new();
        if self.never_negative(&a) {
            low.push(Size::constant(0));
            high.push(a.clone());
        }
        self.derived("quot", SymDef::FloorDiv(a, Size::constant(by)), low, high)
    }

    /// Whether a size is known to be zero or more.
    pub fn never_negative(&self, size: &Size) -> bool {
        self.builder.func.symbols.never_negative(size)
    }

    /// Whether a size is zero or more where the current statement stands, after the tests that led here. It is no proof for
    /// code that passes may move before those tests. A constant speaks for itself: tests that contradict what is known lead to
    /// code that is never reached.
    pub fn not_negative_here(&self, size: &Size) -> bool {
        if size.as_constant().is_some() {
            return self.never_negative(size);
        }
        self.never_negative(size)
            || self.proven.iter().any(|proven| {
                let Proven::NotNegative(known) = proven else { return false };
                self.never_negative(&size.sub(known))
            })
    }

    /// Remembers that a test, which has passed here, says that a size is zero or more.
    pub fn passed(&mut self, size: Size) {
        if !self.not_negative_here(&size) {
            self.proven.push(Proven::NotNegative(size));
        }
    }

    /// The size under the assumption that it is not zero: of `max(0, x)` that is x.
    pub fn nonempty(&self, size: &Size) -> Size {
        let zero = Size::constant(0);
        match size.as_sym().map(|s| &self.builder.func.symbols.get(s).def) {
            Some(SymDef::Max(a, b)) if *a == zero => b.clone(),
            Some(SymDef::Max(a, b)) if *b == zero => a.clone(),
            _ => size.clone(),
        }
    }

    /// Whether two sizes are equal, by their form or by an equality that has been checked before this point.
    pub fn same_size(&self, a: &Size, b: &Size) -> bool {
        a == b
            || self.proven.iter().any(|proven| {
                let Proven::Equal(x, y) = proven else { return false };
                let (d, e) = (a.sub(b), x.sub(y));
                d == e || d == e.scale(-1)
            })
    }

    /// An `Index` scalar with the value of a size.
    pub fn index_value(&mut self, size: &Size) -> Value {
        if let Some(value) = self.symbol_value(size) {
            return value;
        }
        let value = self.builder.size(size);
        let nonnegative = self.never_negative(size);
        self.learn(value, Facts::whole(size.clone(), nonnegative));
        value
    }

    fn symbol_value(&self, size: &Size) -> Option<Value> {
        match self.builder.func.symbols.get(size.as_sym()?).def {
            SymDef::Value(value) => Some(value),
            _ => None,
        }
    }

    /// A `Double` scalar with the value of a size.
    pub fn double_of_size(&mut self, size: &Size) -> Value {
        if let Some(c) = size.as_constant() {
            return self.number(c as f64);
        }
        let index = self.index_value(size);
        let nonnegative = self.never_negative(size);
        self.emit(Op::Convert(index), Type::scalar(Class::Double), Facts::whole(size.clone(), nonnegative))
    }

    /// The whole number that a scalar must be (a size, a subscript, a count): known from its facts, or tested at run time and
    /// named by a new symbol.
    pub fn whole_number(&mut self, value: Value, what: &str, span: Span) -> Lowered<Size> {
        let value = self.only_element(value, what, span);
        if let Some(size) = self.whole_of(value) {
            return Ok(size);
        }
        if let Some(c) = self.constant_of(value) {
            return self.stop(
                crate::diag::Code::NotWhole,
                span,
                format!("{what} must be a whole number, but this is {c}"),
            );
        }
        if !self.is_scalar(value) {
            let shape = self.shape_text(value);
            return self.stop(
                crate::diag::Code::NotScalar,
                span,
                format!("{what} must be one number, but this is {shape}"),
            );
        }
        if let Some((size, less, rest)) = self.facts(value).offset {
            // The rest decides whether it is whole: where loops do not change the rest, that is tested before them.
            let rest = self.whole_number(rest, what, span)?;
            let size = if less { size.sub(&rest) } else { size.add(&rest) };
            self.learn_whole(value, &size);
            return Ok(size);
        }
        let low = if self.facts(value).nonnegative { vec![Size::constant(0)] } else { Vec::new() };
        let number = match self.class(value) {
            Class::Logical | Class::Single | Class::Complex => self.convert(value, Class::Double),
            _ => value,
        };
        let index = self.builder.push(Op::ToIndex(number), Type::scalar(Class::Index));
        let size = self.symbol_for(index, low, Vec::new());
        self.learn(index, Facts::whole(size.clone(), false));
        self.learn_whole(value, &size);
        Ok(size)
    }

    /// A scalar that has been tested, used again, is the same number: where the test dominates the use. The facts are restored when the region
    /// closes.
    fn learn_whole(&mut self, value: Value, size: &Size) {
        let mut facts = self.facts(value);
        facts.whole = Some(size.clone());
        facts.integral = true;
        self.learn_scoped(value, facts);
    }
}
