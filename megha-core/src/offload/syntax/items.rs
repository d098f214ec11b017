//! Items of blocks: constants, functions and `use`. All of a block see each other, whatever their order.

use super::Converter;
use super::helpers::Helper;
use super::names::leaves;
use super::scope::{Form, Meaning, View};
use crate::offload::ast::{Stmt, StmtKind, shown};
use quote::ToTokens;
use syn::visit::Visit;
use syn::{Block, Item, ItemConst, Type};

impl Converter {
    /// The items of a block.
    pub fn items(&mut self, block: &Block, out: &mut Vec<Stmt>) {
        let items =
            block.stmts.iter().filter_map(|stmt| if let syn::Stmt::Item(item) = stmt { Some(item) } else { None });
        let (first, mut constants) = (self.helpers.len(), Vec::new());
        for item in items {
            match item {
                Item::Const(constant) => {
                    let own = self.fresh(&constant.ident.to_string());
                    let meaning = match self.rank(&constant.ty) {
                        0 => Meaning::Number(own.clone()),
                        rank => Meaning::Array(View::whole(own.clone(), rank, Form::Fixed)),
                    };
                    self.mean_item(constant.ident.to_string(), meaning);
                    constants.push((constant, own));
                }
                Item::Fn(function) => {
                    self.mean_item(function.sig.ident.to_string(), Meaning::Function(self.helpers.len()));
                    let (function, place) = (function.clone(), self.place);
                    self.helpers.push(Helper { function, scope: Vec::new(), place });
                }
                Item::Use(import) => self.import(import),
                other => {
                    let help = "constants and helper functions may stand there; move anything else out of the function";
                    self.refuse(other, "items of this kind are not taken inside an offloaded function", help);
                }
            }
        }
        let seen = self.items_in_scope();
        for helper in &mut self.helpers[first..] {
            helper.scope = seen.clone();
        }
        for (constant, own) in in_order(constants) {
            self.block_constant(constant, own, out);
        }
    }

    /// How many dimensions an array of this type has; of a number none.
    pub fn rank(&mut self, ty: &Type) -> usize {
        match self.resolved(ty) {
            (Type::Array(array), place) => 1 + self.at_place(place, |this| this.rank(&array.elem)),
            (Type::Slice(slice), place) => 1 + self.at_place(place, |this| this.rank(&slice.elem)),
            _ => 0,
        }
    }

    fn block_constant(&mut self, constant: &ItemConst, own: String, out: &mut Vec<Stmt>) {
        // It sees the items around it and no variables.
        let seen = self.items_in_scope();
        let scope = std::mem::replace(&mut self.scope, seen);
        if self.rank(&constant.ty) > 0 {
            self.constant_array(constant, own, out);
        } else {
            self.constant_number(constant, &own, out);
        }
        self.scope = scope;
    }

    fn constant_array(&mut self, constant: &ItemConst, own: String, out: &mut Vec<Stmt>) {
        let before = self.problems.len();
        self.constant_arrays.push(own.clone());
        match self.array_of(&constant.expr, Some(&constant.ty)) {
            Some(made) => drop(self.array_named(own, false, made, constant, out)),
            None if self.problems.len() == before => {
                let help = "write its elements out, `[a, b, c]`, or `[x; N]`";
                self.refuse(&constant.expr, "a constant array of this kind is not taken", help);
            }
            None => {}
        }
    }

    /// Refuses what stores into a constant array: Rust stores into a copy of it.
    pub fn not_constant(&mut self, array: &str, at: &impl ToTokens) -> Option<()> {
        if !self.constant_arrays.iter().any(|constant| constant == array) {
            return Some(());
        }
        let name = shown(array);
        let help = format!("copy it, `let mut own = {name};`, and store into that");
        let message = format!("`{name}` is a constant: Rust stores into a copy of it, and leaves it as it is");
        self.refuse(at, message, &help);
        None
    }

    fn constant_number(&mut self, constant: &ItemConst, own: &str, out: &mut Vec<Stmt>) {
        let span = self.span(constant);
        let ty = self.scalar_type(&constant.ty);
        if ty.is_none() {
            self.refuse(&constant.ty, "constants are numbers and arrays of them", "pass anything else as parameters");
            return;
        }
        let value = self.expr(&constant.expr);
        let name = self.named(own, &constant.ident);
        out.extend(
            value.map(|value| Stmt { kind: StmtKind::Let { name, ty, mutable: false, value: Some(value) }, span }),
        );
    }

    /// What a `use` names.
    fn import(&mut self, import: &syn::ItemUse) {
        let mut found = Vec::new();
        leaves(&import.tree, &mut Vec::new(), &mut found);
        for (name, path) in found {
            if name != "*" {
                self.mean_item(name, Meaning::Imported(path));
                continue;
            }
            let message = "a `use` of all names is not taken inside an offloaded function";
            self.refuse(import, message, "name what is used, or move it out of the function");
        }
    }
}

/// Constants, each behind those that it uses.
fn in_order(mut left: Vec<(&ItemConst, String)>) -> Vec<(&ItemConst, String)> {
    let mut done = Vec::new();
    while !left.is_empty() {
        let names: Vec<String> = left.iter().map(|(constant, _)| constant.ident.to_string()).collect();
        let uses = |constant: &ItemConst| {
            let mut used = Used(Vec::new());
            used.visit_expr(&constant.expr);
            used.0.iter().any(|name| constant.ident != name && names.contains(name))
        };
        // Those that use each other are reported by Rust.
        let next = left.iter().position(|(constant, _)| !uses(constant)).unwrap_or_default();
        done.push(left.remove(next));
    }
    done
}

/// The names in an expression.
struct Used(Vec<String>);

impl<'e> Visit<'e> for Used {
    fn visit_ident(&mut self, name: &'e proc_macro2::Ident) {
        self.0.push(name.to_string());
    }

    fn visit_macro(&mut self, call: &'e syn::Macro) {
        self.0.extend(call.tokens.to_token_stream().into_iter().map(|token| token.to_string()));
    }
}
