//! Straight-line arithmetic with vector registers in place of numbers ([`crate::schedule::straight`]): values of `rt::Wide`, as `V`.

use super::Writer;
use super::places::texts;
use crate::cpu::body::Body;
use crate::cpu::expr::{Context, Expr, scalar};
use crate::hash::HashMap;
use crate::ir::{Binary, Class, Func, Op, Unary, Value};

/// A value in the body of a loop.
#[derive(Clone)]
pub(super) enum Text {
    /// The same for all points of a row.
    Number(Expr),
    /// Registers.
    Wide(String),
}

/// The values of an iteration that are numbers, for expressions of them.
struct Numbers<'a, 'f, 'n> {
    writer: &'a Writer<'n, 'f>,
    body: &'a Body<'f>,
    values: &'a HashMap<Value, Text>,
}

impl Context for Numbers<'_, '_, '_> {
    fn func(&self) -> &Func {
        self.body.func
    }

    fn operand(&self, value: Value) -> Expr {
        match self.values.get(&value) {
            Some(Text::Number(expr)) => expr.clone(),
            Some(Text::Wide(name)) => Expr::name(name.clone()),
            None => self.writer.nest.uniform(self.body, value),
        }
    }

    fn is_bounded(&self, value: Value) -> bool {
        self.body.is_bounded(value)
    }
}

/// The method of `rt::Wide` for an operation.
fn method(op: Binary) -> Option<&'static str> {
    match op {
        Binary::Add => Some("plus"),
        Binary::Sub => Some("minus"),
        Binary::Mul => Some("times"),
        Binary::Div => Some("over"),
        _ => None,
    }
}

impl<'f> Writer<'_, 'f> {
    /// Loads an element that is the same for all points.
    pub(super) fn number(
        &mut self,
        body: &mut Body<'f>,
        (op, result): (&Op, Value),
        values: &mut HashMap<Value, Text>,
    ) {
        let access = self.nest.accesses.iter().find(|a| std::ptr::eq(a.op, op));
        let Some((access, array)) = access.and_then(|a| Some((a, self.nest.array(a.mem)?))) else { return };
        let Some(at) = self.subscripts(body, access) else { return };
        let name = body.fresh_name(result);
        self.run.line(format!("let {name} = unsafe {{ self.{}.at([{}]) }};", array.name, texts(&at)));
        values.insert(result, Text::Number(Expr::name(name)));
    }

    /// Computes a value: as registers where an operand is so.
    pub(super) fn computed(
        &mut self,
        body: &mut Body<'f>,
        (op, result): (&Op, Value),
        values: &mut HashMap<Value, Text>,
    ) {
        let class = body.func.ty(result).class;
        let is_wide = |value: &Value| matches!(values.get(value), Some(Text::Wide(_)));
        let wide = |value: &Value| self.wide(body, values, *value, class);
        let text = match op {
            Op::Binary(op, a, b) if is_wide(a) || is_wide(b) => {
                method(*op).map(|method| format!("V::{method}({}, {})", wide(a), wide(b)))
            }
            Op::Fma(a, b, c) if [a, b, c].into_iter().any(is_wide) => {
                Some(format!("V::fused({}, {}, {})", wide(a), wide(b), wide(c)))
            }
            Op::Unary(Unary::Neg, a) if is_wide(a) => Some(format!("V::minus(V::all(-0.0), {})", wide(a))),
            op => {
                let Some(expr) = scalar(&Numbers { writer: self, body, values }, op, class) else { return };
                let number = if matches!(op, Op::Const(_)) {
                    expr
                } else {
                    let name = body.fresh_name(result);
                    self.run.line(format!("let {name} = {};", expr.typed(class).text()));
                    Expr::name(name)
                };
                values.insert(result, Text::Number(number));
                return;
            }
        };
        let Some(text) = text else { return };
        let name = body.fresh_name(result);
        self.run.line(format!("let {name} = unsafe {{ {text} }};"));
        values.insert(result, Text::Wide(name));
    }

    /// A value as registers.
    pub(super) fn wide(&self, body: &Body<'f>, values: &HashMap<Value, Text>, value: Value, class: Class) -> String {
        match values.get(&value) {
            Some(Text::Wide(name)) => name.clone(),
            _ => {
                let number = Numbers { writer: self, body, values }.operand(value).typed(class).text();
                format!("V::all({number})")
            }
        }
    }
}
