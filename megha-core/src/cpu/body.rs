//! Statements over variables as Rust: what host code and kernel bodies have in common.

mod control;

use crate::hash::{HashMap, HashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;

use super::expr::{Binds, Context, Expr, polynomial, scalar};
use super::inline::Inlined;
use super::source::{Code, Names};
use super::storage::{Item, Label, Rounds, Slot, Storage};
use super::symbols::SymbolTexts;
use super::transfer::How;
use crate::ir::{Binary, Class, Const, Func, Loc, Mem, Op, Size, Stmt, Sub, Sym, SymDef, Type, Value};

/// How a kernel reaches an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Element `l` of a slice along the row.
    Row(String),
    /// A number that is the same along the row.
    Uniform(String),
    /// By subscripts at each point; whether there is one that counts columns first.
    General(String, bool),
    /// By these subscripts in the numbers of the point; whether there is one that counts columns first.
    At(String, String, bool),
}

/// How the statements that differ between host code and kernel bodies are written.
pub trait Dialect<'f> {
    /// A statement without regions, or a kernel.
    fn stmt(&mut self, body: &mut Body<'f>, stmt: &'f Stmt);
    /// The end of the function.
    fn returns(&mut self, body: &mut Body<'f>, values: &[(Value, How)]);
    /// An array value that is kept for later use, as an owned copy.
    fn copied(&self, body: &Body<'f>, value: Value) -> String;
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
    /// The start of a loop of these parts; returns whether its end matters.
    fn enter_loop(&mut self, _: &mut Body<'f>, _: &[&[Item<'f>]]) -> bool {
        false
    }
    /// The end of that loop.
    fn leave_loop(&mut self, _: &mut Body<'f>) {}
}

