//! Constant arrays of the file: a list that the file writes out becomes an array of the function's own, made before anything else, as a constant
//! inside of the function does; any other one, and a long one, is an argument more.

use super::Converter;
use super::file::Kind;
use super::names::{Found, Space};
use super::outer::{Place, words};
use super::scope::{Form, Meaning, View};
use crate::offload::ast::{ArrayForm, Ident, Param, ParamType};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::Visit;
use syn::{Block, Expr, ItemConst, Path, Type};

/// Lists of more elements are arguments.
const WRITTEN_OUT: usize = 64;

/// A constant array of the file that the function uses.
pub struct OuterArray {
    /// Its module, and its number there.
    item: (usize, usize),
    view: View,
}

/// One that is named by a path of several words.
pub struct ByPath {
    /// The module that the path is written in.
    module: Option<usize>,
    path: Vec<String>,
    view: View,
}

impl Converter {
    /// Gives the constant arrays of the file that a block names their meaning.
    pub fn outer_arrays(&mut self, block: &Block) {
        let mut named = Named(Vec::new());
        named.visit_block(block);
        let mut seen: Vec<Vec<String>> = Vec::new();
        for path in named.0 {
            let written = words(&path);
            if seen.contains(&written) {
                continue;
            }
            let found = self.resolve(&self.full_path(&written), Space::Value);
            if let Found::Item(module, number) = found
                && self.outer.kind(module, number) == Some(Kind::Constant)
                && let Some(view) = self.outer_array((module, number), &path)
            {
                match &written[..] {
                    [name] => self.mean_around(name.clone(), Meaning::Array(view)),
                    _ => {
                        let module = self.module();
                        self.array_paths.push(ByPath { module, path: written.clone(), view });
                    }
                }
            }
            seen.push(written);
        }
    }

    /// The array that a path of several words means.
    pub fn array_by_path(&self, path: &Path) -> Option<&View> {
        let (module, path) = (self.module(), words(path));
        self.array_paths.iter().find(|known| known.module == module && known.path == path).map(|known| &known.view)
    }

    fn outer_array(&mut self, item: (usize, usize), at: &Path) -> Option<View> {
        if let Some(known) = self.outer_arrays.iter().find(|known| known.item == item) {
            return Some(known.view.clone());
        }
        let constant = self.outer.constant_at(item.0, item.1)?;
        // What stands elsewhere has the position of its use.
        let span = self.span(at);
        let before = self.call.replace(self.ends(span));
        let scope = std::mem::take(&mut self.scope);
        let view = self.at_place(Place::Module(item.0), |this| this.outer_array_of(item, &constant, at));
        (self.call, self.scope) = (before, scope);
        let view = view?;
        self.outer_arrays.push(OuterArray { item, view: view.clone() });
        Some(view)
    }

    fn outer_array_of(&mut self, item: (usize, usize), constant: &ItemConst, at: &Path) -> Option<View> {
        let (mut ty, mut value) = (&*constant.ty, &*constant.expr);
        if let (Type::Reference(lent), Expr::Reference(list)) = (ty, value) {
            (ty, value) = (&lent.elem, &list.expr);
        }
        let rank = self.rank(ty);
        if rank == 0 {
            return None;
        }
        let own = self.fresh(&constant.ident.to_string());
        let before = self.problems.len();
        if written(value) <= WRITTEN_OUT
            && let Some(made) = self.array_of(value, Some(ty))
        {
            self.constant_arrays.push(own.clone());
            let mut head = std::mem::take(&mut self.head);
            let view = self.array_named(own, false, made, at, &mut head);
            self.head = head;
            return view;
        }
        self.problems.truncate(before);
        self.array_from_outside(item, own, ty, at)
    }

    /// A constant array as an argument more.
    fn array_from_outside(&mut self, item: (usize, usize), own: String, ty: &Type, at: &Path) -> Option<View> {
        let (Type::Array(syn::TypeArray { elem, .. }) | Type::Slice(syn::TypeSlice { elem, .. })) = ty else {
            return None;
        };
        let class = self.scalar_type(elem)?;
        let value = self.outer.way(item.0, item.1)?;
        let name = Ident { text: own.clone(), span: self.span(at) };
        self.constant_arrays.push(own.clone());
        let ty = ParamType::Array { class, rank: 1, mutable: false, form: ArrayForm::Slice };
        self.constants.push(Param { name, value, ty });
        Some(View::whole(own, 1, Form::Fixed))
    }
}

/// How many numbers a list has as it is written.
fn written(list: &Expr) -> usize {
    match super::expr::plain(list) {
        Expr::Array(list) => list.elems.iter().map(written).sum(),
        _ => 1,
    }
}

/// The paths in a block.
struct Named(Vec<Path>);

impl Named {
    /// What stands in a macro may be a name of one word.
    fn in_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => self.0.push(name.into()),
                TokenTree::Group(group) => self.in_tokens(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl<'e> Visit<'e> for Named {
    fn visit_expr_path(&mut self, path: &'e syn::ExprPath) {
        if path.qself.is_none() {
            self.0.push(path.path.clone());
        }
    }

    fn visit_macro(&mut self, call: &'e syn::Macro) {
        self.in_tokens(call.tokens.to_token_stream());
    }
}
