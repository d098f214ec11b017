//! What names mean where a statement stands: numbers, arrays and parts of them, elements that an iterator lends, items of blocks.
//!
//! The loop AST knows variables and whole arrays. A row or an element under a name of its own is written there as what it is a part of, with the
//! subscripts that it stood for when it was made. Names of variables are told apart as Rust does: two of one text from different macros differ.

use super::Converter;
use super::iterate::Item;
use super::stretches::{Len, Stretch};
use crate::offload::ast::{BinaryOp, Expr as Ast, ExprKind, Ident};
use quote::ToTokens;

/// What a name means.
#[derive(Debug, Clone)]
pub enum Meaning {
    /// A number, under this name in the loop AST.
    Number(String),
    /// An array or a part of one.
    Array(View),
    /// An element that may be assigned to, by all its subscripts.
    Element(View),
    /// A number by a reference through which it may be assigned to.
    Lent(String),
    /// Several things, one for each place of a tuple.
    Tuple(Vec<Item>),
    /// A function of a block, by its number.
    Function(usize),
    /// A closure under a name, by its number.
    Closure(usize),
    /// What a `use` in a block names.
    Imported(Vec<String>),
}

/// A name and what it means.
#[derive(Debug, Clone)]
pub struct Known {
    text: String,
    /// Which macro a variable's name comes from; `None` for items, which all see.
    mark: Option<String>,
    meaning: Meaning,
}

/// What an array is in Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// An array or view of ndarray.
    Ndarray,
    /// A vector or slice, or one of such.
    Vector,
    /// `[T; N]`, or one of such, which `let` and calls copy.
    Fixed,
}

/// A part of an array: some dimensions are left, the others fixed.
#[derive(Debug, Clone)]
pub struct View {
    /// The array's name in the loop AST.
    pub array: String,
    /// What became of its dimensions.
    pub axes: Vec<Axis>,
    /// What it is in Rust.
    pub form: Form,
    /// Whether the name is a reference to the array or a view of it.
    pub lent: bool,
    /// Whether it may be stored into by this name.
    pub mutable: bool,
    /// Whether the array may be stored into by any name.
    pub changes: bool,
    /// Whether the dimensions come in the opposite order.
    pub reversed: bool,
}

/// What became of a dimension.
#[derive(Debug, Clone)]
pub enum Axis {
    /// It is a dimension of the part.
    Free,
    /// A stretch of it is a dimension of the part.
    Stretch(Stretch),
    /// It is fixed at the sum of these.
    At(Vec<Term>),
}

/// A variable of the loop AST, so many times.
#[derive(Debug, Clone)]
pub struct Term {
    pub name: String,
    pub factor: i64,
}

impl Known {
    /// Whether it has this name.
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

impl View {
    /// All of an array.
    pub fn whole(array: String, rank: usize, form: Form) -> Self {
        Self { array, axes: vec![Axis::Free; rank], form, lent: false, mutable: false, changes: false, reversed: false }
    }

    /// The same by a reference or view.
    pub fn lent(self, mutable: bool) -> Self {
        Self { lent: true, mutable, ..self }
    }

    /// The dimensions of the array that are dimensions of the part, in the order in which they are these.
    pub fn free(&self) -> Vec<usize> {
        let mut free: Vec<usize> =
            (0..self.axes.len()).filter(|at| matches!(self.axes[*at], Axis::Free | Axis::Stretch(_))).collect();
        if self.reversed {
            free.reverse();
        }
        free
    }

    /// Whether it is all of the array.
    pub fn is_whole(&self) -> bool {
        !self.reversed && self.axes.iter().all(|axis| matches!(axis, Axis::Free))
    }

    /// Where a dimension of the part begins, and how far its elements are from each other.
    fn course_of(&self, number: usize) -> (Vec<Term>, i64) {
        match &self.axes[number] {
            Axis::Stretch(stretch) => (stretch.from.clone(), stretch.step),
            Axis::Free | Axis::At(_) => (Vec::new(), 1),
        }
    }

