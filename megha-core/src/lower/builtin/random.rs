//! Random numbers: each call draws a key, and each element is a pure function of the key and of its number, so arrays of random
//! numbers are kernels like others. The numbers are not Octave's; their distributions are.

use super::{Call, Handler, Results, value};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Ambient, Binary, Class, Kernel, Lib, Op, Out, Size, Terminator, Type, Unary, Value};
use crate::lower::facts::Facts;
use crate::lower::{Lower, Lowered, Operand};
use crate::matlab::ast::{Expr, ExprKind};
use crate::source::Span;

pub(super) const NAMES: &[&str] = &["rand", "randn", "randi", "randperm", "rng"];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "rand" | "randn" => floats,
        "randi" => integers,
        "randperm" => order,
        "rng" => |lower, call| {
            call.arity(lower, 1, 2)?;
            seed(lower, &call.args[0], call.span)
        },
        _ => return None,
    })
}

/// The distribution of an element.
#[derive(Clone, Copy)]
enum Distribution {
    /// Between 0 and 1, both excluded.
    Uniform,
    /// The standard normal one.
    Normal,
    /// Whole numbers from the first on, as many as the second says.
    Whole(Value, Value),
}

/// `rand(..)`, `randn(..)`; `rand('seed', s)` and its kin seed both.
fn floats(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    if let Some(ExprKind::Str { text, .. }) = call.args.first().map(|a| &a.kind)
        && matches!(text.as_str(), "seed" | "state" | "twister")
    {
        let Some(number) = call.args.get(1) else {
            return lower.stop(Code::Random, call.span, "the state of the generator cannot be read, only set");
        };
        return seed(lower, number, call.span);
    }
    let (args, class) = lower.trailing_class(call.args)?;
    let class = class.unwrap_or(Class::Double);
    if !class.is_float() {
        return lower.stop(Code::UnknownClass, call.span, format!("`{}` gives double or single numbers", call.name));
    }
    let dims = lower.size_arguments(args)?;
    let distribution = if call.name == "rand" { Distribution::Uniform } else { Distribution::Normal };
    value(lower.random(distribution, class, dims, call.span))
}

/// `randi(most, ..)`, `randi([least, most], ..)`
fn integers(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, usize::MAX)?;
    let [least, most] = limits(lower, &call.args[0])?;
    let (args, class) = lower.trailing_class(&call.args[1..])?;
    let dims = lower.size_arguments(args)?;
    let span = call.span;
    for limit in [least, most] {
        let whole = lower.unary(Unary::Fix, limit, span)?;
        let fine = lower.binary(Binary::Eq, whole, limit, "`randi`", span)?;
        lower.assert_all(fine, "the limits of randi are whole numbers", span);
    }
    let fine = lower.binary(Binary::Le, least, most, "`randi`", span)?;
    lower.assert_all(fine, "the limits of randi are in order", span);
    let difference = lower.binary(Binary::Sub, most, least, "`randi`", span)?;
    let one = lower.number(1.0);
    let count = lower.binary(Binary::Add, difference, one, "`randi`", span)?;
    let numbers = lower.random(Distribution::Whole(least, count), Class::Double, dims, span);
    value(class.map_or(numbers, |class| lower.convert(numbers, class)))
}

/// The least and the greatest number.
fn limits(lower: &mut Lower<'_>, arg: &Expr) -> Lowered<[Value; 2]> {
    if let ExprKind::Matrix { rows } = &arg.kind
        && let [row] = &rows[..]
        && let [least, most] = &row[..]
    {
        let (least, most) = (scalar(lower, least)?, scalar(lower, most)?);
        return Ok([least, most]);
    }
    let most = lower.expr_value(arg)?;
    if lower.builder.func.ty(most).numel().as_constant() == Some(2) {
        let ends = [0, 1].map(|k| {
            let at = lower.builder.int(k);
            lower.builder.element(most, vec![at], false)
        });
        return Ok(ends.map(|end| lower.convert(end, Class::Double)));
    }
    if !lower.is_scalar(most) {
        return lower.stop(Code::NotScalar, arg.span, "`randi` takes the greatest number, or [least, greatest]");
    }
    let one = lower.number(1.0);
    Ok([one, lower.convert(most, Class::Double)])
}

