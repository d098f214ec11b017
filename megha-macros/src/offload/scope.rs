//! What names mean where a statement stands: numbers, arrays and parts of them, elements that an iterator lends.
//!
//! The loop AST knows variables and whole arrays. A row or an element under a name of its own is written there as what it is a part of, with the
//! subscripts that it stood for when it was made.

use super::Converter;
use megha_core::offload::ast::{Expr as Ast, ExprKind, Ident};
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
}

/// A part of an array: some dimensions are left, the others fixed.
#[derive(Debug, Clone)]
pub struct View {
    /// The array's name in the loop AST.
    pub array: String,
    /// What became of its dimensions.
    pub axes: Vec<Axis>,
}

/// What became of a dimension.
#[derive(Debug, Clone)]
pub enum Axis {
    /// It is a dimension of the part.
    Free,
    /// It is fixed at the value of this variable of the loop AST.
    At(String),
}

impl View {
    /// All of an array.
    pub fn whole(array: String, rank: usize) -> Self {
        Self { array, axes: vec![Axis::Free; rank] }
    }

    /// The dimensions of the array that are dimensions of the part.
    pub fn free(&self) -> Vec<usize> {
        (0..self.axes.len()).filter(|at| matches!(self.axes[*at], Axis::Free)).collect()
    }

    /// With one more dimension fixed, counted among those that are left.
    pub fn fixed(&self, axis: usize, at: String) -> Option<Self> {
        let number = *self.free().get(axis)?;
        let mut view = self.clone();
        view.axes[number] = Axis::At(at);
        Some(view)
    }
}

impl Converter {
    /// What a name means.
    pub fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.scope.iter().rev().find(|(known, _)| known == name).map(|(_, meaning)| meaning)
    }

    /// A name in the loop AST for a new variable: another one where the name would hide an array that a part is of.
    pub fn declare(&mut self, name: &syn::Ident) -> Ident {
        let text = name.to_string();
        let hides = self.scope.iter().any(|(_, meaning)| match meaning {
            Meaning::Number(_) => false,
            Meaning::Array(view) | Meaning::Element(view) => view.array == text,
        });
        let own = if hides || self.within > 0 { self.fresh(&text) } else { text.clone() };
        self.scope.push((text, Meaning::Number(own.clone())));
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

    /// An element of a part of an array; `subs` are subscripts of the dimensions that are left.
    pub fn element_of(&mut self, view: &View, subs: Vec<Ast>, at: &impl ToTokens) -> Ast {
        let array = self.named(&view.array, at);
        let mut left = subs.into_iter();
        let mut all = Vec::new();
        for axis in &view.axes {
            match axis {
                Axis::Free => all.extend(left.next()),
                Axis::At(name) => all.push(self.variable(name, at)),
            }
        }
        all.extend(left);
        self.made(ExprKind::Element { array, subs: all }, at)
    }

    /// The size of a part of an array along one of the dimensions that are left.
    pub fn extent_of(&mut self, view: &View, axis: usize, at: &impl ToTokens) -> Ast {
        let free = view.free();
        // A dimension that there is not is reported where types are known.
        let axis = free.get(axis).copied().unwrap_or(axis.max(view.axes.len()));
        let array = self.named(&view.array, at);
        self.made(ExprKind::Extent { array, axis: Some(axis) }, at)
    }
}
