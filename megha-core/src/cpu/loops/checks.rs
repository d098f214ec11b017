//! The statements of a kernel's body, and the checks among them.

use super::contribution;
use super::plain::operation;
use crate::cpu::body::{Body, Dialect, Place};
use crate::cpu::expr::{Binds, Context, scalar};
use crate::cpu::kernel::Nest;
use crate::cpu::shared::Shared;
use crate::cpu::transfer::How;
use crate::hash::HashMap;
use crate::ir::{Cause, Check, Op, Stmt, Value};

/// The dialect inside kernels.
pub(super) struct Checks<'s, 'n, 'f> {
    pub(super) shared: &'s mut Shared,
    pub(super) nest: &'n Nest<'f>,
    /// The out-variables whose contributions the loop over points need not store.
    pub(super) direct: HashMap<usize, String>,
    /// Whether the plain form is written, in which a contribution is combined at once.
    pub(super) plain: bool,
    pub(super) sites: Vec<(String, String)>,
}

impl Checks<'_, '_, '_> {
    fn record(&mut self, body: &mut Body<'_>, stmt: &Stmt, Check { cause, text }: &Check) {
        let id = self.sites.len();
        self.sites.push((self.shared.site(stmt.loc), format!("rt::fault::Cause::{cause:?}, {text:?}")));
        let number = logical_number(self.nest, body);
        body.note("fault");
        body.code.line(format!("fault.record({number}, {id});"));
        body.code.line("continue 'points;");
    }
}

/// The number of an iteration, first axis fastest.
pub(super) fn logical_number(nest: &Nest<'_>, body: &Body<'_>) -> String {
    let mut text = String::new();
    for axis in (0..nest.numbers.len()).rev().filter(|a| nest.numbers[*a] != "0") {
        let number = &nest.numbers[axis];
        body.note(number);
        let extent = body.size(&nest.kernel.domain[axis]).within(Binds::Product);
        text = if text.is_empty() { number.clone() } else { format!("{number} + {extent} * ({text})") };
    }
    if text.is_empty() { "0".into() } else { text }
}

impl<'f> Dialect<'f> for Checks<'_, '_, 'f> {
    fn stmt(&mut self, body: &mut Body<'f>, stmt: &'f Stmt) {
        match &stmt.op {
            Op::Put(out, subs, value) => {
                let value = body.text(*value);
                let target = body.places.get(&std::ptr::from_ref(&stmt.op)).cloned();
                match target {
                    Some(Place::Row(name)) => {
                        body.note(&name);
                        body.code.line(format!("{name}[l] = {value};"));
                    }
                    Some(Place::At(name, at, linear)) => {
                        let method = if linear { "put_linear" } else { "put" };
                        body.note_all(&at);
                        body.note(&name);
                        body.code.line(format!("unsafe {{ {name}.{method}({at}, {value}) }};"));
                    }
                    Some(Place::General(name, linear)) => {
                        body.note(&name);
                        let ty = self.nest.out_types[*out].clone();
                        let at = body.subscripts(subs, &ty, linear);
                        let method = if linear { "put_linear" } else { "put" };
                        body.code.line(format!("unsafe {{ {name}.{method}({at}, {value}) }};"));
                    }
                    Some(Place::Uniform(_)) | None => self.shared.unsupported(body.func, stmt),
                }
            }
            Op::Accumulate(out, _) if !self.plain && self.direct.contains_key(out) => {}
            Op::Accumulate(out, value) => {
                let value = body.text(*value);
                let name = contribution(self.nest, *out);
                body.note(&name);
                body.code.line(match self.plain {
                    true => format!("{name} = {}::combine({name}, {value});", operation(self.nest, *out)),
                    false => format!("{name}[l] = {value};"),
                });
            }
            Op::Assert(cond, check) => {
                let cond = body.operand(*cond).within(Binds::Prefix);
                body.code.open(format!("if !{cond} {{"));
                self.record(body, stmt, check);
                body.code.close("}");
            }
            Op::ToIndex(a) => {
                let a = body.operand(*a).within(Binds::Cast);
                let define = body.define(stmt.results[0]);
                body.code.open(format!("{define}match rt::subscript::try_whole({a} as f64) {{"));
                body.code.line("Some(n) => n,");
                body.code.open("None => {");
                let check = Check { cause: Cause::Whole, text: "a subscript is not a whole number".into() };
                self.record(body, stmt, &check);
                body.code.close("}");
                body.code.close("};");
            }
            Op::Load(..) => {
                let text = body.load(&stmt.op);
                let define = body.define(stmt.results[0]);
                body.code.line(format!("{define}{text};"));
            }
            op => {
                let result = stmt.results[0];
                let class = body.func.ty(result).class;
                let Some(expr) = scalar(body, op, class) else {
                    return self.shared.unsupported(body.func, stmt);
                };
                let define = body.define(result);
                body.code.line(format!("{define}{};", expr.typed(class)));
            }
        }
    }

    fn returns(&mut self, _: &mut Body<'f>, _: &[(Value, How)]) {}

    fn copied(&self, body: &Body<'f>, value: Value) -> String {
        body.text(value)
    }
}