    /// With one more dimension fixed, counted among those that are left.
    pub fn fixed(&self, axis: usize, at: String) -> Option<Self> {
        let number = *self.free().get(axis)?;
        let mut view = self.clone();
        let (from, factor) = self.course_of(number);
        view.axes[number] = Axis::At([from, vec![Term { name: at, factor }]].concat());
        Some(view)
    }

    /// The element that these variables count.
    pub fn at(&self, counters: &[String]) -> Self {
        let fix = |view: Self, counter: &String| view.fixed(0, counter.clone()).unwrap_or(view);
        counters.iter().fold(self.clone(), fix)
    }

    /// So many elements of a dimension, counted among those that are left, from the one on that a variable counts.
    pub fn stretch(&self, axis: usize, from: Option<String>, len: Len) -> Option<Self> {
        self.stepped(axis, from, 1, len)
    }

    /// The same, each so many elements from the one before.
    pub fn stepped(&self, axis: usize, from: Option<String>, by: i64, len: Len) -> Option<Self> {
        let number = *self.free().get(axis)?;
        let mut view = self.clone();
        let (begin, factor) = self.course_of(number);
        let from = begin.into_iter().chain(from.map(|name| Term { name, factor })).collect();
        view.axes[number] = Axis::Stretch(Stretch { from, step: factor * by, len });
        Some(view)
    }

    /// Whether Rust copies it where it is named.
    pub fn is_copied(&self) -> bool {
        self.form == Form::Fixed && !self.lent
    }
}

/// Which macro a name comes from, as the compiler prints it; the same for all where it does not say.
pub fn mark(name: &syn::Ident) -> String {
    let shown = format!("{:?}", name.span());
    if shown.starts_with('#') { shown.split(' ').next().unwrap_or_default().to_owned() } else { String::new() }
}

impl Converter {
    /// What a name means.
    pub fn meaning(&self, name: &syn::Ident) -> Option<&Meaning> {
        let (text, mark) = (name.to_string(), mark(name));
        let is_it = |known: &&Known| known.text == text && known.mark.as_ref().is_none_or(|m| *m == mark);
        self.scope.iter().rev().find(is_it).map(|known| &known.meaning)
    }

    /// Whether a name is that of an item of a block and of no variable.
    pub fn is_item(&self, name: &syn::Ident) -> bool {
        let (text, mark) = (name.to_string(), mark(name));
        let is_it = |known: &&Known| known.text == text && known.mark.as_ref().is_none_or(|m| *m == mark);
        self.scope.iter().rev().find(is_it).is_some_and(|known| known.mark.is_none())
    }

    /// What a name means as an item of a block.
    pub fn item_meaning(&self, name: &str) -> Option<&Meaning> {
        self.scope.iter().rev().find(|known| known.mark.is_none() && known.text == name).map(|known| &known.meaning)
    }

    /// Gives a variable's name a meaning.
    pub fn mean(&mut self, name: &syn::Ident, meaning: Meaning) {
        self.scope.push(Known { text: name.to_string(), mark: Some(mark(name)), meaning });
    }

    /// Gives an item's name a meaning.
    pub fn mean_item(&mut self, text: String, meaning: Meaning) {
        self.scope.push(Known { text, mark: None, meaning });
    }

    /// Gives an item's name a meaning that all others hide.
    pub fn mean_around(&mut self, text: String, meaning: Meaning) {
        self.scope.insert(0, Known { text, mark: None, meaning });
    }

    /// The items of blocks that are seen here.
    pub fn items_in_scope(&self) -> Vec<Known> {
        self.scope.iter().filter(|known| known.mark.is_none()).cloned().collect()
    }

