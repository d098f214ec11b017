//! Reporting mistakes, and texts about values.

use super::env::Binding;
use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Size, Type, Value};
use crate::source::Span;

impl Lower<'_> {
    /// Reports a mistake and stops the current statement.
    pub fn stop<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Lowered<T> {
        self.report(Diagnostic::error(code, span, message))
    }

    /// A size as the user knows it: `n`, `2*n + 1`; the name of a variable that holds it.
    pub fn size_text(&self, size: &Size) -> String {
        if let Some(text) = self.builder.func.symbols.tell(size) {
            return text;
        }
        let holds = |name: &&str| match self.env.get(name) {
            Some(Binding::Is(Operand::Value(v))) => self.whole_of(*v).as_ref() == Some(size),
            _ => false,
        };
        match self.env.names().find(holds) {
            Some(name) => name.to_owned(),
            None => "a size that only the run knows".to_owned(),
        }
    }

    /// `n-by-1 double`, `scalar logical`.
    pub fn type_text(&self, ty: &Type) -> String {
        if ty.is_scalar() {
            return format!("a scalar {}", ty.class.matlab_name());
        }
        format!("{} {}", self.dims_text(&ty.dims), ty.class.matlab_name())
    }

    /// `n-by-3`
    pub fn dims_text(&self, dims: &[Size]) -> String {
        if dims.is_empty() {
            return "1-by-1".into();
        }
        let texts: Vec<String> = dims
            .iter()
            .map(|d| {
                let text = self.size_text(d);
                if text.contains(' ') { format!("({text})") } else { text }
            })
            .collect();
        texts.join("-by-")
    }

    /// The type of a value in words.
    pub fn shape_text(&self, value: Value) -> String {
        self.type_text(self.builder.func.ty(value))
    }
}
