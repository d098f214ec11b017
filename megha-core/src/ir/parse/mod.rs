//! The textual IR, read. `parse(&module.to_string())` gives back an equal module.
//!
//! ## Syntax
//! ```text
//! func @axpy(%a: f64 (integer, >= 0), %x: f64[n, 1]) -> (y: f64[n, 1]) {
//!   sym n = dim 1 0, >= 0              ; dim P A | value %v | max(s, s) | min(s, s) | floordiv(s, s), then bounds
//!   %t: f64[n, 1] = mul %a, %x !12     // !12 is a source position
//!   %y = add %t, 1.0                   // a type may be left out where the operands determine it
//!   return %y
//! }
//! version @axpy else @general { whole 0 holds 1, 2 extent 1 0, -1 number 0 }   // 1 + 2 * size 0 of parameter 1 - parameter 0 >= 0
//! ```
//! Line breaks mean no more than blanks; `;` and `//` begin comments. Whether a program means anything is for
//! [`super::verify`] to say: the parser accepts what it can represent.
//!
//! * **Values** are numbers (`%3`: entry 3 of the function's table; numbers leave no gaps) or words (`%x`: the lowest
//!   free number, source name `x`). A definition is `%3`, `%3: type`, `%3:name` or `%3:name: type`; names and
//!   functions that are not words are quoted. `unused %7: f64` before the closing brace keeps a table entry that
//!   nothing defines.
//! * **Types**: a class (`f64 f32 i8 .. u64 bool char index`) and sizes, `f64[2*n + 1, m]`. A scalar has no brackets.
//! * **Literals**: `1`, `-2.5e3`, `0x7ff` (64 bits), `0x1.8p3`, `inf`, `nan`, `nan(0x7ff8000000000001)`, `true`,
//!   `"text"`; decimal and float ones take a class as suffix: `1f32`. A number or truth value may stand for any
//!   operand: a constant is put before the statement, of the class of the element-wise operation's first operand that
//!   has one, else `f64` or `index`.
//! * **Operations**: `const L`, `size S`, every [`Unary`](super::Unary) and [`Binary`](super::Binary) by name, `select
//!   c, a, b`, `fma a, b, c`, `convert`, `to_index`, `bits`, `from_bits`, `fill`, `range start, step`, `linspace a,
//!   b`, `eye`, `transpose`, `reshape`, `index %x[subs]`, `store %x[subs] = %v` (either may end in `checked`), `concat
//!   a, b along 0`, `reduce sum %x along [0]`, `scan sum %x along 0`, `lib matmul a, b`, `call @f(a, b)`, `assert c, "text"`, `same_size S,
//!   S, "text"`, `raise "format", a`, `raise as "id" "format", a`, `print "format", a`, `print
//!   to error "format", a`, `display "name", a`, `display long as range "name", a, b`, `text number a`, `ambient draw`. A subscript is `:`, `%i`, `%i step 2 len n` or `vector %v`.
//! * **Regions**: `if %c { .. } else { .. }` (an empty `else` may be left out), `for %trip with %init |%i, %acc| { ..
//!   }`, `while with %init |%x| { .. yield %c } do |%x2| { .. }`, `kernel 0 over [n, m] into (fresh, update %y, reduce
//!   sum along [1]) |%i, %j| { .. }`. A source position goes before the first `{`.
//! * **In kernels**: `load %x[%i]`, `load out0[%i]`, `put out0[%i] = %v`, `accumulate out1, %v`.
//! * **Ends**: `yield a, b`, `break a`, `continue a`, `return a`, `unreachable`; `break #1 a` leaves the next outer
//!   loop. Without an end a region yields nothing and a function returns nothing.

mod cursor;
mod func;
mod op;
mod operand;
mod stmt;
mod types;
mod version;

use super::lex::{self, Tok};
use super::{Func, FuncId, Module};
use cursor::{Cursor, describe};
use std::fmt;

/// Why a text is no module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from one.
    pub line: usize,
    /// The column, from one, in characters.
    pub column: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads a module; functions may call each other whatever their order.
///
/// # Errors
/// The first place where the text does not follow the syntax, with what was expected there.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let mut cursor = Cursor::new(lex::tokens(text)?);
    let heads = heads(&cursor);
    let mut module = Module::default();
    while !cursor.at_end() {
        if cursor.eat_word("version") {
            module.versions.push(version::version(&mut cursor, &heads)?);
            continue;
        }
        cursor.expect_word("func")?;
        let name = name(&mut cursor, FuncId::new(module.funcs.len()), &heads)?;
        let func = func::func(&mut cursor, name, &heads, &module.funcs)?;
        module.funcs.push(func);
    }
    Ok(module)
}

/// The names of all functions, in order.
fn heads(cursor: &Cursor) -> Vec<String> {
    let pairs = cursor.tokens.windows(2).filter_map(|pair| match (&pair[0].tok, &pair[1].tok) {
        (Tok::Word(word), Tok::Func(name)) if word == "func" => Some(name.clone()),
        _ => None,
    });
    pairs.collect()
}

/// The name in the head of a function: `@f`, or `@f#3` for the function with number 3.
fn name(cursor: &mut Cursor, own: FuncId, heads: &[String]) -> Result<String, ParseError> {
    let Tok::Func(name) = cursor.peek().clone() else { return Err(cursor.expected("the function's name, `@name`,")) };
    let named = |i: usize| heads.iter().filter(|n| **n == name).count() > i;
    let error =
        cursor.error(format!("there are several functions `@{name}`: write `@{name}#{}` for this one", own.index()));
    cursor.bump();
    match cursor.number_sign()? {
        None if named(1) => Err(error),
        Some(number) if number as usize != own.index() => {
            Err(cursor.error(format!("this is function number {}, not {number}", own.index())))
        }
        _ => Ok(name),
    }
}

/// A reference to a function: `@f`, `@f#3` or `@#3`.
fn func_ref(cursor: &mut Cursor, heads: &[String]) -> Result<FuncId, ParseError> {
    let Tok::Func(name) = cursor.peek().clone() else { return Err(cursor.expected("a function, `@name`,")) };
    let unknown = cursor.error(format!("there is no function {}", describe(cursor.peek())));
    let several =
        cursor.error(format!("there are several functions `@{name}`: write `@{name}#` and the number of one"));
    cursor.bump();
    if let Some(number) = cursor.number_sign()? {
        let fits = |head: &String| name.is_empty() || *head == name;
        return match heads.get(number as usize) {
            Some(head) if !fits(head) => Err(unknown),
            None if !name.is_empty() => Err(unknown),
            _ => Ok(FuncId::new(number as usize)),
        };
    }
    let mut found = heads.iter().enumerate().filter(|(_, head)| **head == name);
    match (found.next(), found.next()) {
        (Some((i, _)), None) => Ok(FuncId::new(i)),
        (Some(_), Some(_)) => Err(several),
        (None, _) => Err(unknown),
    }
}

/// Reads one function that calls others by number only, as `Func`'s `Display` writes it.
///
/// # Errors
/// As [`parse`]; also if there is anything but one function.
pub fn parse_func(text: &str) -> Result<Func, ParseError> {
    let mut module = parse(text)?;
    match (module.funcs.pop(), module.funcs.is_empty()) {
        (Some(func), true) => Ok(func),
        _ => Err(ParseError { line: 1, column: 1, message: "exactly one function is expected".into() }),
    }
}

#[cfg(test)]
mod tests;
