//! The head of a function.

use super::Converter;
use super::around::gives_value;
use super::scope::{Form, Meaning, View};
use crate::diag::Code;
use crate::offload::ast::{
    ArrayForm, Block, ExprKind, Function, Ident, Param, ParamType, Rounding, Scalar, Stmt, StmtKind,
};
use quote::ToTokens;
use syn::{
    Expr, FnArg, GenericArgument, ItemFn, Pat, PatType, PathArguments, PathSegment, ReturnType, Signature, Type,
};

const PARAMETERS: &str =
    "parameters are numbers, arrays and views of ndarray of 1 to 4 dimensions, slices and vectors of numbers";

impl Converter {
    /// A function.
    pub fn function(&mut self, function: &ItemFn) -> Function {
        let signature = &function.sig;
        self.qualifiers(signature);
        self.attributes(function);
        let mut params: Vec<Param> = signature.inputs.iter().filter_map(|input| self.parameter(input)).collect();
        let results = self.result_types(&signature.output);
        let name = self.ident(&signature.ident);
        self.parameters = params.iter().map(|param| param.value.clone()).collect();
        self.outer_arrays(&function.block);
        let mut body = match &results {
            Some(results) => self.function_body(&function.block, results.len()),
            None => self.block(&without_value(&function.block)),
        };
        self.put_back(&mut body);
        self.strides_stay();
        body.stmts.splice(0..0, std::mem::take(&mut self.head));
        let results = results.unwrap_or_default();
        for param in &mut params {
            let typed = |input: &FnArg| match input {
                FnArg::Typed(PatType { pat, ty, .. }) => match &**pat {
                    Pat::Ident(name) if name.ident == param.value => Some((**ty).clone()),
                    _ => None,
                },
                FnArg::Receiver(_) => None,
            };
            let ty = signature.inputs.iter().find_map(typed);
            ty.iter().for_each(|ty| self.instantiated(param, ty));
        }
        params.append(&mut self.constants);
        Function { name, params, results, fallible: self.fallible, rounding: Rounding::default(), body }
    }

    /// The body: tuples at its ends are given back.
    fn function_body(&mut self, block: &syn::Block, results: usize) -> Block {
        self.result_count = results;
        let mut returning = block.clone();
        if results > 1 {
            give_back(&mut returning);
        }
        let mut body = self.block(&returning);
        if results > 0 && body.value.is_none() && body.stmts.last().is_some_and(Stmt::is_endless) {
            // Control does not arrive behind it.
            let values = (0..results).map(|_| self.made(ExprKind::Never, block)).collect();
            let span = self.span(block);
            self.returns += 1;
            body.stmts.push(Stmt { kind: StmtKind::Return(values), span });
        }
        body
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
        self.generics(&signature.generics);
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
        let found = self.parameter_type(ty, is_mut);
        let text = name.ident.to_string();
        let meaning = match found {
            Some((ParamType::Array { rank, mutable, form, .. }, lent)) => {
                if self.is_lent_view(ty) {
                    self.lent_views.push(text.clone());
                }
                let form = self.form_of(ty, form);
                Meaning::Array(View { lent, mutable, changes: mutable, ..View::whole(text.clone(), rank, form) })
            }
            Some((ParamType::Scalar(..) | ParamType::Constant(_), _)) | None => Meaning::Number(text.clone()),
        };
        if self.scope.iter().any(|known| known.is(&text)) {
            let message = format!("two parameters are called `{text}`, one of them in a macro");
            self.problem(Code::LoopParameter, &name.ident, message, "give one of them another name");
            return None;
        }
        self.mean(&name.ident, meaning);
        Some(Param { name: self.ident(&name.ident), value: text, ty: found?.0 })
    }

    /// Whether a type is a reference to a view, which is not the array itself.
    fn is_lent_view(&mut self, ty: &Type) -> bool {
        let (written, place) = self.resolved(ty);
        let Type::Reference(reference) = &written else { return false };
        let inner = self.at_place(place, |this| this.resolved(&reference.elem)).0;
        last_segment(&inner).is_some_and(|segment| segment.ident.to_string().starts_with("ArrayView"))
    }

    /// What an array of a parameter is in Rust.
    fn form_of(&mut self, ty: &Type, form: ArrayForm) -> Form {
        let (mut written, place) = self.resolved(ty);
        if let Type::Reference(reference) = &written {
            written = self.at_place(place, |this| this.resolved(&reference.elem)).0;
        }
        match (form, written) {
            (ArrayForm::Ndarray, _) => Form::Ndarray,
            (ArrayForm::Slice, Type::Array(_)) => Form::Fixed,
            (ArrayForm::Slice, _) => Form::Vector,
        }
    }

    /// The type of a parameter, and whether it is a reference or view.
    fn parameter_type(&mut self, ty: &Type, is_mut: bool) -> Option<(ParamType, bool)> {
        let (written, place) = self.resolved(ty);
        let found = self.at_place(place, |this| this.written_type(&written, is_mut));
        if found.is_none() && !self.has_open_types {
            self.problem(Code::LoopParameter, ty, "this type of parameter is not taken", PARAMETERS);
        }
        found
    }

    fn written_type(&mut self, written: &Type, is_mut: bool) -> Option<(ParamType, bool)> {
        let (reference, elem) = match written {
            Type::Reference(reference) => (Some(reference.mutability.is_some()), &*reference.elem),
            other => (None, other),
        };
        let (inner, place) = self.resolved(elem);
        self.at_place(place, |this| this.inner_type(&inner, is_mut, reference))
    }

