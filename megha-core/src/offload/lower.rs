//! From the loop AST to the IR.
//!
//! `usize` and `i64` become `Index` ([`super::whole`]). Whole numbers that are polynomials of
//! sizes, parameters and loop variables are kept as [`Size`]s, so that subscripts and trip counts are affine wherever
//! the source's are. Arrays have at least two dimensions in the IR: a vector is a column. Every array has its own size
//! symbols; every access is checked, until a pass proves it or moves the test in front of the loop.

use super::ast::{BinaryOp, Block, ExprKind, Function, Ident, ParamType, Place, Scalar, SpanId, Stmt, StmtKind};
use super::types::Types;
use super::whole::{Entry, limits};
use crate::hash::{HashMap, HashSet};
use crate::ir::size::Limits;
use crate::ir::{Builder, Class, Func, Loc, Param, Size, SymData, SymDef, Terminator, Type, Value};
use std::collections::BTreeSet;

/// Lowers a typed function, with what must hold of its arguments. Its results are the final states of the arrays that it may
/// store into, in the order of the parameters, and then its own result if it has one.
///
/// Of the limits for arguments the most generous are taken under which the fewest polynomials may leave 64 bits.
pub(super) fn lower(function: &Function, types: &Types) -> (Func, Entry) {
    let mut best: Option<(usize, Func, Entry)> = None;
    for limit in limits() {
        let (wrapping, func, entry) = lower_within(function, types, limit);
        if best.as_ref().is_none_or(|(fewest, ..)| wrapping < *fewest) {
            best = Some((wrapping, func, entry));
        }
        if wrapping == 0 {
            break;
        }
    }
    let (_, func, entry) = best.unwrap_or_else(|| lower_within(function, types, Limits::default()));
    (func, entry)
}

/// Lowers under limits for arguments; the number says how many polynomials may leave 64 bits.
fn lower_within(function: &Function, types: &Types, limits: Limits) -> (usize, Func, Entry) {
    let mut lower = Lower {
        types,
        builder: Builder::new(&function.name.text),
        env: HashMap::default(),
        sizes: HashMap::default(),
        parameters: HashSet::default(),
        counters: HashSet::default(),
        entry: Vec::new(),
        wrapping: 0,
    };
    lower.builder.func.symbols.set_limits(limits);
    lower.function(function);
    (lower.wrapping, lower.builder.func, Entry { limits, not_negative: lower.entry })
}

/// The class of a scalar type in the IR.
pub(super) fn class(scalar: Scalar) -> Class {
    match scalar {
        Scalar::F64 => Class::Double,
        Scalar::F32 => Class::Single,
        Scalar::I64 | Scalar::Usize => Class::Index,
        Scalar::Bool => Class::Logical,
    }
}

/// The location of a position.
pub(super) fn loc(span: SpanId) -> Loc {
    Loc::new(span.0 as usize + 1)
}

/// The state of lowering a function.
pub(super) struct Lower<'t> {
    pub(super) types: &'t Types,
    pub(super) builder: Builder,
    /// The current value of each variable.
    pub(super) env: HashMap<usize, Value>,
    /// `Index` values that are sizes.
    sizes: HashMap<Value, Size>,
    /// The `Index` values that are parameters, and those that count a loop's iterations.
    pub(super) parameters: HashSet<Value>,
    pub(super) counters: HashSet<Value>,
    /// Sizes that are not negative, since calls in which they are run the plain function.
    pub(super) entry: Vec<Size>,
    /// How many polynomials may leave 64 bits.
    pub(super) wrapping: usize,
}

