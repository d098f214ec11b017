//! Compiled code against the interpreter, many programs in one crate outside the workspace. It has several binaries, which
//! are compiled at the same time.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use megha_core::driver;
use megha_core::interp::Datum;

use super::{SIZES, arguments, generate, interpret, program};

/// The programs that are compiled: 200, or as many as the variable says.
fn compiled() -> std::ops::Range<u64> {
    let count = env::var("MEGHA_RANDOM_PROGRAMS").ok().and_then(|n| n.parse().ok());
    0..count.unwrap_or(200)
}

/// The binaries that the programs are spread over.
const PARTS: u64 = 4;

/// One program in so many is compiled for both memory orders.
const BOTH_ORDERS: u64 = 5;

/// What the crate needs besides the programs: results as lines of text, floats by their bits.
const SHOW: &str = r#"
use megha_rt::ndarray::{Array2, ArrayView2, ShapeBuilder};

trait Bits { fn bits(&self) -> String; }
impl Bits for f64 { fn bits(&self) -> String { format!("{:x}", (self + 0.0).to_bits()) } }
impl Bits for bool { fn bits(&self) -> String { f64::from(u8::from(*self)).bits() } }
impl Bits for i32 { fn bits(&self) -> String { f64::from(*self).bits() } }

trait Show { fn show(&self) -> String; }
macro_rules! number { ($($t:ty)*) => { $(impl Show for $t { fn show(&self) -> String { format!("1x1 {}", self.bits()) } })* } }
number!(f64 bool i32);
impl<T: Bits> Show for Array2<T> {
    fn show(&self) -> String {
        let list: Vec<String> = self.t().iter().map(Bits::bits).collect();
        format!("{}x{} {}", self.nrows(), self.ncols(), list.join(" "))
    }
}
"#;

/// The same line for a result of the interpreter.
fn show(datum: &Datum) -> String {
    let mut dims = datum.dims().to_vec();
    dims.resize(dims.len().max(2), 1);
    let elements = datum.to_doubles().expect("a result is no text");
    let list: Vec<String> = elements.iter().map(|x| format!("{:x}", (x + 0.0).to_bits())).collect();
    format!("{}x{} {}", dims[0], dims[1], list.join(" "))
}

#[test]
fn compiled_programs_equal_the_interpreter() {
    let folder = env::temp_dir().join(format!("megha-random-{}", std::process::id()));
    fs::create_dir_all(folder.join("src/bin")).unwrap();
    let parts = write_crate(&folder);
    cargo(&folder, &["build", "--quiet"]);
    for (part, expected) in parts.iter().enumerate() {
        let found = cargo(&folder, &["run", "--quiet", "--bin", &format!("part{part}")]);
        for (found, expected) in found.lines().zip(expected.lines()) {
            let seed = expected.split(' ').next().and_then(|p| p[1..].parse().ok()).unwrap_or(0);
            assert_eq!(found, expected, "\n{}", generate::program(seed).text);
        }
        assert_eq!(found.lines().count(), expected.lines().count());
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// What cargo prints in the crate.
fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", root.join("target/newcomer"))
        .env("RUSTFLAGS", "-Awarnings")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Writes the crate, and gives what each of its binaries should print.
fn write_crate(folder: &Path) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = format!(
        "[package]\nname = \"random\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nmegha-rt = {{ path = {:?} }}\n\n[profile.dev]\ndebug = 0\nincremental = false\n",
        root.join("megha-rt").display().to_string()
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    (0..PARTS).map(|part| write_part(folder, part)).collect()
}

/// The code of a program that repacks matrices stored by rows, which are half of the arguments, in place of a second form for
/// them: half the work for `rustc`, which takes most of the time of this test.
fn in_one_order(code: &str) -> String {
    code.replace("::<rt::RowMajor>(", "::<rt::ColMajor>(")
}

/// Writes the binary of every [`PARTS`]th program, and gives what it should print.
fn write_part(folder: &Path, part: u64) -> String {
    let (mut main, mut calls, mut expected) = (SHOW.to_owned(), String::new(), String::new());
    for seed in compiled().filter(|seed| seed % PARTS == part) {
        let mut outcome = program(seed);
        let code = driver::rust(&mut outcome, "::megha_rt").expect("code for a program without mistakes");
        let code = if seed % BOTH_ORDERS == 0 { code } else { in_one_order(&code) };
        fs::write(folder.join(format!("src/p{seed}.rs")), &code).unwrap();
        let _ = writeln!(main, "#[path = \"../p{seed}.rs\"]\nmod p{seed};");
        let count = generate::program(seed).results.len();
        for n in SIZES {
            calls += &call(seed, n, count);
            let line = match interpret(&outcome.lowered, n) {
                Ok(list) => list.iter().map(show).collect::<Vec<_>>().join(" | "),
                Err(_) => "error".into(),
            };
            let _ = writeln!(expected, "p{seed} {n}: {line}");
        }
    }
    let _ = writeln!(main, "fn main() {{\n{calls}}}");
    fs::write(folder.join(format!("src/bin/part{part}.rs")), main).unwrap();
    expected
}

/// A call of a program, printed in a line. Of the two sizes, one has the matrix in row-major, one in column-major order.
fn call(seed: u64, n: usize, results: usize) -> String {
    let (v, a) = arguments(n);
    let list = |elements: ndarray::iter::Iter<f64, ndarray::Ix2>| {
        elements.map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ")
    };
    let (order, elements) = if n == SIZES[0] { ("", list(a.iter())) } else { (".f()", list(a.t().iter())) };
    let names: Vec<String> = (0..results).map(|k| format!("r{k}")).collect();
    let pattern = if results == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
    let shows: Vec<String> = names.iter().map(|r| format!("{r}.show()")).collect();
    format!(
        "    match p{seed}::p{seed}({n}, ArrayView2::from_shape((1, {n}), &[{}]).unwrap(), \
         ArrayView2::from_shape(({n}, {n}){order}, &[{elements}]).unwrap()) {{\n        \
         Ok({pattern}) => println!(\"p{seed} {n}: {{}}\", [{}].join(\" | \")),\n        \
         Err(_) => println!(\"p{seed} {n}: error\"),\n    }}\n",
        list(v.iter()),
        shows.join(", ")
    )
}
