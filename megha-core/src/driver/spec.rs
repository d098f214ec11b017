//! The types of exported functions, from `arguments` blocks and from Rust-side signatures.

use super::poly::{Poly, show};
use super::signature::{Declared, Entry, Signature};
use super::validate::{self, input_declarations, parameters};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::ir::{Class, ParamFacts};
use crate::lower::{DimSpec, EntrySpec, ParamSpec};
use crate::matlab::ast::{ArgumentDecl, ArgumentsKind, ExprKind, Function, Name};
use crate::source::Span;

/// A function as Rust sees it, before it is lowered.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The name in Rust and where it stands.
    pub name: Name,
    /// `pub` and the like.
    pub visibility: String,
    /// The function to lower, its `arguments` block turned into statements.
    pub function: Function,
    /// The types to lower it for.
    pub spec: EntrySpec,
    /// Names of the parameters, and whether Rust passes a `usize`.
    pub params: Vec<(String, bool)>,
    /// Names and declared types of the results.
    pub results: Vec<Entry>,
}

/// The plan of a function for a signature, or for its `arguments` block alone; `None` if mistakes were reported.
pub fn plan(function: &Function, signature: Option<&Signature>, diags: &mut Diagnostics) -> Option<Plan> {
    let before = diags.clone();
    check_blocks(function, diags);
    let given = signature.map_or(function.inputs.len(), |s| s.params.len());
    if let Some(signature) = signature {
        check_names(function, signature, diags);
    }
    let types: Vec<Option<Declared>> = parameters(function)
        .take(given)
        .enumerate()
        .map(|(at, name)| parameter(function, name, signature.and_then(|s| s.params.get(at)), diags))
        .collect();
    check_left_out(function, given, signature, diags);
    let rust_name = signature.map_or(&function.name, Signature::rust_name).clone();
    check_rust_name(&rust_name, diags);
    let is_scalar = |name: &str| {
        let at = parameters(function).position(|p| p.is_some_and(|p| p.text == name));
        at.and_then(|at| types.get(at)).is_some_and(|t| t.as_ref().is_some_and(|t| t.dims.is_empty()))
    };
    let (ready, facts) = validate::as_export(function, given, is_scalar, diags);
    let results = results(function, signature, diags);
    if reported(&before, diags) {
        return None;
    }
    let types: Vec<Declared> = types.into_iter().collect::<Option<_>>()?;
    let params = parameters(function).zip(&types).enumerate();
    let unused = |at: usize| format!("unused_{}", at + 1);
    let params =
        params.map(|(at, (name, ty))| (name.map_or_else(|| unused(at), |n| n.text.clone()), ty.count)).collect();
    let spec = EntrySpec {
        params: types.into_iter().zip(facts).map(|(ty, facts)| param_spec(ty, facts)).collect(),
        results: results.iter().map(|r| r.ty.as_ref().map(|ty| ty.class)).collect(),
    };
    let visibility = signature.map_or("pub", |s| &s.visibility).to_owned();
    Some(Plan { name: rust_name, visibility, function: ready, spec, params, results })
}

/// Whether errors came in since `before` was taken.
fn reported(before: &Diagnostics, now: &Diagnostics) -> bool {
    let count = |d: &Diagnostics| d.sorted().len() + d.dropped();
    now.has_errors() && count(now) > count(before)
}

fn param_spec(ty: Declared, facts: ParamFacts) -> ParamSpec {
    let facts = match ty.count {
        true => ParamFacts { integer: true, at_least: facts.at_least.max(Some(0)), ..facts },
        false => facts,
    };
    ParamSpec { class: ty.class, dims: ty.dims, facts }
}

/// Whether an `arguments` block gives sizes for all parameters.
pub fn is_typed(function: &Function) -> bool {
    let sized = |name: &Name| input_declarations(function).any(|d| d.name.text == name.text && d.size.is_some());
    function.arguments.iter().any(|b| b.kind == ArgumentsKind::Input)
        && parameters(function).all(|p| p.is_some_and(sized))
}

/// The parameters without a type in an `arguments` block.
pub fn untyped(function: &Function) -> Vec<&str> {
    let sized = |name: &str| input_declarations(function).any(|d| d.name.text == name && d.size.is_some());
    parameters(function).map(|p| p.map_or("~", |p| p.text.as_str())).filter(|name| !sized(name)).collect()
}

