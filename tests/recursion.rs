//! Functions that call themselves: compiled, interpreted, and as GNU Octave computes them.

#![allow(clippy::excessive_precision, reason = "numbers as Octave prints them, with 17 digits")]

#[path = "common/failing.rs"]
mod failing;
#[allow(dead_code, reason = "these tests have an interpreter of their own")]
#[path = "common/reference.rs"]
mod reference;

use std::path::Path;

use megha_core::diag::render_all;
use megha_core::driver::{Job, Wanted, compile, signature};
use megha_core::interp::{self, Datum, Options};
use megha_core::ir::FuncId;
use ndarray::{Array2, array};

megha::matlab!(
    file "matlab/recursion.m",
    fn fact(n: f64) -> r,
    fn fib(n: f64) -> r,
    fn mygcd(a: f64, b: f64) -> r,
    fn hanoi(n: f64, a: f64, b: f64) -> (c, s),
    fn ack(m: f64, n: f64) -> r,
    fn bsearch(x: f64[1, n], t: f64, lo: f64, hi: f64) -> k,
    fn iseven(n: f64) -> r,
    fn even2(n: f64) -> r,
    fn power_sq(x: f64, n: f64) -> y,
    fn runge_integral(tol: f64) -> y,
    fn integral_of(w: f64, a: f64, b: f64, tol: f64) -> y,
    fn sums(n: f64) -> (s, t),
    fn countperm(p: f64[1, n], k: f64) -> c,
    fn fill(A: f64[m, n], i: f64, j: f64, new: f64) -> A: f64[m, n],
    fn msort(x: f64[1, n]) -> r,
    fn qsort_in(x: f64[1, n], lo: f64, hi: f64) -> x: f64[1, n],
    fn sumrec(x: f64[1, n]) -> s,
    fn mydet(A: f64[n, n]) -> d,
    fn depth(n: f64) -> r,
    fn qs(x: f64[1, n]) -> r,
    fn ms(x: f64[1, n]) -> r,
    fn bits(n: f64) -> r,
    fn collatz(n: f64) -> r,
    fn perms_rec(v: f64[1, n]) -> P,
    fn hanoi_moves(n: f64, a: f64, b: f64, c: f64) -> moves,
    fn dft_rec(xr: f64[1, n], xi: f64[1, n]) -> (re, im),
    fn times_magic(A: f64[n, n]) -> C,
    fn ends(x: f64[1, n], n: f64) -> s,
);

const FILE: &str = "tests/matlab/recursion.m";

/// The results of the reference interpreter, one number after the other.
fn interpreted(text: &str, args: &[Datum]) -> Result<Vec<f64>, String> {
    let mut job = Job::file(&Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE)).unwrap();
    let source = job.sources.add("signature", text);
    let signature = signature::parse(job.sources.get(source).unwrap(), 0..text.len(), &mut job.diags);
    let outcome = compile(Job { wanted: Wanted::Signatures(signature.into_iter().collect()), ..job });
    assert!(outcome.is_ok(), "{}", render_all(&outcome.diags, &outcome.sources, false));
    let run = |module| {
        let done = interp::run(module, FuncId::new(0), args.to_vec(), &Options::default(), &mut std::io::sink());
        done.map(|results| results.iter().flat_map(|r| r.to_doubles().unwrap()).collect::<Vec<f64>>())
    };
    let (lowered, passed) = (run(&outcome.lowered), run(&outcome.module));
    assert_eq!(lowered.as_ref().ok(), passed.as_ref().ok(), "{text}");
    lowered.map_err(|failure| failure.message)
}

/// Compiled and interpreted results are those of Octave, the compiled ones to the bit those of the interpreter.
fn agree(signature: &str, args: &[Datum], compiled: &[f64], octave: &[f64]) {
    assert_eq!(interpreted(signature, args).unwrap(), compiled, "{signature}");
    assert_eq!(compiled.len(), octave.len(), "{signature}");
    for (ours, theirs) in compiled.iter().zip(octave) {
        assert!((ours - theirs).abs() <= 1e-14 * theirs.abs().max(1.0), "{signature}: {ours}, not {theirs}");
    }
}

fn numbers(list: &[f64]) -> Vec<Datum> {
    list.iter().map(|x| Datum::double(*x)).collect()
}

fn row(list: &[f64]) -> Datum {
    Datum::doubles(&[1, list.len()], list.to_vec()).unwrap()
}

