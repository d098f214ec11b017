//! Matrix products: on the CPU, by a device's kernels, or by its library.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Builder, Device, Kind, Placement, strict, with};
use megha_sim::Operation;
use megha_sim_driver::Loaded;
use ndarray::{Array2, ArrayD, ArrayView2, ShapeBuilder};

use super::common::golden::distance;
use super::{driver, failing};

megha::matlab! {
    function d = chain(a, b)
    arguments
        a (n,k) double
        b (k,m) double
    end
    c = a * b;
    d = transpose(c) * (2 * c) + 1;
    end

    function c = single_product(a, b)
    arguments
        a (n,k) single
        b (k,m) single
    end
    c = a * b;
    end

    function y = powers(a, x, times)
    arguments
        a (n,n) double
        x (n,1) double
        times (1,1) double
    end
    y = x;
    for t = 1:times
        y = a * y / 2;
    end
    end
}

megha::matlab! {
    function x = solved(l, b)
    arguments
        l (n,n) double
        b (n,1) double
    end
    x = b;
    for i = 1:numel(b)
        x(i) = (b(i) - l(i, 1:i-1) * x(1:i-1)) / l(i, i);
    end
    end

    function a = parted(a)
    arguments
        a (n,n) double
    end
    for i = 1:size(a, 1)
        for j = 1:i-1
            a(i, j) = (a(i, j) - a(i, 1:j-1) * a(1:j-1, j)) / a(j, j);
        end
        for j = i:size(a, 1)
            a(i, j) = a(i, j) - dot(a(i, 1:i-1), a(1:i-1, j));
        end
    end
    end

    function y = of_rows(first, col, val, x)
    arguments
        first (r,1) uint32
        col (m,1) uint32
        val (m,1) double
        x (n,1) double
    end
    y = zeros(numel(first) - 1, 1);
    for i = 1:numel(first) - 1
        c = col(first(i) + 1:first(i + 1)) + 1;
        y(i) = transpose(val(first(i) + 1:first(i + 1))) * x(c);
    end
    end

    function y = of_row(a, k)
    arguments
        a (n,m) double
        k (1,1) double
    end
    y = zeros(1, size(a, 2));
    for j = 1:size(a, 2)
        y(j) = a(k, 1:j-1) * a(1:j-1, 1) + 1;
    end
    end
}

/// A slice of no elements is tested, too.
#[test]
fn slices_of_nothing_are_inside() {
    let a = Array2::ones((1, 1));
    assert_eq!(of_row(&a, 1.0).unwrap(), a);
    for row in [0.0, 2.0, 1.5] {
        assert!(of_row(&a, row).is_err(), "{row}");
    }
}

/// Products of slices in loops over elements add up in order, whatever the memory order, the threads and the device.
#[test]
fn products_of_slices_have_one_order() {
    let n = 150;
    let a = numbers(n, n, 3) + Array2::from_diag_elem(n, 9.0);
    let b = numbers(n, 1, 5);
    let mut x = b.clone();
    for i in 0..n {
        let sum = (0..i).fold(0.0, |sum, k| sum + a[[i, k]] * x[[k, 0]]);
        x[[i, 0]] = (b[[i, 0]] - sum) / a[[i, i]];
    }
    let mut parts = a.clone();
    for i in 0..n {
        for j in 0..n {
            let sum = (0..i.min(j)).fold(0.0, |sum, k| sum + parts[[i, k]] * parts[[k, j]]);
            parts[[i, j]] -= sum;
            if j < i {
                parts[[i, j]] /= parts[[j, j]];
            }
        }
    }
    let first: Vec<u32> = (0..=n).map(|i| (i * i / 7) as u32).collect();
    let many = first[n] as usize;
    let col: Vec<u32> = (0..many).map(|k| (k * 31 % n) as u32).collect();
    let val: Vec<f64> = (0..many).map(|k| (k as f64 * 0.618).cos()).collect();
    let y = Array2::from_shape_fn((n, 1), |(i, _)| {
        let range = first[i] as usize..first[i + 1] as usize;
        range.fold(0.0, |sum, k| sum + val[k] * b[[col[k] as usize, 0]])
    });
    let mut columns = Array2::zeros((n, n).f());
    columns.assign(&a);
    for (order, a) in [("rows first", a.view()), ("columns first", columns.view())] {
        let check = |how: &str| {
            assert_eq!(solved(a, &b).unwrap(), x, "{order}, {how}");
            assert_eq!(parted(a).unwrap(), parts, "{order}, {how}");
            assert_eq!(of_rows(&first, &col, &val, &b).unwrap(), y, "{order}, {how}");
        };
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| check(&format!("{threads} threads")));
        }
        for placement in [Placement::Cpu, Placement::Gpu] {
            with(Arc::new(SimDevice::new(SimDevice::standard())), placement, || check(&format!("{placement:?}")));
        }
    }
}

/// Numbers that are not exact, so that sums depend on their order.
fn numbers(rows: usize, columns: usize, seed: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 31 + j * 7 + seed) as f64 * 0.618).sin())
}