    fn inner_type(&mut self, inner: &Type, is_mut: bool, reference: Option<bool>) -> Option<(ParamType, bool)> {
        let lent = reference.is_some();
        match inner {
            Type::Slice(slice) => Some((self.slice(&slice.elem, reference?)?, lent)),
            Type::Array(array) => Some((self.slice(&array.elem, reference.unwrap_or(is_mut))?, lent)),
            _ if self.is_complex_type(inner) => (!lent).then_some((ParamType::Scalar(Scalar::C64, is_mut), false)),
            _ => match scalar(inner) {
                Some(scalar) => (!lent).then_some((ParamType::Scalar(scalar, is_mut), false)),
                None => {
                    let segment = last_segment(inner)?;
                    let is_view = segment.ident.to_string().starts_with("ArrayView");
                    Some((self.array_type(segment, is_mut, reference)?, lent || is_view))
                }
            },
        }
    }

    /// A slice of numbers, or of arrays of these of a fixed size.
    fn slice(&mut self, element: &Type, mutable: bool) -> Option<ParamType> {
        let (element, place) = self.resolved(element);
        let (inner, rank) = match &element {
            Type::Array(array) => (&*array.elem, 2),
            other => (other, 1),
        };
        // Instances are those of numbers.
        if rank > 1 && self.instance.is_in(inner.to_token_stream()) {
            return None;
        }
        let class = self.at_place(place, |this| this.scalar_type(inner))?;
        Some(ParamType::Array { class, rank, mutable, form: ArrayForm::Slice })
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
        if name == "Vec" {
            return self.slice(types.first()?, reference.unwrap_or(is_mut));
        }
        let class = self.scalar_type(types.first()?)?;
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

    /// The types of the results; `None` if they are not taken.
    fn result_types(&mut self, output: &ReturnType) -> Option<Vec<Scalar>> {
        let ReturnType::Type(_, ty) = output else { return Some(Vec::new()) };
        let (mut written, mut place) = self.resolved(ty);
        if let Some(inner) = inside_result(&written) {
            self.fallible = true;
            (written, place) = self.at_place(place, |this| this.resolved(&inner));
        }
        let found: Option<Vec<Scalar>> = self.at_place(place, |this| match &written {
            Type::Tuple(unit) if unit.elems.is_empty() => Some(Vec::new()),
            Type::Tuple(tuple) if tuple.elems.len() == 1 => None,
            Type::Tuple(tuple) => tuple.elems.iter().map(|ty| this.scalar_type(ty)).collect(),
            other => this.scalar_type(other).map(|scalar| vec![scalar]),
        });
        if found.is_none() {
            let help = "a function gives numbers or nothing; arrays are stored into through `ArrayViewMut` or `&mut` parameters";
            self.problem(Code::LoopParameter, ty, "this type of result is not taken", help);
        }
        found
    }

    /// The scalar type that a type is.
    pub(super) fn scalar_type(&mut self, ty: &Type) -> Option<Scalar> {
        let (written, place) = self.resolved(ty);
        if self.at_place(place, |this| this.is_complex_type(&written)) {
            return Some(Scalar::C64);
        }
        let found = scalar(&written);
        if let Some(found) = found
            && self.module().is_none()
            && scalar(ty).is_none()
            && !self.is_type_parameter(ty)
        {
            // An alias that is known by its name only.
            let name = quote::format_ident!("{}", found.name());
            self.checks.push(quote::quote!(const _: fn(#ty) -> #name = |number| number;));
        }
        found
    }
}

/// The type in `megha::Result<T>`; which `Result` it is, Rust tests.
pub fn inside_result(ty: &Type) -> Option<Type> {
    let segment = last_segment(ty).filter(|segment| segment.ident == "Result")?;
    let PathArguments::AngleBracketed(args) = &segment.arguments else { return None };
    match args.args.first() {
        Some(GenericArgument::Type(ty)) if args.args.len() == 1 => Some(ty.clone()),
        _ => None,
    }
}

/// Makes the values at the ends of a block what `return` gives back.
fn give_back(block: &mut syn::Block) {
    if let Some(syn::Stmt::Expr(last, None)) = block.stmts.last_mut() {
        give_back_value(last);
    }
}

fn give_back_value(value: &mut Expr) {
    match value {
        Expr::If(branch) => {
            give_back(&mut branch.then_branch);
            branch.else_branch.iter_mut().for_each(|(_, els)| give_back_value(els));
        }
        Expr::Match(matched) => matched.arms.iter_mut().for_each(|arm| give_back_value(&mut arm.body)),
        Expr::Block(inner) => give_back(&mut inner.block),
        Expr::Paren(inner) => give_back_value(&mut inner.expr),
        Expr::Group(inner) => give_back_value(&mut inner.expr),
        Expr::Loop(endless) if !gives_value(endless) => {}
        Expr::Tuple(_) | Expr::Call(_) | Expr::MethodCall(_) | Expr::Path(_) | Expr::Field(_) | Expr::Loop(_) => {
            *value = syn::parse_quote!(return #value)
        }
        _ => {}
    }
}

/// A body without the value at its end, of which nothing is said if its type is not taken.
fn without_value(block: &syn::Block) -> syn::Block {
    let mut block = block.clone();
    if let Some(syn::Stmt::Expr(_, None)) = block.stmts.last() {
        block.stmts.pop();
    }
    block
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

fn scalar(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::Path(path) if path.qself.is_none() => Scalar::from_name(&path.path.get_ident()?.to_string()),
        Type::Group(group) => scalar(&group.elem),
        Type::Paren(paren) => scalar(&paren.elem),
        _ => None,
    }
}

/// The number in `Ix2`.
fn dimensions(ty: &Type) -> Option<usize> {
    let name = last_segment(ty)?.ident.to_string();
    name.strip_prefix("Ix")?.parse().ok()
}
