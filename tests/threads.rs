//! Threads that have little: a stack of the least size, or no thread-locals any more.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::thread;

use megha::matlab;
use ndarray::{Array2, Array3};

matlab! {
    function s = total(x)
        arguments
            x (n,m) double
        end
        s = sum(x(:));
    end

    function s = product(x)
        arguments
            x (n,m) double
        end
        s = prod(1 + x(:) / 1e6);
    end

    function s = along_columns(x)
        arguments
            x (n,m) double
        end
        s = sum(x, 1);
    end

    function s = along_rows(x)
        arguments
            x (n,m) double
        end
        s = sum(x, 2);
    end

    function s = least(x)
        arguments
            x (n,m) double
        end
        s = min(x, [], 2);
    end

    function s = some(x)
        arguments
            x (n,m) double
        end
        s = any(x > 0.5, 2);
    end

    function [least, most] = extremes(x)
        arguments
            x (n,m) double
        end
        least = min(x, [], 2);
        most = max(x, [], 2);
    end

    function [middle, outer] = of_cube(x)
        arguments
            x (n,m,k) double
        end
        middle = sum(x .* x, 2);
        outer = mean(sqrt(abs(x)), 3);
    end

    function [c, d, total, r, tall] = many_things(a)
        arguments
            a (n,n) double
        end
        c = a * a;
        d = abs(fft(a(:, 1)));
        total = sum(sum(exp(-c .* c)));
        r = inv(a + 50 * eye(rows(a))) * c;
        tall = repmat(a(:, 1:8), 100, 1) * a(1:8, 1:8);
        printf("%d\n", rows(a));
    end
}

/// The least stack that a thread of this platform can have is no smaller than this (`PTHREAD_STACK_MIN`).
const SMALL: usize = 16 << 10;

fn on_small_stack<R: Send + 'static>(run: impl FnOnce() -> R + Send + 'static) -> R {
    thread::Builder::new().stack_size(SMALL).spawn(run).unwrap().join().unwrap()
}

fn matrix(n: usize, m: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, m), |(i, j)| ((i * 37 + j * 11) % 101) as f64 / 50.0 - 1.0)
}

/// The call gives there what it gives here.
fn check<X: Clone + Send + 'static, R: PartialEq + Debug + Send + 'static>(x: &X, call: fn(&X) -> R) {
    let here = call(x);
    let given = x.clone();
    assert_eq!(on_small_stack(move || call(&given)), here);
}

#[test]
fn reductions_need_little_stack() {
    for (n, m) in [(3, 5), (40, 20), (200, 70), (7, 5000), (5000, 7)] {
        for x in [matrix(n, m), matrix(m, n).reversed_axes()] {
            check(&x, |x| total(x).unwrap());
            check(&x, |x| product(x).unwrap());
            check(&x, |x| along_columns(x).unwrap());
            check(&x, |x| along_rows(x).unwrap());
            check(&x, |x| least(x).unwrap());
            check(&x, |x| some(x).unwrap());
            check(&x, |x| extremes(x).unwrap());
        }
    }
    for shape in [(3, 5, 4), (40, 50, 2), (130, 40, 35)] {
        let x = Array3::from_shape_fn(shape, |(i, j, k)| ((i * 3 + j * 7 + k) % 13) as f64);
        check(&x, |x| of_cube(x).unwrap());
    }
}

type Results = (Array2<f64>, Array2<f64>, f64, Array2<f64>, Array2<f64>);

/// A thread-local whose destructor calls compiled functions.
struct Late(Arc<Mutex<Option<Results>>>);

impl Drop for Late {
    fn drop(&mut self) {
        *self.0.lock().unwrap() = Some(megha::rt::output::captured(|| many_things(matrix(40, 40)).unwrap()).0);
    }
}

thread_local! {
    static LATE: Mutex<Option<Late>> = const { Mutex::new(None) };
}

/// Thread-locals are destroyed in the opposite order of their first use, or in this one: the destructor runs before or behind those of the library.
#[test]
fn calls_work_while_thread_locals_are_destroyed() {
    let (wanted, printed) = megha::rt::output::captured(|| many_things(matrix(40, 40)).unwrap());
    assert_eq!(printed, "40\n");
    for (before, behind) in [(false, false), (true, false), (false, true), (true, true)] {
        let results = Arc::new(Mutex::new(None));
        let late = Late(results.clone());
        let call = || _ = megha::rt::output::captured(|| many_things(matrix(40, 40)).unwrap());
        thread::spawn(move || {
            if before {
                call();
            }
            LATE.with(|slot| *slot.lock().unwrap() = Some(late));
            if behind {
                call();
            }
        })
        .join()
        .unwrap();
        assert_eq!(results.lock().unwrap().as_ref(), Some(&wanted), "{before} {behind}");
    }
}
