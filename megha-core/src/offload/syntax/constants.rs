//! Constants: Rust's own, which the loop AST has as literals, and those from outside of the function, which become parameters of the compiled code.

use super::Converter;
use super::file::Kind;
use super::names::{Found, Space};
use super::outer::{Place, words};
use super::scope::Meaning;
use crate::offload::ast::{Expr as Ast, ExprKind, Ident, Param, ParamType, Scalar};
use quote::ToTokens;
use syn::ExprPath;

/// Constants of floating-point types.
const FLOATS: &[(&str, f64, f32)] = &[
    ("EPSILON", f64::EPSILON, f32::EPSILON),
    ("MAX", f64::MAX, f32::MAX),
    ("MIN", f64::MIN, f32::MIN),
    ("MIN_POSITIVE", f64::MIN_POSITIVE, f32::MIN_POSITIVE),
    ("INFINITY", f64::INFINITY, f32::INFINITY),
    ("NEG_INFINITY", f64::NEG_INFINITY, f32::NEG_INFINITY),
    ("NAN", f64::NAN, f32::NAN),
];

/// Constants of the modules `consts`.
const MATHEMATICS: &[(&str, f64, f32)] = &[
    ("PI", std::f64::consts::PI, std::f32::consts::PI),
    ("TAU", std::f64::consts::TAU, std::f32::consts::TAU),
    ("E", std::f64::consts::E, std::f32::consts::E),
    ("SQRT_2", std::f64::consts::SQRT_2, std::f32::consts::SQRT_2),
    ("FRAC_1_SQRT_2", std::f64::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2),
    ("LN_2", std::f64::consts::LN_2, std::f32::consts::LN_2),
    ("LN_10", std::f64::consts::LN_10, std::f32::consts::LN_10),
    ("LOG2_E", std::f64::consts::LOG2_E, std::f32::consts::LOG2_E),
    ("LOG10_E", std::f64::consts::LOG10_E, std::f32::consts::LOG10_E),
    ("LOG2_10", std::f64::consts::LOG2_10, std::f32::consts::LOG2_10),
    ("LOG10_2", std::f64::consts::LOG10_2, std::f32::consts::LOG10_2),
    ("FRAC_PI_2", std::f64::consts::FRAC_PI_2, std::f32::consts::FRAC_PI_2),
    ("FRAC_PI_3", std::f64::consts::FRAC_PI_3, std::f32::consts::FRAC_PI_3),
    ("FRAC_PI_4", std::f64::consts::FRAC_PI_4, std::f32::consts::FRAC_PI_4),
    ("FRAC_PI_6", std::f64::consts::FRAC_PI_6, std::f32::consts::FRAC_PI_6),
    ("FRAC_PI_8", std::f64::consts::FRAC_PI_8, std::f32::consts::FRAC_PI_8),
    ("FRAC_1_PI", std::f64::consts::FRAC_1_PI, std::f32::consts::FRAC_1_PI),
    ("FRAC_2_PI", std::f64::consts::FRAC_2_PI, std::f32::consts::FRAC_2_PI),
    ("FRAC_2_SQRT_PI", std::f64::consts::FRAC_2_SQRT_PI, std::f32::consts::FRAC_2_SQRT_PI),
];

impl Converter {
    /// Whether a name that is no variable is that of a constant: by Rust's conventions, or as the file says.
    pub fn is_constant(&self, name: &syn::Ident) -> bool {
        let text = name.to_string();
        match self.meaning(name) {
            Some(Meaning::Imported(_)) => true,
            Some(Meaning::Number(_) | Meaning::Lent(_) | Meaning::Array(_)) => false,
            Some(Meaning::Element(_) | Meaning::Tuple(_) | Meaning::Function(_) | Meaning::Closure(_)) => false,
            None => super::expr::is_constant(&text) || self.file_constant(&[text]),
        }
    }

    /// Whether the file says that a path is a constant.
    pub fn file_constant(&self, path: &[String]) -> bool {
        match self.resolve(path, Space::Value) {
            Found::Item(module, number) => self.outer.kind(module, number) == Some(Kind::Constant),
            Found::Elsewhere(_) | Found::Missing | Found::Unclear => false,
        }
    }

