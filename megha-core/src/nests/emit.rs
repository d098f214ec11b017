//! From the tree of a nest back to statements that hand on states of arrays.

use super::Copied;
use super::contents::Contents;
use super::copy::Copy;
use super::tree::{Loop, Node, Trip};
use crate::ir::{Class, Func, Loc, Op, Region, Size, Stmt, Terminator, Type, Value};

/// Statements in the making.
pub(super) struct Emit<'f> {
    pub func: &'f mut Func,
    pub contents: &'f Contents,
    /// The newest state of each array.
    pub current: Vec<Value>,
    /// Sizes that have a value here.
    pub sizes: Vec<(Size, Value)>,
    /// The loops that were copied.
    pub copies: Vec<Copied>,
}

impl Emit<'_> {
    /// A loop as statements: the number of its iterations, and the loop.
    pub fn nest(&mut self, inner: &Loop, out: &mut Vec<Stmt>) {
        let trip = match &inner.trip {
            Trip::Bounded(value) | Trip::Value(value) => *value,
            Trip::Size(size) => self.size(size, out),
        };
        let known = self.sizes.len();
        let mut stored = Vec::new();
        inner.body.iter().for_each(|node| self.stored(node, &mut stored));
        let init: Vec<Value> = stored.iter().map(|n| self.current[*n]).collect();
        let states: Vec<Value> = init.iter().map(|state| self.func.new_like(*state)).collect();
        let before = self.current.clone();
        stored.iter().zip(&states).for_each(|(n, state)| self.current[*n] = *state);
        let mut stmts = Vec::new();
        inner.body.iter().for_each(|node| self.node(node, &mut stmts));
        self.sizes.truncate(known);
        let next = stored.iter().map(|n| self.current[*n]).collect();
        self.current = before;
        let results: Vec<Value> = init.iter().map(|state| self.func.new_like(*state)).collect();
        let params = [vec![inner.counter], states].concat();
        let body = Box::new(Region { params, stmts, term: Terminator::Yield(next) });
        let mut stmt = Stmt { results, op: Op::For { trip, init, body }, loc: inner.loc };
        if inner.copied {
            let mut copy = Copy::new(self.func);
            stmt = copy.stmt(&stmt);
            self.copies.push(Copied { values: copy.values, symbols: copy.symbols, made: Vec::new() });
        }
        stored.iter().zip(&stmt.results).for_each(|(n, state)| self.current[*n] = *state);
        out.push(stmt);
    }

    /// A size as a value, that of a loop before or around if there is one.
    fn size(&mut self, size: &Size, out: &mut Vec<Stmt>) -> Value {
        if let Some((_, value)) = self.sizes.iter().find(|(known, _)| known == size) {
            return *value;
        }
        let value = self.func.new_value(Type::scalar(Class::Index));
        out.push(Stmt { results: vec![value], op: Op::Size(size.clone()), loc: Loc::NONE });
        self.sizes.push((size.clone(), value));
        value
    }

    fn node(&mut self, node: &Node, out: &mut Vec<Stmt>) {
        match node {
            Node::Loop(inner) => self.nest(inner, out),
            Node::Stmt(stmt) => {
                let mut stmt = stmt.clone();
                self.stmt(&mut stmt);
                out.push(stmt);
            }
        }
    }

    /// The arrays that a node stores into, ascending.
    fn stored(&self, node: &Node, found: &mut Vec<usize>) {
        match node {
            Node::Loop(inner) => inner.body.iter().for_each(|node| self.stored(node, found)),
            Node::Stmt(stmt) => {
                for result in &stmt.results {
                    if let Some(number) = self.contents.version.get(result)
                        && let Err(at) = found.binary_search(number)
                    {
                        found.insert(at, *number);
                    }
                }
            }
        }
    }

    /// Makes a statement use the newest states, and notes those that it makes.
    fn stmt(&mut self, stmt: &mut Stmt) {
        stmt.op.for_each_operand_mut(&mut |v| self.renew(v));
        let before = self.current.clone();
        for region in stmt.op.regions_mut() {
            self.current.clone_from(&before);
            self.advance(&region.params);
            region.stmts.iter_mut().for_each(|s| self.stmt(s));
            region.term.values_mut().iter_mut().for_each(|v| self.renew(v));
        }
        self.current = before;
        self.advance(&stmt.results);
    }

    fn renew(&self, value: &mut Value) {
        if let Some(number) = self.contents.version.get(value) {
            *value = self.current[*number];
        }
    }

    fn advance(&mut self, states: &[Value]) {
        for state in states {
            if let Some(number) = self.contents.version.get(state) {
                self.current[*number] = *state;
            }
        }
    }
}
