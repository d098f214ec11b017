//! Random valid modules for property tests: arithmetic with implicit expansion, conversions, indexing, symbols from
//! values, `if`, loops with early exits, kernels and calls.
//!
//! A module is built from a tape of numbers, each of which decides one thing, so proptest shrinks a failure by
//! shortening the tape and making numbers smaller.

use super::size::{SymData, SymDef};
use super::{
    Binary, Builder, Class, Const, Func, FuncId, Kernel, Loc, Mem, Module, Op, Out, Param, ReduceOp, Size, Sub,
    Terminator, Type, Unary, Value, typing,
};
use proptest::prelude::*;

/// Random modules that the verifier accepts. `f` is a function of scalars, `main` is of `(f64, f64[n, m], f64[n, 1],
/// f64[1, m])` and returns `(f64, f64[n, m])`.
pub fn module() -> impl Strategy<Value = Module> {
    (tape(40), tape(240)).prop_map(|(scalar, main)| build(&scalar, &main))
}

fn tape(len: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..len)
}

/// The module that two tapes of decisions give.
pub fn build(scalar: &[u32], main: &[u32]) -> Module {
    let double = Type::scalar(Class::Double);
    let scalar = Gen::new("f", scalar, true).func(vec![double.clone(), double.clone()], vec![double.clone()]);
    let mut main = Gen::new("main", main, false);
    let n = main.sym("n", SymDef::Dim(1, 0));
    let m = main.sym("m", SymDef::Dim(1, 1));
    let array = |rows: &Size, columns: &Size| Type::array(Class::Double, vec![rows.clone(), columns.clone()]);
    let one = Size::constant(1);
    let matrix = array(&n, &m);
    let params = vec![double.clone(), matrix.clone(), array(&n, &one), array(&one, &m)];
    let main = main.func(params, vec![double, matrix]);
    Module::of(vec![scalar, main])
}

struct Gen<'t> {
    b: Builder,
    tape: std::slice::Iter<'t, u32>,
    /// Values whose definitions dominate.
    scope: Vec<Value>,
    /// The carried types of the enclosing loops.
    loops: Vec<Vec<Type>>,
    results: Vec<Type>,
    /// Whether all values are to be scalars: in kernels and in functions that kernels call.
    scalar: bool,
    kernel: bool,
    depth: usize,
    kernels: u32,
}

impl<'t> Gen<'t> {
    fn new(name: &str, tape: &'t [u32], scalar: bool) -> Self {
        let (scope, loops, results) = (Vec::new(), Vec::new(), Vec::new());
        let b = Builder::new(name);
        Self { b, tape: tape.iter(), scope, loops, results, scalar, kernel: false, depth: 0, kernels: 0 }
    }

    fn sym(&mut self, name: &str, def: SymDef) -> Size {
        let at_least = vec![Size::constant(0)];
        Size::sym(self.b.func.symbols.define(SymData { name: name.into(), def, at_least, at_most: Vec::new() }))
    }

    fn func(mut self, params: Vec<Type>, results: Vec<Type>) -> Func {
        let values = self.b.open(params);
        for (i, value) in values.iter().enumerate() {
            let name = format!("p{i}");
            self.b.func.names[value.index()] = Some(name.clone());
            self.b.func.params.push(Param { value: *value, name, facts: Default::default() });
        }
        self.b.func.params[0].facts.at_least = Some(-3);
        self.scope = values;
        self.b.func.result_names = (0..results.len()).map(|i| format!("r{i}")).collect();
        self.b.func.results = results.clone();
        self.results = results;
        while self.tape.len() > 0 {
            self.stmt();
        }
        let values = self.like_results();
        self.b.func.body = self.b.close(Terminator::Return(values));
        self.b.func
    }

