//! Tables and symbols of a function: everything that later checks rely on to look things up.

use super::{Rule, Violation};
use crate::ir::size::SymDef;
use crate::ir::{Class, Func, Loc, Module, Op, Region, Size, Sym, Symbols, Value};

/// Violations of the rules about tables and symbols.
pub(super) fn check(module: &Module, func: &Func) -> Vec<Violation> {
    let mut tables = Tables { module, func, found: Vec::new() };
    tables.head();
    tables.symbols();
    func.body.walk_regions(&mut |region| tables.region(region));
    tables.found
}

/// For each symbol, the values that it depends on, directly or through the symbols in its definition.
pub(super) fn sym_values(symbols: &Symbols) -> Vec<Vec<Value>> {
    let mut table: Vec<Vec<Value>> = Vec::with_capacity(symbols.len());
    for (_, data) in symbols.iter() {
        let mut values = match &data.def {
            SymDef::Dim(..) => Vec::new(),
            SymDef::Value(value) => vec![*value],
            SymDef::Max(a, b) | SymDef::Min(a, b) | SymDef::FloorDiv(a, b) => {
                a.symbols().chain(b.symbols()).flat_map(|s| table[s.index()].iter().copied()).collect()
            }
        };
        values.sort_unstable();
        values.dedup();
        table.push(values);
    }
    table
}

struct Tables<'m> {
    module: &'m Module,
    func: &'m Func,
    found: Vec<Violation>,
}

impl Tables<'_> {
    fn require(&mut self, holds: bool, rule: Rule, message: impl FnOnce() -> String) {
        if !holds {
            let func = self.func.name.clone();
            self.found.push(Violation { rule, func, stmt: None, loc: Loc::NONE, message: message() });
        }
    }

    fn head(&mut self) {
        let func = self.func;
        let lengths = func.names.len() == func.types.len();
        self.require(lengths, Rule::Table, || "the tables of types and names differ in length".into());
        let results = func.result_names.len() == func.results.len();
        self.require(results, Rule::Table, || "the numbers of results and of their names differ".into());
        let params = func.params.iter().map(|p| &p.value).eq(&func.body.params);
        self.require(params, Rule::Table, || "the body's parameters are not the function's".into());
        func.params.iter().for_each(|p| self.value(p.value));
        func.types.iter().chain(&func.results).flat_map(|ty| &ty.dims).for_each(|d| self.size(d));
    }

    fn value(&mut self, value: Value) {
        let known = value.index() < self.func.types.len();
        self.require(known, Rule::Table, || format!("there is no value {value}"));
    }

    fn size(&mut self, size: &Size) {
        let unknown = size.symbols().find(|s| s.index() >= self.func.symbols.len());
        self.require(unknown.is_none(), Rule::Table, || format!("there is no symbol for the size {size}"));
    }

    fn symbols(&mut self) {
        for (sym, data) in self.func.symbols.iter() {
            let name = &data.name;
            let unique = self.func.symbols.by_name(name) == Some(sym);
            self.require(unique, Rule::Symbol, || format!("two symbols have the name `{name}`"));
            data.at_least.iter().chain(&data.at_most).for_each(|bound| self.size(bound));
            match &data.def {
                SymDef::Dim(param, axis) => {
                    let ty = self.func.params.get(*param).and_then(|p| self.func.types.get(p.value.index()));
                    let fits = ty.is_some_and(|ty| *axis < ty.dims.len());
                    self.require(fits, Rule::Symbol, || format!("`{name}` is of no dimension of an array parameter"));
                }
                SymDef::Value(value) => {
                    self.value(*value);
                    let ty = self.func.types.get(value.index());
                    let fits = ty.is_none_or(|ty| ty.class == Class::Index && ty.is_scalar());
                    self.require(fits, Rule::Symbol, || {
                        format!("`{name}` stands for {value}, which is no index scalar")
                    });
                }
                SymDef::Max(a, b) | SymDef::Min(a, b) | SymDef::FloorDiv(a, b) => self.earlier(name, sym, [a, b]),
            }
        }
    }

    fn earlier(&mut self, name: &str, sym: Sym, sizes: [&Size; 2]) {
        let earlier = sizes.iter().all(|size| size.symbols().all(|s| s < sym));
        self.require(earlier, Rule::Symbol, || format!("`{name}` is defined by a symbol that is not before it"));
    }

    fn region(&mut self, region: &Region) {
        region.params.iter().chain(region.term.values()).for_each(|v| self.value(*v));
        for stmt in &region.stmts {
            stmt.results.iter().for_each(|v| self.value(*v));
            stmt.op.for_each_operand(&mut |v| self.value(v));
            stmt.op.for_each_size(&mut |s| self.size(s));
            if let Op::Call(id, _) = stmt.op {
                let known = id.index() < self.module.funcs.len();
                self.require(known, Rule::Table, || format!("there is no function number {}", id.index()));
            }
        }
    }
}
