//! All programs of this project with calls: a kernel of each kind, the twelve programs, the gallery, the papers' kernels in two precisions, and PolyBench.

use std::fs;
use std::path::{Path, PathBuf};

use megha_core::driver::rust_file::{Part, read};
use megha_core::driver::{Job, compile};
use megha_core::interp::{Datum, Elements, Scalar};
use megha_core::ir::parse::parse;
use megha_core::ir::{Class, Module, Op, Region};
use ndarray::ArrayD;

use super::super::common::golden::Golden;
use super::super::model::kernels;
use super::super::small::array;

/// A program and a call of its first function.
pub struct Program {
    /// What it is called here.
    pub name: String,
    /// All after the passes.
    pub module: Module,
    /// The call.
    pub arguments: Vec<Datum>,
    /// The order of its arrays in memory, by its entry in a plan.
    pub order: usize,
}

/// An argument of one of the twelve programs.
enum Given {
    Number(f64),
    Array(&'static [usize]),
}

use Given::{Array, Number};

/// The twelve programs, in sizes that the interpreter makes in seconds.
const TWELVE: [(&str, &[Given]); 12] = [
    (
        "bscholes",
        &[Array(&[1 << 18, 1]), Array(&[1 << 18, 1]), Array(&[1 << 18, 1]), Array(&[1 << 18, 1]), Array(&[1 << 18, 1])],
    ),
    ("capr", &[Number(0.4), Number(0.3), Number(2.0), Number(1.5), Number(60.0), Number(1e-4), Number(1.85)]),
    ("clos", &[Array(&[100, 100])]),
    ("crni", &[Number(1.0), Number(1.0), Number(1.0), Number(300.0), Number(300.0)]),
    ("dich", &[Number(4.0), Number(4.0), Number(0.02), Number(1e-4), Number(2.0)]),
    ("edit", &[Array(&[1, 300]), Array(&[1, 300])]),
    ("fdtd", &[Number(1.0), Number(1.0), Number(1.0), Number(48.0), Number(48.0), Number(48.0), Number(1.0)]),
    ("fiff", &[Number(1.0), Number(1.0), Number(1.0), Number(500.0), Number(500.0)]),
    ("filter_bank", &[Array(&[1 << 14, 1]), Array(&[32, 4])]),
    ("matmul", &[Array(&[128, 128]), Array(&[128, 128])]),
    ("nb1d", &[Array(&[1024, 1]), Array(&[1024, 1]), Array(&[1024, 1]), Number(0.1), Number(0.01)]),
    ("nb3d", &[Array(&[1024, 3]), Array(&[1024, 3]), Array(&[1024, 1]), Number(0.1), Number(0.01), Number(1.0)]),
];

/// Numbers above zero.
fn numbers(class: Class, count: usize) -> Elements {
    let data = (0..count).map(|k| 0.125 + (k as f64 * 0.618_033_988_75).fract());
    match class {
        Class::Double => Elements::Double(data.collect()),
        Class::Single => Elements::Single(data.map(|x| x as f32).collect()),
        Class::UInt8 => Elements::UInt8(data.map(|x| (x * 4.0) as u8).collect()),
        Class::Int32 => Elements::Int32(data.map(|x| (x * 100.0) as i32).collect()),
        other => panic!("an array of class {}", other.name()),
    }
}

fn folder(of: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(of)
}

fn matlab(name: String, path: &Path, arguments: impl FnOnce(&Module) -> Vec<Datum>) -> Program {
    let outcome = compile(Job::file(path).unwrap());
    assert!(outcome.is_ok(), "{} does not compile", path.display());
    let arguments = arguments(&outcome.module);
    Program { name, module: outcome.module, arguments, order: 0 }
}

/// An array as an argument of a function whose parameter may be a number.
fn datum(module: &Module, number: usize, array: &ArrayD<f64>) -> Datum {
    let func = &module.funcs[0];
    if func.ty(func.params[number].value).is_scalar() {
        return Datum::double(array[[0, 0]]);
    }
    Datum::doubles(array.shape(), array.t().iter().copied().collect()).unwrap()
}

fn twelve() -> Vec<Program> {
    let program = |(name, given): &(&str, &[Given])| {
        let datum = |given: &Given| match given {
            Number(x) => Datum::double(*x),
            Array(dims) => array(dims, numbers(Class::Double, dims.iter().product())),
        };
        let path = folder("examples/matlab").join(format!("{name}.m"));
        matlab((*name).to_owned(), &path, |_| given.iter().map(datum).collect())
    };
    TWELVE.iter().map(program).collect()
}

/// The gallery's programs with their first calls, which are small.
fn gallery() -> Vec<Program> {
    let program = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let call = Golden::all_in("tests/golden/gallery", &name).pop().unwrap();
        let inputs: Vec<ArrayD<f64>> = call.inputs().cloned().collect();
        matlab(format!("gallery {name}"), &path, |module| {
            inputs.iter().enumerate().map(|(number, array)| datum(module, number, array)).collect()
        })
    };
    super::super::programs("examples/matlab/gallery").into_iter().map(program).collect()
}

