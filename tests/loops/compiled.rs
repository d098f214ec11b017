//! The functions as Rust has them and offloaded, in a crate outside the workspace: on views of many layouts inside of memory that
//! must not change, at extreme whole numbers, unoptimised and optimised.
//!
//! The crate has several binaries, which are compiled at the same time. It prints a word for each call, which stands for all results.

use super::checked::ends_soon;
use super::generate::{MOST_STEPS, Program};
use super::plain::{self, Argument, End, Limits, Number};
use super::{call, contents, count, first, outside};
use megha_core::offload::ast::{Param, ParamType, Scalar};
use megha_core::offload::{self, Compiled};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The binaries that the functions are spread over.
const PARTS: usize = 4;

/// Sizes for more than one vector, and for what is left over.
const LONG: [usize; 2] = [13, 37];

/// The layouts of `views`, and one that mixes them.
const LAYOUTS: usize = 8;

/// Extreme calls of a function.
const MOST_EXTREME: usize = 24;

/// A call, and what it should give.
struct Call {
    n: usize,
    layout: usize,
    /// All numbers, floats by their bits.
    numbers: Vec<i64>,
    expected: String,
    /// Whether a whole number wraps, which is a panic in a debug build.
    wraps: bool,
}

#[test]
fn compiled_functions_do_what_rust_does() {
    let folder = env::temp_dir().join(format!("megha-loops-{}", std::process::id()));
    let functions = count("MEGHA_LOOPS_COMPILED", 24);
    let seeds = first()..first() + functions;
    let programs: Vec<(Program, Vec<Call>)> = seeds
        .map(|seed| {
            let program = if seed % 3 == 2 { Program::gathered(seed as u64) } else { Program::new(seed as u64) };
            let calls = calls(&program);
            (program, calls)
        })
        .collect();
    let wrong = [Crate::new(&folder, 0, &programs).wrong(), Crate::new(&folder, 2, &programs).wrong()].concat();
    fs::remove_dir_all(&folder).unwrap();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
}

/// The calls of a function: sizes in all layouts, then extreme numbers.
fn calls(program: &Program) -> Vec<Call> {
    let usual = call::SIZES.into_iter().chain(LONG).flat_map(|n| {
        let layouts = if n < 2 { 2 } else { LAYOUTS };
        (0..layouts).map(move |layout| (n, layout, Vec::new()))
    });
    let extreme = call::extreme(program);
    let step = extreme.len().div_ceil(MOST_EXTREME).max(1);
    let extreme = extreme.into_iter().step_by(step).enumerate().map(|(k, numbers)| (3, k % LAYOUTS, numbers));
    let compiled = offload::compile(&program.function).expect("a function without mistakes");
    let all = usual.chain(extreme);
    all.filter_map(|(n, layout, numbers)| expected(program, &compiled, (n, layout, &numbers))).collect()
}

/// A call with what it should give; nothing if it takes too long.
fn expected(
    program: &Program,
    compiled: &Compiled,
    (n, layout, given): (usize, usize, &[Option<i64>]),
) -> Option<Call> {
    let arguments = call::arguments(program, n, given);
    let numbers = arguments.iter().filter_map(|argument| match argument {
        Argument::Number(number) => Some(number.bits() as i64),
        Argument::Array(_) => None,
    });
    let numbers = numbers.collect();
    let limits = Limits { steps: MOST_STEPS, record: false };
    match plain::run(&program.function, arguments, &limits) {
        Err(End::Steps) => None,
        Err(End::OutOfBounds) if !given.is_empty() && !ends_soon(compiled, &call::arguments(program, n, given)) => None,
        Err(End::OutOfBounds) => Some(Call { n, layout, numbers, expected: "panic".to_owned(), wraps: false }),
        Ok(ran) => {
            let arrays = ran.arguments.iter().filter_map(|argument| match argument {
                Argument::Array(array) => Some(array.elements.iter().map(|x| x.bits())),
                Argument::Number(_) => None,
            });
            let digest = contents::digest(arrays.flatten().chain(ran.result.map(Number::bits)));
            Some(Call { n, layout, numbers, expected: format!("{digest:x}"), wraps: ran.wrapped })
        }
    }
}

/// A crate with the functions at a level of optimisation.
struct Crate<'p> {
    folder: PathBuf,
    level: u8,
    programs: &'p [(Program, Vec<Call>)],
}

impl<'p> Crate<'p> {
    fn new(folder: &Path, level: u8, programs: &'p [(Program, Vec<Call>)]) -> Self {
        let folder = folder.join(level.to_string());
        fs::create_dir_all(folder.join("src/bin")).unwrap();
        let this = Self { folder, level, programs };
        this.write_manifest();
        for part in 0..PARTS {
            let list = this.part(part);
            fs::write(this.folder.join(format!("src/bin/part{part}.rs")), source(&list)).unwrap();
        }
        this
    }