impl Lower<'_> {
    fn function(&mut self, function: &Function) {
        let types: Vec<Type> = function.params.iter().enumerate().map(|(at, p)| self.param_type(at, p)).collect();
        let values = self.builder.open(types);
        for (number, (param, value)) in function.params.iter().zip(&values).enumerate() {
            self.name(*value, &param.name.text);
            let entry = Param { value: *value, name: param.name.text.clone(), facts: Default::default() };
            self.builder.func.params.push(entry);
            self.env.insert(number, *value);
            if let ParamType::Scalar(scalar @ (Scalar::Usize | Scalar::I64), _) = param.ty {
                let least = if scalar == Scalar::Usize { vec![Size::constant(0)] } else { Vec::new() };
                self.parameters.insert(*value);
                self.symbol(*value, &param.name.text, least, Vec::new());
            }
        }
        let result = self.block(&function.body);
        let mut results = Vec::new();
        for (number, param) in function.params.iter().enumerate() {
            if matches!(param.ty, ParamType::Array { mutable: true, .. }) {
                results.push((param.name.text.clone(), self.env[&number]));
            }
        }
        results.extend(result.map(|value| ("result".to_owned(), value)));
        let func = &mut self.builder.func;
        func.results = results.iter().map(|(_, v)| func.ty(*v).clone()).collect();
        func.result_names = results.iter().map(|(name, _)| name.clone()).collect();
        let values = results.into_iter().map(|(_, v)| v).collect();
        self.builder.func.body = self.builder.close(Terminator::Return(values));
    }

    fn param_type(&mut self, number: usize, param: &super::ast::Param) -> Type {
        match param.ty {
            ParamType::Scalar(scalar, _) => Type::scalar(class(scalar)),
            ParamType::Array { class: of, rank, .. } => {
                let mut dims: Vec<Size> =
                    (0..rank).map(|axis| self.extent(number, axis, &param.name.text, rank)).collect();
                dims.resize(rank.max(2), Size::constant(1));
                Type::array(class(of), dims)
            }
        }
    }

    fn extent(&mut self, param: usize, axis: usize, name: &str, rank: usize) -> Size {
        let word = match (rank, axis) {
            (1, _) => "len".to_owned(),
            (2, 0) => "rows".to_owned(),
            (2, _) => "cols".to_owned(),
            (_, axis) => format!("dim{axis}"),
        };
        self.define(&format!("{name}_{word}"), SymDef::Dim(param, axis), vec![Size::constant(0)], Vec::new())
    }

    /// A symbol with a name like the wanted one.
    fn define(&mut self, wanted: &str, def: SymDef, at_least: Vec<Size>, at_most: Vec<Size>) -> Size {
        let symbols = &mut self.builder.func.symbols;
        let mut name = wanted.to_owned();
        let mut number = 1;
        while symbols.by_name(&name).is_some() {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        Size::sym(symbols.define(SymData { name, def, at_least, at_most }))
    }

    /// Makes a symbol for an `Index` value.
    pub(super) fn symbol(&mut self, value: Value, wanted: &str, at_least: Vec<Size>, at_most: Vec<Size>) -> Size {
        let size = self.define(wanted, SymDef::Value(value), at_least, at_most);
        self.sizes.insert(value, size.clone());
        size
    }

    /// The size that an `Index` value is known to be.
    pub(super) fn known_size(&self, value: Value) -> Option<&Size> {
        self.sizes.get(&value)
    }

    /// An `Index` value that is this size.
    pub(super) fn whole(&mut self, size: Size) -> Value {
        let value = self.builder.size(&size);
        self.sizes.insert(value, size);
        value
    }

    /// The larger or smaller of two sizes.
    pub(super) fn extremum(&mut self, max: bool, a: Size, b: Size) -> Size {
        match max {
            true => self.define("max", SymDef::Max(a.clone(), b.clone()), vec![a, b], Vec::new()),
            false => self.define("min", SymDef::Min(a.clone(), b.clone()), Vec::new(), vec![a, b]),
        }
    }

    /// The quotient of a size that is not negative by a positive number, rounded down.
    pub(super) fn floor_quotient(&mut self, size: Size, by: i64) -> Size {
        let (zero, def) = (Size::constant(0), SymDef::FloorDiv(size.clone(), Size::constant(by)));
        self.define("quotient", def, vec![zero], vec![size])
    }

    fn name(&mut self, value: Value, name: &str) {
        if name != "_" {
            self.builder.func.names[value.index()].get_or_insert_with(|| name.to_owned());
        }
    }

    pub(super) fn block(&mut self, block: &Block) -> Option<Value> {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        block.value.as_ref().map(|value| self.expr(value))
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let outer = self.builder.set_loc(loc(stmt.span));
        match &stmt.kind {
            StmtKind::Let { name, value, .. } => {
                if let Some(value) = value {
                    let value = self.expr(value);
                    self.assign(self.types.variable(name.span), value);
                }
            }
            StmtKind::Assign { place: Place::Variable(name), op, value } => {
                let number = self.types.variable(name.span);
                let mut value = self.expr(value);
                if let Some(op) = op {
                    value = self.binary(*op, self.env[&number], value, self.types.class(number));
                }
                self.assign(number, value);
            }
            StmtKind::Assign { place: Place::Element { array, subs }, op, value } => {
                let mut value = self.expr(value);
                let subs: Vec<Value> = subs.iter().map(|s| self.expr(s)).collect();
                if let Some(op) = op {
                    let before = self.load(array, &subs);
                    let of = self.types.class(self.types.variable(array.span));
                    value = self.binary(*op, before, value, of);
                }
                self.store(array, subs, value);
            }
            StmtKind::For { variable, from, to, inclusive, body } => {
                let (trip, from) = self.trip(from, to, *inclusive);
                self.counted(variable, trip, from, body);
            }
            StmtKind::If { cond, then, els } => {
                let cond = self.expr(cond);
                self.branch(cond, then, els);
            }
            StmtKind::Block(block) => drop(self.block(block)),
        }
        self.builder.set_loc(outer);
    }

    fn assign(&mut self, variable: usize, value: Value) {
        let name = self.types.variables()[variable].name.clone();
        self.name(value, &name);
        self.env.insert(variable, value);
    }

    fn counted(&mut self, variable: &Ident, trip: Value, from: Value, body: &Block) {
        let carried = self.carried(&[body]);
        let init: Vec<Value> = carried.iter().map(|v| self.env[v]).collect();
        let types: Vec<Type> = init.iter().map(|v| self.builder.func.ty(*v).clone()).collect();
        let params = [vec![Type::scalar(Class::Index)], types.clone()].concat();
        let params = self.builder.open(params);
        self.counters.insert(params[0]);
        let last = self.known_size(trip).map(|trip| trip.add_const(-1));
        self.symbol(params[0], &variable.text, vec![Size::constant(0)], last.into_iter().collect());
        for (variable, value) in carried.iter().zip(&params[1..]) {
            self.assign(*variable, *value);
        }
        let counter = match self.known_size(from).and_then(Size::as_constant) {
            Some(0) => params[0],
            _ => self.whole_binary(BinaryOp::Add, from, params[0], Scalar::I64),
        };
        self.assign(self.types.variable(variable.span), counter);
        self.block(body);
        let next = carried.iter().map(|v| self.env[v]).collect();
        let body = Box::new(self.builder.close(Terminator::Yield(next)));
        self.join(crate::ir::Op::For { trip, init, body }, types, &carried);
    }

    fn join(&mut self, op: crate::ir::Op, types: Vec<Type>, variables: &[usize]) {
        let results = self.builder.push_many(op, types);
        for (variable, value) in variables.iter().zip(results) {
            self.assign(*variable, value);
        }
    }

    fn branch(&mut self, cond: Value, then: &Block, els: &Block) {
        let joined = self.carried(&[then, els]);
        let types = joined.iter().map(|v| self.builder.func.ty(self.env[v]).clone()).collect();
        let [then, els] = [then, els].map(|arm| self.arm(arm, &joined).0);
        self.join(crate::ir::Op::If { cond, then: Box::new(then), els: Box::new(els) }, types, &joined);
    }

    /// One arm of an `if` that yields these variables and then its value, whose class is given back.
    pub(super) fn arm(&mut self, block: &Block, joined: &[usize]) -> (crate::ir::Region, Option<Type>) {
        let before = self.env.clone();
        self.builder.open(Vec::new());
        let value = self.block(block);
        let yielded = joined.iter().map(|v| self.env[v]).chain(value).collect();
        let ty = value.map(|v| self.builder.func.ty(v).clone());
        self.env = before;
        (self.builder.close(Terminator::Yield(yielded)), ty)
    }

    /// The variables from outside that blocks assign to.
    pub(super) fn carried(&self, blocks: &[&Block]) -> Vec<usize> {
        let mut assigned = BTreeSet::new();
        blocks.iter().for_each(|b| self.assigned(b, &mut assigned));
        assigned.into_iter().filter(|v| self.env.contains_key(v)).collect()
    }

    fn assigned(&self, block: &Block, found: &mut BTreeSet<usize>) {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Let { value: Some(value), .. } => self.assigned_in(&value.kind, found),
                StmtKind::Let { value: None, .. } => {}
                StmtKind::Assign { place, value, .. } => {
                    let (Place::Variable(name) | Place::Element { array: name, .. }) = place;
                    found.insert(self.types.variable(name.span));
                    self.assigned_in(&value.kind, found);
                }
                StmtKind::For { body, .. } => self.assigned(body, found),
                StmtKind::If { then, els, .. } => [then, els].into_iter().for_each(|b| self.assigned(b, found)),
                StmtKind::Block(block) => self.assigned(block, found),
            }
        }
        if let Some(value) = &block.value {
            self.assigned_in(&value.kind, found);
        }
    }

    fn assigned_in(&self, expr: &ExprKind, found: &mut BTreeSet<usize>) {
        match expr {
            ExprKind::If(cond, then, els) => {
                self.assigned_in(&cond.kind, found);
                [then, els].into_iter().for_each(|b| self.assigned(b, found));
            }
            ExprKind::Neg(a) | ExprKind::Not(a) | ExprKind::Cast(a, _) => self.assigned_in(&a.kind, found),
            ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|e| self.assigned_in(&e.kind, found)),
            ExprKind::Method { receiver, args, .. } => {
                self.assigned_in(&receiver.kind, found);
                args.iter().for_each(|a| self.assigned_in(&a.kind, found));
            }
            ExprKind::Element { subs, .. } => subs.iter().for_each(|s| self.assigned_in(&s.kind, found)),
            _ => {}
        }
    }
}