/// The text of a file's macro between the lines that begin and end it.
fn inside<'t>(text: &'t str, begin: &str, end: &str) -> &'t str {
    let from = text.find(begin).map(|at| at + begin.len()).expect("its first line");
    &text[from..from + text[from..].find(end).expect("its last line")]
}

/// The offloaded functions of a text.
fn rust(group: &str, name: &str, text: &str) -> Vec<Program> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("worth_{name}.rs"));
    fs::write(&path, text).unwrap();
    let file = read(&path, false).unwrap();
    assert!(!file.diags.has_errors(), "{name}: {:?}", file.diags);
    let program = |part: Part| {
        let Part::Offloaded(mut function) = part else { return None };
        let module = function.forms.swap_remove(0).outcome.module;
        let arguments = arguments(&module);
        Some(Program { name: format!("{group}{}", function.name), module, arguments, order: 1 })
    };
    file.parts.into_iter().filter_map(program).collect()
}

fn papers() -> Vec<Program> {
    let mut all = Vec::new();
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder("examples/offload/kernels")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files.iter().filter(|path| !path.ends_with("mod.rs")) {
        let name = path.file_stem().unwrap().to_string_lossy();
        let text = fs::read_to_string(path).unwrap();
        let text = inside(&text, "=> {\n", "\n    };\n").replace("$(#[$offload])?", "#[megha::offload]");
        for (real, group) in [("f64", "doubles "), ("f32", "singles ")] {
            all.extend(rust(group, &format!("{name}_{real}"), &text.replace("$real", real)));
        }
    }
    all
}

fn polybench() -> Vec<Program> {
    let program = |name: &str| {
        let text = fs::read_to_string(folder("tests/polybench").join(format!("{name}.rs"))).unwrap();
        let text = inside(&text, "both! {\n", "\n}\n").replace("    pub fn", "    #[megha::offload]\n    pub fn");
        rust("PolyBench ", name, &text)
    };
    ["blas", "data", "kernels", "medley", "solvers", "stencils"].into_iter().flat_map(program).collect()
}

/// The most loops of a kernel, of its domain and of its body, that stand in one another.
fn depth(region: &Region, in_kernel: bool) -> usize {
    let inner = |op: &Op, in_kernel| op.regions().into_iter().map(|r| depth(r, in_kernel)).max().unwrap_or(0);
    let own = |op: &Op| match op {
        Op::Kernel(kernel) => kernel.domain.len() + depth(&kernel.body, true),
        Op::For { .. } | Op::While { .. } => usize::from(in_kernel) + inner(op, in_kernel),
        op => inner(op, in_kernel),
    };
    region.stmts.iter().map(|stmt| own(&stmt.op)).max().unwrap_or(0)
}

/// Arguments of a function whose sizes are all the same, so large that the interpreter is soon done.
fn arguments(module: &Module) -> Vec<Datum> {
    let func = &module.funcs[0];
    let ranks = func.params.iter().map(|param| func.ty(param.value).dims.len());
    let size = match ranks.max().unwrap_or(0).max(depth(&func.body, false)) {
        0 | 1 => 1 << 17,
        2 => 512,
        3 => 96,
        _ => 24,
    };
    let argument = |value| {
        let ty = func.ty(value);
        if ty.is_scalar() {
            // steps, thresholds and factors
            return match ty.class {
                Class::Index => Datum::Scalar(Scalar::Index(2)),
                class => Datum::Scalar(numbers(class, 2).get(1).unwrap()),
            };
        }
        let dims: Vec<usize> =
            ty.dims.iter().map(|dim| dim.as_constant().map_or(size, |known| known as usize)).collect();
        array(&dims, numbers(ty.class, dims.iter().product()))
    };
    func.params.iter().map(|param| argument(param.value)).collect()
}

/// A kernel of each kind (`tests/gpu/model`), at the last but one of its sizes.
fn kinds() -> Vec<Program> {
    let program = |case: kernels::Case| {
        let module = parse(&case.text).unwrap();
        let sizes: Vec<usize> = case.sizes[3].iter().map(|size| *size as usize).collect();
        let arguments = super::super::forced::arguments(&module, &sizes);
        Program { name: format!("kind {}", case.name), module, arguments, order: 0 }
    };
    kernels::all().into_iter().map(program).collect()
}

/// All of them.
pub fn all() -> Vec<Program> {
    [kinds(), twelve(), gallery(), papers(), polybench()].into_iter().flatten().collect()
}
