//! Complex numbers of `num_complex`: `Complex<f64>` and what gives such numbers.
//!
//! Whether a name means that crate's type Rust is asked, by a conversion beside the code.

use super::Converter;
use super::expr::plain;
use super::names::{Found, Space};
use super::outer::{Place as Where, words};
use crate::ir::Part;
use crate::offload::ast::{BinaryOp, Expr as Ast, ExprKind, Scalar, Stmt, StmtKind};
use quote::{ToTokens, quote};
use syn::{Expr, ExprCall, ExprField, ExprPath, ExprStruct, Member, Path, PathArguments, Type};

impl Converter {
    /// Whether a type is that of complex numbers.
    pub fn is_complex_type(&mut self, ty: &Type) -> bool {
        let path = match ty {
            Type::Path(path) if path.qself.is_none() => &path.path,
            Type::Group(group) => return self.is_complex_type(&group.elem),
            Type::Paren(paren) => return self.is_complex_type(&paren.elem),
            _ => return false,
        };
        self.is_complex_path(path)
    }

    /// Whether a path is that of the type; Rust is asked.
    fn is_complex_path(&mut self, path: &Path) -> bool {
        let Some(last) = path.segments.last() else { return false };
        let doubles = match &last.arguments {
            PathArguments::AngleBracketed(args) => args.args.to_token_stream().to_string() == "f64",
            PathArguments::None | PathArguments::Parenthesized(_) => false,
        };
        let named = match &last.ident.to_string()[..] {
            "Complex64" => last.arguments.is_empty(),
            "Complex" => doubles,
            _ => false,
        };
        named && self.means_complex(path)
    }

    /// A path as it is written where no block's `use` is seen.
    fn outside_of_blocks(&self, path: &Path) -> Path {
        let written = words(path);
        let full = self.full_path(&written);
        let Ok(mut found) = syn::parse_str::<Path>(&full.join("::")) else { return path.clone() };
        if full == written {
            return path.clone();
        }
        if let (Some(last), Some(named)) = (found.segments.last_mut(), path.segments.last()) {
            last.arguments = named.arguments.clone();
        }
        found
    }

