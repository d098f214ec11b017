//! The symbols of sizes that are in scope, and how they are written.

use crate::hash::HashMap;
use crate::ir::Sym;

/// Texts of the symbols in scope. Scopes nest, so the last ones defined are the first to go.
#[derive(Clone, Default)]
pub struct SymbolTexts {
    texts: HashMap<Sym, String>,
    /// In the order of their definition.
    order: Vec<Sym>,
    /// With so many in scope no other could be derived from them.
    settled: Option<usize>,
}

impl SymbolTexts {
    /// How a symbol is written, if it is in scope.
    pub fn get(&self, sym: Sym) -> Option<&String> {
        self.texts.get(&sym)
    }

    /// Whether a symbol is in scope.
    pub fn contains(&self, sym: Sym) -> bool {
        self.texts.contains_key(&sym)
    }

    /// A symbol is written so from here on.
    pub fn insert(&mut self, sym: Sym, text: String) {
        if self.texts.insert(sym, text).is_none() {
            self.order.push(sym);
        }
    }

    /// The start of a scope.
    pub fn enter(&self) -> usize {
        self.order.len()
    }

    /// The end of the scope that started there.
    pub fn leave(&mut self, start: usize) {
        for sym in self.order.drain(start..) {
            self.texts.remove(&sym);
        }
        self.settled = self.settled.filter(|settled| *settled <= start);
    }

    /// Whether nothing has come into scope since nothing more could be derived.
    pub fn is_settled(&self) -> bool {
        self.settled == Some(self.order.len())
    }

    /// Nothing more can be derived from what is in scope.
    pub fn settle(&mut self) {
        self.settled = Some(self.order.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_scope_defines_goes_with_it() {
        let (mut texts, n, m) = (SymbolTexts::default(), Sym::new(0), Sym::new(1));
        texts.insert(n, "n".into());
        texts.settle();
        let start = texts.enter();
        texts.insert(m, "m".into());
        assert!(texts.contains(m) && !texts.is_settled());
        texts.settle();
        texts.leave(start);
        assert_eq!((texts.get(n).map(String::as_str), texts.get(m)), (Some("n"), None));
        assert!(!texts.is_settled(), "what was known inside need not hold outside");
    }
}
