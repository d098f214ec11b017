//! Kernels of many kinds with five sizes each, from few points to those that fill a device.

/// A kernel and the values of its symbols.
pub struct Case {
    /// What it is called here.
    pub name: &'static str,
    /// Its function.
    pub text: String,
    /// Sizes.
    pub sizes: Vec<Vec<i64>>,
}

fn case(name: &'static str, text: String, sizes: impl IntoIterator<Item = Vec<i64>>) -> Case {
    Case { name, text, sizes: sizes.into_iter().collect() }
}

/// A function of vectors with one store.
fn vectors(class: &str, body: &str) -> String {
    format!(
        "func @f(%a: {class}[n, 1], %b: {class}[n, 1], %q: {class}) -> (c: {class}[n, 1]) {{
           sym n = dim 0 0, >= 0
           %c: {class}[n, 1] = kernel 0 over [n] into (fresh) |%i| {{
             %x: {class} = load %a[%i]
             {body}
             put out0[%i] = %r
           }}
           return %c
         }}"
    )
}

/// A function of matrices of one size with one store; `also` are more parameters.
fn matrices(class: &str, also: &str, body: &str) -> String {
    format!(
        "func @f(%a: {class}[n, m]{also}) -> (c: {class}[n, m]) {{
           sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
           %c: {class}[n, m] = kernel 0 over [n, m] into (fresh) |%i, %j| {{
             {body}
             put out0[%i, %j] = %r
           }}
           return %c
         }}"
    )
}

/// The sum of what is around a point, at these distances.
fn stencil(class: &str, rank: usize, around: &[&[i64]]) -> String {
    let (names, counters) = (["n", "m", "l"], ["i", "j", "k"]);
    let list = |of: &dyn Fn(usize) -> String| (0..rank).map(of).collect::<Vec<_>>().join(", ");
    let mut body = String::new();
    for (at, offsets) in around.iter().enumerate() {
        for (axis, by) in offsets.iter().enumerate() {
            let name = counters[axis];
            body += &format!("%o{at}{name}: index = const {} %s{at}{name}: index = add %{name}, %o{at}{name} ", by + 1);
        }
        let subs = list(&|axis| format!("%s{at}{}", counters[axis]));
        body += &format!("%x{at}: {class} = load %a[{subs}] ");
        let before = if at == 0 { "%zero".to_owned() } else { format!("%y{}", at - 1) };
        body += &format!("%y{at}: {class} = add {before}, %x{at} ");
    }
    let symbols: String = (0..rank).map(|axis| format!("sym {} = dim 0 {axis}, >= 2 ", names[axis])).collect();
    let (dims, inner) = (list(&|axis| names[axis].to_owned()), list(&|axis| format!("{} - 2", names[axis])));
    let points = list(&|axis| format!("%{}", counters[axis]));
    format!(
        "func @f(%a: {class}[{dims}]) -> (c: {class}[{inner}]) {{
           {symbols}
           %zero: {class} = const 0
           %c: {class}[{inner}] = kernel 0 over [{inner}] into (fresh) |{points}| {{
             {body} put out0[{points}] = %y{}
           }}
           return %c
         }}",
        around.len() - 1
    )
}

/// A product of matrices whose factors have these subscripts.
fn product(class: &str, a: [&str; 2], b: [&str; 2]) -> String {
    let dims = |of: [&str; 2]| {
        of.map(|s| match s {
            "i" => "n",
            "j" => "m",
            _ => "p",
        })
        .join(", ")
    };
    let size = |name: &str| {
        let of = |of: [&str; 2]| of.iter().position(|s| *s == name);
        of(a).map_or_else(|| format!("dim 1 {}", of(b).unwrap()), |at| format!("dim 0 {at}"))
    };
    format!(
        "func @f(%a: {class}[{}], %b: {class}[{}]) -> (c: {class}[n, m]) {{
           sym n = {}, >= 0 sym m = {}, >= 0 sym p = {}, >= 0
           %zero: {class} = const 0
           %trip: index = size p
           %c: {class}[n, m] = kernel 0 over [n, m] into (fresh) |%i, %j| {{
             %s: {class} = for %trip with %zero |%k, %t| {{
               %x: {class} = load %a[%{}, %{}] %y: {class} = load %b[%{}, %{}]
               %z: {class} = mul %x, %y %u: {class} = add %t, %z
               yield %u
             }}
             put out0[%i, %j] = %s
           }}
           return %c
         }}",
        dims(a),
        dims(b),
        size("i"),
        size("j"),
        size("k"),
        a[0],
        a[1],
        b[0],
        b[1]
    )
}

