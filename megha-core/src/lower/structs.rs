//! Structs whose fields are known when compiling. A field is a variable of its own (`matlab/fields.rs`), so fields change in loops and
//! branches as other variables do; a whole struct is an operand of the lowering: it is put together where it is passed on, and taken
//! apart where it is assigned. `Env` remembers in which order the fields were created.

use super::env::{Binding, Env};
use super::lists::List;
use super::{Lower, Lowered, Operand, Stop};
use crate::diag::{Code, Diagnostic};
use crate::matlab::ast::{Access, AccessKind, Expr, ExprKind, LValue, Name};
use crate::source::Span;

/// A whole struct.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Struct {
    /// In the order of creation.
    pub fields: Vec<(String, Operand)>,
}

/// Functions of structs.
const FUNCTIONS: &[&str] =
    &["struct", "isfield", "isstruct", "fieldnames", "getfield", "setfield", "rmfield", "numfields"];

/// The struct that a field is of, and the field's name.
pub(super) fn field_of(name: &str) -> Option<(&str, &str)> {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    name.rsplit_once('.').filter(|(root, _)| plain && root.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Whether a variable, or the struct that it is a field of, is among names.
pub(super) fn mentioned_in(names: &super::live::Names, name: &str) -> bool {
    names.contains(name) || field_of(name).is_some_and(|(root, _)| mentioned_in(names, root))
}

impl Env {
    /// Binds a variable to an operand: a struct field by field.
    pub fn bind(&mut self, name: &str, operand: Operand, span: Span) {
        self.remove(name);
        match operand {
            Operand::Struct(whole) => {
                self.new_struct(name);
                for (field, operand) in whole.fields {
                    self.bind(&format!("{name}.{field}"), operand, span);
                }
            }
            operand => self.set(name, Binding::Is(operand), span),
        }
    }
}

impl Lower<'_> {
    /// A variable that is a struct, as a whole.
    pub fn whole_struct(&mut self, name: &str, span: Span) -> Lowered<Struct> {
        let mut fields = Vec::new();
        for field in self.env.fields(name) {
            let variable = format!("{name}.{field}");
            let operand = match self.env.get(&variable) {
                Some(Binding::Is(operand)) => operand.clone(),
                Some(Binding::Maybe(..)) => {
                    let message = format!("whether `{name}` has the field `{field}` here depends on the way taken");
                    return self.report(
                        Diagnostic::error(Code::Struct, span, message).help("give the field a value on all ways"),
                    );
                }
                Some(_) => self.name(&variable, span)?,
                None => Operand::Struct(self.whole_struct(&variable, span)?),
            };
            fields.push((field, operand));
        }
        Ok(Struct { fields })
    }

    /// Reports a field of a variable that is no struct, before it gets a value.
    pub fn may_have_fields(&mut self, name: &str, span: Span) -> Lowered<()> {
        let Some((root, _)) = field_of(name) else { return Ok(()) };
        self.may_have_fields(root, span)?;
        match self.env.get(root).cloned() {
            None => Ok(()),
            Some(Binding::Is(Operand::Value(v))) if self.builder.func.ty(v).numel().as_constant() == Some(0) => {
                self.env.remove(root);
                Ok(())
            }
            Some(_) => self.no_field(name, span),
        }
    }

    pub fn struct_refused<T>(&mut self, span: Span) -> Lowered<T> {
        self.report(Diagnostic::error(Code::Struct, span, "a whole struct cannot stand here").help(
            "name its field, p.a; whole structs can be assigned, passed to functions of the program and returned",
        ))
    }

    /// A field of something that has none here.
    pub fn no_field<T>(&mut self, name: &str, span: Span) -> Lowered<T> {
        let (root, field) = field_of(name).unwrap_or((name, ""));
        let Some(binding) = self.env.get(root) else {
            let message = match self.env.is_struct(root) {
                true => format!("`{root}` has no field `{field}` here"),
                false => format!("`{root}` is no struct here whose fields are known"),
            };
            return self.report(
                Diagnostic::error(Code::Struct, span, message).help(
                    "assign the fields in this program, p.a = 1; arrays of structs and objects are not supported",
                ),
            );
        };
        if *binding == Binding::Poison {
            return Err(Stop);
        }
        self.report(
            Diagnostic::error(Code::Struct, span, format!("`{root}` is no struct, so it has no field `{field}`"))
                .help("pass the fields as separate arguments"),
        )
    }

    /// `p.(name)` with a name that is known.
    pub fn dynamic_field(&mut self, object: &Expr, field: &Expr, span: Span) -> Lowered<Operand> {
        let ExprKind::Ident(name) = &object.kind else { return self.struct_refused(span) };
        let field = self.field_name(field)?;
        self.name(&format!("{name}.{field}"), span)
    }

    /// `f(x).a`, `p.(name).a`, `c{1}.a`
    pub fn field_of_call(&mut self, object: &Expr, field: &str, span: Span) -> Lowered<Operand> {
        let Operand::Struct(whole) = self.expr(object)? else {
            return self.stop(Code::Struct, span, format!("this is no struct, so it has no field `{field}`"));
        };
        match whole.fields.into_iter().find(|(name, _)| name == field) {
            Some((_, operand)) => Ok(operand),
            None => self.stop(Code::Struct, span, format!("there is no field `{field}`")),
        }
    }

    fn field_name(&mut self, field: &Expr) -> Lowered<String> {
        match self.expr(field)? {
            Operand::Text(text) => Ok(text),
            _ => self.stop(Code::Struct, field.span, "which field this is must be known when compiling"),
        }
    }

    /// `p.(name)(i) = e` with a name that is known: the target without the question.
    pub fn known_target(&mut self, target: &LValue) -> Lowered<Option<LValue>> {
        let [Access { kind: AccessKind::DynamicField(field), .. }, rest @ ..] = &target.accesses[..] else {
            return Ok(None);
        };
        let text = format!("{}.{}", target.name.text, self.field_name(field)?);
        Ok(Some(LValue { name: Name { text, span: target.name.span }, accesses: rest.to_vec(), span: target.span }))
    }

    /// A call of a function of structs; `None` of another function, or where a number is asked whether it is one.
    pub fn about_structs(&mut self, name: &str, args: &[Expr], span: Span) -> Option<Lowered<Vec<Operand>>> {
        if let [Expr { kind: ExprKind::Ident(variable), .. }] = args
            && self.env.is_struct(variable)
        {
            match name {
                "isempty" => return Some(Ok(self.known(false))),
                "isscalar" => return Some(Ok(self.known(true))),
                "numel" | "length" | "rows" | "columns" => return Some(Ok(vec![Operand::Value(self.number(1.0))])),
                _ => {}
            }
        }
        FUNCTIONS.contains(&name).then(|| self.of_structs(name, args, span))
    }

    fn of_structs(&mut self, name: &str, args: &[Expr], span: Span) -> Lowered<Vec<Operand>> {
        if name == "struct" {
            return self.new_struct(args, span).map(|whole| vec![Operand::Struct(whole)]);
        }
        let [first, further @ ..] = args else {
            return self.stop(Code::ArgumentCount, span, format!("`{name}` takes a struct"));
        };
        if let ("isfield", ExprKind::Ident(variable), [Expr { kind: ExprKind::Str { text, .. }, .. }]) =
            (name, &first.kind, further)
            && let Some(Binding::Maybe(_, defined)) = self.env.get(&format!("{variable}.{text}"))
        {
            return Ok(vec![Operand::Value(*defined)]);
        }
        let operand = self.expr(first)?;
        let Operand::Struct(mut whole) = operand else {
            return match name {
                "isstruct" | "isfield" => Ok(self.known(false)),
                _ => self.stop(Code::Struct, first.span, format!("`{name}` takes a struct")),
            };
        };
        let place = |whole: &Struct, field: &str| whole.fields.iter().position(|(name, _)| name == field);
        match (name, further) {
            ("isstruct", []) => Ok(self.known(true)),
            ("numfields", []) => Ok(vec![Operand::Value(self.number(whole.fields.len() as f64))]),
            ("fieldnames", []) => {
                let items = whole.fields.into_iter().map(|(field, _)| Operand::Text(field)).collect();
                Ok(vec![Operand::List(List { items, column: true })])
            }
            ("isfield", [field]) => match self.expr(field)? {
                Operand::Text(field) => Ok(self.known(place(&whole, &field).is_some())),
                _ => self.stop(Code::Struct, field.span, "the field must be one text that is known when compiling"),
            },
            ("getfield", [field]) => {
                let field = self.field_name(field)?;
                match place(&whole, &field) {
                    Some(at) => Ok(vec![whole.fields.swap_remove(at).1]),
                    None => self.stop(Code::Struct, span, format!("there is no field `{field}`")),
                }
            }
            ("setfield", [field, value]) => {
                let (field, value) = (self.field_name(field)?, self.expr(value)?);
                match place(&whole, &field) {
                    Some(at) => whole.fields[at].1 = value,
                    None => whole.fields.push((field, value)),
                }
                Ok(vec![Operand::Struct(whole)])
            }
            ("rmfield", [field]) => {
                let field = self.field_name(field)?;
                match place(&whole, &field) {
                    Some(at) => drop(whole.fields.remove(at)),
                    None => return self.stop(Code::Struct, span, format!("there is no field `{field}`")),
                }
                Ok(vec![Operand::Struct(whole)])
            }
            _ => self.stop(Code::ArgumentCount, span, format!("`{name}` takes other arguments")),
        }
    }

    /// `struct('a', 1, 'b', {{2, 3}})`
    fn new_struct(&mut self, args: &[Expr], span: Span) -> Lowered<Struct> {
        let mut whole = Struct::default();
        let operands = self.arguments(args)?;
        for pair in operands.chunks(2) {
            let [Operand::Text(field), value] = pair else {
                return self.stop(Code::Struct, span, "`struct` takes names of fields, each with a value");
            };
            let value = match value {
                Operand::List(list) => match &list.items[..] {
                    [one] => one.clone(),
                    _ => {
                        return self.stop(
                            Code::Struct,
                            span,
                            "arrays of structs are not supported: write {{a, b}} for a field that is a list",
                        );
                    }
                },
                value => value.clone(),
            };
            whole.fields.retain(|(name, _)| name != field);
            whole.fields.push((field.clone(), value));
        }
        Ok(whole)
    }
}
