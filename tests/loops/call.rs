//! The arguments that functions are called with.

use super::contents;
use super::generate::Program;
use super::plain::{Argument, Array, Number, float, whole};
use super::random::Random;
use megha_core::offload::ast::{ParamType, Scalar};

/// The sizes that functions are called with.
pub const SIZES: [usize; 5] = [0, 1, 2, 5, 7];

/// Whole numbers at which 64 bits end, signs change, doubles stop being exact, or the compiled code hands over to the plain one.
pub const EXTREMES: [i64; 16] = [
    (1 << 20) - 1,
    1 << 20,
    1 << 30,
    (1 << 35) + 1,
    (1 << 40) - 1,
    1 << 40,
    (1 << 40) + 1,
    1 << 53,
    i64::MAX / 2,
    i64::MAX - 1,
    i64::MAX,
    i64::MIN,
    i64::MIN + 1,
    -(1 << 40),
    -7,
    -1,
];

/// The arguments of a call of size `n`. Whole numbers are those of `numbers`, as many as there are, and `None` stands for what a call of
/// this size has anyway.
pub fn arguments(program: &Program, n: usize, numbers: &[Option<i64>]) -> Vec<Argument> {
    let mut given = numbers.iter().copied();
    let params = program.function.params.iter().enumerate();
    let argument = |(number, param): (usize, &megha_core::offload::ast::Param)| match param.ty {
        ParamType::Array { class, .. } => Argument::Array(array(program, number, class, n)),
        ParamType::Scalar(scalar, _) => {
            let usual = usual(program, number, scalar, n);
            Argument::Number(match (usual, scalar) {
                (_, Scalar::Usize | Scalar::I64) => match given.next().flatten() {
                    Some(x) if scalar == Scalar::Usize => Number::Usize(x as usize),
                    Some(x) => Number::I64(x),
                    None => usual,
                },
                _ => usual,
            })
        }
        ParamType::Constant(_) => unreachable!("the generator makes none"),
    };
    params.map(argument).collect()
}

/// The arguments of a call of a size whose numbers and sizes have nothing to do with each other.
pub fn varied(program: &Program, random: &mut Random) -> Vec<Argument> {
    let n = 2 + random.below(7);
    let params = program.function.params.iter().enumerate();
    let argument = |(number, param): (usize, &megha_core::offload::ast::Param)| match param.ty {
        ParamType::Array { class, rank, .. } => {
            let dims: Vec<usize> = (0..rank).map(|_| n + random.weighted(&[(3, 0), (2, 1), (1, 3), (1, 6)])).collect();
            let data = random.bits();
            let element = |at| element(contents::element(data, number, at, n), class);
            let elements = (0..dims.iter().product()).map(element).collect();
            Argument::Array(Array { class, dims, elements })
        }
        ParamType::Scalar(scalar, _) => Argument::Number(match scalar {
            Scalar::Usize => {
                whole(random.pick(&[0, 1, 2, n as i128 / 2, n as i128 - 1, n as i128, n as i128 + 1]), scalar)
            }
            Scalar::I64 => whole(random.pick(&[-9, -2, -1, 0, 1, 2, n as i128 / 2, n as i128, 9]), scalar),
            Scalar::F64 | Scalar::F32 => float(random.pick(&[0.5, 2.0, -1.0, 0.1, 3.0]), scalar),
            Scalar::Bool => Number::Bool(random.chance(50)),
            _ => unreachable!("the generator makes none"),
        }),
        ParamType::Constant(_) => unreachable!("the generator makes none"),
    };
    params.map(argument).collect()
}

/// How many whole numbers a function takes.
pub fn wholes(program: &Program) -> usize {
    let is_whole = |ty| matches!(ty, ParamType::Scalar(Scalar::Usize | Scalar::I64, _));
    program.function.params.iter().filter(|p| is_whole(p.ty)).count()
}

/// The sizes of an array parameter.
pub fn dims(program: &Program, number: usize, n: usize) -> Vec<usize> {
    program.excess[number].iter().map(|more| n + more).collect()
}

fn array(program: &Program, number: usize, class: Scalar, n: usize) -> Array {
    let dims = dims(program, number, n);
    let count = dims.iter().product();
    let element = |at| element(contents::element(program.seed, number, at, n), class);
    Array { class, dims, elements: (0..count).map(element).collect() }
}

/// An element of a class.
fn element(x: f64, class: Scalar) -> Number {
    if class == Scalar::I64 { Number::I64(x as i64) } else { float(x, class) }
}

/// A number that is `n` or less.
fn usual(program: &Program, number: usize, scalar: Scalar, n: usize) -> Number {
    let mut random = Random::new(program.seed ^ 0x5eed ^ (number as u64) << 32);
    let n = n as i128;
    match scalar {
        Scalar::Usize => whole(random.pick(&[n, n, n, n / 2, 1.min(n), 0]), scalar),
        Scalar::I64 => whole(random.pick(&[n, n, 1, 2, 0, -1, -n]), scalar),
        Scalar::F64 | Scalar::F32 => float(random.pick(&[0.5, 2.0, -1.0, 0.1]), scalar),
        Scalar::Bool => Number::Bool(true),
        _ => unreachable!("the generator makes none"),
    }
}

/// Calls with extreme whole numbers: each of them alone, and some for all parameters at once.
pub fn extreme(program: &Program) -> Vec<Vec<Option<i64>>> {
    let count = wholes(program);
    let mut random = Random::new(program.seed ^ 0xe17);
    let mut list = Vec::new();
    for at in 0..count {
        for x in EXTREMES {
            let mut numbers = vec![None; count];
            numbers[at] = Some(x);
            list.push(numbers);
        }
    }
    if count > 1 {
        list.extend((0..10).map(|_| (0..count).map(|_| Some(random.pick(&EXTREMES))).collect()));
    }
    list
}