    /// The next decision, one of `ways`.
    fn choose(&mut self, ways: usize) -> usize {
        self.tape.next().map_or(0, |n| *n as usize % ways.max(1))
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.choose(list.len())]
    }

    fn pick(&mut self, accept: impl Fn(&Type) -> bool) -> Option<Value> {
        let fits: Vec<Value> = self.scope.iter().copied().filter(|v| accept(self.b.func.ty(*v))).collect();
        if fits.is_empty() { None } else { Some(self.one_of(&fits)) }
    }

    /// A visible value of this type; there is one.
    fn like(&mut self, ty: &Type) -> Value {
        self.pick(|t| t == ty).expect("a value of the type is visible")
    }

    fn like_results(&mut self) -> Vec<Value> {
        self.results.clone().iter().map(|ty| self.like(ty)).collect()
    }

    fn push(&mut self, op: Op, ty: Type) -> Value {
        let loc = Loc::new(self.choose(3));
        self.b.set_loc(loc);
        let value = self.b.push(op, ty);
        let name = [None, None, Some("t"), Some("f64"), Some("a\"b\\\n"), Some("")][self.choose(6)];
        self.b.func.names[value.index()] = name.map(str::to_owned);
        self.scope.push(value);
        value
    }

    /// Appends the operation if its operands fit together.
    fn infer(&mut self, op: Op) {
        let func = &self.b.func;
        if let Some(ty) = typing::result_type(&op, &|v| Some(func.ty(v))) {
            self.push(op, ty);
        }
    }

    fn constant(&mut self, class: Class) -> Value {
        let value = match class {
            Class::Double => {
                let odd = [0.0, -0.0, 1.5, 0.1, 1e300, f64::NAN, -f64::NAN, f64::INFINITY, f64::MIN_POSITIVE, 1e16];
                Const::Float(self.one_of(&odd))
            }
            Class::Single => Const::Float(self.one_of(&[0.5, f64::from(0.1f32), f64::NEG_INFINITY])),
            Class::Logical => Const::Bool(self.choose(2) == 0),
            Class::Int8 => Const::Int(self.one_of(&[-128, 127])),
            _ => Const::Int(self.one_of(&[0, 1, i64::MIN, i64::MAX, -7])),
        };
        self.push(Op::Const(value), Type::scalar(class))
    }

    fn scalar_of(&mut self, class: Class) -> Value {
        match self.pick(|t| t.is_scalar() && t.class == class) {
            Some(value) => value,
            None => self.constant(class),
        }
    }

    fn stmt(&mut self) {
        let nested = self.depth < 4;
        // Loops hold more control flow than the rest, so that exits across several of them occur.
        let kind = if self.loops.is_empty() || self.choose(3) > 0 { self.choose(16) } else { 5 + self.choose(3) };
        match kind {
            0 => {
                let class = self.one_of(&[Class::Double, Class::Single, Class::Logical, Class::Int8, Class::Index]);
                self.constant(class);
            }
            1 => self.unary(),
            2 => self.select(),
            3 => self.convert(),
            4 => {
                let cond = self.scalar_of(Class::Logical);
                self.b.effect(Op::Assert(cond, "must \"hold\"\t".into()));
            }
            5 if nested => self.if_stmt(),
            6 if nested => self.for_stmt(),
            7 if nested => self.while_stmt(),
            8 if !self.scalar => self.call(),
            9 if !self.scalar => self.index(),
            10 if !self.scalar => self.sized(),
            11 if !self.scalar => self.kernel(),
            12 if !self.scalar => self.whole_array(),
            _ => self.binary(),
        }
    }

    fn unary(&mut self) {
        let Some(a) = self.pick(|_| true) else { return };
        let op = match self.b.func.ty(a).class {
            Class::Double | Class::Single => self.one_of(&[Unary::Sqrt, Unary::IsNan, Unary::Exp, Unary::Floor]),
            Class::Logical => Unary::Not,
            _ => self.one_of(&[Unary::Neg, Unary::Abs]),
        };
        self.infer(Op::Unary(op, a));
    }

    fn binary(&mut self) {
        let Some(a) = self.pick(|_| true) else { return };
        let class = self.b.func.ty(a).class;
        let Some(b) = self.pick(|t| t.class == class) else { return };
        let op = match class {
            Class::Double | Class::Single => self.one_of(&[Binary::Add, Binary::Mul, Binary::Lt, Binary::Hypot]),
            Class::Logical => self.one_of(&[Binary::And, Binary::Xor, Binary::Eq]),
            Class::Index => self.one_of(&[Binary::Sub, Binary::Shru, Binary::Ge]),
            _ => self.one_of(&[Binary::Mod, Binary::BitOr]),
        };
        self.infer(Op::Binary(op, a, b));
    }

    fn select(&mut self) {
        let cond = self.scalar_of(Class::Logical);
        let Some(a) = self.pick(|_| true) else { return };
        let class = self.b.func.ty(a).class;
        let Some(b) = self.pick(|t| t.class == class) else { return };
        self.infer(Op::Select(cond, a, b));
    }

    fn convert(&mut self) {
        let Some(a) = self.pick(|_| true) else { return };
        let class = self.one_of(&[Class::Double, Class::Single, Class::Int8, Class::Logical, Class::Index]);
        let ty = self.b.func.ty(a).with_class(class);
        self.push(Op::Convert(a), ty);
    }

    fn call(&mut self) {
        let args = vec![self.scalar_of(Class::Double), self.scalar_of(Class::Double)];
        self.push(Op::Call(FuncId::new(0), args), Type::scalar(Class::Double));
    }

    fn index(&mut self) {
        let Some(array) = self.pick(|t| t.dims.len() == 2) else { return };
        let checked = self.choose(2) == 0;
        let subs = vec![self.sub(), self.sub()];
        if self.choose(2) == 0 {
            return self.infer(Op::Index { array, subs, checked });
        }
        let value = self.scalar_of(self.b.func.ty(array).class);
        self.infer(Op::Store { array, subs, value, checked });
    }

    fn sub(&mut self) -> Sub {
        match self.choose(4) {
            0 => Sub::All,
            1 => Sub::At(self.scalar_of(Class::Index)),
            2 => match self.pick(|t| t.class == Class::Double && !t.is_scalar()) {
                Some(v) => Sub::Vector(v),
                None => Sub::All,
            },
            _ => Sub::Range { start: self.scalar_of(Class::Index), step: -2, len: Size::constant(4) },
        }
    }

    /// An array whose size is the value of a scalar.
    fn sized(&mut self) {
        let a = self.scalar_of(Class::Double);
        let count = self.push(Op::ToIndex(a), Type::scalar(Class::Index));
        let k = self.sym(&format!("k{}", count.index()), SymDef::Value(count));
        let larger =
            self.sym(&format!("max {}", count.index()), SymDef::Max(k.scale(2).add_const(-1), Size::constant(0)));
        let ty = Type::array(Class::Double, vec![larger, Size::constant(1)]);
        self.push(Op::Fill(a), ty);
        self.push(Op::Size(k), Type::scalar(Class::Index));
    }

    fn whole_array(&mut self) {
        let Some(a) = self.pick(|t| t.dims.len() == 2 && t.class == Class::Double) else { return };
        match self.choose(3) {
            0 => self.infer(Op::Transpose(a)),
            1 => self.infer(Op::Concat(2, vec![a, a])),
            _ => {
                let axes = [vec![0], vec![1], vec![0, 1]][self.choose(3)].clone();
                self.infer(Op::Reduce(ReduceOp::Sum, a, axes));
                self.infer(Op::Scan(ReduceOp::Sum, a, 1));
            }
        }
    }

    /// Statements of a nested region; what they define goes out of scope after `last` has used it.
    fn nested<T>(&mut self, params: &[Value], last: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.scope.len();
        self.scope.extend(params);
        self.depth += 1;
        for _ in 0..self.choose(6) {
            self.stmt();
        }
        let result = last(self);
        self.depth -= 1;
        self.scope.truncate(outside);
        result
    }

    fn finish(&mut self, op: Op, types: Vec<Type>) {
        let values = self.b.push_many(op, types);
        self.scope.extend(values);
    }

    fn some_values(&mut self) -> (Vec<Value>, Vec<Type>) {
        let values: Vec<Value> = (0..self.choose(3)).filter_map(|_| self.pick(|_| true)).collect();
        let types = values.iter().map(|v| self.b.func.ty(*v).clone()).collect();
        (values, types)
    }

    fn like_all(&mut self, types: &[Type]) -> Vec<Value> {
        types.iter().map(|ty| self.like(ty)).collect()
    }

    fn if_stmt(&mut self) {
        let cond = self.scalar_of(Class::Logical);
        let (_, types) = self.some_values();
        let arm = |g: &mut Self| {
            g.b.open(Vec::new());
            let term = g.nested(&[], |g| g.arm_end(&types));
            Box::new(g.b.close(term))
        };
        let (then, els) = (arm(self), arm(self));
        self.finish(Op::If { cond, then, els }, types);
    }

    fn arm_end(&mut self, types: &[Type]) -> Terminator {
        match self.choose(6) {
            1 | 4 if !self.loops.is_empty() => {
                let depth = self.choose(self.loops.len());
                let types = self.loops[self.loops.len() - 1 - depth].clone();
                let values = self.like_all(&types);
                match self.choose(2) {
                    0 => Terminator::Break(depth as u32, values),
                    _ => Terminator::Continue(depth as u32, values),
                }
            }
            2 if !self.kernel => Terminator::Return(self.like_results()),
            3 if !self.scalar => {
                let args = self.pick(|_| true).into_iter().collect();
                let identifier = if self.choose(2) == 0 { String::new() } else { "a:b".into() };
                self.b.effect(Op::Raise { identifier, format: "%d\n".into(), args });
                Terminator::Unreachable
            }
            _ => Terminator::Yield(self.like_all(types)),
        }
    }

    fn for_stmt(&mut self) {
        let trip = self.scalar_of(Class::Index);
        let (init, types) = self.some_values();
        let params = std::iter::once(Type::scalar(Class::Index)).chain(types.clone()).collect();
        let params = self.b.open(params);
        let body = self.loop_body(&params, &types);
        self.finish(Op::For { trip, init, body }, types);
    }

    fn loop_body(&mut self, params: &[Value], types: &[Type]) -> Box<super::Region> {
        self.loops.push(types.to_vec());
        let values = self.nested(params, |g| g.like_all(types));
        self.loops.pop();
        Box::new(self.b.close(Terminator::Yield(values)))
    }

    fn while_stmt(&mut self) {
        let (init, types) = self.some_values();
        let params = self.b.open(types.clone());
        let outer = std::mem::take(&mut self.loops);
        let cond = self.nested(&params, |g| g.scalar_of(Class::Logical));
        self.loops = outer;
        let cond = Box::new(self.b.close(Terminator::Yield(vec![cond])));
        let params = self.b.open(types.clone());
        let body = self.loop_body(&params, &types);
        self.finish(Op::While { init, cond, body }, types);
    }

    /// A kernel over the sizes of an array: loads, scalar code, a store, an update and a reduction.
    fn kernel(&mut self) {
        let Some(array) = self.pick(|t| t.dims.len() == 2 && t.class == Class::Double) else { return };
        let ty = self.b.func.ty(array).clone();
        let axes = [vec![0], vec![1], vec![0, 1]][self.choose(3)].clone();
        let types = vec![ty.clone(), ty.clone(), typing::reduced(Class::Double, &ty.dims, &axes)];
        let outs = vec![Out::Fresh, Out::Update(array), Out::Reduce(ReduceOp::Sum, axes)];
        let index = Type::scalar(Class::Index);
        let point = self.b.open(vec![index.clone(), index]);

        let func = &self.b.func;
        let scalars = self.scope.iter().copied().filter(|v| func.ty(*v).is_scalar()).collect();
        let outer = (std::mem::replace(&mut self.scope, scalars), std::mem::take(&mut self.loops));
        let before = (std::mem::replace(&mut self.scalar, true), std::mem::replace(&mut self.kernel, true));
        self.push(Op::Load(Mem::In(array), point.clone()), Type::scalar(Class::Double));
        self.push(Op::Load(Mem::Out(1), point.clone()), Type::scalar(Class::Double));
        self.nested(&point, |g| {
            let value = g.scalar_of(Class::Double);
            g.b.effect(Op::Put(0, point.clone(), value));
            let value = g.scalar_of(Class::Double);
            g.b.effect(Op::Put(1, point.clone(), value));
            g.b.effect(Op::Accumulate(2, value));
        });
        (self.scalar, self.kernel) = before;
        (self.scope, self.loops) = outer;

        let body = self.b.close(Terminator::Yield(Vec::new()));
        let id = self.kernels;
        self.kernels += 1;
        self.finish(Op::Kernel(Box::new(Kernel { id, domain: ty.dims, outs, body })), types);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    #[test]
    fn every_construct_occurs() {
        let mut runner = TestRunner::deterministic();
        let text: String = (0..1000).map(|_| module().new_tree(&mut runner).unwrap().current().to_string()).collect();
        let constructs = [
            "= if ",
            "= for ",
            "= while ",
            "= kernel ",
            "= call ",
            "= index ",
            "= store ",
            "= fill ",
            "} else {",
            "break %",
            "break #1",
            "continue %",
            "return %",
            "raise ",
            "vector %",
            " step ",
            "reduce ",
            "concat ",
            "transpose ",
            "convert ",
            "nan(",
            "-inf",
            "-0.0",
            " !2",
            ":\"a\\\"b",
            "out1[",
            "accumulate ",
            "checked",
        ];
        for construct in constructs {
            assert!(text.contains(construct), "no {construct}");
        }
    }
}
