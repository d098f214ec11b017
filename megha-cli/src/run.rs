//! `megha run`: scripts in the reference interpreter.

use std::io::{Write, stderr};
use std::path::Path;

use super::output::{Output, tell};
use super::{End, colour};
use megha_core::diag::{Code, Diagnostic, render, render_all};
use megha_core::driver::{Job, compile_statements, script};
use megha_core::interp::{self, Failure};
use megha_core::ir::FuncId;
use megha_core::source::Span;

/// Runs the statements of a script; what they print goes to the standard output.
pub fn run(path: &Path) -> End {
    let job = match Job::file(path) {
        Ok(job) => job,
        Err(why) => return End::Refused(why),
    };
    let span = Span::new(job.main, 0, 0);
    let outcome = compile_statements(job, script::signature("script", span));
    tell(format_args!("{}", render_all(&outcome.diags, &outcome.sources, colour(&stderr()))));
    if !outcome.is_ok() {
        return End::Mistakes;
    }
    let mut out = Output;
    let done = interp::run(&outcome.lowered, FuncId::new(0), Vec::new(), &interp::Options::default(), &mut out);
    let flushed = out.flush();
    match (done, flushed) {
        (Err(failure), _) => {
            let diagnostic = diagnostic(&failure, outcome.spans.span(failure.loc).unwrap_or(span));
            tell(format_args!("{}", render(&diagnostic, &outcome.sources, colour(&stderr()))));
            End::Mistakes
        }
        (Ok(_), Err(e)) => End::Refused(format!("the output cannot be written: {e}")),
        (Ok(_), Ok(())) => End::Well,
    }
}

/// A failure at run time in the form of other messages.
fn diagnostic(failure: &Failure, span: Span) -> Diagnostic {
    match failure.is_internal() {
        true => Diagnostic::error(Code::Internal, span, failure.message.clone()),
        false => Diagnostic::error(Code::Failed, span, failure.message.clone()),
    }
}
