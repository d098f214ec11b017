//! Copies of statements under new names: every value that they define gets a new one, with the symbols that stand for it.

use crate::hash::HashMap;
use crate::ir::{Func, Op, Region, Size, Stmt, Sym, SymData, SymDef, Value};

/// A copy in progress.
pub(crate) struct Copy<'f> {
    func: &'f mut Func,
    /// The new value of each old one.
    pub values: HashMap<Value, Value>,
    /// What the symbols of old values have become.
    pub symbols: HashMap<Sym, Size>,
}

impl<'f> Copy<'f> {
    /// Nothing is copied yet.
    pub fn new(func: &'f mut Func) -> Self {
        Self { func, values: HashMap::default(), symbols: HashMap::default() }
    }

    /// One in which these values and symbols are known.
    pub fn going_on(func: &'f mut Func, values: HashMap<Value, Value>, symbols: HashMap<Sym, Size>) -> Self {
        Self { func, values, symbols }
    }

    /// The copy of a statement.
    pub fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let mut new = stmt.clone();
        new.op.for_each_operand_mut(&mut |v| *v = self.value(*v));
        if let Op::Size(size) = &new.op {
            new.op = Op::Size(self.size(&size.clone()));
        }
        new.op.regions_mut().into_iter().for_each(|region| self.region(region));
        new.results.iter_mut().for_each(|v| *v = self.define(*v));
        new
    }

    /// Makes a region its copy.
    pub fn region(&mut self, region: &mut Region) {
        region.params.iter_mut().for_each(|v| *v = self.define(*v));
        for stmt in &mut region.stmts {
            *stmt = self.stmt(stmt);
        }
        region.term.values_mut().iter_mut().for_each(|v| *v = self.value(*v));
    }

    /// Whether a value is a scalar.
    pub fn is_scalar(&self, value: Value) -> bool {
        self.func.ty(value).is_scalar()
    }

    fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    fn define(&mut self, value: Value) -> Value {
        let mut ty = self.func.ty(value).clone();
        for dim in &mut ty.dims {
            *dim = self.size(dim);
        }
        let new = self.func.new_value(ty);
        self.func.names[new.index()] = self.func.names[value.index()].clone();
        self.values.insert(value, new);
        new
    }

    /// A size over the new values.
    pub fn size(&mut self, size: &Size) -> Size {
        let symbols: Vec<Sym> = size.symbols().collect();
        let new: HashMap<Sym, Size> = symbols.into_iter().map(|sym| (sym, self.symbol(sym))).collect();
        size.substitute(&mut |sym| new[&sym].clone())
    }

    fn symbol(&mut self, sym: Sym) -> Size {
        if let Some(known) = self.symbols.get(&sym) {
            return known.clone();
        }
        let data = self.func.symbols.get(sym).clone();
        let def = match &data.def {
            SymDef::Dim(..) => data.def.clone(),
            SymDef::Value(value) => SymDef::Value(self.value(*value)),
            SymDef::Max(a, b) => SymDef::Max(self.size(a), self.size(b)),
            SymDef::Min(a, b) => SymDef::Min(self.size(a), self.size(b)),
            SymDef::FloorDiv(a, b) => SymDef::FloorDiv(self.size(a), self.size(b)),
        };
        let new = if def == data.def { Size::sym(sym) } else { self.define_symbol(&data, def) };
        self.symbols.insert(sym, new.clone());
        new
    }

    fn define_symbol(&mut self, data: &SymData, def: SymDef) -> Size {
        let at_least = data.at_least.iter().map(|s| self.size(s)).collect();
        let at_most = data.at_most.iter().map(|s| self.size(s)).collect();
        let mut number = self.func.symbols.len();
        while self.func.symbols.by_name(&format!("{}_{number}", data.name)).is_some() {
            number += 1;
        }
        let name = format!("{}_{number}", data.name);
        Size::sym(self.func.symbols.define(SymData { name, def, at_least, at_most }))
    }
}