    fn part(&self, part: usize) -> Vec<&'p (Program, Vec<Call>)> {
        self.programs.iter().skip(part).step_by(PARTS).collect()
    }

    /// The libraries are built once for all levels.
    fn write_manifest(&self) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (level, checks) = (self.level, self.level == 0);
        // In one unit a binary is optimised once; of many, code is imported into others and optimised again. Binaries are compiled side by side.
        let units = if checks { 256 } else { 1 };
        let manifest = format!(
            "[package]\nname = \"loops{level}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nmegha = {{ path = {:?} }}\n\n\
             [profile.dev]\nopt-level = {level}\ndebug = 0\nincremental = false\n\
             debug-assertions = {checks}\noverflow-checks = {checks}\n\n\
             [profile.dev.package.loops{level}]\ncodegen-units = {units}\n\n\
             [profile.dev.package.\"*\"]\nopt-level = 0\ndebug-assertions = true\noverflow-checks = true\n",
            root.display().to_string()
        );
        fs::write(self.folder.join("Cargo.toml"), manifest).unwrap();
        fs::copy(root.join("Cargo.lock"), self.folder.join("Cargo.lock")).unwrap();
    }

    fn cargo(&self, arguments: &[&str]) -> String {
        let output = outside::cargo(&self.folder, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}", &said[..said.len().min(20_000)]);
        String::from_utf8(output.stdout).unwrap()
    }

    /// The calls that did not give what they should.
    fn wrong(&self) -> Vec<String> {
        self.cargo(&["build", "--quiet"]);
        let mut wrong = Vec::new();
        for part in 0..PARTS {
            let printed = self.cargo(&["run", "--quiet", "--bin", &format!("part{part}")]);
            let mut lines = printed.lines();
            for (program, calls) in self.part(part) {
                for call in calls {
                    wrong.extend(self.compare(program, call, lines.next().unwrap_or("nothing")));
                }
            }
            assert_eq!(lines.next(), None);
        }
        wrong
    }

    /// What the plain and the offloaded function gave, against what they should.
    fn compare(&self, program: &Program, call: &Call, line: &str) -> Option<String> {
        let may_panic = call.wraps && self.level == 0;
        let is_right = |word: &str| word == call.expected || may_panic && word == "panic";
        if line.split(' ').count() == 2 && line.split(' ').all(is_right) {
            return None;
        }
        let Call { n, layout, numbers, expected, .. } = call;
        Some(format!(
            "seed {}, level {}, size {n}, layout {layout}, numbers {numbers:?}: plain and offloaded {line}, expected {expected}\n{}",
            program.seed,
            self.level,
            program.text()
        ))
    }
}

/// The source of a binary.
fn source(programs: &[&(Program, Vec<Call>)]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops");
    let file = |name: &str| folder.join(name).display().to_string();
    let mut text = "#![allow(warnings, arithmetic_overflow, unconditional_panic, overflowing_literals)]\n".to_owned();
    for name in ["random", "contents", "views"] {
        let _ = writeln!(text, "#[path = {:?}]\nmod {name};", file(&format!("{name}.rs")));
    }
    let mut main = String::new();
    for (program, calls) in programs {
        let function = program.text();
        let name = &program.function.name.text;
        let _ = writeln!(text, "mod {name} {{\nuse crate::views::*;\nuse megha::rt::ndarray::*;");
        let _ = writeln!(text, "mod plain {{ use megha::rt::ndarray::*;\n{function}}}");
        let _ = writeln!(text, "mod fast {{ use megha::rt::ndarray::*;\n#[megha::offload]\n{function}}}");
        let _ = writeln!(text, "{}\n}}", caller(program));
        for Call { n, layout, numbers, .. } in calls {
            let _ = writeln!(main, "    both({name}::call, {n}, {layout}, &{numbers:?});");
        }
    }
    // In every other layout the launches of the offloaded form are cut into parts.
    text += "fn both(call: fn(bool, usize, usize, &[i64]) -> String, n: usize, layout: usize, numbers: &[i64]) {\n    \
             let fast = || call(true, n, layout, numbers);\n    \
             let fast = if layout % 2 == 1 { megha::rt::cuts::within(n as u64, fast) } else { fast() };\n    \
             println!(\"{} {fast}\", call(false, n, layout, numbers));\n}\n";
    format!("{text}fn main() {{\n    std::panic::set_hook(Box::new(|_| {{}}));\n{main}}}\n")
}

/// The function that calls one of the two.
fn caller(program: &Program) -> String {
    let (mut lets, mut arguments, mut arrays, mut numbers) = (String::new(), Vec::new(), Vec::new(), 0);
    for (number, Param { name, ty, .. }) in program.function.params.iter().enumerate() {
        let name = &name.text;
        match ty {
            ParamType::Array { class, mutable, .. } => {
                let dims: Vec<String> = program.excess[number].iter().map(|more| format!("n + {more}")).collect();
                let _ = writeln!(
                    lets,
                    "    let mut {name} = Guarded::<{}, _>::new({}, {number}, Dim([{}]), n, layout);",
                    class.name(),
                    program.seed,
                    dims.join(", ")
                );
                arguments.push(format!("{name}.{}()", if *mutable { "view_mut" } else { "view" }));
                arrays.push(format!("&{name}"));
            }
            ParamType::Scalar(scalar, _) => {
                arguments.push(match scalar {
                    Scalar::F64 => format!("f64::from_bits(numbers[{numbers}] as u64)"),
                    _ => format!("numbers[{numbers}] as {}", scalar.name()),
                });
                numbers += 1;
            }
            ParamType::Constant(_) => unreachable!("the generator makes none"),
        }
    }
    let (arguments, arrays, name) = (arguments.join(", "), arrays.join(", "), &program.function.name.text);
    format!(
        "pub fn call(fast: bool, n: usize, layout: usize, numbers: &[i64]) -> String {{\n{lets}    \
         let outcome = match fast {{\n        \
         true => outcome(|| fast::{name}({arguments})),\n        \
         false => outcome(|| plain::{name}({arguments})),\n    }};\n    shown(outcome, &[{arrays}])\n}}"
    )
}
