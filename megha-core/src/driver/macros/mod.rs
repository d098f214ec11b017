//! The macro `matlab!`, apart from the compiler's own token types.
//!
//! ```text
//! input  := functions                                   MATLAB functions with arguments blocks: Rust functions
//!         | "|" entries "|" "->" results "{" text "}"   MATLAB statements over Rust variables: a Result
//!         | "file" STRING { "," signature }             a file, relative to the Rust file: Rust functions
//!         | STRING { "," signature }                    MATLAB functions: Rust functions
//! ```
//! Signatures, entries and results are those of [`super::signature`].

mod form;
mod recover;
mod report;
mod search;
mod stubs;
mod tokens;

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::spec::is_rust_keyword;
use super::{Job, Outcome, Signature, Stub, Wanted, compile, compile_statements, load, rust};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::source::{SourceMap, Span};
use form::Form;
pub use recover::{Input, Recovered, Token, recover};
pub use report::Message;
use search::is_unplaced;
use stubs::Header;
pub use tokens::tokens;

/// The run-time system in generated code.
const RUNTIME: &str = "::megha::rt";

/// What a macro call becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    /// Rust code: items, or an expression for the form with `|..|`.
    pub code: String,
    /// Mistakes and warnings.
    pub messages: Vec<Message>,
    /// The code is an expression.
    pub expression: bool,
    /// After mistakes, the module from which the code imports what could not be compiled. If the first error stands in it,
    /// rustc takes the names as known and finds no fault with their uses.
    pub missing: Option<String>,
    /// Rust code in place of all of this for editors that do not tell where the text stands: the mistakes may not be the user's.
    pub editor: Option<String>,
}

/// Expands one call of `matlab!`.
pub fn expand(input: &Input) -> Expansion {
    let found = search::placed(input);
    let input = found.as_ref().unwrap_or(input);
    let (mut call, form) = Call::of(input);
    // The lines of inline text are not known, or not the folder that a path counts from.
    let guessed = input.file.is_none() && is_unplaced(&input.tokens) && !input.tokens.is_empty();
    let (guessed, headers) = match &form {
        None => (guessed, Vec::new()),
        Some(Form::Functions) => (guessed, stubs::headers(&input.tokens)),
        Some(Form::Statements { .. }) => (guessed, Vec::new()),
        Some(Form::File { path, signatures, .. }) => {
            (guessed && Path::new(path).is_relative(), signatures.iter().map(Header::of_signature).collect())
        }
        Some(Form::Text { .. }) => (false, Vec::new()),
    };
    let inline = matches!(form, None | Some(Form::Functions | Form::Statements { .. }));
    let mut expansion = call.expand(form);
    if let Some(error) = expansion.messages.iter_mut().find(|m| !m.warning && inline && is_mutilated(input)) {
        error.text += "\nhelp: Rust's own lexer reads inline text first, and refuses `\\`, `'text'`, `A'` and apostrophes in comments; write \
                       this text as a string: matlab!(r#\"..\"#)";
    }
    if !guessed || expansion.messages.iter().all(|m| m.warning) {
        return expansion;
    }
    let editor = match expansion.expression {
        true => stubs::value(RUNTIME),
        false => headers.iter().map(|header| header.code(RUNTIME)).collect(),
    };
    Expansion { editor: Some(editor), ..expansion }
}

/// Whether Rust's lexer has taken apart what MATLAB means by a quote, or taken out a backslash.
fn is_mutilated(input: &Input) -> bool {
    let kept = |c: char| input.tokens.iter().any(|token| token.text.contains(c));
    input.tokens.iter().any(|token| token.text == "'")
        || input.call.as_deref().is_some_and(|call| call.contains('\\') && !kept('\\'))
}

fn wanted(signatures: Vec<Signature>, without: Wanted) -> Wanted {
    if signatures.is_empty() { without } else { Wanted::Signatures(signatures) }
}

