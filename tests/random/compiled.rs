//! Compiled code against the interpreter, many programs in one crate outside the workspace, on the CPU and, against what came of that, on
//! simulated devices with little memory that fail (`outside/pressed.rs`). It has several binaries, which are compiled at the same time.

use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::{env, fs};

use super::call::{self, Argument, SIZES};
use super::generate::Program;
use super::{checked, compiled_count, outside};

/// The binaries that the programs are spread over.
const PARTS: usize = 10;

/// How many of them are compiled with optimisation, which believes what types promise, as that a mutable slice is the only way to its
/// elements; half, or as many as the variable says.
fn optimised_count() -> usize {
    env::var("MEGHA_RANDOM_OPTIMISED").ok().and_then(|n| n.parse().ok()).unwrap_or(PARTS / 2)
}

/// One program in so many is compiled for both memory orders.
const BOTH_ORDERS: usize = 5;

/// What the crate needs besides the programs: calls as lines of text, floats by their bits.
const SHOW: &str = r#"#![allow(warnings)]
use megha_rt::ndarray::{Array, ArrayView2, ArrayView3, Dimension, ShapeBuilder};
use megha_rt::{Error, c64};

trait Parts { fn parts(&self) -> Vec<f64>; }
macro_rules! number { ($($t:ty)*) => { $(
    impl Parts for $t { fn parts(&self) -> Vec<f64> { vec![*self as f64] } }
    impl Show for $t { fn show(&self) -> Vec<String> { vec![line(vec![], &self.parts())] } }
)* } }
number!(f64 f32 i8 i16 i32 i64 u8 u16 u32 u64);
impl Parts for bool { fn parts(&self) -> Vec<f64> { vec![f64::from(u8::from(*self))] } }
impl Parts for c64 { fn parts(&self) -> Vec<f64> { vec![self.re, self.im] } }

trait Show { fn show(&self) -> Vec<String>; }
impl Show for bool { fn show(&self) -> Vec<String> { vec![line(vec![], &self.parts())] } }
impl Show for c64 { fn show(&self) -> Vec<String> { vec![line(vec![], &[self.re]), line(vec![], &[self.im])] } }
impl<T: Parts + Default, D: Dimension> Show for Array<T, D> {
    fn show(&self) -> Vec<String> {
        let parts: Vec<Vec<f64>> = self.t().iter().map(Parts::parts).collect();
        let count = T::default().parts().len();
        let of = |k: usize| parts.iter().map(|p| p[k]).collect::<Vec<f64>>();
        (0..count).map(|k| line(self.shape().to_vec(), &of(k))).collect()
    }
}

fn line(mut dims: Vec<usize>, elements: &[f64]) -> String {
    while dims.len() > 2 && dims.last() == Some(&1) { dims.pop(); }
    dims.resize(dims.len().max(2), 1);
    let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
    let bits = |x: &f64| if x.is_nan() { "nan".to_owned() } else { format!("{:x}", x.to_bits()) };
    let list: Vec<String> = elements.iter().map(bits).collect();
    format!("{} {}", dims.join("x"), list.join(" "))
}

#[path = "../pressed.rs"]
mod pressed;

/// The text of a call; an error if the device failed.
fn text(call: &dyn Fn() -> Result<Vec<Vec<String>>, Error>) -> Result<String, Error> {
    match megha_rt::output::captured(call) {
        (Ok(list), printed) => Ok(format!("{} {printed:?}", list.concat().join(" | "))),
        (Err(error), _) if matches!(error.kind(), megha_rt::ErrorKind::Device { .. }) => Err(error),
        (Err(_), printed) => Ok(format!("error {printed:?}")),
    }
}

/// Calls; those of one size in each program with launches that are cut into parts.
fn run(counts: &mut pressed::Counts, name: &str, n: usize, call: &dyn Fn() -> Result<Vec<Vec<String>>, Error>) {
    let plain = || text(call);
    let on_cpu = if n > 3 { megha_rt::cuts::within(name.len() as u64, plain) } else { plain() }.unwrap();
    println!("{name} {n}: {on_cpu}");
    if let Err(why) = pressed::check(counts, name, &on_cpu, &plain) {
        println!("{name} {n}: {why}");
    }
}
"#;

/// What calls on simulated devices are.
const PRESSED: &str = include_str!("outside/pressed.rs");

#[test]
fn compiled_programs_equal_the_interpreter() {
    let folder = env::temp_dir().join(format!("megha-random-{}", std::process::id()));
    let mut pressed = [0; 5];
    check_parts(&folder.join("plain"), (0, optimised_count()..PARTS), &mut pressed);
    check_parts(&folder.join("optimised"), (2, 0..optimised_count()), &mut pressed);
    fs::remove_dir_all(&folder).unwrap();
    let [calls, launches, spilled, again, failed] = pressed;
    let what =
        format!("{calls} calls, {launches} launches, {spilled} arrays left, {again} computed again, {failed} failures");
    println!("on devices {what}");
    let expected = launches > calls && spilled > calls / 100 && again > 0 && failed > calls / 100;
    assert!(expected, "{what}");
}

