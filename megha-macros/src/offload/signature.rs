//! The head of a function.

use super::Converter;
use super::scope::{Meaning, View};
use megha_core::diag::Code;
use megha_core::offload::ast::{ArrayForm, Block, Function, Ident, Param, ParamType, Scalar};
use quote::ToTokens;
use syn::{
    FnArg, GenericArgument, GenericParam, ItemFn, Pat, PatType, PathArguments, PathSegment, ReturnType, Signature, Type,
};

const PARAMETERS: &str =
    "parameters are numbers, arrays and views of ndarray of 1 to 4 dimensions, slices and vectors of numbers";

impl Converter {
    /// A function.
    pub fn function(&mut self, function: &ItemFn) -> Function {
        let signature = &function.sig;
        self.qualifiers(signature);
        let mut params: Vec<Param> = signature.inputs.iter().filter_map(|input| self.parameter(input)).collect();
        let results = self.result_types(&signature.output);
        let name = self.ident(&signature.ident);
        let body = self.function_body(&function.block, results.len());
        params.append(&mut self.constants);
        Function { name, params, results, body }
    }

    /// The body: a tuple at its end is given back.
    fn function_body(&mut self, block: &syn::Block, results: usize) -> Block {
        let (Some(syn::Stmt::Expr(last, None)), true) = (block.stmts.last(), results > 1) else {
            return self.block(block);
        };
        if !matches!(super::expr::plain(last), syn::Expr::Tuple(_)) {
            return self.block(block);
        }
        let mut returning = block.clone();
        returning.stmts.pop();
        returning.stmts.push(syn::parse_quote!(return #last;));
        self.block(&returning)
    }

    pub(super) fn ident(&mut self, ident: &syn::Ident) -> Ident {
        Ident { text: ident.to_string(), span: self.span(ident) }
    }

    fn qualifiers(&mut self, signature: &Signature) {
        let words: [(Option<&dyn ToTokens>, &str); 4] = [
            (signature.asyncness.as_ref().map(|t| t as _), "async"),
            (signature.constness.as_ref().map(|t| t as _), "const"),
            (signature.abi.as_ref().map(|t| t as _), "extern"),
            (signature.variadic.as_ref().map(|t| t as _), "variadic"),
        ];
        for (at, word) in words.into_iter().filter_map(|(at, word)| Some((at?, word))) {
            let message = format!("an offloaded function is not `{word}`");
            self.problem(Code::LoopParameter, &at, message, "call it from a function that is");
        }
        for param in &signature.generics.params {
            if !matches!(param, GenericParam::Lifetime(_)) {
                let help = "write one function for each type of elements";
                self.problem(Code::LoopParameter, param, "an offloaded function has no type or const parameters", help);
            }
        }
    }

    fn parameter(&mut self, input: &FnArg) -> Option<Param> {
        let FnArg::Typed(PatType { pat, ty, .. }) = input else {
            self.problem(Code::LoopParameter, input, "`self` is not taken", "pass the arrays as parameters");
            return None;
        };
        let Pat::Ident(name) = &**pat else {
            self.problem(
                Code::LoopParameter,
                pat,
                "a parameter is a plain name",
                "name it, and take it apart in the body",
            );
            return None;
        };
        let is_mut = name.mutability.is_some();
        let ty = self.parameter_type(ty, is_mut);
        let text = name.ident.to_string();
        let meaning = match ty {
            Some(ParamType::Array { rank, .. }) => Meaning::Array(View::whole(text.clone(), rank)),
            _ => Meaning::Number(text.clone()),
        };
        self.scope.push((text.clone(), meaning));
        Some(Param { name: self.ident(&name.ident), value: text, ty: ty? })
    }

    fn parameter_type(&mut self, ty: &Type, is_mut: bool) -> Option<ParamType> {
        let written = self.resolved(ty);
        let (inner, reference) = match &written {
            Type::Reference(reference) => (self.resolved(&reference.elem), Some(reference.mutability.is_some())),
            other => (other.clone(), None),
        };
        let found = match &inner {
            Type::Slice(slice) => self.slice(&slice.elem, reference?),
            Type::Array(array) => self.slice(&array.elem, reference?),
            _ => match last_segment(&inner) {
                Some(segment) => match scalar(segment) {
                    Some(scalar) => reference.is_none().then_some(ParamType::Scalar(scalar, is_mut)),
                    None => self.array_type(segment, is_mut, reference),
                },
                None => None,
            },
        };
        if found.is_none() {
            self.problem(Code::LoopParameter, ty, "this type of parameter is not taken", PARAMETERS);
        }
        found
    }

    fn slice(&mut self, element: &Type, mutable: bool) -> Option<ParamType> {
        let class = self.scalar_type(element)?;
        Some(ParamType::Array { class, rank: 1, mutable, form: ArrayForm::Slice })
    }

    /// An array type: of ndarray by value or by reference, or a vector.
    fn array_type(&mut self, segment: &PathSegment, is_mut: bool, reference: Option<bool>) -> Option<ParamType> {
        let name = segment.ident.to_string();
        let PathArguments::AngleBracketed(args) = &segment.arguments else { return None };
        let types: Vec<&Type> = args
            .args
            .iter()
            .filter_map(|arg| if let GenericArgument::Type(ty) = arg { Some(ty) } else { None })
            .collect();
        let class = self.scalar_type(types.first()?)?;
        if name == "Vec" {
            let mutable = reference.unwrap_or(is_mut);
            return Some(ParamType::Array { class, rank: 1, mutable, form: ArrayForm::Slice });
        }
        let (kind, rank) = match (name.trim_end_matches(|c: char| c.is_ascii_digit()), &types[..]) {
            (kind, [_]) => (kind, name[kind.len()..].parse().ok()?),
            (kind, [_, dimension]) if kind.len() == name.len() => (kind, dimensions(dimension)?),
            _ => return None,
        };
        let mutable = match (kind, reference) {
            ("ArrayView", _) | ("Array", Some(false)) | ("ArrayViewMut", Some(false)) => false,
            ("ArrayViewMut" | "Array", None) => is_mut,
            ("ArrayViewMut" | "Array", Some(true)) => true,
            _ => return None,
        };
        (1..=4).contains(&rank).then_some(ParamType::Array { class, rank, mutable, form: ArrayForm::Ndarray })
    }

    fn result_types(&mut self, output: &ReturnType) -> Vec<Scalar> {
        let ReturnType::Type(_, ty) = output else { return Vec::new() };
        let found: Option<Vec<Scalar>> = match self.resolved(ty) {
            Type::Tuple(tuple) => tuple.elems.iter().map(|ty| self.scalar_type(ty)).collect(),
            other => self.scalar_type(&other).map(|scalar| vec![scalar]),
        };
        if found.is_none() {
            let help = "a function gives numbers or nothing; arrays are stored into through `ArrayViewMut` or `&mut` parameters";
            self.problem(Code::LoopParameter, ty, "this type of result is not taken", help);
        }
        found.unwrap_or_default()
    }

    /// The scalar type that a type is.
    pub(super) fn scalar_type(&mut self, ty: &Type) -> Option<Scalar> {
        last_segment(&self.resolved(ty)).and_then(scalar)
    }
}

/// The last segment of a path; `Type::Group`s come from `macro_rules!`.
fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        Type::Group(group) => last_segment(&group.elem),
        Type::Paren(paren) => last_segment(&paren.elem),
        _ => None,
    }
}

fn scalar(segment: &PathSegment) -> Option<Scalar> {
    matches!(segment.arguments, PathArguments::None).then(|| Scalar::from_name(&segment.ident.to_string()))?
}

/// The number in `Ix2`.
fn dimensions(ty: &Type) -> Option<usize> {
    let name = last_segment(ty)?.ident.to_string();
    name.strip_prefix("Ix")?.parse().ok()
}
