//! Building functions statement by statement.

use super::{Class, Const, Func, Kind, Loc, Op, Region, Size, Stmt, Sub, Terminator, Type, Value};

/// Appends statements to regions of a function. Regions nest: [`Builder::open`] starts one, [`Builder::close`] ends it and
/// hands it out, to be put into the statement that owns it.
pub struct Builder {
    /// The function as far as it is built; its body is set when the outermost region closes.
    pub func: Func,
    open: Vec<(Vec<Value>, Vec<Stmt>)>,
    loc: Loc,
}

impl Builder {
    /// A builder for an empty function of this name, with no region open.
    pub fn new(name: &str) -> Self {
        let func = Func {
            name: name.to_owned(),
            params: Vec::new(),
            result_names: Vec::new(),
            results: Vec::new(),
            body: Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Unreachable },
            types: Vec::new(),
            names: Vec::new(),
            symbols: Default::default(),
            pipelined: Default::default(),
        };
        Self { func, open: Vec::new(), loc: Loc::NONE }
    }

    /// The source position of the statements that follow.
    pub fn set_loc(&mut self, loc: Loc) -> Loc {
        std::mem::replace(&mut self.loc, loc)
    }

    /// The source position of the statements that follow.
    pub fn loc(&self) -> Loc {
        self.loc
    }

    /// Opens a region with parameters of these types.
    pub fn open(&mut self, params: Vec<Type>) -> Vec<Value> {
        let values: Vec<Value> = params.into_iter().map(|ty| self.func.new_value(ty)).collect();
        self.open.push((values.clone(), Vec::new()));
        values
    }

    /// Closes the innermost open region.
    pub fn close(&mut self, term: Terminator) -> Region {
        let (params, stmts) = self.open.pop().expect("a region is open");
        Region { params, stmts, term }
    }

    /// How many regions are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The statements so far of the innermost open region.
    pub fn stmts(&self) -> &[Stmt] {
        self.open.last().map_or(&[], |(_, stmts)| stmts)
    }

    /// Whether two values are surely the same: one, or made by the same operations of the same values. Definitions in open regions count.
    pub fn same_value(&self, a: Value, b: Value) -> bool {
        let mut pairs = MOST_COMPARED;
        self.alike(a, b, &mut pairs)
    }

    fn alike(&self, a: Value, b: Value, left: &mut usize) -> bool {
        if a == b {
            return true;
        }
        if self.func.ty(a) != self.func.ty(b) || *left == 0 {
            return false;
        }
        *left -= 1;
        let (Some(first), Some(second)) = (self.definition(a), self.definition(b)) else { return false };
        let pure = matches!(first.kind(), Kind::Scalar | Kind::Elementwise | Kind::Whole) && !first.has_effect();
        if !pure || std::mem::discriminant(first) != std::mem::discriminant(second) {
            return false;
        }
        // The operations apart from their operands, and these one by one.
        let (mut one, mut other) = (first.clone(), second.clone());
        let (mut used, mut operands) = (Vec::new(), Vec::new());
        one.for_each_operand_mut(&mut |v| used.push(std::mem::replace(v, a)));
        other.for_each_operand_mut(&mut |v| operands.push(std::mem::replace(v, a)));
        one == other && used.into_iter().zip(operands).all(|(x, y)| self.alike(x, y, left))
    }

    /// The operation of an open region that defines a value.
    pub fn definition(&self, value: Value) -> Option<&Op> {
        let mut stmts = self.open.iter().rev().flat_map(|(_, stmts)| stmts.iter().rev());
        stmts.find(|stmt| stmt.results.contains(&value)).map(|stmt| &stmt.op)
    }

    /// Appends a statement with results of these types.
    pub fn push_many(&mut self, op: Op, types: Vec<Type>) -> Vec<Value> {
        let results: Vec<Value> = types.into_iter().map(|ty| self.func.new_value(ty)).collect();
        self.push_stmt(Stmt { results: results.clone(), op, loc: self.loc });
        results
    }

    /// Appends a finished statement.
    pub fn push_stmt(&mut self, stmt: Stmt) {
        self.open.last_mut().expect("a region is open").1.push(stmt);
    }

    /// Appends a statement with one result.
    pub fn push(&mut self, op: Op, ty: Type) -> Value {
        self.push_many(op, vec![ty])[0]
    }

    /// Appends a statement without results.
    pub fn effect(&mut self, op: Op) {
        self.push_many(op, Vec::new());
    }

    /// A `Double` constant.
    pub fn float(&mut self, value: f64) -> Value {
        self.push(Op::Const(Const::Float(value)), Type::scalar(Class::Double))
    }

    /// An `Index` constant.
    pub fn int(&mut self, value: i64) -> Value {
        self.push(Op::Const(Const::Int(value)), Type::scalar(Class::Index))
    }

    /// An `Index` scalar that holds the value of a size; constants come as constants.
    pub fn size(&mut self, size: &Size) -> Value {
        match size.as_constant() {
            Some(value) => self.int(value),
            None => self.push(Op::Size(size.clone()), Type::scalar(Class::Index)),
        }
    }

    /// An element of an array by scalar subscripts from zero.
    pub fn element(&mut self, array: Value, subs: Vec<Value>, checked: bool) -> Value {
        let class = self.func.ty(array).class;
        let subs = subs.into_iter().map(Sub::At).collect();
        self.push(Op::Index { array, subs, checked }, Type::scalar(class))
    }

    /// Takes the innermost open region away, to be resumed or discarded.
    pub fn suspend(&mut self) -> Suspended {
        let (params, stmts) = self.open.pop().expect("a region is open");
        Suspended { params, stmts }
    }

    /// Opens a suspended region again.
    pub fn resume(&mut self, region: Suspended) {
        self.open.push((region.params, region.stmts));
    }

    /// The state to which [`Builder::rollback`] returns.
    pub fn mark(&self) -> Mark {
        Mark {
            open: self.open.len(),
            stmts: self.stmts().len(),
            values: self.func.types.len(),
            symbols: self.func.symbols.len(),
            loc: self.loc,
        }
    }

    /// Forgets all regions, statements, values and symbols made since the mark.
    pub fn rollback(&mut self, mark: Mark) {
        self.open.truncate(mark.open);
        if let Some((_, stmts)) = self.open.last_mut() {
            stmts.truncate(mark.stmts);
        }
        self.func.types.truncate(mark.values);
        self.func.names.truncate(mark.values);
        self.func.symbols.truncate(mark.symbols);
        self.loc = mark.loc;
    }
}

/// So many pairs of values are compared before two are taken for different.
const MOST_COMPARED: usize = 32;

/// A region that is not finished and not open.
#[derive(Debug, Clone)]
pub struct Suspended {
    params: Vec<Value>,
    /// The statements so far.
    pub stmts: Vec<Stmt>,
}

/// A state of a [`Builder`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    open: usize,
    stmts: usize,
    values: usize,
    symbols: usize,
    loc: Loc,
}

impl Mark {
    /// How many regions were open at the mark.
    pub fn depth(&self) -> usize {
        self.open
    }

    /// Whether a symbol existed at the mark.
    pub fn has_symbol(&self, sym: super::Sym) -> bool {
        sym.index() < self.symbols
    }
}
