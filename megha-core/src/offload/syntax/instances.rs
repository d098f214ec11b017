//! Generic functions: `#[offload(T = f32, f64)]` compiles one for each instance that it names, and the function itself, which stays generic,
//! asks which of them it is; any other runs its plain body.
//!
//! In an instance a type parameter is the type that it stands for, an argument is handed on as one of that type
//! (`megha_rt::instance`), and what traits give of a type (`T::zero()`, `T::from(x).unwrap()`) is what they give of that one. What
//! they mean is known if the bounds are traits of the standard library, `num_traits` or ndarray; of other traits only operators are.

use super::Converter;
use super::constants::known;
use super::expr::plain;
use super::outer::words;
use crate::diag::Code;
use crate::offload::Problem;
use crate::offload::ast::{ArrayForm, Expr as Ast, ExprKind, Param, ParamType, Scalar};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::fmt;
use syn::{Expr, ExprCall, ExprMethodCall, GenericParam, Generics, ReturnType, Type};

/// The types that type parameters stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Instance(Vec<(String, Scalar)>);

impl Instance {
    /// With one more.
    pub fn with(&self, name: &syn::Ident, ty: Scalar) -> Self {
        Self([&self.0[..], &[(name.to_string(), ty)]].concat())
    }

    /// What a name stands for, if it is that of a type parameter.
    pub fn of(&self, name: &str) -> Option<Scalar> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, ty)| *ty)
    }

    /// Whether the function is no generic one.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &name[..])
    }

    /// Whether a type has one of the parameters in it.
    pub fn is_in(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            TokenTree::Ident(ident) => self.of(&ident.to_string()).is_some(),
            TokenTree::Group(group) => self.is_in(group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }

    /// Whether the type parameters are these types, in Rust; `None` without parameters.
    pub fn condition(&self) -> Option<TokenStream> {
        let each = self.0.iter().map(|(name, ty)| {
            let (name, ty) = (format_ident!("{name}"), format_ident!("{}", ty.name()));
            quote!(::megha::rt::instance::is::<#name, #ty>())
        });
        (!self.0.is_empty()).then(|| quote!(#(#each)&&*))
    }

    /// A message with the types that it holds for.
    pub fn said(&self, problem: &Problem) -> String {
        if self.is_empty() { problem.to_string() } else { format!("{problem}\nwith {self}") }
    }

    /// The call of the compiled function, with its results as the function's own types have them.
    pub fn call(&self, call: TokenStream, fallible: bool, output: &ReturnType) -> TokenStream {
        let ReturnType::Type(_, ty) = output else { return call };
        if !self.is_in(ty.to_token_stream()) {
            return call;
        }
        let each = |ty: &Type, value: TokenStream| match self.is_in(ty.to_token_stream()) {
            true => quote!(::megha::rt::instance::back(#value)),
            false => value,
        };
        let inner = if fallible { super::signature::inside_result(ty) } else { Some((**ty).clone()) };
        let given = match &inner {
            Some(Type::Tuple(tuple)) => {
                let values = tuple.elems.iter().enumerate().map(|(at, ty)| {
                    let at = syn::Index::from(at);
                    each(ty, quote!(megha_given.#at))
                });
                quote!((#(#values),*))
            }
            Some(ty) => each(ty, quote!(megha_given)),
            None => quote!(megha_given),
        };
        match fallible {
            true => quote!(#call.map(|megha_given| #given)),
            false => quote!({ let megha_given = #call; #given }),
        }
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types: Vec<String> = self.0.iter().map(|(name, ty)| format!("`{name}` = {}", ty.name())).collect();
        f.write_str(&types.join(", "))
    }
}

/// Traits by their last names, of the standard library, `num_traits` and ndarray, where a file does not say which they are.
const TRAITS: &[&str] = &[
    "Add",
    "AddAssign",
    "Bounded",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "Div",
    "DivAssign",
    "Eq",
    "Float",
    "FloatConst",
    "From",
    "FromPrimitive",
    "Into",
    "LinalgScalar",
    "Mul",
    "MulAdd",
    "MulAssign",
    "NdFloat",
    "Neg",
    "Num",
    "NumAssign",
    "NumAssignOps",
    "NumAssignRef",
    "NumCast",
    "NumOps",
    "NumRef",
    "One",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "PrimInt",
    "Product",
    "Rem",
    "RemAssign",
    "ScalarOperand",
    "Send",
    "Signed",
    "Sized",
    "Sub",
    "SubAssign",
    "Sum",
    "Sync",
    "ToPrimitive",
    "Unpin",
    "Unsigned",
    "Zero",
];

impl Converter {
    /// The type and const parameters of the function: what they stand for, or that they are not taken.
    pub fn generics(&mut self, generics: &Generics) {
        for param in &generics.params {
            match param {
                GenericParam::Lifetime(_) => {}
                GenericParam::Const(constant) => self.const_parameter(constant),
                GenericParam::Type(ty) if self.instance.of(&ty.ident.to_string()).is_some() => {}
                GenericParam::Type(ty) => {
                    self.has_open_types = true;
                    let help = format!(
                        "name those that it is to be compiled for, as in `#[megha::offload({} = f32, f64)]`",
                        ty.ident
                    );
                    self.signature_problem(param, "a type parameter may be any type", &help);
                }
            }
        }
        let has = |name: &str| generics.type_params().any(|param| param.ident == name);
        let missing = self.instance.names().find(|name| !has(name)).map(str::to_owned);
        if let Some(missing) = missing {
            let message = format!("the function has no type parameter `{missing}`");
            self.signature_problem(generics, message, "the attribute names types for parameters of the function");
        }
        self.unknown_bound =
            self.trait_bounds(generics).into_iter().find(|bound| !self.is_known_trait(bound, 0)).map(|bound| {
                let text = bound.to_token_stream().to_string();
                text.replace(' ', "")
            });
    }

    fn const_parameter(&mut self, constant: &syn::ConstParam) {
        let Some(scalar) = self.scalar_type(&constant.ty) else {
            self.signature_problem(constant, "a const parameter is no number here", "take it as an argument");
            return;
        };
        let name = constant.ident.to_string();
        let own = self.outside(&name, &name, Some(scalar), &constant.ident);
        self.mean_item(name, super::scope::Meaning::Number(own));
    }

    /// The traits that bound the type parameters.
    fn trait_bounds(&self, generics: &Generics) -> Vec<syn::Path> {
        let declared = generics.type_params().flat_map(|param| param.bounds.iter());
        let predicates = generics.where_clause.iter().flat_map(|clause| clause.predicates.iter());
        let wanted = predicates.filter_map(|predicate| match predicate {
            syn::WherePredicate::Type(ty) if self.instance.is_in(ty.bounded_ty.to_token_stream()) => Some(&ty.bounds),
            _ => None,
        });
        let all = declared.chain(wanted.flatten());
        all.filter_map(
            |bound| if let syn::TypeParamBound::Trait(bound) = bound { Some(bound.path.clone()) } else { None },
        )
        .collect()
    }

    fn signature_problem(&mut self, at: &impl ToTokens, message: impl Into<String>, help: &str) {
        self.problem(Code::LoopParameter, at, message, help);
    }

    /// Whether a trait is one of those whose methods mean what those of numbers do, or one of the file that only joins such.
    fn is_known_trait(&self, path: &syn::Path, depth: usize) -> bool {
        let words = words(path);
        let by_name = words.last().is_some_and(|last| TRAITS.contains(&&last[..]));
        match self.trait_of(&words) {
            Some(own) => {
                let bounds = own.supertraits.iter();
                let known = |bound: &syn::TypeParamBound| match bound {
                    syn::TypeParamBound::Trait(bound) => self.is_known_trait(&bound.path, depth + 1),
                    _ => true,
                };
                depth < 8 && own.items.is_empty() && bounds.into_iter().all(known)
            }
            None => by_name && self.is_of_libraries(&words),
        }
    }

    /// What a type parameter's associated function or constant gives, if the callee is one.
    pub fn of_instance(&mut self, call: &ExprCall) -> Option<Option<Ast>> {
        let (scalar, function) = self.instance_function(call)?;
        if let Some(bound) = self.unknown_bound.clone() {
            self.unknown_meaning(call, &bound);
            return Some(None);
        }
        if !call.args.is_empty() {
            return None;
        }
        let kind = self.associated(scalar, &function);
        if kind.is_none() {
            let help = "`T::zero()`, `T::one()`, `T::from(x).unwrap()`, the limits of `T` and the constants of `FloatConst` are taken";
            self.refuse(call, format!("this function of the type {} is not taken", scalar.name()), help);
        }
        Some(kind.map(|kind| self.made(kind, call)))
    }

    /// A function of a type parameter by its path: `T::f` or `<T as Trait>::f`.
    fn instance_function(&self, call: &ExprCall) -> Option<(Scalar, String)> {
        let Expr::Path(path) = plain(&call.func) else { return None };
        let function = path.path.segments.last()?.ident.to_string();
        let of = match (&path.qself, path.path.segments.len()) {
            (Some(own), _) => match &*own.ty {
                Type::Path(ty) => ty.path.get_ident()?.to_string(),
                _ => return None,
            },
            (None, 2) => path.path.segments.first()?.ident.to_string(),
            (None, _) => return None,
        };
        Some((self.instance.of(&of)?, function))
    }

    fn associated(&self, scalar: Scalar, function: &str) -> Option<ExprKind> {
        let number = |text: f64| match scalar.is_float() {
            true => ExprKind::Float(text, text as f32, Some(scalar)),
            false => ExprKind::Int(text as i128, Some(scalar)),
        };
        let constant = |name: &str| known(&[scalar.name().to_owned(), name.to_owned()]);
        match function {
            "zero" | "default" if scalar != Scalar::Bool => Some(number(0.0)),
            "one" if scalar != Scalar::Bool => Some(number(1.0)),
            "min_value" => constant("MIN"),
            "max_value" => constant("MAX"),
            _ if !scalar.is_float() => None,
            "infinity" => constant("INFINITY"),
            "neg_infinity" => constant("NEG_INFINITY"),
            "nan" => constant("NAN"),
            "epsilon" => constant("EPSILON"),
            "min_positive_value" => constant("MIN_POSITIVE"),
            "neg_zero" => Some(number(-0.0)),
            name => known(&[scalar.name().to_owned(), "consts".to_owned(), name.to_owned()]),
        }
    }

    /// `T::from(x).unwrap()` and `x.to_f64().unwrap()`, which are conversions that cannot fail; `None` if a call is none of these.
    pub fn conversion(&mut self, call: &ExprMethodCall) -> Option<Option<Ast>> {
        if !matches!(&call.method.to_string()[..], "unwrap" | "expect") {
            return None;
        }
        let (to, from, value) = match plain(&call.receiver) {
            Expr::Call(inner) if inner.args.len() == 1 => {
                let (to, function) = self.instance_function(inner)?;
                let from = function.strip_prefix("from_").map(Scalar::from_name);
                if function != "from" && !matches!(from, Some(Some(_))) {
                    return None;
                }
                (to, from.flatten(), &inner.args[0])
            }
            Expr::MethodCall(inner) if inner.args.is_empty() && !self.instance.0.is_empty() => {
                let method = inner.method.to_string();
                (Scalar::from_name(method.strip_prefix("to_")?)?, None, &*inner.receiver)
            }
            _ => return None,
        };
        if let Some(bound) = self.unknown_bound.clone() {
            self.unknown_meaning(call, &bound);
            return Some(None);
        }
        let value = self.expr(value);
        Some(value.and_then(|value| self.converted_to(value, from, to, call)))
    }

    fn converted_to(&mut self, value: Ast, from: Option<Scalar>, to: Scalar, call: &ExprMethodCall) -> Option<Ast> {
        let fits = |number: i128| to.range().is_some_and(|(least, most)| (least..=most).contains(&number));
        match value.kind {
            ExprKind::Int(number, _) if fits(number) => Some(self.made(ExprKind::Int(number, Some(to)), call)),
            _ if !to.is_float() => {
                let help = "whole literals are taken, and conversions to floats";
                self.refuse(call, format!("a conversion to {} may fail", to.name()), help);
                None
            }
            _ => {
                let value = self.typed(value, from, call);
                Some(self.made(ExprKind::Cast(Box::new(value), to), call))
            }
        }
    }

    /// Refuses a method or function of numbers that a trait may give another meaning.
    pub fn unknown_meaning(&mut self, at: &impl ToTokens, bound: &str) {
        let help = "traits of the standard library, `num_traits` and ndarray are known, and traits of the same file that join such";
        self.refuse(at, format!("what this means depends on the trait `{bound}`, which is not known here"), help);
    }

    /// Whether a type is one of the parameters.
    pub fn is_type_parameter(&self, ty: &Type) -> bool {
        let path = if let Type::Path(path) = ty { path.path.get_ident() } else { None };
        path.is_some_and(|name| self.instance.of(&name.to_string()).is_some())
    }

    /// How an argument is handed on in this instance.
    pub fn instantiated(&self, param: &mut Param, ty: &Type) {
        if !self.instance.is_in(ty.to_token_stream()) {
            return;
        }
        let name = &param.value;
        let (function, class, argument) = match param.ty {
            ParamType::Scalar(class, _) => ("number", class, format!("&{name}")),
            ParamType::Array { class, mutable: false, form: ArrayForm::Ndarray, .. } => {
                ("read", class, format!("{name}.view()"))
            }
            ParamType::Array { class, form: ArrayForm::Ndarray, .. } => ("write", class, format!("{name}.view_mut()")),
            ParamType::Array { class, mutable: false, form: ArrayForm::Slice, .. } => {
                ("slice", class, format!("&{name}[..]"))
            }
            ParamType::Array { class, form: ArrayForm::Slice, .. } => ("slice_mut", class, format!("&mut {name}[..]")),
            ParamType::Constant(_) => return,
        };
        let rest = if matches!(function, "read" | "write") { ", _, _" } else { ", _" };
        param.value = format!("(::megha::rt::instance::{function}::<{}{rest}>({argument}))", class.name());
    }
}
