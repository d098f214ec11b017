//! The head of a function.

use super::Converter;
use megha_core::diag::Code;
use megha_core::offload::ast::{Function, Ident, Param, ParamType, Scalar};
use syn::spanned::Spanned;
use syn::{
    FnArg, GenericArgument, GenericParam, ItemFn, Pat, PatType, PathArguments, PathSegment, ReturnType, Signature, Type,
};

const PARAMETERS: &str = "parameters are numbers (f64, f32, i64, usize, bool) and ArrayView1 to ArrayView3, ArrayViewMut1 to \
                          ArrayViewMut3, &Array1 to &mut Array3 of f64 or f32";

impl Converter {
    /// A function.
    pub fn function(&mut self, function: &ItemFn) -> Function {
        let signature = &function.sig;
        self.qualifiers(signature);
        let params = signature.inputs.iter().filter_map(|input| self.parameter(input)).collect();
        let result = self.result(&signature.output);
        let name = self.ident(&signature.ident);
        let body = self.block(&function.block);
        Function { name, params, result, body }
    }

    pub(super) fn ident(&mut self, ident: &syn::Ident) -> Ident {
        Ident { text: ident.to_string(), span: self.span(ident.span()) }
    }

    fn qualifiers(&mut self, signature: &Signature) {
        let words: [(Option<proc_macro2::Span>, &str); 4] = [
            (signature.asyncness.map(|t| t.span()), "async"),
            (signature.constness.map(|t| t.span()), "const"),
            (signature.abi.as_ref().map(Spanned::span), "extern"),
            (signature.variadic.as_ref().map(Spanned::span), "variadic"),
        ];
        for (span, word) in words.into_iter().filter_map(|(span, word)| Some((span?, word))) {
            let message = format!("an offloaded function is not `{word}`");
            self.problem(Code::LoopParameter, &span, message, "");
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
            self.problem(Code::LoopParameter, pat, "a parameter is a plain name", "");
            return None;
        };
        let is_mut = name.mutability.is_some();
        let ty = self.parameter_type(ty, is_mut)?;
        Some(Param { name: self.ident(&name.ident), ty })
    }

    fn parameter_type(&mut self, ty: &Type, is_mut: bool) -> Option<ParamType> {
        let (inner, reference) = match ty {
            Type::Reference(reference) => (&*reference.elem, Some(reference.mutability.is_some())),
            other => (other, None),
        };
        let found = last_segment(inner).and_then(|segment| match scalar(segment) {
            Some(scalar) => reference.is_none().then_some(ParamType::Scalar(scalar, is_mut)),
            None => array(segment, is_mut, reference),
        });
        if found.is_none() {
            self.problem(Code::LoopParameter, ty, "this type of parameter is not taken", PARAMETERS);
        }
        found
    }

    fn result(&mut self, output: &ReturnType) -> Option<Scalar> {
        let ReturnType::Type(_, ty) = output else { return None };
        if matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty()) {
            return None;
        }
        let found = self.scalar_type(ty);
        if found.is_none() {
            let help = "a function gives a number or nothing; arrays are stored into through ArrayViewMut parameters";
            self.problem(Code::LoopParameter, ty, "this type of result is not taken", help);
        }
        found
    }

    /// The scalar type that a type is.
    pub(super) fn scalar_type(&mut self, ty: &Type) -> Option<Scalar> {
        last_segment(ty).and_then(scalar)
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

/// An array type: by value a view, by reference an array or a view.
fn array(segment: &PathSegment, is_mut: bool, reference: Option<bool>) -> Option<ParamType> {
    let name = segment.ident.to_string();
    let (kind, rank) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let rank = rank.parse().ok().filter(|rank| (1..=3).contains(rank))?;
    let mutable = match (kind, reference) {
        ("ArrayView", _) | ("Array", Some(false)) | ("ArrayViewMut", Some(false)) => false,
        ("ArrayViewMut", None) => is_mut,
        ("ArrayViewMut" | "Array", Some(true)) => true,
        _ => return None,
    };
    let PathArguments::AngleBracketed(args) = &segment.arguments else { return None };
    let mut types =
        args.args.iter().filter_map(|arg| if let GenericArgument::Type(ty) = arg { Some(ty) } else { None });
    let class = types.next().and_then(last_segment).and_then(scalar)?;
    let is_float = matches!(class, Scalar::F64 | Scalar::F32);
    (is_float && types.next().is_none()).then_some(ParamType::Array { class, rank, mutable })
}