fn scalar(lower: &mut Lower<'_>, arg: &Expr) -> Lowered<Value> {
    let number = lower.expr_value(arg)?;
    if lower.is_scalar(number) {
        return Ok(lower.convert(number, Class::Double));
    }
    lower.stop(Code::NotScalar, arg.span, "a limit must be one number")
}

/// `randperm(n)`, `randperm(n, m)`
fn order(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 2)?;
    let n = scalar(lower, &call.args[0])?;
    let n = lower.whole_number(n, "the number of elements", call.span)?;
    let n = lower.size_from(n);
    let before = lower.here(call.span);
    let key = lower.draw();
    let row = Type::array(Class::Double, vec![Size::constant(1), n.clone()]);
    let facts = Lower::counting();
    let all =
        if row.is_scalar() { lower.number(1.0) } else { lower.emit(Op::Lib(Lib::RandPerm, vec![key]), row, facts) };
    lower.builder.set_loc(before);
    let Some(count) = call.args.get(1) else { return value(all) };
    let first = Expr { kind: ExprKind::Number { value: 1.0, imaginary: false }, span: count.span };
    let range = ExprKind::Range { start: Box::new(first), step: None, stop: Box::new(count.clone()) };
    value(lower.index(all, &[Expr { kind: range, span: count.span }], call.span)?)
}

/// Seeds from a number, the elements of an array, `'default'` or `'shuffle'`.
fn seed(lower: &mut Lower<'_>, arg: &Expr, span: Span) -> Results {
    let number = match lower.expr(arg)? {
        Operand::Text(text) if text == "default" || text == "reset" => lower.number(0.0),
        Operand::Text(text) if text == "shuffle" => {
            lower.emit(Op::Ambient(Ambient::Time, Vec::new()), Type::scalar(Class::Double), Facts::default())
        }
        Operand::Value(v) => {
            let v = lower.convert(v, Class::Double);
            let axes = (0..lower.builder.func.ty(v).dims.len()).collect();
            match lower.is_scalar(v) {
                true => v,
                false => lower.emit(
                    Op::Reduce(crate::ir::ReduceOp::Sum, v, axes),
                    Type::scalar(Class::Double),
                    Facts::default(),
                ),
            }
        }
        _ => {
            return lower.report(
                Diagnostic::error(Code::Random, arg.span, "this is no seed")
                    .help("give a number, 'default' or 'shuffle'"),
            );
        }
    };
    let before = lower.here(span);
    lower.builder.effect(Op::Ambient(Ambient::Seed, vec![number]));
    lower.builder.set_loc(before);
    Ok(Vec::new())
}

