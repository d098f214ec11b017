//! Scripts: statements outside functions, as the body of a function whose inputs and outputs are named on the Rust side.

use super::{Signature, Wanted};
use crate::matlab::ast::{Function, Name, Param, Program, Stmt};
use crate::source::Span;

/// Statements as the body of a function with the signature's parameters and results.
pub fn function(body: Vec<Stmt>, signature: &Signature) -> Function {
    let results = signature.results.iter().flatten();
    Function {
        name: signature.function.clone(),
        inputs: signature.params.iter().map(|e| Param::Named(e.name.clone())).collect(),
        outputs: results.map(|e| e.name.clone()).collect(),
        arguments: Vec::new(),
        body,
        nested: Vec::new(),
        signature: signature.span,
        span: signature.span,
    }
}

/// Adds a function for each wanted signature that names none of the program's: it means the statements outside functions.
pub fn add_functions(program: &mut Program, wanted: &Wanted) {
    let Wanted::Signatures(signatures) = wanted else { return };
    if program.script.is_empty() {
        return;
    }
    let unknown = |s: &&Signature| program.functions.iter().all(|f| f.name.text != s.function.text);
    let scripts: Vec<Function> =
        signatures.iter().filter(unknown).map(|s| function(program.script.clone(), s)).collect();
    program.functions.extend(scripts);
}

/// The signature of a script by itself: no inputs, no outputs.
pub fn signature(name: &str, span: Span) -> Signature {
    let function = Name { text: name.to_owned(), span };
    Signature { visibility: String::new(), function, rename: None, params: Vec::new(), results: Some(Vec::new()), span }
}