#[test]
fn functions_of_numbers() {
    agree("fn fact(n: f64) -> r", &numbers(&[10.0]), &[fact(10.0).unwrap()], &[3628800.0]);
    agree("fn fib(n: f64) -> r", &numbers(&[15.0]), &[fib(15.0).unwrap()], &[610.0]);
    agree("fn mygcd(a: f64, b: f64) -> r", &numbers(&[1071.0, 462.0]), &[mygcd(1071.0, 462.0).unwrap()], &[21.0]);
    let (c, s) = hanoi(6.0, 1.0, 3.0).unwrap();
    agree("fn hanoi(n: f64, a: f64, b: f64) -> (c, s)", &numbers(&[6.0, 1.0, 3.0]), &[c, s], &[63.0, 231.0]);
    agree("fn ack(m: f64, n: f64) -> r", &numbers(&[2.0, 3.0]), &[ack(2.0, 3.0).unwrap()], &[9.0]);
    let power = power_sq(1.5, 13.0).unwrap();
    agree("fn power_sq(x: f64, n: f64) -> y", &numbers(&[1.5, 13.0]), &[power], &[194.6195068359375]);
    let (s, t) = sums(5.0).unwrap();
    agree("fn sums(n: f64) -> (s, t)", &numbers(&[5.0]), &[s, t], &[57.0, 207.0]);
}

#[test]
fn functions_that_call_each_other() {
    for (n, even) in [(0.0, true), (7.0, false), (10.0, true)] {
        let octave = [f64::from(u8::from(even))];
        let compiled = f64::from(u8::from(iseven(n).unwrap()));
        agree("fn iseven(n: f64) -> r", &numbers(&[n]), &[compiled], &octave);
        let compiled = f64::from(u8::from(even2(n).unwrap()));
        agree("fn even2(n: f64) -> r", &numbers(&[n]), &[compiled], &octave);
    }
}

#[test]
fn function_values_are_passed_on() {
    let signature = "fn runge_integral(tol: f64) -> y";
    agree(signature, &numbers(&[1e-8]), &[runge_integral(1e-8).unwrap()], &[0.54936030676198833]);
    // An anonymous function with a captured variable.
    let signature = "fn integral_of(w: f64, a: f64, b: f64, tol: f64) -> y";
    let compiled = integral_of(3.0, 0.0, 2.0, 1e-9).unwrap();
    agree(signature, &numbers(&[3.0, 0.0, 2.0, 1e-9]), &[compiled], &[2.0132765711165401]);
}

#[test]
fn arrays_go_in() {
    let x = [1.0, 3.0, 5.0, 7.0, 9.0, 11.0];
    for (wanted, place) in [(7.0, 4.0), (4.0, -1.0)] {
        let args = [vec![row(&x)], numbers(&[wanted, 1.0, 6.0])].concat();
        let compiled = bsearch(x, wanted, 1.0, 6.0).unwrap();
        agree("fn bsearch(x: f64[1, n], t: f64, lo: f64, hi: f64) -> k", &args, &[compiled], &[place]);
    }
    let p = [1.0, 2.0, 3.0, 4.0, 5.0];
    let args = [row(&p), Datum::double(1.0)];
    agree("fn countperm(p: f64[1, n], k: f64) -> c", &args, &[countperm(p, 1.0).unwrap()], &[44.0]);
    let x = [5.0, 3.0, 8.0, 1.0, 9.0, 2.0, 7.0];
    agree("fn sumrec(x: f64[1, n]) -> s", &[row(&x)], &[sumrec(x).unwrap()], &[35.0]);
    let a = Datum::doubles(&[3, 3], vec![2.0, 0.0, 5.0, 1.0, 4.0, 2.0, 3.0, 1.0, 2.0]).unwrap();
    let compiled = mydet(array![[2.0, 1.0, 3.0], [0.0, 4.0, 1.0], [5.0, 2.0, 2.0]]).unwrap();
    agree("fn mydet(A: f64[n, n]) -> d", &[a], &[compiled], &[-43.0]);
}