    /// A name in the loop AST for a new variable: another one where the name would hide an array that a part is of, or what another macro
    /// calls so.
    pub fn declare(&mut self, name: &syn::Ident) -> Ident {
        let (text, own_mark) = (name.to_string(), mark(name));
        let hides = self.scope.iter().any(|known| match &known.meaning {
            Meaning::Number(own) | Meaning::Lent(own) => *own == text && known.mark.as_ref() != Some(&own_mark),
            Meaning::Array(view) | Meaning::Element(view) => view.array == text,
            Meaning::Tuple(items) => items.iter().any(|item| item.is_of(&text)),
            Meaning::Function(_) | Meaning::Closure(_) | Meaning::Imported(_) => false,
        });
        // A closure sees what its names meant where it was made.
        let own = if hides || self.within > 0 || !self.closures.is_empty() { self.fresh(&text) } else { text };
        self.mean(name, Meaning::Number(own.clone()));
        Ident { text: own, span: self.span(name) }
    }

    /// A name that nothing else has; what stands before `#` is shown.
    pub fn fresh(&mut self, shown: &str) -> String {
        self.fresh += 1;
        format!("{shown}#{}", self.fresh)
    }

    /// A use of a variable of the loop AST.
    pub fn variable(&mut self, name: &str, at: &impl ToTokens) -> Ast {
        Ast { kind: ExprKind::Variable(name.to_owned()), span: self.span(at) }
    }

    /// A name of the loop AST at a place.
    pub fn named(&mut self, name: &str, at: &impl ToTokens) -> Ident {
        Ident { text: name.to_owned(), span: self.span(at) }
    }

    /// An expression at a place.
    pub fn made(&mut self, kind: ExprKind, at: &impl ToTokens) -> Ast {
        Ast { kind, span: self.span(at) }
    }

    /// The sum of variables, and of what is given, each so many times. The first is not taken away.
    fn sum_of(&mut self, terms: &[Term], last: Option<(Ast, i64)>, at: &impl ToTokens) -> Option<Ast> {
        let terms: Vec<(Ast, i64)> = terms.iter().map(|term| (self.variable(&term.name, at), term.factor)).collect();
        let mut sum = None;
        for (value, factor) in terms.into_iter().chain(last) {
            let value = if factor.abs() == 1 { value } else { self.multiple(value, factor.abs(), at) };
            let op = if factor < 0 { BinaryOp::Sub } else { BinaryOp::Add };
            sum = Some(match sum {
                Some(sum) => self.made(ExprKind::Binary(op, Box::new(sum), Box::new(value)), at),
                None => value,
            });
        }
        sum
    }

    fn multiple(&mut self, value: Ast, factor: i64, at: &impl ToTokens) -> Ast {
        let factor = self.made(ExprKind::Int(factor.into(), None), at);
        self.made(ExprKind::Binary(BinaryOp::Mul, Box::new(factor), Box::new(value)), at)
    }

    /// An element of a part of an array; `subs` are subscripts of the dimensions that are left, in their bounds where these are stretches.
    pub fn element_of(&mut self, view: &View, subs: Vec<Ast>, at: &impl ToTokens) -> Ast {
        let array = self.named(&view.array, at);
        let free = view.free();
        let mut left: Vec<Option<Ast>> = subs.into_iter().map(Some).collect();
        let mut all = Vec::new();
        for (number, axis) in view.axes.iter().enumerate() {
            let sub = free.iter().position(|axis| *axis == number).and_then(|at| left.get_mut(at)?.take());
            match axis {
                Axis::Free => all.extend(sub),
                Axis::Stretch(stretch) => {
                    all.extend(sub.and_then(|sub| self.sum_of(&stretch.from, Some((sub, stretch.step)), at)));
                }
                Axis::At(terms) => all.extend(self.sum_of(terms, None, at)),
            }
        }
        all.extend(left.into_iter().flatten());
        self.made(ExprKind::Element { array, subs: all }, at)
    }

    /// The size of a part of an array along one of the dimensions that are left.
    pub fn extent_of(&mut self, view: &View, axis: usize, at: &impl ToTokens) -> Ast {
        let free = view.free();
        // A dimension that there is not is reported where types are known.
        let axis = free.get(axis).copied().unwrap_or(axis.max(view.axes.len()));
        if let Some(Axis::Stretch(stretch)) = view.axes.get(axis) {
            return self.len_of(&stretch.len, at);
        }
        let array = self.named(&view.array, at);
        self.made(ExprKind::Extent { array, axis: Some(axis) }, at)
    }
}
