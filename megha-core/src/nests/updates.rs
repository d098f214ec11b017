//! Updates: stores that combine an element with something else by an operation of which any order gives the same.
//!
//! ```text
//! x(f(i)) = max(x(f(i)), e)
//! ```
//!
//! Two updates of one element by the same operation may change places, with all that each of them reads and stores at once: what other statements see of the element
//! before and behind both is the same. So dependences between them do not say which comes first (*reduction dependences*: W. Pugh, D. Wonnacott, "Static
//! Analysis of Upper and Lower Bounds on Dependences and Parallelism", 1994; X. Redon, P. Feautrier, "Scheduling Reductions", 1994; J. Doerfert et al., "Polly's
//! Polyhedral Scheduling in the Presence of Reductions", 2015). They cannot run at the same time for that: a loop that carries one is not parallel.
//!
//! The operation must be associative and commutative to the bit: extremes, conjunctions and the like of whole numbers and truth values, and sums that wrap around in
//! the element's own bits. Sums of floats round, their extremes have zeros of two signs, and MATLAB's sums of whole numbers are clamped. The old value may be used for
//! nothing else, and nothing may be stored between.

use crate::hash::HashMap;
use crate::ir::{Binary, Class, Const, Func, Op, Region, Size, Stmt, Sub, Value};

/// How many operations are looked through for what class a number is of.
const DEEPEST: usize = 4;

/// The operations of updates, by the results of their reads and of their stores.
pub(super) fn updates(func: &Func, body: &Region) -> HashMap<Value, Binary> {
    let mut search = Search { func, made: HashMap::default(), uses: HashMap::default() };
    search.note(body);
    let mut found = HashMap::default();
    body.walk(&mut |stmt| {
        let Op::Store { array, subs, value, .. } = &stmt.op else { return };
        if let Some((read, op)) = search.update((*array, subs), *value) {
            found.insert(read, op);
            found.insert(stmt.results[0], op);
        }
    });
    found
}

struct Search<'f> {
    func: &'f Func,
    made: HashMap<Value, &'f Op>,
    uses: HashMap<Value, usize>,
}

impl<'f> Search<'f> {
    fn note(&mut self, region: &'f Region) {
        for stmt in &region.stmts {
            self.note_stmt(stmt);
            stmt.op.regions().into_iter().for_each(|inner| self.note(inner));
        }
        region.term.values().iter().for_each(|value| self.note_use(*value));
    }

    fn note_stmt(&mut self, stmt: &'f Stmt) {
        self.made.extend(stmt.results.iter().map(|result| (*result, &stmt.op)));
        let mut used = Vec::new();
        stmt.op.for_each_operand(&mut |value| used.push(value));
        if let Op::Size(size) = &stmt.op {
            self.func.symbols.for_each_value(size, &mut |value| used.push(value));
        }
        used.into_iter().for_each(|value| self.note_use(value));
    }

    fn note_use(&mut self, value: Value) {
        *self.uses.entry(value).or_default() += 1;
    }

    fn class(&self, value: Value) -> Class {
        self.func.ty(value).class
    }