/// A product of a matrix, or of its transpose, and a vector, summed in order.
fn matrix_vector(subscripts: &str, [own, other]: [&str; 2], [rows, columns]: [&str; 2]) -> String {
    format!(
        "func @f(%a: f64[n, m], %x: f64[{other}, 1]) -> (y: f64[{own}, 1]) {{
           sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
           %zero: f64 = const 0.0
           %trip: index = size {other}
           %y: f64[{own}, 1] = kernel 0 over [{own}] into (fresh) |%{rows}| {{
             %i0: index = const 0
             %s: f64 = for %trip with %zero |%{columns}, %t| {{
               %u: f64 = load %a[{subscripts}] %v: f64 = load %x[%{columns}, %i0]
               %w: f64 = mul %u, %v %next: f64 = add %t, %w
               yield %next
             }}
             put out0[%{rows}, %i0] = %s
           }}
           return %y
         }}"
    )
}

/// A reduction of a matrix.
pub fn reduction(class: &str, op: &str, axes: &str, dims: &str) -> String {
    format!(
        "func @f(%a: {class}[n, m]) -> (s: {class}[{dims}]) {{
           sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
           %s: {class}[{dims}] = kernel 0 over [n, m] into (reduce {op} along {axes}) |%i, %j| {{
             %x: {class} = load %a[%i, %j]
             accumulate out0, %x
           }}
           return %s
         }}"
    )
}

/// For each point a sum over all of some others of what a body makes of four numbers of each: `%x`, `%y`, `%z`, `%w` and those of the point's own.
fn all_pairs(class: &str, body: &str) -> String {
    format!(
        "func @f(%a: {class}[n, 4], %b: {class}[m, 4]) -> (c: {class}[n, 1]) {{
           sym n = dim 0 0, >= 0 sym m = dim 1 0, >= 0
           %zero: {class} = const 0
           %trip: index = size m
           %c: {class}[n, 1] = kernel 0 over [n] into (fresh) |%i| {{
             %i0: index = const 0 %i1: index = const 1 %i2: index = const 2 %i3: index = const 3
             %p: {class} = load %a[%i, %i0] %q: {class} = load %a[%i, %i1] %r: {class} = load %a[%i, %i2]
             %s: {class} = for %trip with %zero |%k, %t| {{
               %x: {class} = load %b[%k, %i0] %y: {class} = load %b[%k, %i1] %z: {class} = load %b[%k, %i2] %w: {class} = load %b[%k, %i3]
               {body}
               %next: {class} = add %t, %term
               yield %next
             }}
             put out0[%i, %i0] = %s
           }}
           return %c
         }}"
    )
}

const FIVE: [&[i64]; 5] = [&[0, -1], &[-1, 0], &[0, 0], &[1, 0], &[0, 1]];
const NINE: [&[i64]; 9] = [&[-1, -1], &[0, -1], &[1, -1], &[-1, 0], &[0, 0], &[1, 0], &[-1, 1], &[0, 1], &[1, 1]];
const SEVEN: [&[i64]; 7] = [&[0, 0, -1], &[0, -1, 0], &[-1, 0, 0], &[0, 0, 0], &[1, 0, 0], &[0, 1, 0], &[0, 0, 1]];
const MRI: &str = "%px: f64 = mul %p, %x %qy: f64 = mul %q, %y %rz: f64 = mul %r, %z
    %d: f64 = add %px, %qy %e: f64 = add %d, %rz %o: f64 = cos %e %term: f64 = mul %w, %o";
