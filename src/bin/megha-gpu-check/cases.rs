//! What is checked: programs and kernels with their inputs, in three sizes.

use megha::rt::ndarray::{Array, Array1, Array2, ArrayD, Dimension};

use crate::{kernels, programs};

/// How much work the cases are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// For the simulated device and for checking tools.
    Small,
    /// Fills a device.
    Usual,
    /// MEGHA's Table 3.2 and beyond.
    Large,
}

impl Size {
    pub fn of(word: &str) -> Option<Size> {
        match word {
            "small" => Some(Size::Small),
            "usual" => Some(Size::Usual),
            "large" => Some(Size::Large),
            _ => None,
        }
    }

    /// The one of three that belongs to this size.
    pub fn pick<T: Copy>(self, three: [T; 3]) -> T {
        three[self as usize]
    }
}

/// The results of a call, as doubles.
pub type Results = megha::Result<Vec<ArrayD<f64>>>;

/// A result that becomes doubles when it is compared, which is no part of a call's time.
pub type Given = Box<dyn FnOnce() -> ArrayD<f64>>;

/// A call.
pub struct Case {
    pub name: &'static str,
    /// Its size, for people.
    pub size: String,
    pub run: Box<dyn Fn() -> megha::Result<Vec<Given>>>,
}

/// The results of a call as doubles.
pub fn doubles(given: megha::Result<Vec<Given>>) -> Results {
    given.map(|given| given.into_iter().map(|given| given()).collect())
}

impl Case {
    pub fn new(name: &'static str, size: impl ToString, run: impl Fn() -> megha::Result<Vec<Given>> + 'static) -> Case {
        Case { name, size: size.to_string(), run: Box::new(run) }
    }
}

pub fn all(size: Size) -> Vec<Case> {
    let mut cases = programs::all(size);
    cases.extend(kernels::all(size));
    cases
}

pub fn names() -> Vec<&'static str> {
    all(Size::Small).into_iter().map(|case| case.name).collect()
}

/// Results are the same if all bits are, but for those of NaN; errors if their texts are. What differs, in words.
pub fn same(got: &Results, wanted: &Results) -> Option<String> {
    let (got, wanted) = match (got, wanted) {
        (Ok(got), Ok(wanted)) => (got, wanted),
        (Err(got), Err(wanted)) if got == wanted => return None,
        (Err(got), _) => return Some(format!("the device gives the error {got}")),
        (Ok(_), Err(wanted)) => return Some(format!("the device gives no error, the CPU {wanted}")),
    };
    for (number, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        if got.shape() != wanted.shape() {
            return Some(format!("result {number} has the size {:?}, not {:?}", got.shape(), wanted.shape()));
        }
        let differs =
            |(got, wanted): (&f64, &f64)| got.to_bits() != wanted.to_bits() && !(got.is_nan() && wanted.is_nan());
        let count = got.iter().zip(wanted).filter(|pair| differs(*pair)).count();
        let first = got.indexed_iter().zip(wanted).find(|((_, got), wanted)| differs((got, wanted)));
        if let Some(((at, got), wanted)) = first {
            return Some(format!("result {number} differs {count} times, first at {at:?}: {got:e}, not {wanted:e}"));
        }
    }
    None
}

/// An array of doubles from any result.
pub trait Doubles {
    fn doubles(self) -> Given;
}

impl<T: Copy + Into<f64> + 'static, D: Dimension + 'static> Doubles for Array<T, D> {
    fn doubles(self) -> Given {
        Box::new(move || self.mapv(Into::into).into_dyn())
    }
}

impl Doubles for f64 {
    fn doubles(self) -> Given {
        Box::new(move || ArrayD::from_elem(vec![1, 1], self))
    }
}

/// Numbers that follow no pattern and are the same in every run (SplitMix64: Steele, Lea and Flood, Fast Splittable Pseudorandom Number
/// Generators, 2014).
pub struct Noise(pub u64);

impl Noise {
    /// The next number, in [0, 1).
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn column(&mut self, n: usize, low: f64, high: f64) -> Array1<f64> {
        Array1::from_shape_simple_fn(n, || low + (high - low) * self.next())
    }

    pub fn matrix(&mut self, rows: usize, columns: usize) -> Array2<f64> {
        Array2::from_shape_simple_fn((rows, columns), || 2.0 * self.next() - 1.0)
    }
}