    /// The operation that makes a value, if the value is used once.
    fn only(&self, value: Value) -> Option<&'f Op> {
        self.made.get(&value).copied().filter(|_| self.uses.get(&value) == Some(&1))
    }

    /// The read and the operation of an update that stores a value in this element.
    fn update(&self, element: (Value, &[Sub]), stored: Value) -> Option<(Value, Binary)> {
        let class = self.class(element.0);
        let mut value = stored;
        if class != Class::Index
            && self.class(stored) == class
            && let Op::Convert(wide) = self.only(value)?
        {
            value = *wide;
        }
        let unwrapped = self.unwrapped(value, class);
        let Op::Binary(op, a, b) = self.only(unwrapped.unwrap_or(value))? else { return None };
        let reads = [(*a, *b), (*b, *a)].into_iter().find_map(|(old, by)| Some((self.old(element, old)?, by)));
        let (read, by) = reads?;
        self.is_exact(*op, (self.class(*a), class), unwrapped.is_some(), by).then_some((read, *op))
    }

    /// What is brought back into the bits of a class, if this is such a value.
    fn unwrapped(&self, value: Value, class: Class) -> Option<Value> {
        let bits = bits(class).filter(|bits| *bits < 64)?;
        match (self.only(value)?, is_signed(class)) {
            (Op::Binary(Binary::Shr, high, by), true) if self.is_number(*by, 64 - bits) => match self.only(*high)? {
                Op::Binary(Binary::Shl, value, by) if self.is_number(*by, 64 - bits) => Some(*value),
                _ => None,
            },
            (Op::Binary(Binary::BitAnd, value, mask), false) if self.is_number(*mask, (1 << bits) - 1) => Some(*value),
            _ => None,
        }
    }

    fn is_number(&self, value: Value, number: i64) -> bool {
        matches!(self.made.get(&value), Some(Op::Const(Const::Int(found))) if *found == number)
    }

    /// The result of the read of an element that a value is.
    fn old(&self, (array, subs): (Value, &[Sub]), value: Value) -> Option<Value> {
        let (read, op) = match self.only(value)? {
            Op::Convert(narrow) => (*narrow, self.only(*narrow)?),
            op => (value, op),
        };
        let Op::Index { array: from, subs: at, .. } = op else { return None };
        let is_it = *from == array && at.len() == subs.len() && at.iter().zip(subs).all(|(a, b)| self.are_equal(a, b));
        is_it.then_some(read)
    }

    fn are_equal(&self, a: &Sub, b: &Sub) -> bool {
        let (Some(a), Some(b)) = (a.value(), b.value()) else { return false };
        a == b || self.size(a).is_some_and(|size| self.size(b).as_ref() == Some(&size))
    }

    fn size(&self, value: Value) -> Option<Size> {
        match self.made.get(&value)? {
            Op::Size(size) => Some(size.clone()),
            Op::Const(Const::Int(number)) => Some(Size::constant(*number)),
            _ => None,
        }
    }

    /// Whether updates of elements of a class by this operation, computed in another, may come in any order.
    fn is_exact(&self, op: Binary, (computed, class): (Class, Class), wraps: bool, by: Value) -> bool {
        let is_whole = |class: Class| bits(class).is_some();
        match op {
            // The element's class is clamped to, which keeps the order of numbers.
            Binary::Min | Binary::Max => is_whole(class) && is_whole(computed) && !wraps,
            Binary::Add => computed == Class::Index && (wraps || bits(class) == Some(64)),
            Binary::BitAnd | Binary::BitOr | Binary::BitXor => {
                is_whole(class)
                    && is_whole(computed)
                    && (wraps || bits(class) == Some(64) || self.fits(by, class, DEEPEST))
            }
            Binary::And | Binary::Or | Binary::Xor => (computed, class) == (Class::Logical, Class::Logical),
            Binary::Sub | Binary::Mul | Binary::Div | Binary::Pow | Binary::Mod | Binary::Rem => false,
            Binary::Atan2 | Binary::Hypot | Binary::Shl | Binary::Shr | Binary::Shru | Binary::Philox => false,
            Binary::Divu | Binary::Remu => false,
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => false,
        }
    }

    /// Whether a number is one of a class, as so many operations show.
    fn fits(&self, value: Value, class: Class, depth: usize) -> bool {
        match self.made.get(&value) {
            _ if self.class(value) == class => true,
            Some(Op::Convert(narrow)) => self.class(*narrow) == class,
            Some(Op::Binary(Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Min | Binary::Max, a, b)) => {
                depth > 0 && [a, b].into_iter().all(|operand| self.fits(*operand, class, depth - 1))
            }
            _ => false,
        }
    }
}

/// The bits of a class of whole numbers that `Index` holds all of.
fn bits(class: Class) -> Option<i64> {
    match class {
        Class::Int8 | Class::UInt8 => Some(8),
        Class::Int16 | Class::UInt16 => Some(16),
        Class::Int32 | Class::UInt32 => Some(32),
        Class::Int64 | Class::Index => Some(64),
        Class::UInt64 | Class::Double | Class::Single | Class::Logical | Class::Complex | Class::Char => None,
    }
}