#[test]
fn arrays_come_out() {
    let x = [5.0, 3.0, 8.0, 1.0, 9.0, 2.0, 7.0];
    let octave = [1.0, 2.0, 3.0, 5.0, 7.0, 8.0, 9.0];
    let sorted = msort(x).unwrap();
    assert_eq!(sorted.shape(), [1, 7]);
    agree("fn msort(x: f64[1, n]) -> r", &[row(&x)], sorted.as_slice().unwrap(), &octave);
    let sorted = qsort_in(x, 1.0, 7.0).unwrap();
    let args = [vec![row(&x)], numbers(&[1.0, 7.0])].concat();
    let signature = "fn qsort_in(x: f64[1, n], lo: f64, hi: f64) -> x: f64[1, n]";
    agree(signature, &args, sorted.as_slice().unwrap(), &octave);

    let mut map = Array2::<f64>::zeros((5, 6));
    map.row_mut(2).fill(1.0);
    map[[2, 3]] = 0.0;
    map.column_mut(1).fill(2.0);
    let filled = fill(&map, 1.0, 3.0, 7.0).unwrap();
    let expected = array![
        [0.0, 2.0, 7.0, 7.0, 7.0, 7.0],
        [0.0, 2.0, 7.0, 7.0, 7.0, 7.0],
        [1.0, 2.0, 1.0, 7.0, 1.0, 1.0],
        [0.0, 2.0, 7.0, 7.0, 7.0, 7.0],
        [0.0, 2.0, 7.0, 7.0, 7.0, 7.0],
    ];
    assert_eq!(filled, expected);
    let map = Datum::doubles(&[5, 6], columns(&map)).unwrap();
    let args = [vec![map], numbers(&[1.0, 3.0, 7.0])].concat();
    let signature = "fn fill(A: f64[m, n], i: f64, j: f64, new: f64) -> A: f64[m, n]";
    agree(signature, &args, &columns(&filled), &columns(&expected));
}

/// The elements, columns first.
fn columns(a: &Array2<f64>) -> Vec<f64> {
    a.t().iter().copied().collect()
}

#[test]
fn sizes_that_depend_on_data() {
    let x = [5.0, 3.0, 8.0, 1.0, 9.0, 2.0, 7.0, 3.0];
    let sorted = [1.0, 2.0, 3.0, 3.0, 5.0, 7.0, 8.0, 9.0];
    agree("fn qs(x: f64[1, n]) -> r", &[row(&x)], &columns(&qs(x).unwrap()), &sorted);
    agree("fn ms(x: f64[1, n]) -> r", &[row(&x)], &columns(&ms(x).unwrap()), &sorted);
    assert_eq!(qs(Vec::new()).unwrap().shape(), [1, 0]);
    let octave = [1.0, 0.0, 0.0, 1.0, 0.0, 1.0];
    agree("fn bits(n: f64) -> r", &numbers(&[37.0]), &columns(&bits(37.0).unwrap()), &octave);
    let octave = [6.0, 3.0, 10.0, 5.0, 16.0, 8.0, 4.0, 2.0, 1.0];
    agree("fn collatz(n: f64) -> r", &numbers(&[6.0]), &columns(&collatz(6.0).unwrap()), &octave);
    let octave = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 2.0, 3.0, 1.0, 3.0, 1.0, 2.0, 3.0, 2.0, 3.0, 1.0, 2.0, 1.0];
    let p = perms_rec([1.0, 2.0, 3.0]).unwrap();
    agree("fn perms_rec(v: f64[1, n]) -> P", &[row(&[1.0, 2.0, 3.0])], &columns(&p), &octave);
    let octave = [1.0, 1.0, 3.0, 1.0, 2.0, 2.0, 1.0, 3.0, 2.0, 2.0, 3.0, 1.0, 3.0, 3.0];
    let moves = hanoi_moves(3.0, 1.0, 2.0, 3.0).unwrap();
    let signature = "fn hanoi_moves(n: f64, a: f64, b: f64, c: f64) -> moves";
    agree(signature, &numbers(&[3.0, 1.0, 2.0, 3.0]), &columns(&moves), &octave);
}

#[test]
fn halves_and_blocks() {
    let x = [5.0, 3.0, 8.0, 1.0, 9.0, 2.0, 7.0, 3.0];
    let (re, im) = dft_rec(x, [0.0; 8]).unwrap();
    let compiled = [columns(&re), columns(&im)].concat();
    let octave = [
        38.0,
        -1.8786796564403576,
        -0.99999999999999989,
        -6.1213203435596428,
        20.0,
        -6.1213203435596419,
        -1.0,
        -1.8786796564403572,
        0.0,
        -0.29289321881345221,
        -1.0,
        1.7071067811865472,
        0.0,
        -1.7071067811865479,
        1.0,
        0.29289321881345276,
    ];
    agree("fn dft_rec(xr: f64[1, n], xi: f64[1, n]) -> (re, im)", &[row(&x), row(&[0.0; 8])], &compiled, &octave);

    let a = Array2::from_shape_fn((4, 4), |(i, j)| (1 + i + 4 * j) as f64);
    let product = times_magic(&a).unwrap();
    let octave = [
        174.0, 208.0, 242.0, 276.0, 302.0, 336.0, 370.0, 404.0, 302.0, 336.0, 370.0, 404.0, 174.0, 208.0, 242.0, 276.0,
    ];
    let args = [Datum::doubles(&[4, 4], columns(&a)).unwrap()];
    agree("fn times_magic(A: f64[n, n]) -> C", &args, &columns(&product), &octave);
}

