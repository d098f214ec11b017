//! The text of the file around an offloaded function: the items of its modules.
//!
//! A macro sees its own tokens. The file is scanned, not parsed: to parse it takes an unoptimised macro a good part of a second for each function.
//! To find where items begin and end only brackets, strings and comments have to be understood; an item is parsed when its name is met. One
//! scan serves all functions of a file. Where the file cannot be read (an editor's unsaved buffer, code from another macro), nothing is known of it.

mod lex;
mod scan;

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A function.
    Function,
    /// A constant, or what is `static`.
    Constant,
    /// `type A = B;`
    Alias,
    /// A module with a body, by its number.
    Module(usize),
    /// `use a::b;`
    Import,
    /// A call of a macro, which may make items.
    Call,
    /// `macro_rules!`
    Rules,
    /// `impl`, whose functions see the names of the module.
    Methods,
    /// Anything else.
    Other,
}

/// An item.
#[derive(Debug, Clone)]
pub struct Item {
    pub kind: Kind,
    /// Its name, empty if it has none.
    pub name: String,
    /// Where its name stands.
    at: usize,
    /// Its text, attributes included.
    text: Range<usize>,
    /// Whether `cfg` decides that it is there.
    pub conditional: bool,
    /// Whether it says `pub`.
    pub public: bool,
}

/// A module with a body in the file, or the file itself.
#[derive(Debug, Default)]
pub struct Module {
    /// The module around it and its name.
    pub parent: Option<(usize, String)>,
    /// Its items.
    pub items: Vec<Item>,
    body: Range<usize>,
}

/// A file.
#[derive(Debug, Default)]
pub struct File {
    text: String,
    /// The file itself is the first.
    pub modules: Vec<Module>,
}

impl File {
    /// The file at a path, as it was when it was first asked for.
    pub fn at(path: &Path) -> Option<Arc<Self>> {
        static KNOWN: Mutex<Option<HashMap<PathBuf, Arc<File>>>> = Mutex::new(None);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        // An editor's server lives longer than the text.
        let text = std::fs::read_to_string(path).ok()?;
        if let Some(file) = known.get(path).filter(|file| file.text == text) {
            return Some(Arc::clone(file));
        }
        let file = Arc::new(Self::of(text));
        known.insert(path.to_owned(), Arc::clone(&file));
        Some(file)
    }

    /// The items of a text.
    pub fn of(text: String) -> Self {
        let modules = scan::modules(&text);
        Self { text, modules }
    }

    /// The text of an item.
    pub fn source(&self, item: &Item) -> &str {
        &self.text[item.text.clone()]
    }

    /// Where a line from 1 and a column from 0 are in the text.
    fn offset(&self, (line, column): (usize, usize)) -> Option<usize> {
        let before: usize = self.text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
        let own: usize = self.text.get(before..)?.chars().take(column).map(char::len_utf8).sum();
        Some(before + own)
    }

    /// The text between two places.
    pub fn between(&self, from: (usize, usize), to: (usize, usize)) -> Option<String> {
        self.text.get(self.offset(from)?..self.offset(to)?).map(str::to_owned)
    }

    /// The module whose names a function sees whose own name stands at a line from 1 and a column from 0: not if it stands within another function or
    /// in a macro.
    pub fn module_of(&self, name: &str, line: usize, column: usize) -> Option<usize> {
        let at = self.offset((line, column))?;
        let is_it = |items: &[Item]| items.iter().any(|i| i.kind == Kind::Function && i.at == at && i.name == name);
        let inner = (0..self.modules.len()).filter(|m| self.modules[*m].body.contains(&at));
        let module = inner.min_by_key(|m| self.modules[*m].body.len())?;
        let items = &self.modules[module].items;
        let methods = |item: &Item| {
            item.kind == Kind::Methods
                && item.text.contains(&at)
                && is_it(&scan::methods(&self.text, item.text.clone()))
        };
        (is_it(items) || items.iter().any(methods)).then_some(module)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r##"
//! fn no() {}
use a::{b, c}; /* fn /* nor */ this() {} */
#[inline]
pub(crate) fn first<'a>(x: &'a [u8; 2]) -> char { let s = "}\""; let r = r#"}"#; '}' }
#[cfg(test)] mod inner { pub const X: [f64; 2] = [{ 1.0 }, 2.0]; pub mod deeper { type A = f64; async fn second() {} } }
static mut COUNT: usize = 0;
macro_rules! make { ($x:ident) => { fn third() {} } }
make!(x); make! { y }
impl<T> S<T> { const C: usize = 1; pub fn fourth(&self) { fn fifth() {} } }
const unsafe fn sixth() {}
struct T(u8); struct U { a: u8 }
extern "C" { fn seventh(); }
"##;

    #[test]
    fn items_are_found() {
        let file = File::of(TEXT.to_owned());
        let show = |module: &Module| {
            let names = module.items.iter().map(|i| format!("{:?} {}", i.kind, i.name));
            names.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(
            show(&file.modules[0]),
            "Import , Function first, Module(1) inner, Other COUNT, Rules make, Call make, Call make, Methods , \
             Function sixth, Other T, Other U, Other "
        );
        assert_eq!(show(&file.modules[1]), "Constant X, Module(2) deeper");
        assert_eq!(show(&file.modules[2]), "Alias A, Function second");
        assert!(file.modules[0].items[2].conditional && file.modules[0].items[1].public);
        let first = file.source(&file.modules[0].items[1]);
        assert!(first.starts_with("#[inline]") && first.ends_with("'}' }"), "{first}");
    }

    #[test]
    fn functions_stand_in_modules() {
        let file = File::of(TEXT.to_owned());
        let place = |name: &str| {
            let at = TEXT.find(&format!("fn {name}")).expect("the function") + 3;
            let line = TEXT[..at].matches('\n').count();
            let column = at - TEXT[..at].rfind('\n').map_or(0, |n| n + 1);
            file.module_of(name, line + 1, column)
        };
        let found = ["no", "first", "second", "third", "fourth", "fifth", "sixth", "seventh"].map(place);
        assert_eq!(found, [None, Some(0), Some(2), None, Some(0), None, Some(0), None]);
    }
}