    /// A constant by its path.
    pub fn constant(&mut self, path: &ExprPath) -> Option<Ast> {
        let written = words(&path.path);
        let full = self.full_path(&written);
        let found = self.resolve(&full, Space::Value);
        let standard = match &found {
            Found::Elsewhere(path) => known(path),
            Found::Unclear if self.module().is_none() => known(&full),
            Found::Item(..) | Found::Missing | Found::Unclear => None,
        };
        if let Some(kind) = standard {
            return Some(self.made(kind, path));
        }
        if let (Found::Unclear, [.., ordering, name]) = (&found, &full[..])
            && let Some(kind) = of_ordering(name).filter(|_| ordering == "Ordering")
        {
            // Rust says whether it is that of `std`.
            self.checks.push(quote::quote!(let _: ::core::cmp::Ordering = #path;));
            return Some(self.made(kind, path));
        }
        let is_item = self.file_constant(&full);
        let last = full.last()?.clone();
        let plain = path.qself.is_none() && path.path.segments.iter().all(|s| s.arguments.is_none());
        if !plain || !(is_item || super::expr::is_constant(&last)) {
            self.refuse(
                path,
                "paths are not taken",
                "constants are, by names of capitals; pass anything else as a parameter",
            );
            return None;
        }
        let scalar = self.constant_type(&found, &last, path)?;
        let value = self.constant_value(&written, &full, &found, path)?;
        let name = self.outside(&last, &value, scalar, path);
        Some(self.variable(&name, path))
    }

    /// The type of a constant, as far as it is known. Rust checks it.
    fn constant_type(&mut self, found: &Found, name: &str, at: &ExprPath) -> Option<Option<Scalar>> {
        let (ty, place) = match found {
            Found::Item(module, number) => (self.outer.type_at(*module, *number), Place::Module(*module)),
            Found::Unclear if self.module().is_none() => (self.outer.constant_of(name), self.place),
            Found::Elsewhere(_) | Found::Missing | Found::Unclear => (None, self.place),
        };
        let Some(ty) = ty else { return Some(None) };
        let scalar = self.at_place(place, |this| this.scalar_type(&ty));
        if scalar.is_none() {
            self.refuse(at, "this constant is no number", "pass an array as a parameter");
        }
        scalar.map(Some)
    }

    /// What names a constant where the offloaded function begins.
    fn constant_value(&mut self, written: &[String], full: &[String], found: &Found, at: &ExprPath) -> Option<String> {
        let hidden = |path: &[String]| matches!(path, [one] if self.parameters.contains(one));
        let value = match (self.place, found) {
            (Place::Own, _) => (!hidden(full))
                .then(|| if full == written { at.to_token_stream().to_string() } else { full.join("::") }),
            (Place::Module(_), Found::Item(module, number)) => self.outer.way(*module, *number),
            (Place::Module(_), Found::Elsewhere(path))
                if matches!(path.first().map(|first| &first[..]), Some("std" | "core" | "crate")) =>
            {
                Some(path.join("::"))
            }
            (Place::Module(module), Found::Elsewhere(_) | Found::Missing | Found::Unclear) => {
                let same = self.outer.own() == Some(module);
                same.then(|| if full.len() == 1 { format!("self::{}", full[0]) } else { full.join("::") })
            }
        };
        if value.is_none() {
            self.refuse(
                at,
                format!("the constant `{}` of the function that is called here has no name where the offloaded function begins", written.join("::")),
                "pass it as an argument",
            );
        }
        value
    }

    /// `cfg!(debug_assertions)`, which the build decides.
    pub fn debug_assertions(&mut self, at: &impl ToTokens) -> Ast {
        let name = self.outside("debug_assertions", "cfg!(debug_assertions)", Some(Scalar::Bool), at);
        self.variable(&name, at)
    }

    /// The variable of the loop AST for something from outside.
    pub fn outside(&mut self, shown: &str, value: &str, scalar: Option<Scalar>, at: &impl ToTokens) -> String {
        if let Some(known) = self.constants.iter().find(|known| known.value == value) {
            return known.name.text.clone();
        }
        let text = self.fresh(shown);
        let name = Ident { text: text.clone(), span: self.span(at) };
        self.constants.push(Param { name, value: value.to_owned(), ty: ParamType::Constant(scalar) });
        text
    }
}

/// A constant of Rust's own.
pub fn known(words: &[String]) -> Option<ExprKind> {
    let words: Vec<&str> = words.iter().map(|word| &word[..]).collect();
    let words = match &words[..] {
        ["std" | "core", rest @ ..] => rest,
        all => all,
    };
    let float = |ty: &str, table: &[(&str, f64, f32)], name: &str| {
        let (_, double, single) = table.iter().find(|(known, ..)| *known == name)?;
        match ty {
            "f64" => Some(ExprKind::Float(*double, *single, Some(Scalar::F64))),
            "f32" => Some(ExprKind::Float(*double, *single, Some(Scalar::F32))),
            _ => None,
        }
    };
    match *words {
        [ty, "consts", name] => float(ty, MATHEMATICS, name),
        ["cmp", "Ordering", name] => of_ordering(name),
        [ty, name] => float(ty, FLOATS, name).or_else(|| {
            let scalar = Scalar::from_name(ty)?;
            let (least, most) = scalar.range()?;
            match name {
                "MAX" => Some(ExprKind::Int(most, Some(scalar))),
                "MIN" => Some(ExprKind::Int(least, Some(scalar))),
                "BITS" => Some(ExprKind::Int(i128::from(scalar.bits()?.0), Some(Scalar::U32))),
                _ => None,
            }
        }),
        _ => None,
    }
}

/// `Ordering::Less` and its like as the numbers that Rust casts them to.
fn of_ordering(name: &str) -> Option<ExprKind> {
    let sign = match name {
        "Less" => -1,
        "Equal" => 0,
        "Greater" => 1,
        _ => return None,
    };
    Some(ExprKind::Int(sign, Some(Scalar::I8)))
}
