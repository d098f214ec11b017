//! What a path means in a module of the file: Rust's rules for names, as far as the text of one file decides them.
//!
//! An item of the module comes before what `use` names, and that before what `use a::*` brings. What conditions, macros or other files may decide
//! is unclear, and whoever asks refuses it. What Rust itself refuses (two items of one name, two globs that bring different ones, privacy) is
//! not tested: Rust reads the plain function anyway.

use super::file::{File, Item, Kind};
use syn::UseTree;

/// Which names are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// Functions and constants.
    Value,
    /// Types and modules.
    Type,
}

/// What a path means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// An item: its module and number there.
    Item(usize, usize),
    /// Nothing in this file; the path as another crate or the standard library has it.
    Elsewhere(Vec<String>),
    /// Nothing of this name.
    Missing,
    /// It cannot be known.
    Unclear,
}

/// Paths that lead to others end somewhere.
const DEEPEST: usize = 16;

/// What a path means in a module.
pub fn resolve(file: &File, module: usize, path: &[String], space: Space) -> Found {
    Search { file, steps: 0 }.path(module, path, space)
}

struct Search<'f> {
    file: &'f File,
    steps: usize,
}

impl Search<'_> {
    fn path(&mut self, module: usize, path: &[String], space: Space) -> Found {
        self.steps += 1;
        if self.steps > 32 * DEEPEST {
            return Found::Unclear;
        }
        let (first, rest) = match path {
            [] => return Found::Unclear,
            [first, rest @ ..] => (first, rest),
        };
        match (&first[..], rest) {
            ("crate" | "Self", _) | ("self" | "super", []) => Found::Unclear,
            ("self", [next, ..]) if next == "super" => self.path(module, rest, space),
            ("self", rest) => self.path_within(module, rest, space),
            ("super", rest) => match &self.file.modules[module].parent {
                Some((parent, _)) => match rest {
                    [next, ..] if next == "super" => self.path(*parent, rest, space),
                    rest => self.path_within(*parent, rest, space),
                },
                None => Found::Unclear,
            },
            (_, []) => self.name(module, first, space, true),
            (_, rest) => match self.name(module, first, Space::Type, true) {
                Found::Missing => Found::Elsewhere(path.to_vec()),
                found => self.beyond(found, rest, space),
            },
        }
    }

    /// A path whose first name is one of a module's own.
    fn path_within(&mut self, module: usize, path: &[String], space: Space) -> Found {
        match path {
            [] => Found::Unclear,
            [name] => self.name(module, name, space, true),
            [first, rest @ ..] => {
                let found = self.name(module, first, Space::Type, true);
                self.beyond(found, rest, space)
            }
        }
    }

    /// The rest of a path behind what its beginning means.
    fn beyond(&mut self, found: Found, rest: &[String], space: Space) -> Found {
        match found {
            Found::Item(module, number) => match self.file.modules[module].items[number].kind {
                Kind::Module(inner) => self.path_within(inner, rest, space),
                Kind::Function | Kind::Constant | Kind::Alias | Kind::Import => Found::Unclear,
                Kind::Call | Kind::Rules | Kind::Methods | Kind::Other => Found::Unclear,
            },
            Found::Elsewhere(path) => Found::Elsewhere([&path[..], rest].concat()),
            Found::Missing | Found::Unclear => found,
        }
    }

    /// What a name means in a module; `inside` if what is private there is seen.
    fn name(&mut self, module: usize, name: &str, space: Space, inside: bool) -> Found {
        self.steps += 1;
        if self.steps > 32 * DEEPEST {
            return Found::Unclear;
        }
        match self.own(module, name, space, inside) {
            Found::Missing => {}
            found => return found,
        }
        match self.imported(module, name, space, inside) {
            Found::Missing => {}
            found => return found,
        }
        match self.through_globs(module, name, space, inside) {
            // A macro's item would come before it.
            Found::Item(..) | Found::Elsewhere(_) if self.may_be_made(module, name) => Found::Unclear,
            found => found,
        }
    }

    /// An item of the module.
    fn own(&self, module: usize, name: &str, space: Space, inside: bool) -> Found {
        let of = |item: &Item| match item.kind {
            Kind::Function | Kind::Constant => space == Space::Value,
            Kind::Alias | Kind::Module(_) => space == Space::Type,
            // A struct may be a value too.
            Kind::Other => true,
            Kind::Import | Kind::Call | Kind::Rules | Kind::Methods => false,
        };
        let items = self.file.modules[module].items.iter().enumerate();
        let mut found = items.filter(|(_, item)| item.name == name && of(item) && (inside || item.public));
        match (found.next(), found.next()) {
            (None, _) => Found::Missing,
            (Some((number, item)), None) if !item.conditional && item.kind != Kind::Other => {
                Found::Item(module, number)
            }
            _ => Found::Unclear,
        }
    }

    /// The names and paths of a module's `use`s; `*` is the name of all.
    fn imports(&self, module: usize, inside: bool, name: &str) -> Vec<(String, Vec<String>, bool)> {
        let mut found = Vec::new();
        for item in &self.file.modules[module].items {
            let source = self.file.source(item);
            let concerned = item.kind == Kind::Import && (inside || item.public) && source.contains(name);
            if !concerned {
                continue;
            }
            match syn::parse_str::<syn::ItemUse>(source) {
                Ok(import) => {
                    let mut names = Vec::new();
                    leaves(&import.tree, &mut Vec::new(), &mut names);
                    found.extend(names.into_iter().map(|(name, path)| (name, path, item.conditional)));
                }
                Err(_) => found.push((name.to_owned(), Vec::new(), true)),
            }
        }
        found
    }

    fn imported(&mut self, module: usize, name: &str, space: Space, inside: bool) -> Found {
        for (_, path, conditional) in self.imports(module, inside, name).into_iter().filter(|i| i.0 == name) {
            if conditional {
                return Found::Unclear;
            }
            match self.path(module, &path, space) {
                // It may be of the other kind of names.
                Found::Missing => {}
                found => return found,
            }
        }
        Found::Missing
    }

    fn through_globs(&mut self, module: usize, name: &str, space: Space, inside: bool) -> Found {
        let mut all = Found::Missing;
        for (_, path, conditional) in self.imports(module, inside, "*").into_iter().filter(|i| i.0 == "*") {
            let Some(source) = self.module_at(module, &path) else { continue };
            let around = self.is_around(source, module);
            match self.name(source, name, space, around) {
                Found::Missing => {}
                found if conditional || (all != Found::Missing && all != found) => return Found::Unclear,
                found => all = found,
            }
        }
        all
    }

    /// The module of the file that a path means.
    fn module_at(&mut self, module: usize, path: &[String]) -> Option<usize> {
        let mut at = module;
        let supers = path.iter().take_while(|word| *word == "super").count();
        for _ in 0..supers {
            at = self.file.modules[at].parent.as_ref()?.0;
        }
        if supers == path.len() {
            return Some(at);
        }
        match self.path(module, path, Space::Type) {
            Found::Item(module, number) => match self.file.modules[module].items[number].kind {
                Kind::Module(inner) => Some(inner),
                Kind::Function | Kind::Constant | Kind::Alias | Kind::Import => None,
                Kind::Call | Kind::Rules | Kind::Methods | Kind::Other => None,
            },
            Found::Elsewhere(_) | Found::Missing | Found::Unclear => None,
        }
    }

    /// Whether a module is around another, or the same, so that what is private in it is seen there.
    fn is_around(&self, outer: usize, mut inner: usize) -> bool {
        loop {
            match &self.file.modules[inner].parent {
                _ if inner == outer => return true,
                Some((parent, _)) => inner = *parent,
                None => return false,
            }
        }
    }

    /// Whether a macro that a module calls may make an item of a name.
    fn may_be_made(&self, module: usize, name: &str) -> bool {
        let of = |items: &[Item], kind| items.iter().any(|i| i.kind == kind && self.file.source(i).contains(name));
        let items = &self.file.modules[module].items;
        let calls = items.iter().any(|item| item.kind == Kind::Call);
        of(items, Kind::Call) || calls && self.file.modules.iter().any(|m| of(&m.items, Kind::Rules))
    }
}

