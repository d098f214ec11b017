//! Arguments of programs from files, and their results to files.

use std::io::Write;
use std::rc::Rc;

use ndarray::{Array, ArrayD, ArrayView, ArrayView1, ArrayView2, ArrayView3, Dimension, IxDyn, ShapeBuilder};

/// A number, or an array.
pub enum Argument {
    Number(f64),
    Array(ArrayD<f64>),
}

impl Argument {
    /// A number, or `SIZExSIZE…:FILE`, columns first or rows first.
    pub fn load(word: &str, columns_first: bool) -> Result<Argument, String> {
        let Some((sizes, file)) = word.split_once(':') else {
            return word.parse().map(Argument::Number).map_err(|_| format!("{word} is no argument"));
        };
        let sizes: Vec<usize> = sizes.split('x').filter_map(|size| size.parse().ok()).collect();
        let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
        let numbers = bytes.chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().expect("eight bytes")));
        let numbers = in_huge_pages(numbers.collect());
        let rows_first = ArrayD::from_shape_vec(IxDyn(&sizes), numbers).map_err(|error| error.to_string())?;
        if !columns_first {
            return Ok(Argument::Array(rows_first));
        }
        let numbers = in_huge_pages(rows_first.t().iter().copied().collect());
        let columns_first = ArrayD::from_shape_vec(IxDyn(&sizes).f(), numbers).map_err(|error| error.to_string())?;
        Ok(Argument::Array(columns_first))
    }

    pub fn number(&self) -> f64 {
        match self {
            Argument::Number(number) => *number,
            Argument::Array(_) => panic!("a number is expected"),
        }
    }

    pub fn count(&self) -> usize {
        self.number() as usize
    }

    pub fn vector(&self) -> ArrayView1<'_, f64> {
        self.view()
    }

    pub fn matrix(&self) -> ArrayView2<'_, f64> {
        self.view()
    }

    pub fn cube(&self) -> ArrayView3<'_, f64> {
        self.view()
    }

    fn view<D: Dimension>(&self) -> ArrayView<'_, f64, D> {
        match self {
            Argument::Number(_) => panic!("an array is expected"),
            Argument::Array(array) => array.view().into_dimensionality().expect("an array of these dimensions"),
        }
    }
}

megha::matlab! {
    function y = copied(x)
    arguments
        x (n,1) double
    end
    y = x;
    end
}

/// The numbers in memory of Megha's, which asks for huge pages, as NumPy does for the arrays of the peers: walking over many small ones takes longer.
fn in_huge_pages(numbers: Vec<f64>) -> Vec<f64> {
    let copy = copied(ArrayView1::from(&numbers)).expect("there is memory");
    copy.into_raw_vec_and_offset().0
}

/// What a call returned.
pub struct Results(Vec<Rc<ArrayD<f64>>>);

impl Results {
    /// An array that the program keeps, to write into it again.
    pub fn shared(array: Rc<ArrayD<f64>>) -> Results {
        Results(vec![array])
    }

    fn of(arrays: impl IntoIterator<Item = ArrayD<f64>>) -> Results {
        Results(arrays.into_iter().map(Rc::new).collect())
    }

    /// Lets the next call have the memory, as a form `f_into` does.
    pub fn recycle(self) {
        self.0.into_iter().filter_map(Rc::into_inner).for_each(megha::memory::recycle);
    }

    /// Writes each result to a file, rows first, and answers their shapes.
    pub fn store(&self, prefix: &str) -> std::io::Result<String> {
        let mut answer = String::from("ok");
        for (place, result) in self.0.iter().enumerate() {
            let mut file = std::io::BufWriter::new(std::fs::File::create(format!("{prefix}.{place}"))?);
            for number in result.iter() {
                file.write_all(&number.to_le_bytes())?;
            }
            file.flush()?;
            let sizes: Vec<String> = result.shape().iter().map(usize::to_string).collect();
            answer += &format!(" {}", if sizes.is_empty() { "1".into() } else { sizes.join("x") });
        }
        Ok(answer)
    }
}

impl<D: Dimension> From<Array<f64, D>> for Results {
    fn from(array: Array<f64, D>) -> Results {
        Results::of([array.into_dyn()])
    }
}

impl From<f64> for Results {
    fn from(number: f64) -> Results {
        Results::of([ndarray::arr0(number).into_dyn()])
    }
}

impl From<(f64, f64, f64)> for Results {
    fn from((a, b, c): (f64, f64, f64)) -> Results {
        Results::of([a, b, c].map(|number| ndarray::arr0(number).into_dyn()))
    }
}

impl<D: Dimension, E: Dimension> From<(Array<f64, D>, Array<f64, E>)> for Results {
    fn from((a, b): (Array<f64, D>, Array<f64, E>)) -> Results {
        Results::of([a.into_dyn(), b.into_dyn()])
    }
}

impl<D: Dimension> From<(Array<f64, D>, Array<f64, D>, Array<f64, D>)> for Results {
    fn from((a, b, c): (Array<f64, D>, Array<f64, D>, Array<f64, D>)) -> Results {
        Results::of([a, b, c].map(Array::into_dyn))
    }
}

impl<D: Dimension, E: Dimension> From<(Array<f64, D>, Array<f64, E>, f64)> for Results {
    fn from((a, b, number): (Array<f64, D>, Array<f64, E>, f64)) -> Results {
        Results::of([a.into_dyn(), b.into_dyn(), ndarray::arr0(number).into_dyn()])
    }
}

impl<D: Dimension, const COUNT: usize> From<[Array<f64, D>; COUNT]> for Results {
    fn from(arrays: [Array<f64, D>; COUNT]) -> Results {
        Results::of(arrays.map(Array::into_dyn))
    }
}
