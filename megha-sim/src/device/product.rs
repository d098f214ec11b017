//! Matrix products as a library of the device makes them.

use super::clock::Engine;
use super::config::Model;
use super::fault::Operation;
use super::launch::Ptr;
use super::order::Touch;
use super::{Device, Stream};
use crate::Error;

/// A product of dense matrices that lie columns first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// Whether the elements are singles; else they are doubles.
    pub single: bool,
    /// Rows and columns of the product, and the inner extent.
    pub extents: [usize; 3],
    /// Where the factors begin.
    pub factors: [Ptr; 2],
    /// Where the product begins, which overlaps neither.
    pub product: Ptr,
}

impl Product {
    fn size(&self) -> usize {
        if self.single { 4 } else { 8 }
    }

    /// Sums in the order of the inner index, without fused operations: the libraries of CPUs have other orders.
    fn compute(&self, a: &[u8], b: &[u8]) -> Vec<u8> {
        let ([m, n, k], [a, b]) = (self.extents, [a, b].map(|bytes| self.numbers(bytes)));
        let mut bytes = Vec::with_capacity(m * n * self.size());
        for at in 0..m * n {
            let (i, j) = (at % m, at / m);
            let terms = (0..k).map(|l| (a[i + l * m], b[l + j * k]));
            if self.single {
                let sum = terms.fold(0f32, |sum, (x, y)| sum + x as f32 * y as f32);
                bytes.extend(sum.to_ne_bytes());
            } else {
                bytes.extend(terms.fold(0.0, |sum, (x, y)| sum + x * y).to_ne_bytes());
            }
        }
        bytes
    }

    /// The elements of a factor; singles become doubles without loss.
    fn numbers(&self, bytes: &[u8]) -> Vec<f64> {
        let number = |word: &[u8]| match word.first_chunk() {
            Some(double) if !self.single => f64::from_ne_bytes(*double),
            _ => word.first_chunk().map_or(0.0, |single| f32::from_ne_bytes(*single).into()),
        };
        bytes.chunks(self.size()).map(number).collect()
    }

    /// The roofline of [`Model`]: a thread for each element of the product, the factors read once.
    fn time(&self, model: &Model) -> std::time::Duration {
        let [m, n, k] = self.extents.map(|extent| extent as u64);
        let share = ((m * n) as f64 / model.resident_threads.max(1) as f64).min(1.0);
        let flops = if self.single { model.flops32 } else { model.flops64 };
        let bytes = (m * k + k * n + m * n) * self.size() as u64;
        let terms = [(2 * m * n * k, flops), (bytes, model.memory_bandwidth)];
        let longest = terms.into_iter().map(|(amount, rate)| Model::at_rate(amount, rate * share)).max();
        model.launch_latency + longest.unwrap_or_default()
    }
}

impl Device {
    /// Multiplies matrices; counts as a launch.
    pub fn multiply(&self, stream: Stream, product: &Product) -> Result<(), Error> {
        let state = &mut *self.state();
        let stream = Self::known(state, stream)?;
        state.injection.begin(Operation::Launch)?;
        let ([m, n, k], size) = (product.extents, product.size());
        let name = "matrix product";
        let (mut factors, mut touches) = (Vec::new(), Vec::new());
        for (ptr, bytes) in product.factors.into_iter().zip([m * k * size, k * n * size]) {
            let (at, offset) = state.place(name, ptr, bytes)?;
            let (values, written) = state.read(at, offset, bytes);
            if written.is_some_and(|written| written.contains(&false)) {
                let place = "partly where nothing was written".to_string();
                return Err(Error::Address { operation: name, address: ptr.0, bytes, place });
            }
            touches.push(Touch::part(state.memory.regions[at].base, (offset, bytes), false));
            factors.push(values);
        }
        let (at, offset) = state.place(name, product.product, m * n * size)?;
        touches.push(Touch::part(state.memory.regions[at].base, (offset, m * n * size), true));
        let time = product.time(&self.config.model);
        let stamp = state.clock.issue(stream, Engine::Compute, name, self.config.model.issue, time);
        self.note(state, stream, name, touches, &stamp)?;
        state.write(at, offset, &product.compute(&factors[0], &factors[1]));
        Ok(())
    }
}