impl Lower<'_> {
    fn draw(&mut self) -> Value {
        self.builder.push(Op::Ambient(Ambient::Draw, Vec::new()), Type::scalar(Class::Index))
    }

    /// An array of random numbers.
    fn random(&mut self, distribution: Distribution, class: Class, dims: Vec<Size>, span: Span) -> Value {
        let before = self.here(span);
        let key = self.draw();
        let ty = Type::array(Class::Double, dims);
        let facts = self.distribution_facts(distribution);
        let numbers = if ty.is_scalar() {
            let first = self.builder.int(0);
            let number = self.random_element(distribution, key, first);
            self.learn(number, facts);
            number
        } else {
            let kernel = self.random_kernel(distribution, key, &ty.dims);
            self.emit(Op::Kernel(Box::new(kernel)), ty, facts)
        };
        self.builder.set_loc(before);
        self.convert(numbers, class)
    }

    fn distribution_facts(&self, distribution: Distribution) -> Facts {
        let (nonnegative, integral) = match distribution {
            Distribution::Uniform => (true, false),
            Distribution::Normal => (false, false),
            Distribution::Whole(least, _) => (self.facts(least).nonnegative, true),
        };
        Facts { nonnegative, integral, ..Facts::default() }
    }

    /// The kernel that computes the elements; one of size one has no loop.
    fn random_kernel(&mut self, distribution: Distribution, key: Value, dims: &[Size]) -> Kernel {
        let domain: Vec<Size> = dims.iter().filter(|d| !d.is_one()).cloned().collect();
        let types = domain.iter().map(|_| Type::scalar(Class::Index)).collect();
        let (mark, params) = self.open_region(types);
        let mut counters = params.into_iter();
        let mut subs = Vec::new();
        let (mut number, mut stride) = (self.builder.int(0), Size::constant(1));
        for dim in dims {
            let counter = if dim.is_one() { None } else { counters.next() };
            let sub = counter.unwrap_or_else(|| self.builder.int(0));
            let step = self.builder.size(&stride);
            let offset = self.index_op(Binary::Mul, sub, step);
            number = self.index_op(Binary::Add, number, offset);
            stride = stride.mul(dim);
            subs.push(sub);
        }
        let element = self.random_element(distribution, key, number);
        self.builder.effect(Op::Put(0, subs, element));
        let body = self.close_region(mark, Terminator::Yield(Vec::new()));
        self.kernels += 1;
        Kernel { id: self.kernels, domain, outs: vec![Out::Fresh], body }
    }

    fn index_op(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.builder.push(Op::Binary(op, a, b), Type::scalar(Class::Index))
    }

    fn float_op(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.builder.push(Op::Binary(op, a, b), Type::scalar(Class::Double))
    }

    fn random_element(&mut self, distribution: Distribution, key: Value, number: Value) -> Value {
        match distribution {
            Distribution::Uniform => self.uniform(key, number),
            Distribution::Normal => self.normal(key, number),
            Distribution::Whole(least, count) => {
                let u = self.uniform(key, number);
                let scaled = self.float_op(Binary::Mul, u, count);
                let steps = self.builder.push(Op::Unary(Unary::Floor, scaled), Type::scalar(Class::Double));
                self.float_op(Binary::Add, least, steps)
            }
        }
    }

    /// As `megha_base::random::uniform`.
    fn uniform(&mut self, key: Value, number: Value) -> Value {
        let bits = self.index_op(Binary::Philox, key, number);
        let twelve = self.builder.int(12);
        let upper = self.index_op(Binary::Shru, bits, twelve);
        let float = self.builder.push(Op::Convert(upper), Type::scalar(Class::Double));
        let half = self.builder.float(0.5);
        let middle = self.float_op(Binary::Add, float, half);
        let scale = self.builder.float(1.0 / (1u64 << 52) as f64);
        self.float_op(Binary::Mul, middle, scale)
    }

    /// Box and Muller's transformation of two uniform numbers.
    fn normal(&mut self, key: Value, number: Value) -> Value {
        let (one, two) = (self.builder.int(1), self.builder.int(2));
        let first = self.index_op(Binary::Mul, number, two);
        let second = self.index_op(Binary::Add, first, one);
        let (u, v) = (self.uniform(key, first), self.uniform(key, second));
        let double = Type::scalar(Class::Double);
        let log = self.builder.push(Op::Unary(Unary::Log, u), double.clone());
        let minus_two = self.builder.float(-2.0);
        let square = self.float_op(Binary::Mul, minus_two, log);
        let radius = self.builder.push(Op::Unary(Unary::Sqrt, square), double.clone());
        let turn = self.builder.float(2.0 * std::f64::consts::PI);
        let angle = self.float_op(Binary::Mul, turn, v);
        let cosine = self.builder.push(Op::Unary(Unary::Cos, angle), double);
        self.float_op(Binary::Mul, radius, cosine)
    }
}
