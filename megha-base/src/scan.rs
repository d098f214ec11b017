//! Running sums: the one definition of the order in which they add.
//!
//! A line of elements is cut into runs of [`RUN`]. A run adds its elements one after the other; its sums stand on a carry, which is the
//! carry of the run before plus what that run came to. So up to [`RUN`] elements a running sum is added in the plain order, as
//! Octave adds; beyond, runs are added up independently of each other, by threads of a processor or of a device. Carries are added
//! in order, not by a tree: rounding is monotonic, hence the running sums of numbers that are not negative never decrease, on which
//! searches in them rely. This is a scan by blocks (Blelloch, "Prefix sums and their applications", 1990, section 1.2) whose shape depends on
//! nothing but the length.
//!
//! Of sums only those of floating-point numbers are cut; extremes are too, but what they come to does not depend on it. A product of a run may be infinite or zero where the running product is neither, and
//! integers saturate: both are one run, however long.

/// Elements of a run. No power of two, so that threads that walk through neighbouring runs do not meet in one set of a cache.
pub const RUN: usize = 1000;

/// The running combinations of `values` in runs of `run`, slowly and plainly.
pub fn reference<T: Copy>(
    values: impl IntoIterator<Item = T>,
    run: usize,
    mut combine: impl FnMut(T, T) -> T,
) -> Vec<T> {
    let (mut out, mut carry, mut total) = (Vec::new(), None, None);
    for (k, value) in values.into_iter().enumerate() {
        if k % run == 0 {
            carry = joined(carry, total.take(), &mut combine);
        }
        let sum = total.map_or(value, |total| combine(total, value));
        total = Some(sum);
        out.push(carry.map_or(sum, |carry| combine(carry, sum)));
    }
    out
}

fn joined<T>(carry: Option<T>, total: Option<T>, combine: &mut impl FnMut(T, T) -> T) -> Option<T> {
    match (carry, total) {
        (Some(carry), Some(total)) => Some(combine(carry, total)),
        (carry, total) => carry.or(total),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_this_one() {
        let brackets = |n: usize, run: usize| {
            let leaves = ["a", "b", "c", "d", "e", "f", "g"];
            let names: Vec<String> = leaves[..n].iter().map(|s| (*s).to_owned()).collect();
            let texts = std::cell::RefCell::new(names);
            let both = |a: usize, b: usize| {
                let text = format!("({}{})", texts.borrow()[a], texts.borrow()[b]);
                texts.borrow_mut().push(text);
                texts.borrow().len() - 1
            };
            let sums = reference(0..n, run, both);
            sums.iter().map(|s| texts.borrow()[*s].clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(brackets(0, 2), "");
        assert_eq!(brackets(4, 9), "a (ab) ((ab)c) (((ab)c)d)");
        assert_eq!(brackets(7, 2), "a (ab) ((ab)c) ((ab)(cd)) (((ab)(cd))e) (((ab)(cd))(ef)) ((((ab)(cd))(ef))g)");
    }

    #[test]
    fn running_sums_of_positive_numbers_never_decrease() {
        let sums = reference((0..50_000).map(|k| f64::from(k * 7919 % 10_007) * 1e-3), RUN, |a, b| a + b);
        assert!(sums.windows(2).all(|pair| pair[0] <= pair[1]));
    }
}