/// What is done with two factors, which a text describes.
type Run<'r> = &'r mut dyn FnMut(&str, ArrayView2<f64>, ArrayView2<f64>);

/// The factors in all combinations of memory orders, some not contiguous.
fn calls([n, k, m]: [usize; 3], run: Run<'_>) {
    let (a, b) = (numbers(n, k, 1), numbers(k, m, 2));
    let mut columns = Array2::zeros((k, m).f());
    columns.assign(&b);
    let gaps = numbers(2 * n, 3 * k, 3);
    let gaps = gaps.slice(ndarray::s![..;2, ..;-3]);
    for (name, a, b) in [
        ("rows, rows", a.view(), b.view()),
        ("rows, columns", a.view(), columns.view()),
        ("strided, columns", gaps, columns.view()),
        ("strided, rows", gaps, b.view()),
    ] {
        run(&format!("{n} by {k} by {m}, {name}"), a, b);
    }
}

const SIZES: [[usize; 3]; 7] = [[3, 4, 5], [17, 9, 23], [1, 7, 5], [7, 5, 1], [0, 3, 2], [3, 0, 2], [1, 1, 3]];

/// A new device on the simulated driver.
fn device() -> Arc<dyn Device> {
    Builder::new(Kind::Gpu).open().unwrap().expect("the simulated driver").0
}

fn one(array: Array2<f64>) -> Vec<ArrayD<f64>> {
    vec![array.into_dyn()]
}

/// On a device with cuBLAS: equal up to the order of sums, or to the bit in the strict mode; whatever fails.
pub fn by_cublas(driver: &Loaded) {
    let (mut differ, mut chosen) = (0, 0);
    for placement in [Placement::Gpu, Placement::Auto] {
        for size in SIZES {
            calls(size, &mut |what, a, b| {
                driver.reset();
                let device = device();
                let wanted = chain(a, b).unwrap();
                let got = with(device.clone(), placement, || chain(a, b)).unwrap();
                assert!(distance(&got.clone().into_dyn(), &wanted.clone().into_dyn()) <= 1e-12, "{what}");
                let made = driver.products() > 0;
                if placement == Placement::Gpu {
                    assert_eq!(made, size[0] * size[2] > 0, "{what}");
                }
                chosen += usize::from(made && placement == Placement::Auto);
                differ += usize::from(got != wanted);
                let before = driver.products();
                assert_eq!(strict(|| with(device.clone(), placement, || chain(a, b))).unwrap(), wanted, "{what}");
                assert_eq!(driver.products(), before, "{what}: a product in the strict mode");
            });
        }
    }
    // where the simulated driver is slower than it seemed, it is left
    assert!(chosen > 0, "no block had its products on the device");
    assert!(differ > 0, "the simulated library adds in another order");
    singles_and_loops(driver);
    arrays_that_stay(driver);
    failures();
    assert_eq!(driver.mistakes(), 0);
}

fn singles_and_loops(driver: &Loaded) {
    driver.reset();
    let device = device();
    let (a, b) = (numbers(9, 8, 1).mapv(|x| x as f32), numbers(8, 7, 2).mapv(|x| x as f32));
    let wanted = single_product(&a, &b).unwrap();
    let got = with(device.clone(), Placement::Gpu, || single_product(&a, &b)).unwrap();
    let double = |array: &Array2<f32>| array.mapv(f64::from).into_dyn();
    assert!(driver.products() == 1 && distance(&double(&got), &double(&wanted)) <= 1e-6);
    let (a, x) = (numbers(6, 6, 3), numbers(6, 1, 4));
    let wanted = powers(&a, &x, 9.0).unwrap();
    let got = with(device.clone(), Placement::Gpu, || powers(&a, &x, 9.0)).unwrap();
    assert!(driver.products() == 10 && distance(&got.into_dyn(), &wanted.into_dyn()) <= 1e-12);
    let moved = megha::last_run().unwrap().moved;
    assert_eq!((moved.uploads, moved.downloads), (2, 1), "nothing moves within the loop");
    // what is wrong is said as on the CPU
    let wrong = [None, Some(device)].map(|device| {
        let call = || chain(numbers(2, 3, 1), numbers(2, 3, 1)).unwrap_err();
        device.map_or_else(call, |device| with(device, Placement::Gpu, call))
    });
    assert_eq!(wrong[0], wrong[1]);
}

fn arrays_that_stay(driver: &Loaded) {
    driver.reset();
    let (a, b) = (numbers(5, 6, 1), numbers(6, 5, 2));
    let product = with(device(), Placement::Gpu, || {
        let (a, b) = (megha::Array::of(&a), megha::Array::of(&b));
        let square = chain_resident(&a, &b)?;
        assert!(square.is_on_device());
        chain_resident(&square, &square)?.to_ndarray()
    });
    let square = chain(&a, &b).unwrap();
    let wanted = chain(&square, &square).unwrap();
    assert!(distance(&product.unwrap().into_dyn(), &wanted.into_dyn()) <= 1e-12);
}

