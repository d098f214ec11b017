//! Functions with the types that can be read where the lines of the text are not known, for editors alone.
//!
//! A language server that tells no positions shows a macro's errors as the user's. So where the text was not found either, it gets
//! functions whose parameters have the types of the `arguments` block or of the signature, and whose results may be anything;
//! rustc gets the errors.

use crate::cpu::expr::rust_type;
use crate::driver::signature::{Declared, Entry, Signature};
use crate::driver::spec::is_rust_keyword;
use crate::ir::Class;

use super::recover::Token;

/// What is known of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    visibility: String,
    name: String,
    params: Vec<(String, Option<Kind>)>,
    results: Vec<Option<Kind>>,
}

/// What is known of a parameter or result.
#[derive(Debug, Clone, PartialEq)]
struct Kind {
    /// The type of the elements in Rust.
    element: String,
    /// How many sizes; none of a single number.
    rank: usize,
}

impl Header {
    /// That of a signature; without results in it, there is one value of any type.
    pub fn of_signature(signature: &Signature) -> Header {
        let kind = |entry: &Entry| entry.ty.as_ref().map(Kind::of);
        Header {
            visibility: signature.visibility.clone(),
            name: signature.rust_name().text.clone(),
            params: signature.params.iter().map(|p| (p.name.text.clone(), kind(p))).collect(),
            results: signature.results.as_ref().map_or_else(|| vec![None], |list| list.iter().map(kind).collect()),
        }
    }

    /// The function in Rust, for editors.
    pub fn code(&self, runtime: &str) -> String {
        let unknown = |list: Vec<&Option<Kind>>, letter: char| -> Vec<String> {
            (0..list.len()).filter(|at| list[*at].is_none()).map(|at| format!("{letter}{at}")).collect()
        };
        let mut generics = unknown(self.params.iter().map(|(_, kind)| kind).collect(), 'P');
        generics.extend(unknown(self.results.iter().collect(), 'R'));
        let generics = if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(", ")) };
        let params: Vec<String> = self
            .params
            .iter()
            .enumerate()
            .map(|(at, (name, kind))| {
                let ty = kind.as_ref().map_or_else(|| format!("P{at}"), |kind| kind.argument(runtime));
                if is_rust_keyword(name) { format!("r#{name}: {ty}") } else { format!("{name}: {ty}") }
            })
            .collect();
        let results: Vec<String> = self
            .results
            .iter()
            .enumerate()
            .map(|(at, kind)| kind.as_ref().map_or_else(|| format!("R{at}"), |kind| kind.result(runtime)))
            .collect();
        let results = if let [one] = &results[..] { one.clone() } else { format!("({})", results.join(", ")) };
        format!(
            "#[cfg(rust_analyzer)] /// A MATLAB function whose text the editor does not show to Megha until it is saved.\n\
             #[allow(unused)] {} fn {}{generics}({}) -> {runtime}::Result<{results}> {{ ::core::unimplemented!() }}\n",
            self.visibility,
            self.name,
            params.join(", ")
        )
    }
}

impl Kind {
    fn of(ty: &Declared) -> Kind {
        let element = if ty.count { "usize" } else { rust_type(ty.class) };
        Kind { element: element.to_owned(), rank: ty.dims.len() }
    }

    fn element(&self, runtime: &str) -> String {
        self.element.replace("rt::", &format!("{runtime}::"))
    }

    fn argument(&self, runtime: &str) -> String {
        match self.rank {
            0 => self.element(runtime),
            rank => format!("impl {runtime}::Input<{}, {rank}>", self.element(runtime)),
        }
    }

    fn result(&self, runtime: &str) -> String {
        match self.rank {
            0 => self.element(runtime),
            rank => format!(
                "{runtime}::ndarray::Array<{}, {runtime}::ndarray::Dim<[usize; {rank}]>>",
                self.element(runtime)
            ),
        }
    }
}