fn is_signed(class: Class) -> bool {
    !matches!(class, Class::UInt8 | Class::UInt16 | Class::UInt32 | Class::UInt64)
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;

    /// How many reads and stores are parts of updates, in a function of a square `t` of a class with this body.
    fn parts(class: &str, body: &str) -> usize {
        let text =
            "func @f(%t: CLASS[n, n], %i: index, %j: index, %e: index, %d: CLASS, %c: bool) -> (t: CLASS[n, n]) {
          sym n = dim 0 0, >= 0
          BODY
          return %y
        }";
        let text = text.replace("BODY", body).replace("CLASS", class);
        let func = parse_func(&text).unwrap_or_else(|e| panic!("{e}"));
        super::updates(&func, &func.body).len()
    }

    const EXTREME: &str = "%x: i32 = index %t[%i, %j]
      %w: index = convert %x
      %m: index = max %w, %e
      %z: i32 = convert %m
      %y: i32[n, n] = store %t[%i, %j] = %z";

    #[test]
    fn extremes_of_whole_numbers_are_updates() {
        assert_eq!(parts("i32", EXTREME), 2);
        assert_eq!(parts("i32", &EXTREME.replace("max %w, %e", "min %e, %w")), 2);
        assert_eq!(parts("u64", &EXTREME.replace("i32", "u64")), 0, "half of them are negative in `Index`");
        let of_class =
            "%x: CLASS = index %t[%i, %j]\n %z: CLASS = max %x, %d\n %y: CLASS[n, n] = store %t[%i, %j] = %z";
        assert_eq!((parts("i8", of_class), parts("index", of_class)), (2, 2));
        assert_eq!((parts("f64", of_class), parts("f32", of_class)), (0, 0), "zeros have signs");
    }

    #[test]
    fn sums_are_updates_if_they_wrap_around() {
        let sum = "%x: CLASS = index %t[%i, %j]\n %z: CLASS = add %x, %d\n %y: CLASS[n, n] = store %t[%i, %j] = %z";
        assert_eq!((parts("index", sum), parts("i32", sum), parts("f64", sum)), (2, 0, 0));
        assert_eq!(parts("index", &sum.replace("add", "sub")), 0);
        let wrapping = EXTREME.replace(
            "%m: index = max %w, %e",
            "%s: index = add %w, %e\n %b: index = const 32\n %h: index = shl %s, %b\n %m: index = shr %h, %b",
        );
        assert_eq!(parts("i32", &wrapping), 2);
        assert_eq!(parts("i32", &wrapping.replace("const 32", "const 31")), 0, "a sum of other bits");
        assert_eq!(parts("i32", &EXTREME.replace("max", "add")), 0, "the sum is clamped");
    }

    #[test]
    fn bits_must_be_those_of_the_class() {
        assert_eq!(parts("i32", &EXTREME.replace("max", "bitor")), 0, "the number may be larger");
        let narrow =
            EXTREME.replace("max %w, %e", "bitor %w, %g").replace("%w: index", "%g: index = convert %d\n %w: index");
        assert_eq!(parts("i32", &narrow), 2);
        let truth = "%x: bool = index %t[%i, %j]\n %z: bool = or %x, %c\n %y: bool[n, n] = store %t[%i, %j] = %z";
        assert_eq!(parts("bool", truth), 2);
    }

    #[test]
    fn the_old_value_is_used_for_nothing_else() {
        assert_eq!(parts("i32", &EXTREME.replace("max %w, %e", "max %w, %w")), 0);
        assert_eq!(
            parts("i32", &EXTREME.replace("max %w, %e", "max %w, %v").replace("%m:", "%v: index = add %w, %e\n %m:")),
            0
        );
        assert_eq!(parts("i32", &EXTREME.replace("%y:", "%u: index = add %m, %e\n %y:")), 0, "nor the new one");
        assert_eq!(parts("i32", &EXTREME.replace("store %t[%i, %j]", "store %t[%j, %i]")), 0, "another element");
        let between =
            EXTREME.replace("store %t[%i", "store %p[%i").replace("%y:", "%p: i32[n, n] = store %t[%j, %j] = %d\n %y:");
        assert_eq!(parts("i32", &between), 0, "something is stored between");
    }

    #[test]
    fn equal_subscripts_are_one_element() {
        let apart = EXTREME
            .replace("%x: i32 = index %t[%i, %j]", "%a: index = size n - 1\n %x: i32 = index %t[%a, %j]")
            .replace("store %t[%i", "store %t[%k")
            .replace("%y:", "%k: index = size n - 1\n %y:");
        assert_eq!(parts("i32", &apart), 2);
    }
}
