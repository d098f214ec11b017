use super::*;
use crate::wide::tiles::{BaselineDoubles, BaselineSingles};

/// All lengths up to a vector's, and elements in any place: what is filled is what lies there, and nothing else is touched.
fn filled<T: Copy + Default + PartialEq + std::fmt::Debug, V: Wide<T>>(number: impl Fn(usize) -> T) {
    for points in 1..=V::LEN {
        for (first, iterations) in [(0, 5), (2, 3), (4, 1), (3, 0)] {
            // SAFETY: the baseline's registers; places and lengths are those of the block.
            let mut block = unsafe { Block::<V, 5>::clear() };
            // SAFETY: as above.
            unsafe {
                block.fill::<T, 3>(first, iterations, points, |iteration, point| number(iteration * 100 + point + 1))
            };
            for element in 0..5 {
                let mut all = [T::default(); SHORT];
                // SAFETY: as above.
                unsafe { keep(block.at(element), &mut all[..V::LEN]) };
                for (point, value) in all[..V::LEN].iter().enumerate() {
                    let inside = (first..first + iterations).contains(&element) && point < points;
                    let expected = if inside { number((element - first) * 100 + point + 1) } else { T::default() };
                    assert_eq!(*value, expected, "element {element}, point {point} of {points}");
                }
            }
            let given = std::cell::RefCell::new(Vec::new());
            // SAFETY: as above.
            unsafe {
                block.each::<T, 3>(first, iterations, points, |iteration, point, value| {
                    given.borrow_mut().push((iteration, point, value))
                })
            };
            let given = given.into_inner();
            assert_eq!(given.len(), iterations * points);
            assert!(given.into_iter().all(|(iteration, point, value)| value == number(iteration * 100 + point + 1)));
        }
    }
}

#[test]
fn blocks_hold_what_they_are_given() {
    filled::<f64, BaselineDoubles>(|n| n as f64);
    filled::<f32, BaselineSingles>(|n| n as f32);
}

#[test]
fn short_vectors_touch_no_memory_behind() {
    let width = <BaselineDoubles as Wide<f64>>::LEN;
    let numbers: Vec<f64> = (0..2 * width).map(|n| n as f64 + 0.5).collect();
    for len in 0..=width {
        let mut room = vec![-1.0; 2 * width];
        // SAFETY: the baseline's registers, and at most a vector.
        unsafe { keep(first::<f64, BaselineDoubles>(&numbers[..len]), &mut room[..len]) };
        assert_eq!(room[..len], numbers[..len]);
        assert!(room[len..].iter().all(|value| *value == -1.0));
        let mut all = vec![-1.0; width];
        // SAFETY: as above.
        unsafe { keep(first::<f64, BaselineDoubles>(&numbers[..len]), &mut all) };
        assert!(all[len..].iter().all(|value| *value == 0.0), "zeros behind {len} numbers");
    }
}