    /// Whether a path of such a name is that of `num_complex`. Where the function stands Rust is asked; elsewhere the file has to say it.
    fn means_complex(&mut self, path: &Path) -> bool {
        let asked = self.place == Where::Own && self.call.is_none();
        match self.resolve(&self.full_path(&words(path)), Space::Type) {
            Found::Item(..) => return false,
            Found::Elsewhere(from) if !asked => {
                return from.first().is_some_and(|first| matches!(&first[..], "num_complex" | "num" | "megha"));
            }
            Found::Missing | Found::Unclear if !asked => return false,
            Found::Elsewhere(_) | Found::Missing | Found::Unclear => {}
        }
        let path = self.outside_of_blocks(path);
        let text = path.to_token_stream().to_string();
        if !self.complex_names.contains(&text) {
            self.checks.push(quote!(const _: fn(#path) -> ::megha::rt::c64 = |number| number;));
            self.complex_names.push(text);
        }
        true
    }

    /// What stands before the last name of a path that is one of complex numbers' own: `new` of `Complex::new`. In expressions the type
    /// of the parts may be left out.
    fn of_complex(&mut self, path: &ExprPath) -> Option<String> {
        if path.qself.is_some() {
            return None;
        }
        let mut owner = path.path.clone();
        let name = owner.segments.pop()?;
        owner.segments.pop_punct();
        let last = owner.segments.last_mut()?;
        if last.ident == "Complex" && last.arguments.is_empty() {
            last.arguments = PathArguments::AngleBracketed(syn::parse_quote!(<f64>));
        }
        if let PathArguments::AngleBracketed(args) = &mut last.arguments {
            args.colon2_token = None;
        }
        let named = Type::Path(syn::TypePath { attrs: Vec::new(), qself: None, path: owner });
        let (written, place) = self.resolved(&named);
        self.at_place(place, |this| this.is_complex_type(&written)).then(|| name.ident.to_string())
    }

    /// `Complex64::I` and its like.
    pub fn complex_constant(&mut self, path: &ExprPath) -> Option<Ast> {
        let parts = match &self.of_complex(path)?[..] {
            "ZERO" => (0.0, 0.0),
            "ONE" => (1.0, 0.0),
            "I" => (0.0, 1.0),
            _ => return None,
        };
        Some(self.complex_number(parts, path))
    }

    fn complex_number(&mut self, (re, im): (f64, f64), at: &impl ToTokens) -> Ast {
        let [re, im] = [re, im].map(|x| self.made(ExprKind::Float(x, x as f32, Some(Scalar::F64)), at));
        self.made(ExprKind::Complex(Box::new(re), Box::new(im)), at)
    }

    /// `Complex::new(a, b)` and its like; `None` if a call is none of these.
    pub fn complex_call(&mut self, call: &ExprCall) -> Option<Option<Ast>> {
        let Expr::Path(path) = plain(&call.func) else { return None };
        let function = self.of_complex(path)?;
        let args: Vec<Option<Ast>> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let Some(mut args) = args.into_iter().collect::<Option<Vec<Ast>>>() else { return Some(None) };
        let made = match (&function[..], args.len()) {
            ("new", 2) => {
                let im = args.remove(1);
                let kind = ExprKind::Complex(Box::new(args.remove(0)), Box::new(im));
                Some(self.made(kind, call))
            }
            ("from", 1) => {
                let zero = self.made(ExprKind::Float(0.0, 0.0, Some(Scalar::F64)), call);
                let kind = ExprKind::Complex(Box::new(args.remove(0)), Box::new(zero));
                Some(self.made(kind, call))
            }
            ("i", 0) => Some(self.complex_number((0.0, 1.0), call)),
            ("zero" | "default", 0) => Some(self.complex_number((0.0, 0.0), call)),
            ("one", 0) => Some(self.complex_number((1.0, 0.0), call)),
            _ => {
                let help = "`Complex::new`, `from` of a number, `i`, `zero`, `one`, `default` and the methods of numbers are taken";
                self.refuse(call, "this function of complex numbers is not taken", help);
                None
            }
        };
        Some(made)
    }

    /// `Complex { re: a, im: b }`; `None` if a literal is another one.
    pub fn complex_struct(&mut self, literal: &ExprStruct) -> Option<Option<Ast>> {
        let mut path = literal.path.clone();
        if let Some(last) = path.segments.last_mut().filter(|last| last.ident == "Complex" && last.arguments.is_empty())
        {
            last.arguments = PathArguments::AngleBracketed(syn::parse_quote!(<f64>));
        }
        if literal.rest.is_some() || !self.is_complex_path(&path) {
            return None;
        }
        let field = |name: &str| {
            let is_it = |field: &&syn::FieldValue| matches!(&field.member, Member::Named(own) if own == name);
            literal.fields.iter().find(is_it).map(|field| field.expr.clone())
        };
        let (re, im) = (field("re")?, field("im")?);
        let (re, im) = (self.expr(&re), self.expr(&im));
        Some(re.zip(im).map(|(re, im)| self.made(ExprKind::Complex(Box::new(re), Box::new(im)), literal)))
    }

    /// `z.re` or `z.im`; `None` if a field is none of these.
    pub fn complex_part(&mut self, field: &ExprField) -> Option<Option<Ast>> {
        let part = part(&field.member)?;
        let z = self.expr(&field.base);
        Some(z.map(|z| self.made(ExprKind::Part(part, Box::new(z)), field)))
    }

    /// `z.re = x` and `z.re += x`: the whole number is stored, its other part as it was. `None` if a field is no part.
    pub fn part_assignment(
        &mut self,
        (field, op, value): (&ExprField, Option<BinaryOp>, &Expr),
        out: &mut Vec<Stmt>,
    ) -> Option<Option<()>> {
        let part = part(&field.member)?;
        Some(self.part_stored(part, (field, op, value), out))
    }

    fn part_stored(
        &mut self,
        part: Part,
        (field, op, value): (&ExprField, Option<BinaryOp>, &Expr),
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let value = self.expr(value);
        let mut before = Vec::new();
        let place = self.place_once(&field.base, &mut before);
        let (place, mut value) = (place?, value?);
        if !before.is_empty() {
            // Rust computes the value first.
            let held = self.hold(value, "held", field, out);
            value = self.variable(&held, field);
            out.append(&mut before);
        }
        let [re, im] = [Part::Real, Part::Imag]
            .map(|part| Box::new(self.made(ExprKind::Part(part, Box::new(place.clone())), field)));
        let (own, other) = if part == Part::Real { (re, im) } else { (im, re) };
        let value = match op {
            Some(op) => self.made(ExprKind::Binary(op, own, Box::new(value)), field),
            None => value,
        };
        let value = Box::new(value);
        let (re, im) = if part == Part::Real { (value, other) } else { (other, value) };
        let value = self.made(ExprKind::Complex(re, im), field);
        let (place, span) = (self.place_of(place, &field.base)?, self.span(field));
        out.push(Stmt { kind: StmtKind::Assign { place, op: None, value }, span });
        Some(())
    }
}

fn part(member: &Member) -> Option<Part> {
    match member {
        Member::Named(name) if name == "re" => Some(Part::Real),
        Member::Named(name) if name == "im" => Some(Part::Imag),
        Member::Named(_) | Member::Unnamed(_) => None,
    }
}
