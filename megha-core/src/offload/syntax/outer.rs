//! What the file around an offloaded function says of a path: constants, type aliases, functions that may be expanded.

use super::Converter;
use super::file::{File, Item, Kind, Module};
use super::names::{Found, Space, leaves, resolve, way};
use super::scope::Meaning;
use crate::offload::ast::Scalar;
use proc_macro2::Span;
use std::cell::OnceCell;
use std::sync::Arc;
use syn::{ItemConst, ItemFn, Type};

/// Where names are looked up: what stands there sees the items of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Place {
    /// Where the offloaded function stands.
    #[default]
    Own,
    /// In a module of the file.
    Module(usize),
}

/// A file that is no macro's: its name and what it holds.
#[derive(Clone)]
pub struct Given {
    pub name: String,
    pub file: Arc<File>,
}

/// The file around a function. It is read when a name is met that the function does not explain.
#[derive(Default)]
pub struct Outer {
    name: Option<(String, Span)>,
    given: Option<Given>,
    found: OnceCell<Option<(Arc<File>, Option<usize>)>>,
}

impl Outer {
    /// The file that a function of this name stands in: the given one, or that of the macro call.
    pub fn of(name: &syn::Ident, given: Option<Given>) -> Self {
        Self { name: Some((name.to_string(), name.span())), given, found: OnceCell::new() }
    }

    /// The name of the file, if it is given.
    pub fn given_name(&self) -> Option<&str> {
        self.given.as_ref().map(|given| &given.name[..])
    }

    fn found(&self) -> Option<&(Arc<File>, Option<usize>)> {
        let find = || {
            let (name, span) = self.name.as_ref()?;
            let file = match &self.given {
                Some(given) => Arc::clone(&given.file),
                None => File::at(&span.local_file()?)?,
            };
            let start = span.start();
            let own = file.module_of(name, start.line, start.column);
            Some((file, own))
        };
        self.found.get_or_init(find).as_ref()
    }

    /// The text from the first token to the last.
    pub fn text(&self, first: Span, last: Span) -> Option<String> {
        let [from, to] = [first.start(), last.end()].map(|at| (at.line, at.column));
        (from <= to).then(|| self.file()?.between(from, to)).flatten()
    }

    /// The module that the function stands in; `None` if it stands in a macro or another function, whose names are not known.
    pub fn own(&self) -> Option<usize> {
        self.found()?.1
    }

    fn file(&self) -> Option<&File> {
        self.found().map(|(file, _)| &**file)
    }

    fn item(&self, module: usize, number: usize) -> Option<&Item> {
        self.file()?.modules.get(module)?.items.get(number)
    }

    /// What an item is.
    pub fn kind(&self, module: usize, number: usize) -> Option<Kind> {
        self.item(module, number).map(|item| item.kind)
    }

    /// The type of a constant.
    pub fn type_at(&self, module: usize, number: usize) -> Option<Type> {
        self.type_of(self.item(module, number)?)
    }

