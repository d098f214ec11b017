//! Tests of subscripts that have been made already: `if d[[i, j]] < x { d[[i, j]] }`.
//!
//! What stands under an `if` runs only after its condition has been computed. An element that the condition is computed from exists then, so
//! reads and stores of it there need no test, in whatever order what is around the `if` comes to run. (A test that merely stands before, as of two
//! statements of a loop that is parted, says nothing: the statements may change places.) Subscripts are compared as values, in which
//! constants, sizes, sums, differences and products of equal values are equal (value numbering: Muchnick, section 12.4).

use crate::hash::{HashMap, HashSet};
use crate::ir::{Binary, Class, Const, Func, Op, Region, Size, Stmt, Sub, Type, Value};

/// Takes the tests out of a function that its conditions have made.
pub fn run(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    let mut pass = Pass { types: &func.types, numbers: Numbers::default(), made: HashMap::default() };
    pass.region(&mut body, &HashSet::default());
    func.body = body;
}

/// An element: the sizes of the array, and the numbers of the subscripts.
type Element = (Vec<Size>, Vec<usize>);

/// How a scalar is made.
enum Made {
    /// It is this element, whose existence has been tested.
    Read(Element),
    /// It is computed from these values.
    From(Vec<Value>),
}

/// What a value is, up to equal values.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Constant(i64),
    Size(Size),
    Combined(Binary, usize, usize),
}

#[derive(Default)]
struct Numbers {
    of_values: HashMap<Value, usize>,
    of_keys: HashMap<Key, usize>,
    count: usize,
}

impl Numbers {
    fn of(&mut self, value: Value) -> usize {
        let count = &mut self.count;
        *self.of_values.entry(value).or_insert_with(|| {
            *count += 1;
            *count
        })
    }

    /// Gives the result of a statement the number of an equal value before it.
    fn define(&mut self, result: Value, op: &Op) {
        let key = match op {
            Op::Const(Const::Int(c)) => Key::Constant(*c),
            Op::Size(size) => size.as_constant().map_or_else(|| Key::Size(size.clone()), Key::Constant),
            Op::Binary(binary @ (Binary::Add | Binary::Sub | Binary::Mul), a, b) => {
                Key::Combined(*binary, self.of(*a), self.of(*b))
            }
            _ => return,
        };
        let own = self.of(result);
        let number = *self.of_keys.entry(key).or_insert(own);
        self.of_values.insert(result, number);
    }
}

struct Pass<'f> {
    types: &'f [Type],
    numbers: Numbers,
    made: HashMap<Value, Made>,
}

impl Pass<'_> {
    /// Goes through a region in which these elements exist.
    fn region(&mut self, region: &mut Region, known: &HashSet<Element>) {
        for stmt in &mut region.stmts {
            self.stmt(stmt, known);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt, known: &HashSet<Element>) {
        if let [result] = stmt.results[..]
            && *self.ty(result) == Type::scalar(Class::Index)
        {
            self.numbers.define(result, &stmt.op);
        }
        match &mut stmt.op {
            Op::If { cond, then, els } => {
                let mut within = known.clone();
                self.read_for(*cond, &mut HashSet::default(), &mut within);
                self.region(then, &within);
                self.region(els, &within);
            }
            Op::Index { array, subs, checked } => {
                let Some(element) = self.element(*array, subs) else { return };
                *checked &= !known.contains(&element);
                self.made.insert(stmt.results[0], Made::Read(element));
            }
            Op::Store { array, subs, checked, .. } => {
                let element = self.element(*array, subs);
                *checked &= !element.is_some_and(|element| known.contains(&element));
            }
            Op::Unary(..) | Op::Binary(..) | Op::Convert(_) => {
                let mut operands = Vec::new();
                stmt.op.for_each_operand(&mut |value| operands.push(value));
                self.made.insert(stmt.results[0], Made::From(operands));
            }
            op => op.regions_mut().into_iter().for_each(|inner| self.region(inner, known)),
        }
    }

    /// The elements that a scalar is computed from.
    fn read_for(&self, value: Value, seen: &mut HashSet<Value>, found: &mut HashSet<Element>) {
        match self.made.get(&value) {
            Some(Made::Read(element)) => _ = found.insert(element.clone()),
            Some(Made::From(operands)) if seen.insert(value) => {
                operands.iter().for_each(|operand| self.read_for(*operand, seen, found));
            }
            Some(Made::From(_)) | None => {}
        }
    }

    /// The single element that subscripts name.
    fn element(&mut self, array: Value, subs: &[Sub]) -> Option<Element> {
        let numbers = subs.iter().map(|sub| match sub {
            Sub::At(value) => Some(self.numbers.of(*value)),
            Sub::All | Sub::Range { .. } | Sub::Vector(_) => None,
        });
        let numbers = numbers.collect::<Option<Vec<usize>>>()?;
        Some((self.ty(array).dims.clone(), numbers))
    }

    fn ty(&self, value: Value) -> &Type {
        &self.types[value.index()]
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;
    use crate::ir::{Module, verify::verify};

    /// How many tests are left of a function with this body.
    fn tests(body: &str) -> usize {
        let text = "func @f(%a: f64[n, n], %i: index, %j: index, %c: bool) -> (y: f64) {
          sym n = dim 0 0, >= 0
          BODY
          return %y
        }";
        let mut func = parse_func(&text.replace("BODY", body)).unwrap_or_else(|e| panic!("{e}"));
        super::run(&mut func);
        let printed = func.to_string();
        assert!(verify(&Module::of(vec![func])).is_ok(), "{printed}");
        printed.matches("checked").count()
    }

    #[test]
    fn what_a_condition_has_read_exists_under_it() {
        let body = "%x: f64 = index %a[%i, %j] checked
          %z: f64 = const 0.0
          %t: bool = lt %x, %z
          %y: f64 = if %t { %p: f64 = index %a[%i, %j] checked\n yield %p } else {
            %q: f64 = index %a[%j, %i] checked\n yield %q }";
        assert_eq!(tests(body), 2);
        assert_eq!(tests(&body.replace("lt %x, %z", "lt %z, %z")), 3, "the condition has not read it");
        assert_eq!(tests(&body.replace("lt %x, %z", "lt %x, %x").replace("[%j, %i]", "[%i, %j]")), 1);
    }

    #[test]
    fn equal_subscripts_are_the_same_element() {
        let body = "%1: index = const 1\n %k: index = add %i, %1
          %x: f64 = index %a[%k, %j] checked
          %z: f64 = const 0.0\n %t: bool = lt %x, %z
          %y: f64 = if %t { %2: index = const 1\n %l: index = add %i, %2
            %p: f64 = index %a[%l, %j] checked\n yield %p } else { yield %z }";
        assert_eq!(tests(body), 1);
        assert_eq!(tests(&body.replace("%2: index = const 1", "%2: index = const 2")), 2);
    }

    #[test]
    fn what_only_stands_before_proves_nothing() {
        let body = "%x: f64 = index %a[%i, %j] checked
          %y: f64 = if %c { %p: f64 = index %a[%i, %j] checked\n yield %p } else { yield %x }";
        assert_eq!(tests(body), 2);
    }
}
