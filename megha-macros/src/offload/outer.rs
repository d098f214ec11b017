//! What the file around an offloaded function says: the types of its constants, type aliases, helper functions.
//!
//! A macro sees its own tokens. The file is read when a name is met that the function does not explain, at most once; where it cannot be
//! read (an editor's unsaved buffer, code from another macro) nothing is known of it.

use super::Converter;
use megha_core::offload::ast::{Expr as Ast, ExprKind, Ident, Param, ParamType, Scalar};
use quote::ToTokens;
use std::cell::OnceCell;
use syn::{Attribute, ExprPath, Item, ItemFn, Type};

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

/// The file around a function.
#[derive(Default)]
pub struct Outer {
    path: Option<std::path::PathBuf>,
    items: OnceCell<Vec<Item>>,
}

impl Outer {
    /// The file that this text stands in.
    pub fn of(path: Option<std::path::PathBuf>) -> Self {
        Self { path, items: OnceCell::new() }
    }

    fn items(&self) -> &[Item] {
        self.items.get_or_init(|| {
            let text = self.path.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
            text.and_then(|text| syn::parse_file(&text).ok()).map(|file| file.items).unwrap_or_default()
        })
    }

    /// A function that may be expanded where it is called.
    pub fn helper(&self, name: &str) -> Option<ItemFn> {
        let mut found = Vec::new();
        walk(self.items(), &mut |item| {
            if let Item::Fn(function) = item
                && function.sig.ident == name
                && function.attrs.iter().any(may_be_expanded)
            {
                found.push(function.clone());
            }
        });
        // Of two of one name it cannot be known which is meant.
        if found.len() == 1 { found.pop() } else { None }
    }

    /// What a type alias stands for.
    pub fn alias(&self, name: &str) -> Option<Type> {
        let mut found = Vec::new();
        walk(self.items(), &mut |item| {
            if let Item::Type(alias) = item
                && alias.ident == name
                && alias.generics.type_params().next().is_none()
            {
                found.push((*alias.ty).clone());
            }
        });
        found.dedup_by_key(|ty| ty.to_token_stream().to_string());
        if found.len() == 1 { found.pop() } else { None }
    }

    /// The type of a constant.
    fn constant(&self, name: &str) -> Option<Type> {
        let mut found = Vec::new();
        walk(self.items(), &mut |item| match item {
            Item::Const(constant) if constant.ident == name => found.push((*constant.ty).clone()),
            Item::Static(constant) if constant.ident == name => found.push((*constant.ty).clone()),
            _ => {}
        });
        found.dedup_by_key(|ty| ty.to_token_stream().to_string());
        if found.len() == 1 { found.pop() } else { None }
    }
}

/// Goes through items, those of modules too.
fn walk(items: &[Item], found: &mut dyn FnMut(&Item)) {
    for item in items {
        found(item);
        if let Item::Mod(module) = item
            && let Some((_, inner)) = &module.content
        {
            walk(inner, found);
        }
    }
}

/// `#[megha::offload]`, `#[megha::inline]`, `#[inline]`.
fn may_be_expanded(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "offload" || last.ident == "inline")
}

impl Converter {
    /// A constant: one of Rust's, or one from outside of the function, which becomes a parameter of the compiled code.
    pub fn constant(&mut self, path: &ExprPath) -> Option<Ast> {
        let words: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
        if let Some(kind) = known(&words) {
            return Some(self.made(kind, path));
        }
        let last = words.last()?.clone();
        if path.qself.is_some() || !super::expr::is_constant(&last) {
            self.refuse(
                path,
                "paths are not taken",
                "constants are, by names of capitals; pass anything else as a parameter",
            );
            return None;
        }
        let ty = self.outer.constant(&last);
        let scalar = ty.as_ref().and_then(|ty| self.scalar_type(ty));
        if ty.is_some() && scalar.is_none() {
            self.refuse(path, "this constant is no number", "pass an array as a parameter");
            return None;
        }
        let name = self.outside(&last, &path.to_token_stream().to_string(), scalar, path);
        Some(self.variable(&name, path))
    }

    /// `cfg!(debug_assertions)`, which the build decides.
    pub fn debug_assertions(&mut self, at: &impl ToTokens) -> Ast {
        let name = self.outside("debug_assertions", "cfg!(debug_assertions)", Some(Scalar::Bool), at);
        self.variable(&name, at)
    }

    /// The variable of the loop AST for something from outside.
    fn outside(&mut self, shown: &str, value: &str, scalar: Option<Scalar>, at: &impl ToTokens) -> String {
        if let Some(known) = self.constants.iter().find(|known| known.value == value) {
            return known.name.text.clone();
        }
        let text = self.fresh(shown);
        let name = Ident { text: text.clone(), span: self.span(at) };
        self.constants.push(Param { name, value: value.to_owned(), ty: ParamType::Constant(scalar) });
        text
    }

    /// A type with aliases of the file resolved.
    pub fn resolved(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        for _ in 0..4 {
            let alias = match &ty {
                Type::Path(path) if path.qself.is_none() => {
                    path.path.segments.last().and_then(|last| self.alias_of(&last.ident.to_string()))
                }
                Type::Group(group) => Some((*group.elem).clone()),
                Type::Paren(paren) => Some((*paren.elem).clone()),
                _ => None,
            };
            match alias {
                Some(alias) => ty = alias,
                None => break,
            }
        }
        ty
    }

    fn alias_of(&self, name: &str) -> Option<Type> {
        let known = Scalar::from_name(name).is_some() || name.starts_with("Array") || name == "Vec";
        if known { None } else { self.outer.alias(name) }
    }
}

/// A constant of Rust's own.
fn known(words: &[String]) -> Option<ExprKind> {
    let words: Vec<&str> = words.iter().map(|word| &word[..]).collect();
    let float = |ty: &str, table: &[(&str, f64, f32)], name: &str| {
        let (_, double, single) = table.iter().find(|(known, ..)| *known == name)?;
        match ty {
            "f64" => Some(ExprKind::Float(*double, Some(Scalar::F64))),
            "f32" => Some(ExprKind::Float(f64::from(*single), Some(Scalar::F32))),
            _ => None,
        }
    };
    match words[..] {
        [.., ty, "consts", name] => float(ty, MATHEMATICS, name),
        [.., ty, name] => float(ty, FLOATS, name).or_else(|| {
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