    /// A constant.
    pub fn constant_at(&self, module: usize, number: usize) -> Option<ItemConst> {
        match syn::parse_str(self.file()?.source(self.item(module, number)?)).ok()? {
            syn::Item::Const(constant) => Some(constant),
            syn::Item::Static(syn::ItemStatic { ident, ty, expr, .. }) => {
                Some(syn::parse_quote!(const #ident: #ty = #expr;))
            }
            _ => None,
        }
    }

    fn type_of(&self, item: &Item) -> Option<Type> {
        match syn::parse_str(self.file()?.source(item)).ok()? {
            syn::Item::Const(constant) => Some(*constant.ty),
            syn::Item::Static(constant) => Some(*constant.ty),
            syn::Item::Type(alias) if alias.generics.type_params().next().is_none() => Some(*alias.ty),
            _ => None,
        }
    }

    /// The only item of a kind and name in the file.
    fn only(&self, kind: Kind, name: &str) -> Option<&Item> {
        let items = self.file()?.modules.iter().flat_map(|module: &Module| &module.items);
        let mut found = items.filter(|item| item.kind == kind && item.name == name);
        found.next().filter(|_| found.next().is_none())
    }

    /// The type of the only constant of a name in the file.
    pub fn constant_of(&self, name: &str) -> Option<Type> {
        self.type_of(self.only(Kind::Constant, name)?)
    }

    /// A function.
    fn function(&self, module: usize, number: usize) -> Option<ItemFn> {
        let item = self.item(module, number).filter(|item| item.kind == Kind::Function)?;
        syn::parse_str(self.file()?.source(item)).ok()
    }

    /// Whether the file has a macro of this name of its own, or names another one so.
    pub fn has_macro(&self, name: &str) -> bool {
        let Some(file) = self.file() else { return false };
        let imported = |item: &Item| match syn::parse_str::<syn::ItemUse>(file.source(item)) {
            Ok(import) => {
                let mut found = Vec::new();
                leaves(&import.tree, &mut Vec::new(), &mut found);
                let standard = |path: &[String]| matches!(&path[0][..], "std" | "core" | "alloc" | "ndarray");
                found.iter().any(|(own, path)| own == name && !path.is_empty() && !standard(path))
            }
            Err(_) => true,
        };
        file.modules.iter().flat_map(|module| &module.items).any(|item| match item.kind {
            Kind::Rules => item.name == name,
            Kind::Import => file.source(item).contains(name) && imported(item),
            Kind::Function | Kind::Constant | Kind::Alias | Kind::Module(_) => false,
            Kind::Call | Kind::Methods | Kind::Other => false,
        })
    }

    /// What names an item where the offloaded function begins.
    pub fn way(&self, module: usize, number: usize) -> Option<String> {
        way(self.file()?, self.own()?, module, self.item(module, number)?)
    }
}

/// A path as it is written.
pub fn words(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

impl Converter {
    /// The module whose items are seen.
    pub fn module(&self) -> Option<usize> {
        match self.place {
            Place::Own => self.outer.own(),
            Place::Module(module) => Some(module),
        }
    }

    /// Something about what stands in another place.
    pub fn at_place<T>(&mut self, place: Place, what: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.place, place);
        let done = what(self);
        self.place = before;
        done
    }

    /// A path with what a `use` in a block puts for its first word.
    pub fn full_path(&self, words: &[String]) -> Vec<String> {
        match words.first().and_then(|first| self.item_meaning(first)) {
            Some(Meaning::Imported(path)) => [&path[..], &words[1..]].concat(),
            _ => words.to_vec(),
        }
    }

    /// What a path means in the file.
    pub fn resolve(&self, path: &[String], space: Space) -> Found {
        match (self.module(), self.outer.file()) {
            (Some(module), Some(file)) => resolve(file, module, path, space),
            _ => Found::Unclear,
        }
    }

    /// A trait of the file that a path means.
    pub fn trait_of(&self, path: &[String]) -> Option<syn::ItemTrait> {
        let ([name], Some(file)) = (path, self.outer.file()) else { return None };
        let item = match self.module() {
            Some(module) => {
                file.modules[module].items.iter().find(|item| item.kind == Kind::Other && item.name == *name)
            }
            None => self.outer.only(Kind::Other, name),
        };
        syn::parse_str(file.source(item?)).ok()
    }

    /// Whether a trait is the standard library's, ndarray's or that of `num_traits`, as far as the file says.
    pub fn is_of_libraries(&self, path: &[String]) -> bool {
        match self.resolve(&self.full_path(path), Space::Type) {
            Found::Elsewhere(path) => {
                let crates = ["std", "core", "alloc", "num_traits", "num", "ndarray"];
                path.first().is_some_and(|first| crates.contains(&&first[..]))
            }
            // By the prelude, or by a `use` of all names.
            Found::Missing => true,
            Found::Unclear => self.module().is_none(),
            Found::Item(..) => false,
        }
    }

    /// A function of the file that a path means, and where its names are looked up.
    pub fn outer_function(&self, path: &[String]) -> Option<(ItemFn, Place)> {
        match self.resolve(path, Space::Value) {
            Found::Item(module, number) => {
                self.outer.function(module, number).map(|function| (function, Place::Module(module)))
            }
            Found::Elsewhere(_) | Found::Missing | Found::Unclear => None,
        }
    }

    /// A type with aliases of the file resolved, and where its names are looked up.
    pub fn resolved(&mut self, ty: &Type) -> (Type, Place) {
        let (mut ty, mut place) = (ty.clone(), self.place);
        for _ in 0..8 {
            let next = match &ty {
                Type::Group(group) => Some(((*group.elem).clone(), place)),
                Type::Paren(paren) => Some(((*paren.elem).clone(), place)),
                Type::Path(path) if path.qself.is_none() => {
                    let words = words(&path.path);
                    self.at_place(place, |this| this.alias(&words))
                }
                _ => None,
            };
            match next {
                Some(next) => (ty, place) = next,
                None => break,
            }
        }
        (ty, place)
    }

    /// What an alias stands for.
    fn alias(&mut self, path: &[String]) -> Option<(Type, Place)> {
        if let [name] = path
            && let Some(scalar) = self.instance.of(name)
        {
            let name = quote::format_ident!("{}", scalar.name());
            return Some((syn::parse_quote!(#name), self.place));
        }
        if let [std, primitive, name] = path
            && matches!((&std[..], &primitive[..]), ("std" | "core", "primitive"))
        {
            let name = quote::format_ident!("{name}");
            return Some((syn::parse_quote!(#name), self.place));
        }
        let last = path.last()?;
        let is_known =
            last.starts_with("Array") || last == "Vec" || path.len() == 1 && Scalar::from_name(last).is_some();
        if is_known {
            return None;
        }
        match self.resolve(&self.full_path(path), Space::Type) {
            Found::Item(module, number) if self.outer.kind(module, number) == Some(Kind::Alias) => {
                Some((self.outer.type_at(module, number)?, Place::Module(module)))
            }
            Found::Unclear if self.module().is_none() => {
                let alias = self.outer.only(Kind::Alias, last)?;
                // It is likely the one that is meant; Rust is asked.
                Some((self.outer.type_of(alias)?, self.place))
            }
            Found::Item(..) | Found::Elsewhere(_) | Found::Missing | Found::Unclear => None,
        }
    }
}
