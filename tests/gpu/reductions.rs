//! Reductions: lengths around those of lanes and chunks, every dimension, every class and operation in both forms.

use megha_core::interp::Elements;
use megha_core::ir::ReduceOp;
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;

use super::small::{array, check, classes};

/// Terms whose order of summation rounding tells apart.
pub fn terms(n: usize) -> Vec<f64> {
    (0..n).map(|k| if k % 3 == 0 { 1.0 } else { -1.0 } / (k as f64 + 0.3)).collect()
}

#[test]
fn reductions_of_vectors() {
    // From 33 chunks on, a lane of the second level has more than one.
    for n in [0, 1, 2, 31, 32, 33, 200, 1025, 4095, 4096, 4097, 10_000, 33 * 4096 + 1] {
        for (op, class) in
            [("sum", "f64"), ("prod", "f64"), ("min", "f64"), ("max", "f64"), ("sum", "f32"), ("sum", "i8")]
        {
            if n == 0 && (op == "min" || op == "max") {
                continue;
            }
            if n > 20_000 && (op, class) != ("sum", "f64") {
                continue;
            }
            let data = match class {
                "f64" => Elements::Double(terms(n)),
                "f32" => Elements::Single(terms(n).iter().map(|x| *x as f32).collect()),
                _ => Elements::Int8((0..n).map(|k| (k * 7 % 200) as u8 as i8).collect()),
            };
            let text = format!(
                "func @f(%a: {class}[n, 1]) -> (s: {class}) {{
                   sym n = dim 0 0, >= 0
                   %s: {class}, %t: bool = kernel 0 over [n] into (reduce {op} along [0], reduce any along [0]) |%i| {{
                     %x: {class} = load %a[%i]
                     accumulate out0, %x
                     %n: bool = eq %x, %x
                     accumulate out1, %n
                   }}
                   return %s
                 }}"
            );
            check(&text, &[array(&[n, 1], data)]);
        }
    }
}

#[test]
fn reductions_along_dimensions() {
    for dims in
        [[3, 5, 2], [33, 1, 4], [40, 70, 3], [5000, 3, 1], [2, 5000, 2], [1, 1, 9000], [3, 2, 45_000], [70, 9, 8]]
    {
        let data = array(&dims, Elements::Double(terms(dims.iter().product())));
        for (axes, left) in [
            ("[0]", "1, m, k"),
            ("[1]", "n, 1, k"),
            ("[2]", "n, m"),
            ("[0, 1]", "1, 1, k"),
            ("[0, 2]", "1, m"),
            ("[1, 2]", "n, 1"),
            ("[0, 1, 2]", ""),
        ] {
            let to = if left.is_empty() { "f64".to_owned() } else { format!("f64[{left}]") };
            let text = format!(
                "func @f(%a: f64[n, m, k]) -> (s: {to}) {{
                   sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0 sym k = dim 0 2, >= 0
                   %s: {to}, %d: f64[n, m, k] = kernel 0 over [n, m, k] into (reduce sum along {axes}, fresh) |%i, %j, %l| {{
                     %x: f64 = load %a[%i, %j, %l]
                     put out1[%i, %j, %l] = %x
                     accumulate out0, %x
                   }}
                   return %s
                 }}"
            );
            check(&text, std::slice::from_ref(&data));
        }
    }
}

/// Results of two loops, whose order is that of memory: where some of them are combined alone, these are the same ones in both orders.
#[test]
fn results_of_two_loops_are_combined_in_parts() {
    for (n, m) in [(2, 3), (3, 2), (4, 3), (3, 5), (2, 7), (6, 2)] {
        for (dims, axis, left) in
            [([4100, n, m], 0, "1, m, k"), ([n, 4100, m], 1, "n, 1, k"), ([n, m, 4100], 2, "n, m")]
        {
            let text = format!(
                "func @f(%a: f64[n, m, k]) -> (s: f64[{left}]) {{
                   sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0 sym k = dim 0 2, >= 0
                   %s: f64[{left}] = kernel 0 over [n, m, k] into (reduce sum along [{axis}]) |%i, %j, %l| {{
                     %x: f64 = load %a[%i, %j, %l]
                     accumulate out0, %x
                   }}
                   return %s
                 }}"
            );
            check(&text, &[array(&dims, Elements::Double(terms(dims.iter().product())))]);
        }
    }
}

/// Threads without a result must not touch what the body updates.
#[test]
fn reductions_that_update_an_array() {
    for dims in [[3, 5], [5, 3], [9, 40], [40, 9], [300, 3], [3, 300]] {
        let data = array(&dims, Elements::Double(terms(dims.iter().product())));
        for (axis, left) in [(0, "1, m"), (1, "n, 1")] {
            let text = format!(
                "func @f(%a: f64[n, m]) -> (s: f64[{left}], b: f64[n, m]) {{
                   sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
                   %s: f64[{left}], %b: f64[n, m] = kernel 0 over [n, m] into (reduce sum along [{axis}], update %a) |%i, %j| {{
                     %x: f64 = load out1[%i, %j]
                     %y: f64 = add %x, 1.0
                     put out1[%i, %j] = %y
                     accumulate out0, %y
                   }}
                   return %s, %b
                 }}"
            );
            check(&text, std::slice::from_ref(&data));
        }
    }
}

/// As many elements, those of the list over and over.
fn cycled(list: &Elements, n: usize) -> Elements {
    macro_rules! cycled {
        ($($class:ident)*) => {
            match list {
                $(Elements::$class(list) => Elements::$class(list.iter().copied().cycle().take(n).collect()),)*
            }
        };
    }
    cycled!(Double Single Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Logical Index)
}

/// Rows are *neighbours* where arrays lie columns first, and reduced by *lanes* where they lie rows first.
#[test]
fn reductions_of_all_classes() {
    let mut ran = 0;
    for (class, [_, list]) in classes() {
        for (op, name) in ReduceOp::NAMES {
            let text = format!(
                "func @f(%a: {class}[n, m]) -> (s: {class}[n, 1]) {{
                   sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
                   %s: {class}[n, 1] = kernel 0 over [n, m] into (reduce {name} along [1]) |%i, %j| {{
                     %x: {class} = load %a[%i, %j]
                     accumulate out0, %x
                   }}
                   return %s
                 }}"
            );
            if !parse(&text).is_ok_and(|module| verify(&module).is_ok()) {
                continue;
            }
            let empty = if matches!(op, ReduceOp::Min | ReduceOp::Max) { [1, 1] } else { [3, 0] };
            for dims in [empty, [0, 7], [33, 5], [1, 4096], [2, 4097]] {
                let data = cycled(&list, dims[0] * dims[1]);
                ran += check(&text, &[array(&dims, data)]);
            }
        }
    }
    assert!(ran > 200, "{ran}");
}