/// Compiles the binaries in a crate of their own, at a level of optimisation, and compares what they print. Adds up what their last lines
/// say of the calls on devices: the calls, launches, arrays that left and failures.
fn check_parts(folder: &Path, (level, parts): (u8, Range<usize>), pressed: &mut [usize; 5]) {
    fs::create_dir_all(folder.join("src/bin")).unwrap();
    write_manifest(folder, level);
    let expected: Vec<String> = parts.clone().map(|part| write_part(folder, part)).collect();
    cargo(folder, &["build", "--quiet"]);
    for (part, expected) in parts.zip(expected) {
        let found = cargo(folder, &["run", "--quiet", "--bin", &format!("part{part}")]);
        for (found, expected) in found.lines().zip(expected.lines()) {
            let name = expected.split(' ').next();
            let program = checked().iter().find(|c| Some(c.program.name.as_str()) == name);
            assert_eq!(found, expected, "\n{}", program.map_or("", |c| &c.program.text));
        }
        assert_eq!(found.lines().count(), expected.lines().count() + 1, "{found}");
        let counts = found.lines().last().unwrap_or_default().split(' ');
        pressed.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count.parse::<usize>().unwrap());
    }
}

/// What cargo prints in the crate.
fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let output = outside::cargo(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The libraries are built once for both crates, unoptimised: what of them is generic is compiled with the programs.
fn write_manifest(folder: &Path, level: u8) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let checks = level == 0;
    // In one unit a binary is optimised once; of many, code is imported into others and optimised again. Binaries are compiled side by side.
    let units = if checks { 256 } else { 1 };
    let manifest = format!(
        "[package]\nname = \"random{level}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nmegha-rt = {{ path = {:?}, default-features = false, features = [\"cuda\", \"fourier\", \"sim\"] }}\n\
         megha-sim = {{ path = {:?} }}\n\n\
         [profile.dev]\nopt-level = {level}\ndebug = 0\nincremental = false\n\
         debug-assertions = {checks}\noverflow-checks = {checks}\n\n\
         [profile.dev.package.random{level}]\ncodegen-units = {units}\n\n\
         [profile.dev.package.\"*\"]\nopt-level = 0\ndebug-assertions = true\noverflow-checks = true\n",
        root.join("megha-rt").display().to_string(),
        root.join("megha-sim").display().to_string()
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/pressed.rs"), PRESSED).unwrap();
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
}

/// The code of a program that repacks matrices stored by rows, which are half of the arguments, in place of a second form for
/// them: half the work for `rustc`, which takes most of the time of this test.
fn in_one_order(code: &str) -> String {
    code.replace("::<rt::RowMajor>(", "::<rt::ColMajor>(")
}

/// Writes the binary of every [`PARTS`]th program, and gives what it should print.
fn write_part(folder: &Path, part: usize) -> String {
    let (mut main, mut calls, mut expected) = (SHOW.to_owned(), String::new(), String::new());
    for (number, checked) in checked().iter().enumerate().skip(part).step_by(PARTS) {
        if number >= compiled_count() {
            break;
        }
        let (program, name) = (&checked.program, &checked.program.name);
        let code = checked.code.as_ref().expect("code for a program without mistakes");
        let code = if (number / PARTS).is_multiple_of(BOTH_ORDERS) { code.clone() } else { in_one_order(code) };
        fs::write(folder.join(format!("src/{name}.rs")), &code).unwrap();
        let _ = writeln!(main, "#[path = \"../{name}.rs\"]\nmod {name};");
        for (n, ran) in SIZES.into_iter().zip(&checked.calls) {
            calls += &call(program, n);
            let _ = writeln!(expected, "{name} {n}: {}", call::exact(ran));
        }
    }
    let _ = writeln!(
        main,
        "fn main() {{\n    let counts = &mut pressed::Counts::default();\n{calls}    println!(\"{{counts}}\");\n}}"
    );
    fs::write(folder.join(format!("src/bin/part{part}.rs")), main).unwrap();
    expected
}

/// A call of a program, printed in a line. Of the two sizes, one has the arrays in row-major, one in column-major order.
fn call(program: &Program, n: usize) -> String {
    let name = &program.name;
    let arguments: Vec<String> = call::arguments(program, n).iter().map(|a| argument(a, n == SIZES[1])).collect();
    let names: Vec<String> = (0..program.results.len()).map(|k| format!("r{k}")).collect();
    let pattern = if names.len() == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
    let shows: Vec<String> = names.iter().map(|r| format!("{r}.show()")).collect();
    format!(
        "    run(counts, \"{name}\", {n}, &|| {name}::{name}({n}, {}).map(|{pattern}| vec![{}]));\n",
        arguments.join(", "),
        shows.join(", ")
    )
}

/// An array as Rust code.
fn argument(argument: &Argument, columns_first: bool) -> String {
    let dims = &argument.dims;
    let number = |k: usize| match argument.class {
        "bool" => (argument.parts[0][k] != 0.0).to_string(),
        "c64" => format!("c64::new({:?}, {:?})", argument.parts[0][k], argument.parts[1][k]),
        "i32" | "u8" => argument.parts[0][k].to_string(),
        _ => format!("{:?}", argument.parts[0][k]),
    };
    let count = argument.parts[0].len();
    let at = |k: usize| if columns_first { k } else { counted_rows_first(k, dims) };
    let list: Vec<String> = (0..count).map(|k| number(at(k))).collect();
    let order = if columns_first { ".f()" } else { "" };
    let sizes: Vec<String> = dims.iter().map(ToString::to_string).collect();
    let (rank, sizes) = (dims.len(), sizes.join(", "));
    format!("ArrayView{rank}::from_shape(({sizes}){order}, &[{}]).unwrap()", list.join(", "))
}

/// The number, columns first, of the element that has number `k` rows first.
fn counted_rows_first(k: usize, dims: &[usize]) -> usize {
    let (mut rest, mut at) = (k, vec![0; dims.len()]);
    for axis in (0..dims.len()).rev() {
        (at[axis], rest) = (rest % dims[axis], rest / dims[axis]);
    }
    at.iter().zip(dims).rev().fold(0, |number, (i, dim)| number * dim + i)
}