/// What a call asks for, compiled; of one that cannot be read the mistakes. Keeps the text after each pass if that is wanted.
pub fn outcome(input: &Input, dump: bool) -> Outcome {
    let (mut call, form) = Call::of(input);
    match call.asked(form) {
        Ok(asked) => Asked { job: Job { dump, ..asked.job }, ..asked }.compiled(),
        Err(failed) => Outcome::empty(failed.sources, failed.diags),
    }
}

/// A macro call that is being expanded.
struct Call<'a> {
    input: &'a Input,
    /// Positions in the inline texts are positions in the Rust file.
    exact: bool,
    /// The texts whose positions are those of tokens.
    inline: Vec<crate::source::FileId>,
    /// The text of the call at its place.
    text: String,
    sources: SourceMap,
    diags: Diagnostics,
}

/// What a call asks for.
struct Asked {
    job: Job,
    /// The text's statements are to be the body of a function with this signature, and the call an expression.
    statements: Option<Signature>,
}

impl Asked {
    fn compiled(self) -> Outcome {
        match self.statements {
            Some(signature) => compile_statements(self.job, signature),
            None => compile(self.job),
        }
    }
}

/// A call that asks for nothing that can be read.
struct Failed {
    sources: SourceMap,
    diags: Diagnostics,
    /// The functions that Rust expects.
    stubs: Vec<Stub>,
    expression: bool,
}

impl<'a> Call<'a> {
    /// The call with its form, if it has one.
    fn of(input: &'a Input) -> (Self, Option<Form>) {
        let recovered = recover(input);
        let (text, start) = recovered.padded();
        let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
        let header = sources.add(&input.name, &text);
        let form = sources.get(header).and_then(|file| form::parse(file, start, &mut diags));
        (Self { input, exact: recovered.exact, inline: vec![header], text, sources, diags }, form)
    }

    /// What is to be compiled.
    fn asked(&mut self, form: Option<Form>) -> Result<Asked, Failed> {
        let mut sources = std::mem::take(&mut self.sources);
        let items = |job| Ok(Asked { job, statements: None });
        match form {
            None => {
                let expression = recover::after_gap(&self.text).starts_with('|');
                Err(Failed { sources, diags: std::mem::take(&mut self.diags), stubs: Vec::new(), expression })
            }
            Some(Form::Functions) => items(Job { wanted: Wanted::Typed, ..Job::text(sources, self.inline[0]) }),
            Some(Form::Statements { signature, body }) => {
                // The statements alone, at their places in the file.
                let blank = |part: &str| part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect::<String>();
                let alone = blank(&self.text[..body.start]) + &self.text[body];
                let main = sources.add(&self.input.name, alone);
                self.inline.push(main);
                Ok(Asked { job: Job::text(sources, main), statements: Some(signature) })
            }
            Some(Form::Text { content, padding, signatures }) => {
                let main = match padding {
                    Some(padding) => sources.add(&self.input.name, padding + &content),
                    None => sources.add(format!("the string in {}", self.input.name), content),
                };
                items(Job { wanted: wanted(signatures, Wanted::Typed), ..Job::text(sources, main) })
            }
            Some(Form::File { path, span, signatures }) => self.file(sources, &path, span, signatures),
        }
    }

    fn file(
        &self,
        mut sources: SourceMap,
        path: &str,
        span: Span,
        signatures: Vec<Signature>,
    ) -> Result<Asked, Failed> {
        let mut diags = Diagnostics::new();
        let folder = self.input.file.as_deref().and_then(Path::parent);
        let path = Path::new(path);
        if path.is_relative() && folder.is_none() {
            let message = format!("`{}` is relative, and the file of this macro is not known", path.display());
            diags.push(Diagnostic::error(Code::NoFolder, span, message).help("write an absolute path"));
        }
        let path = tidy(&folder.unwrap_or(Path::new("")).join(path));
        let stubs: Vec<Stub> = signatures.iter().map(Stub::of_signature).collect();
        if !diags.has_errors() {
            match load::read(&path, &mut sources) {
                Ok(main) => {
                    let wanted = wanted(signatures, Wanted::File);
                    let job = Job { path: Some(path), wanted, ..Job::text(sources, main) };
                    return Ok(Asked { job, statements: None });
                }
                Err(message) => {
                    let error = Diagnostic::error(Code::UnreadableFile, span, message);
                    diags.push(error.help("the path counts from the folder of this Rust file"));
                }
            }
        }
        Err(Failed { sources, diags, stubs, expression: false })
    }

