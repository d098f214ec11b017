//! The form `f_into`, which gives results in the place of those of an earlier call: what it makes is what `f` makes, whatever lay there.

use megha::c64;
use ndarray::{Array, Array1, Array2, ShapeBuilder};

megha::matlab! {
    function [y, s, z] = parts(x, k)
    arguments
        x (n,m) double
        k (1,1) double
    end
    y = x + k;
    s = sum(sum(x));
    z = x(:, 1) > k;
    end

    function y = area(area)
    arguments
        area (n,1) double
    end
    y = area * 2;
    end

    function y = area_into(x)
    arguments
        x (n,1) double
    end
    y = x * 3;
    end

    function same_name = same_name(same_name)
    arguments
        same_name (n,1) double
    end
    same_name(1) = 7;
    end
}
megha::matlab!(file "matlab/turned.m", fn turned(x: c64[n, 1]) -> (y));

#[test]
fn results_are_those_of_the_plain_form() {
    let shapes = [(3, 4), (1, 1), (200, 300), (2, 0), (3, 4)];
    let (mut y, mut s, mut z) = (Array2::from_elem((5, 5), f64::NAN), f64::NAN, Array2::from_elem((1, 1), true));
    for (rows, columns) in shapes {
        for first in [true, false] {
            let x = Array::from_shape_fn((rows, columns).set_f(first), |(i, j)| (i * 7 + j * 3) as f64 - 9.0);
            if columns == 0 {
                assert!(parts_into(&x, 2.0, &mut y, &mut s, &mut z).is_err());
                assert_eq!((y.len(), z.len()), (0, 0), "what failed leaves nothing");
                continue;
            }
            parts_into(&x, 2.0, &mut y, &mut s, &mut z).unwrap();
            assert_eq!((y.clone(), s, z.clone()), parts(&x, 2.0).unwrap());
            assert_eq!(y.strides(), x.strides(), "in the order of the arguments");
        }
    }
}

#[test]
fn large_results_lie_where_those_before_lay() {
    let x = Array2::from_elem((300, 200), 0.5);
    let (mut y, mut s, mut z) = parts(&x, 1.0).unwrap();
    let places = (y.as_ptr(), z.as_ptr());
    parts_into(&x, 3.0, &mut y, &mut s, &mut z).unwrap();
    assert_eq!((y.as_ptr(), z.as_ptr()), places);
    assert!(y.iter().all(|y| *y == 3.5));
}

#[test]
fn names_of_arguments_and_results_may_be_one() {
    let mut given = Array2::default((0, 0));
    same_name_into([1.0, 2.0], &mut given).unwrap();
    assert_eq!(given, ndarray::arr2(&[[7.0], [2.0]]));
}

/// The program's own function goes before the form, and has one itself whose argument has another name than `area`'s.
#[test]
fn a_function_may_have_the_name_of_a_form_or_of_its_argument() {
    assert_eq!(area([1.0]).unwrap(), ndarray::arr2(&[[2.0]]));
    assert_eq!(area_into([1.0]).unwrap(), ndarray::arr2(&[[3.0]]));
    let mut y = Array2::default((0, 0));
    area_into_into([2.0], &mut y).unwrap();
    assert_eq!(y, ndarray::arr2(&[[6.0]]));
}

#[test]
fn complex_numbers_too() {
    let x = Array1::from_iter((0..20).map(|k| c64::new(f64::from(k), -1.0)));
    let mut y = Array2::default((0, 0));
    turned_into(&x, &mut y).unwrap();
    assert_eq!(y, turned(&x).unwrap());
}