/// Declarations that fit no parameter or come twice, and kinds of blocks that are not compiled.
fn check_blocks(function: &Function, diags: &mut Diagnostics) {
    for block in &function.arguments {
        if matches!(block.kind, ArgumentsKind::Repeating | ArgumentsKind::RepeatingOutput) {
            let message = "repeating arguments are not compiled";
            diags.push(Diagnostic::error(Code::Unsupported, block.span, message).help("pass an array instead"));
            continue;
        }
        let output = block.kind == ArgumentsKind::Output;
        let known = |name: &str| match output {
            true => function.outputs.iter().any(|o| o.text == name),
            false => parameters(function).any(|p| p.is_some_and(|p| p.text == name)),
        };
        for (at, declaration) in block.declarations.iter().enumerate() {
            let name = &declaration.name;
            let what = if output { "result" } else { "parameter" };
            if !known(&name.text) {
                let message = format!("`{}` has no {what} `{}`", function.name.text, name.text);
                let error = Diagnostic::error(Code::DeclaredArgument, name.span, message);
                diags.push(error.note_at(function.signature, "the function"));
            } else if let Some(first) = block.declarations[..at].iter().find(|d| d.name.text == name.text) {
                let message = format!("`{}` is declared twice", name.text);
                let error = Diagnostic::error(Code::DeclaredArgument, name.span, message);
                diags.push(error.note_at(first.span, "here first"));
            }
        }
    }
}

/// The names of a signature against those of the function.
fn check_names(function: &Function, signature: &Signature, diags: &mut Diagnostics) {
    let inputs: Vec<&str> = parameters(function).map(|p| p.map_or("~", |p| p.text.as_str())).collect();
    let outputs: Vec<&str> = function.outputs.iter().map(|o| o.text.as_str()).collect();
    let results = signature.results.as_deref().unwrap_or(&[]);
    for (list, names, what) in [(&signature.params[..], inputs, "parameter"), (results, outputs, "result")] {
        for (at, entry) in list.iter().enumerate() {
            let fits = names.get(at).is_some_and(|n| *n == entry.name.text || *n == "~");
            if fits {
                continue;
            }
            let message = match names.get(at) {
                Some(name) => format!(
                    "{what} {} of `{}` is called `{name}`, not `{}`",
                    at + 1,
                    function.name.text,
                    entry.name.text
                ),
                None => {
                    format!("`{}` has {} {what}s; there is no `{}`", function.name.text, names.len(), entry.name.text)
                }
            };
            let error = Diagnostic::error(Code::SignatureMismatch, entry.name.span, message);
            diags.push(error.note_at(function.signature, "the function"));
            break;
        }
    }
}

/// Parameters that neither Rust nor a default gives a value may still be asked for with `nargin`; a declared one may not.
fn check_left_out(function: &Function, given: usize, signature: Option<&Signature>, diags: &mut Diagnostics) {
    let Some(signature) = signature else { return };
    for name in parameters(function).skip(given).flatten() {
        if let Some(d) = input_declarations(function).find(|d| d.name.text == name.text && d.default.is_none()) {
            let message = format!("the signature leaves out `{}`, which has no default", name.text);
            let error = Diagnostic::error(Code::SignatureMismatch, signature.function.span, message);
            diags.push(error.note_at(d.span, "declared here").help("add it to the signature"));
        }
    }
}

fn parameter(
    function: &Function,
    name: Option<&Name>,
    entry: Option<&Entry>,
    diags: &mut Diagnostics,
) -> Option<Declared> {
    let from_signature = entry.and_then(|e| e.ty.clone());
    let Some(name) = name else {
        // A parameter without a name is never read; any number will do.
        let span = entry.map_or(function.signature, |e| e.name.span);
        return from_signature.or(Some(Declared { class: Class::Double, count: false, dims: Vec::new(), span }));
    };
    let declaration = input_declarations(function).find(|d| d.name.text == name.text);
    let has_size = declaration.is_some_and(|d| d.size.is_some());
    if has_size || from_signature.is_none() {
        let span = entry.map_or(name.span, |e| e.name.span);
        let in_file = match declaration {
            Some(declaration) => declared(declaration, diags),
            None => {
                diags.push(missing_type(name, span, entry.is_some()));
                None
            }
        };
        if let (Some(ours), Some(theirs)) = (&from_signature, &in_file) {
            check_agreement(name, ours, theirs, diags);
        }
        return from_signature.or(in_file);
    }
    from_signature
}

fn missing_type(name: &Name, span: Span, in_signature: bool) -> Diagnostic {
    let message = format!("the type of `{}` is not known", name.text);
    let help = match in_signature {
        true => {
            format!("give its class and sizes: `{}: f64[n, 1]`, or `{}: f64` for a single number", name.text, name.text)
        }
        false => format!(
            "declare it in an arguments block, such as `{} (n,1) double`, or `{} (1,1) double` for a single number",
            name.text, name.text
        ),
    };
    Diagnostic::error(Code::MissingType, span, message).help(help)
}

