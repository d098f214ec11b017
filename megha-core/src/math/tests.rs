use super::*;
use crate::interp::{Datum, Options, run};
use crate::ir::verify::verify;
use megha_base::math;

#[test]
fn the_library_is_verified() {
    let module = load().unwrap_or_else(|e| panic!("{e}"));
    verify(&module).unwrap_or_else(|e| panic!("{e:?}"));
    for func in &module.funcs {
        let scalar = func.types.iter().all(crate::ir::Type::is_scalar);
        assert!(scalar && func.body.stmts.iter().all(|s| s.op.regions().is_empty()), "@{}", func.name);
    }
}

#[test]
fn transcendental_operations_have_definitions() {
    let transcendental = &Unary::NAMES[Unary::NAMES.iter().position(|(op, _)| *op == Unary::Exp).unwrap()..];
    for (op, name) in transcendental {
        for class in [Class::Double, Class::Single] {
            assert!(definition(*op, class).is_some_and(|d| d.func().params.len() == 1), "{name}");
        }
    }
    for op in [Binary::Pow, Binary::Mod, Binary::Rem, Binary::Atan2, Binary::Hypot] {
        assert!(definition(op, Class::Double).is_some_and(|d| d.func().params.len() == 2), "{}", op.name());
    }
    assert!(definition(Unary::Sqrt, Class::Double).is_none() && definition(Binary::Add, Class::Single).is_none());
}

/// Where singles have a form of their own, nothing in it is a double.
#[test]
fn forms_for_singles_compute_in_single() {
    let classes = |op: Unary| definition(op, Class::Single).map(Definition::class);
    assert_eq!((classes(Unary::Erf), classes(Unary::Gamma)), (Some(Class::Single), Some(Class::Double)));
    let singles: String = FILES.iter().filter(|file| file.name.starts_with("single_")).map(|file| file.text).collect();
    for func in library().funcs.iter().filter(|func| singles.contains(&format!("func @{}(", func.name))) {
        assert!(func.types.iter().all(|ty| ty.class != Class::Double), "@{}", func.name);
    }
}

/// Arguments of every magnitude and sign (xorshift), most of them moderate, after the special ones.
fn arguments(seed: u64, count: usize) -> Vec<f64> {
    let special = [0.0, 0.5, 1.0, 2.0, 3.0, 171.0, 1e300, f64::MIN_POSITIVE, f64::from_bits(1), f64::INFINITY];
    let mut state = seed;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let point = move |i: usize| match (i % 4, next()) {
        (0, bits) => f64::from_bits(bits),
        (_, bits) => bits.cast_signed() as f64 / 2f64.powi(74 - (i % 24) as i32),
    };
    special.into_iter().flat_map(|x| [x, -x]).chain([f64::NAN]).chain((0..).map(point)).take(count).collect()
}

const POINTS: usize = 3000;

/// The interpreter's values of a function at all points: the library with a kernel that calls it, on numbers of a class.
fn interpreted(name: &str, class: Class, columns: &[Vec<f64>]) -> Vec<f64> {
    let class = class.name();
    let params: Vec<String> = (0..columns.len()).map(|i| format!("%x{i}: f64[{POINTS}, 1]")).collect();
    let load = |i| format!("%d{i} = load %x{i}[%i]\n%a{i}: {class} = convert %d{i}\n");
    let loads: String = (0..columns.len()).map(load).collect();
    let args: Vec<String> = (0..columns.len()).map(|i| format!("%a{i}")).collect();
    let text = format!(
        "{}\nfunc @map({}) -> (y: f64[{POINTS}, 1]) {{
            %y: f64[{POINTS}, 1] = kernel 0 over [{POINTS}, 1] into (fresh) |%i, %j| {{
                {loads}
                %v = call @{name}({})
                %w: f64 = convert %v
                put out0[%i, %j] = %w
            }}
            return %y
        }}",
        FILES.map(|file| file.text).join("\n"),
        params.join(", "),
        args.join(", ")
    );
    let module = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    verify(&module).unwrap_or_else(|e| panic!("{e:?}"));
    let array = |x: &Vec<f64>| Datum::doubles(&[POINTS, 1], x.clone()).unwrap();
    let data = columns.iter().map(array).collect();
    let id = FuncId::new(module.funcs.len() - 1);
    let results = run(&module, id, data, &Options::default(), &mut Vec::new()).unwrap_or_else(|e| panic!("{e:?}"));
    (0..POINTS).map(|i| results[0].get(i).unwrap().to_f64()).collect()
}

fn assert_same(name: &str, class: Class, columns: &[Vec<f64>], rust: impl Fn(&[f64]) -> f64) {
    for (i, got) in interpreted(name, class, columns).into_iter().enumerate() {
        let at: Vec<f64> = columns.iter().map(|c| c[i]).collect();
        let want = rust(&at);
        assert!(got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()), "{name}{at:?}: {got:e}, {want:e}");
    }
}

macro_rules! interpreted_as_compiled {
    ($($name:ident),+; $($two:ident),+) => {
        $(#[test]
        fn $name() {
            assert_same(stringify!($name), Class::Double, &[arguments(1, POINTS)], |x| math::$name(x[0]));
        })+
        $(#[test]
        fn $two() {
            let columns = [arguments(1, POINTS), arguments(2, POINTS)];
            assert_same(stringify!($two), Class::Double, &columns, |x| math::$two(x[0], x[1]));
        })+
    };
}

interpreted_as_compiled! {
    exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, sin_moderate, cos_moderate, tan_moderate, asin, acos, atan,
    sinh, cosh, tanh, asinh, acosh, atanh, erf, erfc, gamma, round, fix, sign;
    pow, atan2, hypot, modulo, remainder
}

/// The kernel rounds what it is given.
macro_rules! interpreted_as_compiled_of_singles {
    ($($name:ident),+) => {
        $(#[test]
        fn $name() {
            let rust = |x: &[f64]| math::$name(x[0] as f32).into();
            assert_same(stringify!($name), Class::Single, &[arguments(1, POINTS)], rust);
        })+
    };
}

interpreted_as_compiled_of_singles! {
    exp_single, expm1_single, log_single, log2_single, log10_single, log1p_single, sin_single, cos_single, tan_single,
    sin_moderate_single, cos_moderate_single, tan_moderate_single, asin_single, acos_single, atan_single, sinh_single,
    cosh_single, tanh_single, asinh_single, acosh_single, atanh_single, erf_single, erfc_single, round_single, fix_single, sign_single
}

macro_rules! interpreted_as_compiled_of_pairs {
    ($($name:ident),+) => {
        $(#[test]
        fn $name() {
            let columns = [arguments(1, POINTS), arguments(2, POINTS)];
            let rust = |x: &[f64]| math::$name(x[0] as f32, x[1] as f32).into();
            assert_same(stringify!($name), Class::Single, &columns, rust);
        })+
    };
}

interpreted_as_compiled_of_pairs!(pow_single, atan2_single, hypot_single);
