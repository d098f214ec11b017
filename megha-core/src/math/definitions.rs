//! The functions of the library that are asked for, each parsed with what it calls: few of all are, and to parse all would take a third of the
//! time that a program of one page needs.

use super::{Definition, FILES};
use crate::hash::{HashMap, HashSet};
use crate::ir::FuncId;
use crate::ir::parse::parse;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A function in the library's text.
struct Text {
    name: &'static str,
    /// With the notes that stand before it.
    text: &'static str,
}

/// The functions, callees before callers.
struct Texts {
    list: Vec<Text>,
    numbers: HashMap<&'static str, usize>,
}

impl Texts {
    fn get() -> &'static Self {
        static TEXTS: OnceLock<Texts> = OnceLock::new();
        TEXTS.get_or_init(|| {
            let parts = FILES.iter().flat_map(|file| functions(file.text));
            let list: Vec<Text> = parts.filter_map(|text| Some(Text { name: name_of(text)?, text })).collect();
            let numbers = list.iter().enumerate().map(|(number, function)| (function.name, number)).collect();
            Self { list, numbers }
        })
    }

    /// Adds the number of a function, and those of all that it calls.
    fn add(&self, number: usize, found: &mut HashSet<usize>) {
        if found.insert(number) {
            let called = names(self.list[number].text, "call @").filter_map(|name| self.numbers.get(name));
            called.for_each(|callee| self.add(*callee, found));
        }
    }
}

/// The parts of a text that end with functions. A function ends with a brace on a line of its own.
fn functions(text: &'static str) -> Vec<&'static str> {
    let (mut parts, mut from, mut seen) = (Vec::new(), 0, 0);
    while let Some(at) = text[seen..].find('}') {
        seen += at + 1;
        let bytes = text.as_bytes();
        if seen >= 2 && bytes[seen - 2] == b'\n' && bytes.get(seen) == Some(&b'\n') {
            parts.push(&text[from..=seen]);
            from = seen + 1;
        }
    }
    parts
}

/// The name of the first function in a text. Single characters are sought, not words: the search for a word is prepared at length.
fn name_of(text: &'static str) -> Option<&'static str> {
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, behind) = (&rest[..at], &rest[at + 1..]);
        if before.ends_with("func ") {
            return behind.find('(').map(|end| &behind[..end]);
        }
        rest = behind;
    }
    None
}

/// The names that stand behind a word.
fn names(text: &'static str, word: &'static str) -> impl Iterator<Item = &'static str> {
    text.split(word).skip(1).filter_map(|rest| rest.split('(').next())
}

/// This name as the library's text has it, if a function bears it.
pub(super) fn named(name: &str) -> Option<&'static str> {
    let texts = Texts::get();
    texts.numbers.get(name).map(|number| texts.list[*number].name)
}

/// The function of this name, if there is one.
pub(super) fn of(name: &str) -> Option<Definition> {
    static PARSED: Mutex<Option<HashMap<usize, Definition>>> = Mutex::new(None);
    let texts = Texts::get();
    let number = *texts.numbers.get(name)?;
    let mut parsed = PARSED.lock().unwrap_or_else(PoisonError::into_inner);
    let parsed = parsed.get_or_insert_default();
    Some(*parsed.entry(number).or_insert_with(|| parsed_text(texts, number)))
}

/// Its module stays for the rest of the process: there is one for each function at most.
fn parsed_text(texts: &Texts, number: usize) -> Definition {
    let mut needed = HashSet::default();
    texts.add(number, &mut needed);
    let mut needed: Vec<usize> = needed.into_iter().collect();
    needed.sort_unstable();
    let text: String = needed.iter().map(|number| texts.list[*number].text).collect();
    let module = parse(&text).expect("the library's text is part of the compiler, and a test parses it");
    let id = FuncId::new(module.funcs.len() - 1);
    Definition { module: Box::leak(Box::new(module)), id }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Op, verify::verify};
    use crate::math::library;

    /// Each function is the one of the whole library, and so is all that it calls.
    #[test]
    fn functions_are_those_of_the_library() {
        for whole in &library().funcs {
            let found = of(&whole.name).unwrap_or_else(|| panic!("@{}", whole.name));
            verify(found.module).unwrap_or_else(|e| panic!("{e:?}"));
            for func in &found.module.funcs {
                let whole = library().funcs.iter().find(|whole| whole.name == func.name).unwrap();
                assert_eq!(called(func, found.module), called(whole, library()));
                let without = |func: &crate::ir::Func| func.to_string().lines().filter(|l| !l.contains("call")).count();
                assert_eq!(without(func), without(whole));
            }
            assert_eq!(found.func().name, whole.name);
        }
        assert!(of("sqrt").is_none());
    }

    fn called<'m>(func: &crate::ir::Func, module: &'m crate::ir::Module) -> Vec<&'m str> {
        let of = |stmt: &crate::ir::Stmt| match stmt.op {
            Op::Call(id, _) => Some(module.funcs[id.index()].name.as_str()),
            _ => None,
        };
        func.body.stmts.iter().filter_map(of).collect()
    }
}
