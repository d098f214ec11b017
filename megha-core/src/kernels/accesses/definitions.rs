//! Where each value of a function comes from, as far as affine analysis asks.

use crate::hash::HashMap;
use crate::ir::size::SymDef;
use crate::ir::{Binary, Class, Const, Func, Op, Region, Size, Stmt, Sym, Symbols, Terminator, Unary, Value};

/// A region whose values change from one execution to the next: the body of a loop or of a kernel; number 0 is the
/// function's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scope(usize);

/// How many iterations a loop has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// A `For`: this many, none if negative.
    Trip(Value),
    /// A loop of a kernel.
    Size(Size),
}

/// A loop with a counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// The iteration number, from zero.
    pub counter: Value,
    /// How many iterations there are.
    pub extent: Extent,
}

/// What defines a value.
#[derive(Debug, Clone)]
pub(super) enum Def {
    Int(i64),
    Size(Size),
    Unary(Unary, Value),
    Binary(Binary, Value, Value),
    /// By a condition the first or the second.
    Choice(Value, Value, Value),
    Bool(bool),
    Float(f64),
    Convert(Value),
    /// An array of this scalar.
    Fill(Value),
    /// An element of this array.
    Element(Value),
    /// The iteration number of a loop.
    Counter(Extent),
    /// An argument of the function, within the limit of its symbols.
    Argument,
    /// This number, tested to be whole and exact in `Double`.
    ToIndex(Value),
    Other,
}

/// The definitions of all values of a function. They stay true while a pass removes statements, moves them, or turns
/// loops into kernels of the same counters; values made later are unknown.
#[derive(Debug, Clone)]
pub struct Definitions {
    defs: Vec<Def>,
    classes: Vec<Class>,
    scope: Vec<Scope>,
    parents: Vec<Scope>,
    symbol_of: HashMap<Value, Sym>,
}

impl Definitions {
    /// Looks at every statement once.
    pub fn of(func: &Func) -> Self {
        let count = func.types.len();
        let mut this = Self {
            defs: vec![Def::Other; count],
            classes: func.types.iter().map(|ty| ty.class).collect(),
            scope: vec![Scope(0); count],
            parents: vec![Scope(0)],
            symbol_of: HashMap::default(),
        };
        for (sym, data) in func.symbols.iter() {
            if let SymDef::Value(value) = data.def {
                this.symbol_of.insert(value, sym);
            }
        }
        this.region(&func.body, Scope(0));
        for param in &func.params {
            this.defs[param.value.index()] = Def::Argument;
        }
        this
    }

    fn region(&mut self, region: &Region, scope: Scope) {
        for param in &region.params {
            self.scope[param.index()] = scope;
        }
        for stmt in &region.stmts {
            self.stmt(stmt, scope);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, scope: Scope) {
        for result in &stmt.results {
            self.scope[result.index()] = scope;
        }
        let def = match &stmt.op {
            Op::Const(Const::Int(value)) => Def::Int(*value),
            Op::Const(Const::Float(value)) => Def::Float(*value),
            Op::Convert(of) => Def::Convert(*of),
            Op::Fill(of) => Def::Fill(*of),
            Op::Index { array, .. } => Def::Element(*array),
            Op::Const(Const::Bool(value)) => Def::Bool(*value),
            Op::ToIndex(of) => Def::ToIndex(*of),
            Op::Unary(op, a) => Def::Unary(*op, *a),
            Op::Select(by, a, b) => Def::Choice(*by, *a, *b),
            Op::Size(size) => Def::Size(size.clone()),
            Op::Binary(op, a, b) => Def::Binary(*op, *a, *b),
            _ => Def::Other,
        };
        if let [result] = stmt.results[..] {
            self.defs[result.index()] = def;
        }
        if let Op::If { cond, then, els } = &stmt.op
            && let (Terminator::Yield(a), Terminator::Yield(b)) = (&then.term, &els.term)
        {
            for (result, (a, b)) in stmt.results.iter().zip(a.iter().zip(b)) {
                self.defs[result.index()] = Def::Choice(*cond, *a, *b);
            }
        }
        let inner = match &stmt.op {
            Op::For { .. } | Op::While { .. } | Op::Kernel(_) => self.child(scope),
            _ => scope,
        };
        for region in stmt.op.regions() {
            self.region(region, inner);
        }
        for counted in counted_loops(&stmt.op) {
            self.defs[counted.counter.index()] = Def::Counter(counted.extent);
        }
    }

    fn child(&mut self, parent: Scope) -> Scope {
        self.parents.push(parent);
        Scope(self.parents.len() - 1)
    }

    pub(super) fn def(&self, value: Value) -> &Def {
        self.defs.get(value.index()).unwrap_or(&Def::Other)
    }

    /// The class of a value; `None` if it is newer than these definitions.
    pub(super) fn class(&self, value: Value) -> Option<Class> {
        self.classes.get(value.index()).copied()
    }

    /// Whether a value is the iteration number of a loop.
    pub fn is_counter(&self, value: Value) -> bool {
        matches!(self.def(value), Def::Counter(_))
    }

    /// The symbol that stands for a value, if there is one.
    pub fn symbol_of(&self, value: Value) -> Option<Sym> {
        self.symbol_of.get(&value).copied()
    }

    /// The region in which a value is defined; `None` if it is newer than these definitions.
    pub fn scope_of(&self, value: Value) -> Option<Scope> {
        self.scope.get(value.index()).copied()
    }

    /// Whether a value is, or may be, defined in a region or in a loop nested in it.
    pub fn is_inside(&self, value: Value, scope: Scope) -> bool {
        let Some(mut at) = self.scope_of(value) else { return true };
        while at != scope {
            if at == Scope(0) {
                return false;
            }
            at = self.parents[at.0];
        }
        true
    }

    /// Whether the value of a size depends on a value defined in a region.
    pub fn size_is_inside(&self, size: &Size, symbols: &Symbols, scope: Scope) -> bool {
        !symbols.is_made_of(size, &|value| !self.is_inside(value, scope))
    }

    /// The scalar that an array is filled with, or the array that is repeated in it.
    pub fn filled_with(&self, array: Value) -> Option<Value> {
        match self.def(array) {
            Def::Fill(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// The number of iterations of a `For` as a size, where its value is a size or a constant.
    pub fn trip_size(&self, trip: Value) -> Option<Size> {
        match self.def(trip) {
            Def::Int(value) => Some(Size::constant(*value)),
            Def::Size(size) => Some(size.clone()),
            _ => self.symbol_of(trip).map(Size::sym),
        }
    }
}

/// The loops with counters that a statement makes, outermost first.
pub fn counted_loops(op: &Op) -> Vec<Counted> {
    match op {
        Op::For { trip, body, .. } => {
            let counter = body.params.first().copied();
            counter.map(|counter| Counted { counter, extent: Extent::Trip(*trip) }).into_iter().collect()
        }
        Op::Kernel(kernel) => {
            let loops = kernel.body.params.iter().zip(&kernel.domain);
            loops.map(|(counter, size)| Counted { counter: *counter, extent: Extent::Size(size.clone()) }).collect()
        }
        _ => Vec::new(),
    }
}
