//! Host code for output, texts, random numbers and the clock.

use super::body::Body;
use super::expr::{Context, rust_type};
use super::host::Host;
use crate::ir::{Ambient, Class, Look, Op, ShownKind, Stmt, Stream, TextOp, Value};

impl Host<'_> {
    /// The statement for an operation that is carried out for its effect alone.
    pub fn message(&mut self, body: &Body<'_>, stmt: &Stmt) -> Option<String> {
        Some(match &stmt.op {
            Op::Raise { identifier, format, args } => {
                let (args, site) = (self.arguments(body, args), self.shared.site(stmt.loc));
                format!("return Err(rt::text::error({identifier:?}, {format:?}, {args}, {site}));")
            }
            Op::Print(stream, format, args) => {
                let write = match stream {
                    Stream::Output => "write",
                    Stream::Error => "write_error",
                    Stream::Warning => "warn",
                };
                let args = self.arguments(body, args);
                format!("rt::output::{write}(&rt::text::message({format:?}, {args}));")
            }
            Op::Display(look, args) => {
                let shown = self.shown(body, look, args);
                format!("rt::output::write(&rt::text::display({:?}, &{shown}));", look.name)
            }
            Op::Ambient(Ambient::Seed, args) => format!("rt::random::seed_number({});", body.operand(args[0]).text()),
            _ => return None,
        })
    }

    /// The expression for a text or for a reading of the process's state.
    pub fn made(&mut self, body: &Body<'_>, stmt: &Stmt) -> Option<String> {
        match &stmt.op {
            Op::Text(op, args) => Some(self.text(body, *op, args)),
            Op::Ambient(op, _) => Some(match op {
                Ambient::Draw => "rt::random::draw()".to_owned(),
                Ambient::Time => "rt::clock::time()".to_owned(),
                Ambient::CpuTime => "rt::clock::cpu_time()".to_owned(),
                Ambient::Tic => "rt::clock::tic()".to_owned(),
                Ambient::Toc => format!("rt::clock::toc({})?", self.shared.site(stmt.loc)),
                Ambient::Seed => return None,
            }),
            _ => None,
        }
    }

    fn text(&self, body: &Body<'_>, op: TextOp, args: &[Value]) -> String {
        if matches!(op, TextOp::Format | TextOp::Trimmed) {
            let text = format!("rt::text::message({}, {})", borrowed(body, args[0]), self.arguments(body, &args[1..]));
            return if op == TextOp::Trimmed { format!("rt::text::trimmed(&{text})") } else { text };
        }
        let list = self.argument(body, args[0]);
        let parts = if op == TextOp::Pair { 2 } else { 1 };
        let digits = args.get(parts).map(|v| format!("{} as usize", body.operand(*v).within(super::expr::Binds::Cast)));
        match (op, digits) {
            (TextOp::Matrix, Some(digits)) => {
                let logical = body.func.ty(args[0]).class == Class::Logical;
                let rows = match body.func.ty(args[0]).is_scalar() {
                    true => "1".to_owned(),
                    false => format!("{}.shape()[0]", self.view(body, args[0])),
                };
                format!("rt::text::mat2str({rows}, {list}, {digits}, {logical})")
            }
            (TextOp::Pair, digits) => {
                let (re, im) = (body.text(args[0]), body.text(args[1]));
                let digits = digits.map_or_else(|| "None".to_owned(), |digits| format!("Some({digits})"));
                format!("rt::text::num2str_complex({re}, {im}, {digits})")
            }
            (TextOp::Characters, _) => format!("rt::text::characters({list})"),
            (_, Some(digits)) => format!("rt::text::num2str_precise({list}, {digits})"),
            (_, None) => format!("rt::text::num2str({list})"),
        }
    }

    /// The value to display, with what `rt::text::Shown` says of it.
    fn shown(&self, body: &Body<'_>, look: &Look, args: &[Value]) -> String {
        let kind = match look.kind {
            ShownKind::Plain => "Plain".to_owned(),
            ShownKind::Range => format!("Range({})", body.operand(args[1]).text()),
            ShownKind::Diagonal => "Diagonal".to_owned(),
            ShownKind::Permutation => "Permutation".to_owned(),
            ShownKind::Complex => format!("Complex({})", self.argument(body, args[1])),
            ShownKind::Pairs => format!("Pairs({})", self.argument(body, args[1])),
        };
        let precision = match (look.long, body.func.ty(args[0]).class) {
            (false, _) => "SHORT",
            (true, Class::Single) => "LONG_SINGLE",
            (true, _) => "LONG",
        };
        let (dims, elements) = (self.dims(body, args[0]), self.argument(body, args[0]));
        format!(
            "rt::text::Shown {{ dims: {dims}, elements: {elements}, kind: rt::text::Kind::{kind}, precision: \
             rt::text::Precision::{precision} }}"
        )
    }

    /// The sizes of a value.
    fn dims(&self, body: &Body<'_>, value: Value) -> String {
        if body.func.ty(value).is_scalar() {
            "&[1, 1]".to_owned()
        } else {
            format!("&{}.shape()", self.view(body, value))
        }
    }

    /// The arguments of a format.
    fn arguments(&self, body: &Body<'_>, args: &[Value]) -> String {
        let list: Vec<String> = args.iter().map(|a| self.argument(body, *a)).collect();
        format!("&[{}]", list.join(", "))
    }

    fn argument(&self, body: &Body<'_>, value: Value) -> String {
        let ty = body.func.ty(value);
        let class = rust_type(ty.class);
        match (ty.is_scalar(), ty.class) {
            (true, Class::Char) => format!("&[rt::text::Arg::Text({})]", borrowed(body, value)),
            (true, _) => format!("&[<{class} as rt::text::Number>::arg({})]", body.text(value)),
            (false, _) => format!("&rt::text::list({})", self.view(body, value)),
        }
    }
}

/// A text to be read: a literal, or a variable that owns it.
pub(super) fn borrowed(body: &Body<'_>, value: Value) -> String {
    let text = body.text(value);
    if text.starts_with('"') { text } else { format!("&{text}") }
}