/// A value of statements: a result of any type.
pub fn value(runtime: &str) -> String {
    format!("{{ fn megha_value<R>() -> {runtime}::Result<R> {{ ::core::unimplemented!() }} megha_value() }}")
}

/// The functions with `arguments` blocks among tokens whose lines are not known.
pub fn headers(tokens: &[Token]) -> Vec<Header> {
    let words: Vec<&str> = tokens.iter().map(|t| t.text.as_str()).collect();
    let mut found: Vec<Header> = Vec::new();
    for (at, _) in words.iter().enumerate().filter(|(_, word)| **word == "function") {
        let next = (at + 1..words.len()).find(|next| words[*next] == "function").unwrap_or(words.len());
        let header = header(&words[at + 1..next]);
        found.extend(header.filter(|h| !is_rust_keyword(&h.name) && found.iter().all(|other| other.name != h.name)));
    }
    found
}

/// `[results =] name (params) .. arguments entries end`
fn header(words: &[&str]) -> Option<Header> {
    let is_name = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    let open = words.iter().enumerate().position(|(at, w)| *w == "(" && at > 0 && is_name(words[at - 1]))?;
    let close = open + words[open..].iter().position(|w| *w == ")")?;
    let names = |part: &[&str]| -> Vec<String> {
        part.iter().filter(|w| is_name(w) || **w == "~").map(|w| (*w).to_owned()).collect()
    };
    let params = names(&words[open + 1..close]);
    let before = &words[..open - 1];
    let results = if before.last() == Some(&"=") { names(before) } else { Vec::new() };
    let block = words.iter().position(|w| *w == "arguments").map(|at| &words[at + 1..]);
    let kinds = |name: &String| block.and_then(|block| declared(block, name));
    let params = params.iter().map(|name| (name.clone(), kinds(name))).collect();
    let results = vec![None; results.len()];
    Some(Header { visibility: "pub".into(), name: words[open - 1].to_owned(), params, results })
}

/// The type of a parameter in an `arguments` block: `name (sizes) class`.
fn declared(block: &[&str], name: &str) -> Option<Kind> {
    let end = block.iter().position(|w| *w == "end").unwrap_or(block.len());
    let at = (0..end).find(|at| block[*at] == name && block.get(at + 1) == Some(&"("))?;
    let close = at + block[at..end].iter().position(|w| *w == ")")?;
    let sizes: Vec<&[&str]> = block[at + 2..close].split(|w| *w == ",").collect();
    let class = block.get(close + 1).and_then(|word| Class::from_matlab_name(word)).unwrap_or(Class::Double);
    let rank = if sizes.iter().all(|size| *size == ["1"]) { 0 } else { sizes.len() };
    Some(Kind { element: rust_type(class).to_owned(), rank })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::LineCol;

    #[test]
    fn types_are_read_without_lines() {
        let text = "function y = f ( a , x ) % says a ( 1 , 1 ) arguments a ( 1 , 1 ) double x ( n , : ) single end y = x ; end \
                    function g ( k ) end function [ p , q ] = h ( ) end";
        let at = LineCol { line: 1, col: 1 };
        let tokens: Vec<Token> = text.split(' ').map(|t| Token { text: t.into(), start: at, end: at }).collect();
        let code: Vec<String> = headers(&tokens).iter().map(|h| h.code("::megha::rt")).collect();
        let ends = [
            "pub fn f<R0>(a: f64, x: impl ::megha::rt::Input<f32, 2>) -> ::megha::rt::Result<R0> {",
            "pub fn g<P0>(k: P0) -> ::megha::rt::Result<()> {",
            "pub fn h<R0, R1>() -> ::megha::rt::Result<(R0, R1)> {",
        ];
        assert_eq!(code.len(), ends.len());
        for (code, end) in code.iter().zip(ends) {
            assert!(code.contains(end), "{code}");
        }
    }
}
