//! Nested functions: those that share no variable with the functions around them are functions of the file like any other.
//!
//! In MATLAB a name that both a nested function and one around it use as a variable is one variable, but for the nested
//! function's own parameters and results. Such a variable is refused.

use std::collections::BTreeSet;

use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::matlab::ast::{Function, LValue, Param, Program, Stmt, StmtKind};
use crate::matlab::mentions;
use crate::matlab::walk::{self, Visitor};

/// Makes functions of the file of the nested ones, behind the others.
pub fn lift(program: &mut Program, diags: &mut Diagnostics) {
    let mut lifted = Vec::new();
    for function in &mut program.functions {
        take_from(function, &Names::default(), &mut lifted, diags);
    }
    program.functions.extend(lifted);
}

/// The names of a function and of those around it.
#[derive(Default, Clone)]
struct Names {
    variables: BTreeSet<String>,
    mentioned: BTreeSet<String>,
}

fn take_from(function: &mut Function, outer: &Names, lifted: &mut Vec<Function>, diags: &mut Diagnostics) {
    let mut names = outer.clone();
    names.variables.extend(own(function));
    names.variables.extend(assigned(&function.body));
    names.mentioned.extend(mentions::of_block(&function.body));
    for mut nested in std::mem::take(&mut function.nested) {
        if let Some(shared) = shared(&nested, &names) {
            let (inner, outer) = (&nested.name.text, &function.name.text);
            let message = format!("the nested function `{inner}` shares the variable `{shared}` with `{outer}`");
            let error = Diagnostic::error(Code::Unsupported, nested.name.span, message);
            diags.push(error.help(format!("pass `{shared}` as an argument and return it as a result")));
        }
        take_from(&mut nested, &names, lifted, diags);
        lifted.push(nested);
    }
}

/// A variable that a nested function has in common with the functions around it.
fn shared(nested: &Function, outer: &Names) -> Option<String> {
    let own: BTreeSet<String> = own(nested).collect();
    let assigned = assigned(&nested.body);
    let used = mentions::of_block(&nested.body);
    let both =
        |name: &&String| outer.variables.contains(*name) || assigned.contains(*name) && outer.mentioned.contains(*name);
    used.union(&assigned).filter(|name| !own.contains(*name)).find(both).cloned()
}

/// The parameters and results of a function.
pub(super) fn own(function: &Function) -> impl Iterator<Item = String> {
    let inputs = function.inputs.iter().filter_map(|p| match p {
        Param::Named(name) => Some(name),
        Param::Ignored(_) => None,
    });
    inputs.chain(&function.outputs).map(|name| name.text.clone())
}

/// The variables that statements assign or declare.
pub(super) fn assigned(body: &[Stmt]) -> BTreeSet<String> {
    let mut found = Targets::default();
    walk::stmts(body, &mut found);
    found.names
}

#[derive(Default)]
struct Targets {
    names: BTreeSet<String>,
}

impl Visitor for Targets {
    fn target(&mut self, target: &LValue) {
        self.names.insert(target.name.text.clone());
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Global(list) | StmtKind::Persistent(list) = &stmt.kind {
            self.names.extend(list.iter().map(|declared| declared.name.text.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lift;
    use crate::diag::Diagnostics;
    use crate::matlab::parse;
    use crate::source::SourceMap;

    /// The functions of the file after `lift`, and the mistakes.
    fn lifted(text: &str) -> (Vec<String>, Vec<String>) {
        let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add("f.m", text);
        let mut program = parse(sources.get(file).unwrap(), &mut diags);
        lift(&mut program, &mut diags);
        let messages = diags.sorted().into_iter().map(|d| d.message.clone()).collect();
        (program.functions.iter().map(|f| f.name.text.clone()).collect(), messages)
    }

    #[test]
    fn functions_with_variables_of_their_own_are_lifted() {
        let inner = "function b = h(b)\nt = b;\nb = t;\nend\n";
        let text =
            format!("function y = f(x)\ny = g(x);\nfunction y = g(x)\ny = h(x);\n{inner}end\nend\nfunction k()\nend");
        assert_eq!(lifted(&text), (["f", "k", "h", "g"].map(String::from).to_vec(), Vec::new()));
    }

    #[test]
    fn shared_variables_are_refused() {
        let shared = |outer: &str, inner: &str| {
            lifted(&format!("function y = f(x)\n{outer}\nfunction z = g(v)\n{inner}\nend\ny = g(x);\nend")).1
        };
        let message = |name: &str| vec![format!("the nested function `g` shares the variable `{name}` with `f`")];
        assert_eq!(shared("", "z = v + x;"), message("x"), "it reads a parameter");
        assert_eq!(shared("n = 1;", "n = v; z = n;"), message("n"), "both assign it");
        assert_eq!(shared("disp(n)", "z = v; n = v;"), message("n"), "the outer one reads what it assigns");
        assert_eq!(shared("for v = 1:2, end", "z = v;"), Vec::<String>::new(), "a parameter is its own");
    }
}
