//! Scalar statements in the making.

use crate::ir::{Binary, Class, Const, Func, Loc, Op, Size, Stmt, Type, Value};

/// Scalar statements with a source position.
pub(super) struct ScalarCode<'f> {
    pub func: &'f mut Func,
    pub stmts: Vec<Stmt>,
    pub loc: Loc,
}

impl<'f> ScalarCode<'f> {
    pub fn new(func: &'f mut Func, loc: Loc) -> Self {
        Self { func, stmts: Vec::new(), loc }
    }

    /// Appends a statement with a result.
    pub fn push(&mut self, op: Op, class: Class) -> Value {
        let result = self.func.new_value(Type::scalar(class));
        self.stmts.push(Stmt { results: vec![result], op, loc: self.loc });
        result
    }

    /// A whole number.
    pub fn int(&mut self, value: i64) -> Value {
        self.push(Op::Const(Const::Int(value)), Class::Index)
    }

    /// A size as a value.
    pub fn size(&mut self, size: &Size) -> Value {
        match size.as_constant() {
            Some(value) => self.int(value),
            None => self.push(Op::Size(size.clone()), Class::Index),
        }
    }

    /// A comparison, or what combines two of them.
    pub fn compare(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.push(Op::Binary(op, a, b), Class::Logical)
    }
}