    fn expand(&mut self, form: Option<Form>) -> Expansion {
        match self.asked(form) {
            Ok(Asked { job, statements: None }) => self.items(job),
            Ok(Asked { job, statements: Some(signature) }) => self.statements(job, signature),
            Err(failed) => self.failed(&failed),
        }
    }

    /// A call that becomes functions.
    fn items(&self, job: Job) -> Expansion {
        let mut outcome = compile(job);
        let code = rust(&mut outcome, RUNTIME);
        let tracked: String = outcome.units.iter().filter_map(|u| u.path.as_deref()).map(track).collect();
        let Some(code) = code else {
            let Outcome { sources, diags, stubs, .. } = outcome;
            let failed = self.failed(&Failed { sources, diags, stubs, expression: false });
            return Expansion { code: tracked + &failed.code, ..failed };
        };
        Expansion {
            code: tracked + &code,
            messages: self.messages(&outcome.diags, &outcome.sources),
            expression: false,
            missing: None,
            editor: None,
        }
    }

    fn messages(&self, diags: &Diagnostics, sources: &SourceMap) -> Vec<Message> {
        report::messages(diags, sources, self.input, self.exact, &self.inline)
    }

    /// Names in place of the functions that could not be compiled, so that their callers are not mistaken too.
    fn failed(&self, failed: &Failed) -> Expansion {
        let Failed { sources, diags, stubs, expression } = failed;
        let messages = self.messages(diags, sources);
        let mut seen = BTreeSet::new();
        let usable: Vec<&Stub> = stubs.iter().filter(|s| !is_rust_keyword(&s.name) && seen.insert(&s.name)).collect();
        let missing = usable.first().filter(|_| !expression).map(|first| format!("megha_missing_{}", first.name));
        let import = |s: &&Stub, module: &str| format!("#[allow(unused)] {} use {module}::{};\n", s.visibility, s.name);
        let code = missing.iter().flat_map(|module| usable.iter().map(|s| import(s, module))).collect();
        Expansion { code, messages, expression: *expression, missing, editor: None }
    }

    /// A call that becomes an expression.
    fn statements(&self, job: Job, signature: Signature) -> Expansion {
        let arguments: Vec<String> = signature.params.iter().map(argument).collect();
        let name = signature.function.text.clone();
        let mut outcome = compile_statements(job, signature);
        let Some(code) = rust(&mut outcome, RUNTIME) else {
            let Outcome { sources, diags, .. } = outcome;
            return self.failed(&Failed { sources, diags, stubs: Vec::new(), expression: true });
        };
        let messages = self.messages(&outcome.diags, &outcome.sources);
        let call = format!("megha_call::{name}({})", arguments.join(", "));
        let code = format!("mod megha_call {{ {code} }} {call}");
        Expansion { code, messages, expression: true, missing: None, editor: None }
    }
}

/// A variable as argument: arrays are lent.
fn argument(entry: &super::signature::Entry) -> String {
    let name = match &*entry.name.text {
        word if is_rust_keyword(word) => format!("r#{word}"),
        word => word.to_owned(),
    };
    let is_array = entry.ty.as_ref().is_some_and(|ty| !ty.dims.is_empty());
    if is_array { format!("&{name}") } else { name }
}

/// A file whose change makes cargo compile anew.
fn track(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    format!("const _: &[u8] = ::core::include_bytes!({:?});\n", absolute.display().to_string())
}

/// The path without `.` and, where they follow a name, `..`.
fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}