const BODIES: &str = "%dx: f64 = sub %x, %p %dy: f64 = sub %y, %q %dz: f64 = sub %z, %r
    %xx: f64 = mul %dx, %dx %yy: f64 = mul %dy, %dy %zz: f64 = mul %dz, %dz
    %d: f64 = add %xx, %yy %e: f64 = add %d, %zz %f: f64 = sqrt %e %g: f64 = mul %e, %f %h: f64 = mul %w, %dx %term: f64 = div %h, %g";

/// Twenty kernels.
pub fn all() -> Vec<Case> {
    let long = || [1 << 10, 50_000, 1 << 17, 1 << 20, 3 << 20].map(|n| vec![n]);
    let square = |sides: [i64; 5]| sides.map(|n| vec![n, n]);
    let squares = || square([30, 200, 512, 1000, 2048]);
    let edges = || square([34, 202, 514, 1100, 2050]);
    let cubes = || [18, 50, 66, 130, 162].map(|n| vec![n; 3]);
    let products = || [30, 64, 128, 200, 384].map(|n| vec![n; 3]);
    let tall = || [vec![64, 64], vec![1024, 128], vec![4096, 300], vec![300, 4096], vec![2048, 2048]];
    let pairs = || [vec![200, 100], vec![1024, 256], vec![4096, 256], vec![16_384, 128], vec![65_536, 64]];
    let sum = "%y: f64 = load %b[%i] %z: f64 = mul %q, %x %r: f64 = add %z, %y";
    let window = super::super::halos::window("f64", 5, 5, "");
    vec![
        case("saxpy, doubles", vectors("f64", sum), long()),
        case("saxpy, singles", vectors("f32", &sum.replace("f64", "f32")), long()),
        case("exponentials", vectors("f64", "%y: f64 = exp %x %r: f64 = mul %y, %q"), long()),
        case(
            "blend, bytes",
            matrices("u8", ", %b: u8[n, m]", "%x: u8 = load %a[%i, %j] %y: u8 = load %b[%i, %j] %r: u8 = max %x, %y"),
            squares(),
        ),
        case(
            "matrix and row",
            matrices(
                "f64",
                ", %b: f64[1, m]",
                "%i0: index = const 0 %x: f64 = load %a[%i, %j] %y: f64 = load %b[%i0, %j] %r: f64 = add %x, %y",
            ),
            squares(),
        ),
        case("transposition", matrices("f64", ", %b: f64[m, n]", "%r: f64 = load %b[%j, %i]"), squares()),
        case(
            "sum with a transpose",
            matrices(
                "f32",
                ", %b: f32[m, n]",
                "%x: f32 = load %a[%i, %j] %y: f32 = load %b[%j, %i] %r: f32 = add %x, %y",
            ),
            squares(),
        ),
        case("5 points", stencil("f64", 2, &FIVE), edges()),
        case("9 points, singles", stencil("f32", 2, &NINE), edges()),
        case("7 points, three dimensions", stencil("f64", 3, &SEVEN), cubes()),
        case("window of 5 by 5", window, square([32, 128, 256, 512, 1024])),
        case("product, doubles", product("f64", ["i", "k"], ["k", "j"]), products()),
        case("product, singles", product("f32", ["i", "k"], ["k", "j"]), products()),
        case("product with a transpose", product("f64", ["k", "i"], ["k", "j"]), products()),
        case("matrix and vector", matrix_vector("%i, %j", ["n", "m"], ["i", "j"]), tall()),
        case("transpose and vector", matrix_vector("%i, %j", ["m", "n"], ["j", "i"]), tall()),
        case("sums of rows", reduction("f64", "sum", "[1]", "n, 1"), tall()),
        case("largest of columns, singles", reduction("f32", "max", "[0]", "1, m"), tall()),
        case("phases", all_pairs("f64", MRI), pairs()),
        case("bodies", all_pairs("f64", BODIES), pairs()),
    ]
}