#[test]
fn calls_nest_as_deep_as_in_octave_and_no_deeper() {
    // The wrapper that Rust calls is the first of 256.
    assert_eq!(depth(255.0).unwrap(), 255.0);
    assert_eq!(interpreted("fn depth(n: f64) -> r", &numbers(&[255.0])).unwrap(), [255.0]);
    let error = depth(256.0).unwrap_err();
    assert!(error.to_string().starts_with("max_recursion_depth exceeded"), "{error}");
    assert_eq!(error.site().text, "depth(n-1)");
    let error = interpreted("fn depth(n: f64) -> r", &numbers(&[256.0])).unwrap_err();
    assert!(error.starts_with("max_recursion_depth exceeded"), "{error}");
    // On any thread, however small its stack.
    let small = std::thread::Builder::new().stack_size(64 << 10);
    assert_eq!(small.spawn(|| depth(255.0).unwrap()).unwrap().join().unwrap(), 255.0);
}

/// The kernels of functions that call themselves run on devices, whatever fails there.
#[test]
fn on_a_device() {
    let dynamic = |list: Vec<Array2<f64>>| list.into_iter().map(Array2::into_dyn).collect::<Vec<_>>();
    let (x, zeros) = ([5.0, 3.0], [0.0; 2]);
    failing::each_operation("dft_rec", &|| dft_rec(x, zeros).map(|(re, im)| dynamic(vec![re, im])));
    let x = [5.0, 3.0, 8.0, 1.0, 9.0, 2.0, 7.0, 3.0];
    let a = array![[2.0, 1.0, 3.0], [0.0, 4.0, 1.0], [5.0, 2.0, 2.0]];
    let one = |number: megha::Result<f64>| number.map(|number| dynamic(vec![Array2::from_elem((1, 1), number)]));
    let calls: &[(&str, &dyn Fn() -> failing::Results)] = &[
        ("dft_rec", &|| dft_rec(x, [0.5; 8]).map(|(re, im)| dynamic(vec![re, im]))),
        ("qs", &|| qs(x).map(|r| dynamic(vec![r]))),
        ("ms", &|| ms(x).map(|r| dynamic(vec![r]))),
        ("msort", &|| msort(x).map(|r| dynamic(vec![r]))),
        ("qsort_in", &|| qsort_in(x, 1.0, 8.0).map(|r| dynamic(vec![r]))),
        ("perms_rec", &|| perms_rec([1.0, 2.0, 3.0]).map(|p| dynamic(vec![p]))),
        ("fill", &|| fill(&a, 2.0, 1.0, 6.0).map(|r| dynamic(vec![r]))),
        ("times_magic", &|| times_magic(&a).map(|r| dynamic(vec![r]))),
        ("ends", &|| one(ends(x, 3.0))),
        ("sumrec", &|| one(sumrec(x))),
        ("mydet", &|| one(mydet(&a))),
        ("countperm", &|| one(countperm([1.0, 2.0, 3.0], 1.0))),
    ];
    for (name, call) in calls {
        let device = failing::instant();
        let got = megha::device::with(device.clone(), megha::device::Placement::Gpu, call);
        failing::assert_alike(name, megha::device::Placement::Auto, &got, &call());
        assert_eq!(device.mistakes(), [""; 0], "{name}");
        failing::assert_given_back(name, &device);
    }
}

/// Their arrays stay on the device between calls.
#[test]
fn arrays_stay_on_a_device() {
    let (x, zeros) = (array![[5.0, 3.0, 8.0, 1.0]], Array2::zeros((1, 4)));
    let (re, im) = dft_rec(&x, &zeros).unwrap();
    let wanted = dft_rec(&re, &im).unwrap();
    let device = failing::instant();
    let got = megha::device::with(device.clone(), megha::device::Placement::Gpu, || {
        let (re, im) = dft_rec_resident(&megha::Array::of(&x), &megha::Array::of(&zeros))?;
        let (re, im) = dft_rec_resident(&re, &im)?;
        Ok::<_, megha::Error>((re.to_ndarray()?, im.to_ndarray()?))
    });
    assert_eq!(got.unwrap(), wanted);
    assert_eq!(device.mistakes(), [""; 0]);
    failing::assert_given_back("resident arrays", &device);
}