/// Names in scope at some place.
pub struct Scope {
    slot_names: HashMap<Slot, String>,
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
    slot_names: HashMap<Slot, String>,
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
            slot_names: HashMap::default(),
            used: RefCell::default(),
        }
    }

    /// The variable that holds a value.
    pub fn variable(&self, value: Value) -> Expr {
        let slot = self.storage.slot(value).and_then(|slot| self.slot_names.get(&slot));
        let text = match slot {
            Some(name) => Expr::atom(name.clone()),
            None => {
                self.vars.get(&value).cloned().unwrap_or_else(|| Expr::atom(format!("undefined_{}", value.index())))
            }
        };
        self.touch(text)
    }

    /// The text for a value's variable or expression.
    pub fn text(&self, value: Value) -> String {
        self.operand(value).text
    }

    /// Notes that the words of an expression occur.
    fn touch(&self, expr: Expr) -> Expr {
        let words = expr.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        self.used.borrow_mut().extend(words.map(str::to_owned));
        expr
    }

    /// Notes that the words of a text occur in the code.
    pub fn note_words(&self, text: &str) {
        self.touch(Expr::atom(text));
    }

    /// Notes that a name occurs in the code.
    pub fn note(&self, name: &str) {
        self.used.borrow_mut().insert(name.to_owned());
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
        self.slot_names.insert(slot, name.clone());
        name
    }

    /// Gives the variable this text.
    pub fn set_slot(&mut self, slot: Slot, text: String) {
        self.slot_names.insert(slot, text);
    }

    /// The text of a variable, if it has one already.
    pub fn slot_text(&self, slot: Slot) -> Option<&str> {
        self.slot_names.get(&slot).map(String::as_str)
    }

    /// An element of an array in host code, by subscripts that need no check.
    fn element(&self, array: Value, subs: &[Sub]) -> Expr {
        let (at, linear) = self.element_subscripts(array, subs);
        let method = if linear { "at_linear" } else { "at" };
        Expr::atom(format!("unsafe {{ {}.{method}({at}) }}", self.text(array))).parenthesized()
    }

    /// Scalar subscripts as `[i, j]`, or one that counts columns first as it is (`true`).
    pub fn element_subscripts(&self, array: Value, subs: &[Sub]) -> (String, bool) {
        let values: Vec<Value> = subs.iter().filter_map(Sub::value).collect();
        let ty = self.func.ty(array);
        let linear = values.len() == 1 && ty.dims.iter().filter(|d| !d.is_one()).count() > 1;
        (self.subscripts(&values, ty, linear), linear)
    }

    /// Subscripts as `[i, j]`; one of a vector as many; or one that counts columns first as it is.
    pub fn subscripts(&self, subs: &[Value], ty: &Type, linear: bool) -> String {
        let texts: Vec<String> = subs.iter().map(|v| self.text(*v)).collect();
        if linear {
            return texts.concat();
        }
        format!("[{}]", padded(&texts, ty).join(", "))
    }

    /// A kernel's load.
    pub fn load(&self, op: &Op) -> Expr {
        let (place, subs) = match (self.places.get(&std::ptr::from_ref(op)), op) {
            (Some(place), Op::Load(_, subs)) => (place, subs),
            _ => return Expr::atom("undefined_load"),
        };
        match place {
            Place::Row(name) => self.touch(Expr::atom(format!("{name}[l]"))),
            Place::Uniform(name) => self.touch(Expr::atom(name.clone())),
            Place::At(name, at, linear) => {
                let method = if *linear { "at_linear" } else { "at" };
                self.touch(Expr::atom(format!("unsafe {{ {name}.{method}({at}) }}"))).parenthesized()
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
                Expr::atom(format!("unsafe {{ {name}.{method}({at}) }}")).parenthesized()
            }
        }
    }

    /// A size as an expression that methods can be called on.
    fn typed_size(&self, size: &Size) -> String {
        match size.as_constant() {
            Some(value) => format!("{value}_i64"),
            None => self.exact_size(size).text,
        }
    }

    /// A size as an `i64` expression.
    pub fn size(&self, size: &Size) -> Expr {
        if let Some(value) = size.as_constant() {
            return super::expr::constant(&Const::Int(value), Class::Index);
        }
        let name = |sym: Sym| match (self.symbols.get(sym), &self.func.symbols.get(sym).def) {
            (Some(name), _) => name.clone(),
            (None, SymDef::Value(value)) => self.operand(*value).within(Binds::Atom),
            // Sizes of what a loop computes are written out.
            (None, SymDef::Max(a, b)) => format!("({}).max({})", self.typed_size(a), self.exact_size(b).text),
            (None, SymDef::Min(a, b)) => format!("({}).min({})", self.typed_size(a), self.exact_size(b).text),
            (None, SymDef::FloorDiv(a, b)) => {
                format!("({}).div_euclid({})", self.typed_size(a), self.exact_size(b).text)
            }
            (None, SymDef::Dim(..)) => format!("undefined_{}", sym.index()),
        };
        let text = size.display_with(&name).replace('*', " * ");
        let (terms, factors) = (size.terms().count(), size.degree());
        let scaled = size.terms().any(|(_, c)| c != 1);
        let binds = match (terms, factors) {
            (1, 1) if !scaled => Binds::Atom,
            (1, _) if !text.starts_with('-') => Binds::Product,
            _ => Binds::Sum,
        };
        self.touch(Expr::binding(text, binds))
    }

    /// A size as a `usize` expression; negative ones count as zero.
    pub fn extent(&self, size: &Size) -> String {
        match size.as_constant() {
            Some(n) => n.max(0).to_string(),
            None => format!("rt::extent({})", self.exact_size(size).text),
        }
    }

    /// A size as an `i64` expression that does not wrap: sizes that decide how large an array is, or whether two sizes agree, must be
    /// what proofs about subscripts take them for.
    pub fn exact_size(&self, size: &Size) -> Expr {
        if self.func.symbols.stays_small(size) {
            return self.size(size);
        }
        Expr::atom(polynomial(size, &|sym| self.size(&Size::sym(sym)).text))
    }

    /// The sizes of an array as a shape.
    pub fn shape(&self, dims: &[Size]) -> String {
        let extents: Vec<String> = dims.iter().map(|d| self.extent(d)).collect();
        format!("[{}]", extents.join(", "))
    }

    /// `let x = ` for a statement's result, or `x[l] = ` where the variable exists already.
    pub fn define(&mut self, value: Value) -> String {
        let slot = self.storage.slot(value);
        let Some(slot) = slot else { return "let _ = ".to_owned() };
        if let Some(text) = self.slot_names.get(&slot) {
            let text = text.clone();
            self.touch(Expr::atom(text.clone()));
            return format!("{text} = ");
        }
        let name = self.name_slot(slot);
        let mutable = if self.storage.slots[slot.0].mutable { "mut " } else { "" };
        format!("let {mutable}{name} = ")
    }
}

/// One subscript of a vector as one for each dimension; vectors may lie along any, as `A(i, j, :)` does.
pub fn padded(texts: &[String], ty: &Type) -> Vec<String> {
    let [one] = texts else { return texts.to_vec() };
    if !ty.is_vector() {
        return texts.to_vec();
    }
    let long = ty.dims.iter().position(|d| !d.is_one()).unwrap_or(0);
    (0..ty.dims.len().max(1)).map(|axis| if axis == long { one.clone() } else { "0".to_owned() }).collect()
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
            padded(&["k".to_owned()], &Type::array(Class::Double, dims)).join(" ")
        };
        assert_eq!(padded_for(&[5, 1]), "k 0");
        assert_eq!(padded_for(&[1, 5]), "0 k");
        assert_eq!(padded_for(&[1, 1, 5]), "0 0 k");
        assert_eq!(padded_for(&[2, 5]), "k");
    }
}