/// Every call of the driver and of cuBLAS fails in turn. Whole numbers, of which all sums are exact.
fn failures() {
    let whole = |rows, columns| Array2::from_shape_fn((rows, columns), |(i, j)| (i + 2 * j) as f64 - 3.0);
    let (a, b) = (whole(4, 5), whole(5, 3));
    driver::each_call("chain", &|| chain(&a, &b).map(one));
    let (a, x) = (whole(4, 4), whole(4, 1));
    driver::each_call("powers", &|| powers(&a, &x, 2.0).map(one));
}

/// On a device with cuBLAS in a process that is strict: as on the CPU, to the bit, on whichever thread.
pub fn never_by_cublas(driver: &Loaded) {
    for placement in [Placement::Gpu, Placement::Auto] {
        for size in SIZES {
            calls(size, &mut |what, a, b| {
                driver.reset();
                let wanted = chain(a, b).unwrap();
                let call = || with(device(), placement, || chain(a, b));
                let got = std::thread::scope(|scope| scope.spawn(call).join().unwrap()).unwrap();
                assert_eq!((got, driver.products()), (wanted, 0), "{what}, {placement:?}");
                let used = driver.launches() > 0 || size[0] * size[2] == 0 || placement == Placement::Auto;
                assert!(used, "{what}: nothing ran on the device");
            });
        }
    }
    assert_eq!(driver.mistakes(), 0);
}

/// On a device without cuBLAS, with and without tensor cores: by its kernels, as on the CPU to the bit. Nothing but the factors and the result moves.
pub fn by_kernels(driver: &Loaded) {
    for (capability, version) in [(70, 12_040), (80, 11_000), (90, 11_070), (90, 11_080)] {
        for size in SIZES {
            calls(size, &mut |what, a, b| {
                driver.reset_to(1 << 30, version, 1, capability);
                let got = with(device(), Placement::Gpu, || chain(a, b)).unwrap();
                let moved = megha::last_run().unwrap().moved;
                assert_eq!(got, chain(a, b).unwrap(), "{what}, sm_{capability}, driver {version}");
                let some = size[0] * size[1] * size[2] > 0;
                assert!(!some || (moved.uploads, moved.downloads) == (2, 1), "{what}: {moved:?}");
                assert_eq!((driver.products(), driver.mistakes()), (0, 0), "{what}");
            });
        }
    }
    let whole = |rows, columns| Array2::from_shape_fn((rows, columns), |(i, j)| (i + 2 * j) as f64 - 3.0);
    let (a, b) = (whole(4, 5), whole(5, 3));
    driver::each_call("chain", &|| chain(&a, &b).map(one));
}

/// The simulated GPU has no library: its kernels make products.
#[test]
fn products_between_kernels() {
    for size in SIZES {
        calls(size, &mut |what, a, b| _ = failing::each_operation_if_any(what, &|| chain(a, b).map(one)));
    }
}

/// Products and kernels on either side by lot, with each launch failing in turn: whole numbers, of which all sums are exact.
#[test]
fn products_by_lot() {
    let whole = |rows, columns| Array2::from_shape_fn((rows, columns), |(i, j)| (i + 2 * j) as f64 - 3.0);
    let (a, b) = (whole(4, 5), whole(5, 3));
    let wanted = chain(&a, &b).unwrap();
    let mut made = [0; 3];
    for seed in 0..16 {
        let device = || Arc::new(SimDevice::new(SimDevice::standard()).multiplying().by_lot(seed));
        let healthy = device();
        for nth in 0..=4 {
            let device = if nth == 0 { healthy.clone() } else { device() };
            if nth > 0 {
                device.simulator().fail(Operation::Launch, nth);
            }
            assert_eq!(with(device.clone(), Placement::Auto, || chain(&a, &b)).unwrap(), wanted, "lot {seed}, {nth}");
            assert_eq!(device.mistakes(), [""; 0], "lot {seed}, {nth}");
            failing::assert_given_back("chain", &device);
        }
        let products = healthy.simulator().timeline().into_iter().filter(|span| span.name == "matrix product").count();
        made[products] += 1;
    }
    assert!(made.iter().all(|lots| *lots > 0), "lots with no, one and two products on the device: {made:?}");
}

/// The strict mode is part of what decisions depend on: the same call in both modes, one after the other.
#[test]
fn decisions_know_the_strict_mode() {
    let ones = Array2::from_elem((256, 256), 1.0);
    let device = Arc::new(SimDevice::new(SimDevice::standard()).multiplying());
    let products = || device.simulator().timeline().into_iter().filter(|span| span.name == "matrix product").count();
    let call = || drop(with(device.clone(), Placement::Auto, || chain(&ones, &ones)).unwrap());
    for (strictly, more) in [(true, 0), (false, 2), (true, 0), (false, 2)] {
        let before = products();
        if strictly {
            strict(call)
        } else {
            call()
        }
        assert_eq!(products() - before, more, "strict: {strictly}");
    }
}
