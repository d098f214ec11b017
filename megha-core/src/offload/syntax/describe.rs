//! What is said of syntax that is not taken.

use syn::Expr;

const LOOPS: &str = "loops are `for` over ranges and arrays, `while` and `loop`";

/// What an expression that is not taken is, and what to do instead.
pub fn describe(expr: &Expr) -> (&'static str, &'static str) {
    match expr {
        Expr::While(_) => ("a `while` loop with a value is", LOOPS),
        Expr::Loop(_) => ("a `loop` that is never left is", "leave it with `break`, and the value if it has one"),
        Expr::ForLoop(_) => ("a loop with a value is", LOOPS),
        Expr::Closure(_) => ("closures in this place are", "give it a name with `let`, or write the code in its place"),
        Expr::Unsafe(_) => ("`unsafe` is", "use subscripts, whose bounds are tested before the loop"),
        Expr::Macro(_) => ("this macro is", "`assert!` and `panic!` are taken"),
        Expr::Reference(_) => ("mutable references are", "assign to the variable or element itself"),
        Expr::Array(_) | Expr::Repeat(_) => ("an array within an expression is", "give it a name with `let`"),
        Expr::Tuple(_) => ("tuples within expressions are", "use several variables"),
        Expr::Struct(_) => ("structs are", "pass the numbers as parameters"),
        Expr::Field(_) => ("fields are", "pass the numbers as parameters"),
        Expr::Range(_) => ("ranges outside `for` are", "write the loop out"),
        Expr::Let(_) => ("`if let` is", "use comparisons"),
        Expr::Lit(_) => ("literals of this kind are", "numbers of up to 64 bits, `true` and `false` are taken"),
        Expr::Try(_) => ("`?` is", "test what can fail before the call"),
        Expr::Await(_) | Expr::Async(_) => ("`async` code is", "call the function from there"),
        Expr::Const(_) => ("`const` blocks are", "write a `const` item"),
        Expr::Assign(_) => ("an assignment within an expression is", "make it a statement of its own"),
        _ => ("this expression is", "loops, `if`, `match`, arithmetic and elements of arrays are taken"),
    }
}