/// The names that a `use` gives and the paths that they stand for.
pub fn leaves(tree: &UseTree, before: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            leaves(&path.tree, before, found);
            before.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            found.extend(before.last().map(|last| (last.clone(), before.clone())));
        }
        UseTree::Name(name) => {
            found.push((name.ident.to_string(), [&before[..], &[name.ident.to_string()]].concat()));
        }
        UseTree::Rename(rename) => {
            let own = if rename.ident == "self" { Vec::new() } else { vec![rename.ident.to_string()] };
            found.push((rename.rename.to_string(), [&before[..], &own].concat()));
        }
        UseTree::Glob(_) => found.push(("*".to_owned(), before.clone())),
        UseTree::Group(group) => group.items.iter().for_each(|item| leaves(item, before, found)),
    }
}

/// The path that leads from one module to an item of another; `None` if what is private is in the way.
pub fn way(file: &File, from: usize, to: usize, item: &Item) -> Option<String> {
    let ancestors = |mut module: usize| {
        let mut all = vec![module];
        while let Some((parent, _)) = &file.modules[module].parent {
            module = *parent;
            all.push(module);
        }
        all
    };
    let (up, down) = (ancestors(from), ancestors(to));
    let common = *up.iter().find(|module| down.contains(module))?;
    let mut words = vec!["self".to_owned()];
    words.extend(up.iter().take_while(|module| **module != common).map(|_| "super".to_owned()));
    let mut below: Vec<usize> = down.into_iter().take_while(|module| *module != common).collect();
    below.reverse();
    let private = |module: usize| {
        let (parent, name) = file.modules[module].parent.as_ref()?;
        file.modules[*parent]
            .items
            .iter()
            .find(|i| &i.name == name && i.kind == Kind::Module(module))
            .map(|i| !i.public)
    };
    // What is in the common module is seen; what is deeper must be public.
    if below.iter().skip(1).any(|module| private(*module) != Some(false)) || (!below.is_empty() && !item.public) {
        return None;
    }
    for module in below {
        words.push(file.modules[module].parent.as_ref()?.1.clone());
    }
    words.push(item.name.clone());
    Some(words.join("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
use std::f64::consts::PI; use math::{sum as total, inner::*}; use other::*;
fn top() {} const N: usize = 1;
mod math { pub fn sum() {} fn own() {} pub mod inner { pub fn deep() {} fn hidden() {} } }
mod user { use super::*; mod user2 { use super::top; use super::super::math; } fn here() {} }
mod made { use super::*; make!(top); }
#[cfg(a)] fn sometimes() {} #[cfg(not(a))] fn sometimes() {}
mod file; struct Unit;
";

    fn found(module: &str, path: &str) -> String {
        let file = File::of(TEXT.to_owned());
        let number = |m: &super::super::file::Module| m.parent.as_ref().map_or("", |p| &p.1[..]) == module;
        let module = file.modules.iter().position(number).expect("the module");
        let path: Vec<String> = path.split("::").map(str::to_owned).collect();
        match resolve(&file, module, &path, Space::Value) {
            Found::Item(m, i) => {
                let item = &file.modules[m].items[i];
                format!("{} by {}", item.name, way(&file, module, m, item).unwrap_or_default())
            }
            Found::Elsewhere(path) => path.join("::"),
            Found::Missing => "missing".to_owned(),
            Found::Unclear => "unclear".to_owned(),
        }
    }

    #[test]
    fn paths_mean_what_rust_has_them_mean() {
        assert_eq!(found("", "top"), "top by self::top");
        assert_eq!(found("", "total"), "sum by self::math::sum");
        assert_eq!(found("", "deep"), "deep by self::math::inner::deep");
        assert_eq!(found("", "hidden"), "missing");
        assert_eq!(found("", "PI"), "std::f64::consts::PI");
        assert_eq!(found("", "math::own"), "own by ");
        assert_eq!(found("", "ndarray::s"), "ndarray::s");
        assert_eq!(found("user", "top"), "top by self::super::top");
        assert_eq!(found("user", "deep"), "deep by self::super::math::inner::deep");
        assert_eq!(found("user", "here"), "here by self::here");
        assert_eq!(found("user2", "top"), "top by self::super::super::top");
        assert_eq!(found("user2", "math::sum"), "sum by self::super::super::math::sum");
        assert_eq!(found("user2", "self::super::here"), "here by self::super::here");
        assert_eq!(found("user2", "super::here"), "here by self::super::here");
        assert_eq!(found("made", "top"), "unclear");
        assert_eq!(found("made", "N"), "N by self::super::N");
        for unclear in ["sometimes", "file::f", "crate::top", "Unit"] {
            assert_eq!(found("", unclear), "unclear", "{unclear}");
        }
    }
}
