//! Statements over variables as Rust: what host code and kernel bodies have in common.

mod control;

use crate::hash::{HashMap, HashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;

use super::expr::{Binds, Context, Expr, constant, polynomial, scalar, terms};
use super::inline::Inlined;
use super::source::{Code, Names};
use super::storage::{Item, Label, Rounds, Slot, Storage};
use super::symbols::SymbolTexts;
use super::transfer::How;
use crate::ir::{Binary, Class, Const, Func, Loc, Mem, Op, Size, Stmt, Sub, Sym, SymDef, Type, Value};
use crate::kernels::old_state::OldState;

/// How a kernel reaches an element.
#[derive(Debug, Clone)]
pub enum Place {
    /// Element `l` of a slice along the row.
    Row(String),
    /// A number that is the same along the row.
    Uniform(String),
    /// By subscripts at each point; whether there is one that counts columns first.
    General(String, bool),
    /// By these subscripts in the numbers of the point; whether there is one that counts columns first.
    At(String, Expr, bool),
}

/// How the statements that differ between host code and kernel bodies are written.
pub trait Dialect<'f> {
    /// A statement without regions, or a kernel.
    fn stmt(&mut self, body: &mut Body<'f>, stmt: &'f Stmt);
    /// The end of the function.
    fn returns(&mut self, body: &mut Body<'f>, values: &[(Value, How)]);
    /// An array value that is kept for later use, as an owned copy.
    fn copied(&self, body: &Body<'f>, value: Value) -> String;
    /// The line at the end of the life of an array with this name, if it ends here.
    fn freed(&mut self, _: Slot, name: &str) -> Option<String> {
        Some(format!("drop({name});"))
    }

    /// A copy of an array that leaves out a box of elements ([`Storage::stored`]).
    fn copied_around(&self, body: &Body<'f>, value: Value, _: usize) -> String {
        self.copied(body, value)
    }
    /// An array is needed on the host.
    fn fetch(&mut self, _: &mut Body<'f>, _: &str, _: Loc) {}
    /// The element that an `Index` reads is needed on the host.
    fn fetch_element(&mut self, _: &mut Body<'f>, _: &Op, _: Loc) {}
    /// Where the kernels of a block are to run; the names are those of its arrays.
    fn plan(&mut self, _: &mut Body<'f>, _: usize, _: &[String], _: &Rounds) {}
    /// Scalars that sizes are made of, where they are known.
    fn sizes(&mut self, _: &mut Body<'f>, _: &[Value]) {}
    /// The counter of a loop, at the start of the loop's body.
    fn counter(&mut self, _: &mut Body<'f>, _: Value) {}
    /// What stands before a loop with this counter, which runs so many times.
    fn before_loop(&mut self, _: &mut Body<'f>, _: Value, _: &str) {}

    /// What stands behind that loop.
    fn behind_loop(&mut self, _: &mut Body<'f>, _: Value) {}

    /// The start of a loop of these parts that runs so many times, or while this holds; returns whether its end matters.
    fn enter_loop(&mut self, _: &mut Body<'f>, _: Value, _: &[&[Item<'f>]]) -> bool {
        false
    }
    /// A counted loop whose iterations may overlap, with its counter and how often it runs; returns whether it has been written so.
    fn overlapping(&mut self, _: &mut Body<'f>, _: (Value, &str), _: &[Item<'f>]) -> bool {
        false
    }
    /// The end of an iteration of a counted loop.
    fn end_iteration(&mut self, _: &mut Body<'f>, _: Value) {}
    /// The end of that loop.
    fn leave_loop(&mut self, _: &mut Body<'f>) {}
}

/// Names in scope at some place.
pub struct Scope {
    slot_names: HashMap<Slot, Expr>,
    names: Names,
}

/// Code under construction, with the names of what is in scope.
pub struct Body<'f> {
    /// The function.
    pub func: &'f Func,
    /// Values written in place.
    pub inlined: Inlined<'f>,
    /// The variables.
    pub storage: Storage<'f>,
    /// The lines so far.
    pub code: Code,
    /// Names taken.
    pub names: Names,
    /// How the loads and stores of a kernel's body are done.
    pub places: HashMap<*const Op, Place>,
    /// In a kernel: the types of its out-variables.
    pub out_types: Vec<Type>,
    /// Texts of values that have no variable of their own: parameters of kernels, captured scalars.
    pub vars: HashMap<Value, Expr>,
    /// Texts of the symbols in scope.
    pub symbols: SymbolTexts,
    /// `Index` values far from overflow.
    pub bounded: HashSet<Value>,
    /// What loads of kernels want of arrays that these update.
    pub(crate) old: OldState<'f>,
    /// The choices after which a store may put back what was there, with the value that does, and the name of the zero for it.
    pub choices: (HashMap<*const Op, Value>, String),
    /// Whether all angles of sines, cosines and tangents are known to be moderate.
    pub moderate: bool,
    /// How many loops are around what is being written.
    pub loops: usize,
    slot_names: HashMap<Slot, Expr>,
    used: RefCell<BTreeSet<String>>,
}

impl Context for Body<'_> {
    fn func(&self) -> &Func {
        self.func
    }

    fn operand(&self, value: Value) -> Expr {
        let Some(op) = self.inlined.get(value) else { return self.variable(value) };
        let class = self.func.ty(value).class;
        match op {
            Op::Size(size) => self.size(size),
            Op::Index { array, subs, .. } => self.element(*array, subs),
            op @ Op::Load(..) => self.load(op),
            op => scalar(self, op, class).unwrap_or_else(|| self.variable(value)),
        }
    }

    fn put_back(&self, choice: &Op, operand: Value) -> Expr {
        let expr = self.operand(operand);
        if self.choices.0.get(&std::ptr::from_ref(choice)) != Some(&operand) {
            return expr;
        }
        self.note(&self.choices.1);
        Expr::call("rt::put_back", vec![expr, Expr::name(self.choices.1.clone())])
    }

    fn is_moderate(&self) -> bool {
        self.moderate
    }

    fn is_bounded(&self, value: Value) -> bool {
        if self.bounded.contains(&value) {
            return true;
        }
        match self.inlined.get(value) {
            Some(Op::Size(_)) => true,
            Some(Op::Const(Const::Int(n))) => n.unsigned_abs() < 1 << 40,
            Some(Op::Binary(Binary::Add | Binary::Sub, a, b)) => self.is_bounded(*a) && self.is_bounded(*b),
            _ => false,
        }
    }
}

impl<'f> Body<'f> {
    /// An empty body over these variables.
    pub fn new(func: &'f Func, inlined: Inlined<'f>, storage: Storage<'f>, names: Names) -> Self {
        Self {
            func,
            inlined,
            storage,
            code: Code::default(),
            names,
            places: HashMap::default(),
            out_types: Vec::new(),
            vars: HashMap::default(),
            symbols: SymbolTexts::default(),
            bounded: HashSet::default(),
            old: OldState::new(func),
            choices: Default::default(),
            moderate: false,
            loops: 0,
            slot_names: HashMap::default(),
            used: RefCell::default(),
        }
    }

    /// The variable that holds a value.
    pub fn variable(&self, value: Value) -> Expr {
        let slot = self.storage.slot(value).and_then(|slot| self.slot_names.get(&slot));
        let undefined = || Expr::name(format!("undefined_{}", value.index()));
        let found = slot.or_else(|| self.vars.get(&value)).cloned();
        self.touch(found.unwrap_or_else(undefined))
    }

    /// The text for a value's variable or expression.
    pub fn text(&self, value: Value) -> String {
        self.operand(value).text()
    }

    /// Notes that the names in an expression occur.
    fn touch(&self, expr: Expr) -> Expr {
        self.note_all(&expr);
        expr
    }

    /// Notes that the names in an expression occur in the code.
    pub fn note_all(&self, expr: &Expr) {
        expr.names(&mut |name| self.note(name));
    }

    /// Notes that a name occurs in the code.
    pub fn note(&self, name: &str) {
        let mut used = self.used.borrow_mut();
        if !used.contains(name) {
            used.insert(name.to_owned());
        }
    }

    /// The names that occurred since the last call.
    pub fn take_used(&self) -> BTreeSet<String> {
        self.used.take()
    }

    /// A name for a value: the source's if it has one.
    pub fn fresh_name(&mut self, value: Value) -> String {
        let wanted = self.func.names[value.index()].clone().unwrap_or_else(|| "t".to_owned());
        self.names.fresh(&wanted)
    }

    /// The names in scope, to be given back to [`Body::leave_scope`].
    pub fn enter_scope(&self) -> Scope {
        Scope { slot_names: self.slot_names.clone(), names: self.names.clone() }
    }

    /// Forgets the names that were defined since.
    pub fn leave_scope(&mut self, scope: Scope) {
        self.slot_names = scope.slot_names;
        self.names = scope.names;
    }

    /// Names the variable.
    pub fn name_slot(&mut self, slot: Slot) -> String {
        let name = self.fresh_name(self.storage.slots[slot.0].first);
        self.slot_names.insert(slot, Expr::name(name.clone()));
        name
    }

    /// Says where the variable is.
    pub fn set_slot(&mut self, slot: Slot, place: Expr) {
        self.slot_names.insert(slot, place);
    }

    /// The text of a variable, if it has one already.
    pub fn slot_text(&self, slot: Slot) -> Option<String> {
        self.slot_names.get(&slot).map(Expr::text)
    }

    /// An element of an array in host code, by subscripts that need no check.
    fn element(&self, array: Value, subs: &[Sub]) -> Expr {
        let values: Vec<Value> = subs.iter().filter_map(Sub::value).collect();
        let linear = self.is_linear(array, &values);
        let at = self.subscripts(&values, self.func.ty(array), linear);
        let method = if linear { "at_linear" } else { "at" };
        Expr::Unsafe(Box::new(self.operand(array).method(method, vec![at])))
    }

    /// Whether subscripts are one that counts columns first.
    fn is_linear(&self, array: Value, subs: &[Value]) -> bool {
        subs.len() == 1 && self.func.ty(array).dims.iter().filter(|d| !d.is_one()).count() > 1
    }

    /// Scalar subscripts as `[i, j]`, or one that counts columns first as it is (`true`).
    pub fn element_subscripts(&self, array: Value, subs: &[Sub]) -> (String, bool) {
        let values: Vec<Value> = subs.iter().filter_map(Sub::value).collect();
        let linear = self.is_linear(array, &values);
        (self.subscripts(&values, self.func.ty(array), linear).text(), linear)
    }

    /// Subscripts as `[i, j]`; one of a vector as many; or one that counts columns first as it is.
    pub fn subscripts(&self, subs: &[Value], ty: &Type, linear: bool) -> Expr {
        let mut each: Vec<Expr> = subs.iter().map(|v| self.operand(*v)).collect();
        match (linear, each.pop()) {
            (true, Some(only)) if each.is_empty() => only,
            (_, last) => {
                each.extend(last);
                Expr::List(padded(&each, ty, &constant(&Const::Int(0), Class::Index)))
            }
        }
    }

    /// A kernel's load.
    pub fn load(&self, op: &Op) -> Expr {
        let (place, subs) = match (self.places.get(&std::ptr::from_ref(op)), op) {
            (Some(place), Op::Load(_, subs)) => (place, subs),
            _ => return Expr::name("undefined_load"),
        };
        match place {
            Place::Row(name) => self.touch(Expr::Element(name.clone())),
            Place::Uniform(name) => self.touch(Expr::name(name.clone())),
            Place::At(name, at, linear) => {
                let method = if *linear { "at_linear" } else { "at" };
                let element = Expr::name(name.clone()).method(method, vec![at.clone()]);
                self.touch(Expr::Unsafe(Box::new(element)))
            }
            Place::General(name, linear) => {
                self.note(name);
                let ty = match op {
                    Op::Load(Mem::In(array), _) => self.func.ty(*array).clone(),
                    Op::Load(Mem::Out(k), _) => self.out_types[*k].clone(),
                    _ => Type::scalar(Class::Double),
                };
                let at = self.subscripts(subs, &ty, *linear);
                let method = if *linear { "at_linear" } else { "at" };
                Expr::Unsafe(Box::new(Expr::name(name.clone()).method(method, vec![at])))
            }
        }
    }

    /// A size as an expression that methods can be called on.
    fn typed_size(&self, size: &Size) -> Expr {
        Expr::Paren(Box::new(self.exact_size(size).typed(Class::Index)))
    }

    /// A symbol as an `i64` expression.
    fn symbol(&self, sym: Sym) -> Expr {
        let of_two = |name, a, b| self.typed_size(a).method(name, vec![self.exact_size(b)]);
        match (self.symbols.get(sym), &self.func.symbols.get(sym).def) {
            (Some(name), _) => Expr::name(name.clone()),
            (None, SymDef::Value(value)) => match self.operand(*value) {
                atom if atom.binds() == Binds::Atom => atom,
                other => Expr::Paren(Box::new(other)),
            },
            // Sizes of what a loop computes are written out.
            (None, SymDef::Max(a, b)) => of_two("max", a, b),
            (None, SymDef::Min(a, b)) => of_two("min", a, b),
            (None, SymDef::FloorDiv(a, b)) => of_two("div_euclid", a, b),
            (None, SymDef::Dim(..)) => Expr::name(format!("undefined_{}", sym.index())),
        }
    }

    /// A size as an `i64` expression.
    pub fn size(&self, size: &Size) -> Expr {
        match size.as_constant() {
            Some(value) => constant(&Const::Int(value), Class::Index),
            None => self.touch(Expr::Sum(terms(size, &|sym| self.symbol(sym)))),
        }
    }

    /// A size as a `usize` expression; negative ones count as zero.
    pub fn extent(&self, size: &Size) -> String {
        match size.as_constant() {
            Some(n) => n.max(0).to_string(),
            None => format!("rt::extent({})", self.exact_size(size)),
        }
    }

    /// A size as an `i64` expression that does not wrap: sizes that decide how large an array is, or whether two sizes agree, must be
    /// what proofs about subscripts take them for.
    pub fn exact_size(&self, size: &Size) -> Expr {
        if self.func.symbols.stays_small(size) {
            return self.size(size);
        }
        polynomial(size, &|sym| self.size(&Size::sym(sym)))
    }

    /// The sizes of an array as a shape.
    pub fn shape(&self, dims: &[Size]) -> String {
        let extents: Vec<String> = dims.iter().map(|d| self.extent(d)).collect();
        format!("[{}]", extents.join(", "))
    }

    /// Where a statement's result goes: a new variable, or one that exists already.
    pub fn define(&mut self, value: Value) -> Target {
        let Some(slot) = self.storage.slot(value) else { return Target::Nothing };
        if let Some(place) = self.slot_names.get(&slot) {
            return Target::Old(self.touch(place.clone()));
        }
        let name = self.name_slot(slot);
        Target::New { name, mutable: self.storage.slots[slot.0].mutable }
    }
}

/// Where a result goes. Its text is what stands in front of the expression.
pub enum Target {
    /// Nowhere.
    Nothing,
    /// A variable that is made.
    New {
        /// Its name.
        name: String,
        /// Whether it is assigned to later.
        mutable: bool,
    },
    /// A variable or element that is there.
    Old(Expr),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("let _ = "),
            Self::New { name, mutable } => write!(f, "let {}{name} = ", if *mutable { "mut " } else { "" }),
            Self::Old(place) => write!(f, "{place} = "),
        }
    }
}

/// One subscript of a vector as one for each dimension; vectors may lie along any, as `A(i, j, :)` does.
pub fn padded<T: Clone>(subs: &[T], ty: &Type, zero: &T) -> Vec<T> {
    let [one] = subs else { return subs.to_vec() };
    if !ty.is_vector() {
        return subs.to_vec();
    }
    let long = ty.dims.iter().position(|d| !d.is_one()).unwrap_or(0);
    (0..ty.dims.len().max(1)).map(|axis| if axis == long { one.clone() } else { zero.clone() }).collect()
}

/// Whether a `break` or `continue` in the items names the loop.
pub fn leaves(items: &[Item<'_>], label: Label) -> bool {
    items.iter().any(|item| match item {
        Item::Break(l) | Item::Continue(l) => *l == label,
        Item::If(_, a, b) | Item::While(_, a, _, b) => leaves(a, label) || leaves(b, label),
        Item::For(_, _, _, body) => leaves(body, label),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Size;

    #[test]
    fn one_subscript_of_a_vector_stands_at_its_long_dimension() {
        let padded_for = |dims: &[i64]| {
            let dims = dims.iter().map(|d| Size::constant(*d)).collect();
            padded(&["k"], &Type::array(Class::Double, dims), &"0").join(" ")
        };
        assert_eq!(padded_for(&[5, 1]), "k 0");
        assert_eq!(padded_for(&[1, 5]), "0 k");
        assert_eq!(padded_for(&[1, 1, 5]), "0 0 k");
        assert_eq!(padded_for(&[2, 5]), "k");
    }
}