/// A signature and an `arguments` block that both give a type must give the same; `usize` is a `double`.
fn check_agreement(name: &Name, ours: &Declared, theirs: &Declared, diags: &mut Diagnostics) {
    if ours.class == theirs.class && ours.dims == theirs.dims {
        return;
    }
    let message =
        format!("`{}` is {} here, but {} in its arguments block", name.text, type_text(ours), type_text(theirs));
    let error = Diagnostic::error(Code::SignatureMismatch, ours.span, message);
    diags.push(error.note_at(theirs.span, "declared here").help("leave the type away here"));
}

/// `f64[n, 1]`
pub fn type_text(ty: &Declared) -> String {
    let class = if ty.count { "usize" } else { ty.class.name() };
    let dims: Vec<String> = ty.dims.iter().map(show).collect();
    if dims.is_empty() { class.into() } else { format!("{class}[{}]", dims.join(", ")) }
}

/// The type that a line of an `arguments` block gives.
fn declared(declaration: &ArgumentDecl, diags: &mut Diagnostics) -> Option<Declared> {
    let class = match &declaration.class {
        None => Some(Class::Double),
        Some(class) => {
            let known = Class::from_matlab_name(&class.text).filter(|c| *c != Class::Char);
            if known.is_none() {
                let message = format!("`{}` is not a class of numbers", class.text);
                let error = Diagnostic::error(Code::UnknownClass, class.span, message);
                diags.push(error.help("classes are double, single, logical, int8 to int64 and uint8 to uint64"));
            }
            known
        }
    };
    let Some(size) = &declaration.size else {
        diags.push(missing_size(declaration));
        return None;
    };
    let mut dims = Vec::new();
    for expr in size {
        let dim = match &expr.kind {
            ExprKind::Colon => Ok(DimSpec::Any),
            _ => Poly::from_matlab(expr).map(Poly::into_spec),
        };
        match dim {
            Ok(dim) if dim.is_negative() => {
                let error = Diagnostic::error(Code::DeclaredSize, expr.span, "a size is not negative");
                diags.push(error.help("write a number, a name, or : for any size"));
                return None;
            }
            Ok(dim) => dims.push(dim),
            Err(part) => {
                let message = "a size is a sum of products of whole numbers and names";
                let error = Diagnostic::error(Code::DeclaredSize, part.span, message);
                diags.push(error.help("write : for a size that has no simple form"));
                return None;
            }
        }
    }
    if dims.iter().all(|d| *d == DimSpec::constant(1)) {
        dims.clear();
    }
    Some(Declared { class: class?, count: false, dims, span: declaration.span })
}

fn missing_size(declaration: &ArgumentDecl) -> Diagnostic {
    let name = &declaration.name.text;
    let class = declaration.class.as_ref().map_or("double", |c| &c.text);
    let message = format!("the sizes of `{name}` are not known");
    Diagnostic::error(Code::MissingType, declaration.name.span, message)
        .note("MATLAB lets a declaration leave them out; compiled code needs at least the number of dimensions")
        .help(format!("write `{name} (1,1) {class}` for a single number, `{name} (n,1) {class}` for a column, `{name} (:,:) {class}` for any matrix"))
}

fn results(function: &Function, signature: Option<&Signature>, diags: &mut Diagnostics) -> Vec<Entry> {
    let blocks = function.arguments.iter().filter(|b| b.kind == ArgumentsKind::Output);
    let declarations: Vec<&ArgumentDecl> = blocks.flat_map(|b| &b.declarations).collect();
    let wanted = signature.and_then(|s| s.results.as_ref());
    let count = wanted.map_or(function.outputs.len(), Vec::len);
    let in_signature = |at: usize| wanted.and_then(|list| list.get(at)).and_then(|e| e.ty.clone());
    let mut list = Vec::new();
    for (at, name) in function.outputs.iter().take(count).enumerate() {
        let declaration = declarations.iter().find(|d| d.name.text == name.text && d.size.is_some());
        let ty = in_signature(at).or_else(|| declaration.and_then(|d| declared(d, diags)));
        list.push(Entry { name: name.clone(), ty });
    }
    list
}

fn check_rust_name(name: &Name, diags: &mut Diagnostics) {
    if is_rust_keyword(&name.text) || name.text.contains('.') {
        let message = format!("`{}` cannot be the name of a Rust function", name.text);
        let error = Diagnostic::error(Code::RustName, name.span, message);
        diags.push(error.help(format!("rename the function, or add a signature `fn {} as other(..)`", name.text)));
    }
}

/// Words that no Rust item can be called.
pub fn is_rust_keyword(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
        "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
        "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "Self", "self", "static", "struct",
        "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while",
        "yield", "_",
    ];
    WORDS.contains(&word)
}
