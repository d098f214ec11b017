//! Every reduction of every class follows the tree: along each dimension, in both memory orders, on any number of threads.

use std::fmt::Debug;

use megha_rt as rt;
use ndarray::{Array3, Axis};
use proptest::prelude::*;
use rt::reduce::{All, Any, Indexed, Lanes, Max, Min, Op, Partials, PartialsOut, Prod, Space, Sum, tree};
use rt::{ColMajor, Input, Isa, Layout, RowMajor, Site, Vector, View};

const SITE: Site = Site { path: "test.m", line: 1, column: 1, text: "sum(x)" };

/// A reduction over dimension `dim`, or over everything, as the compiler emits it; `index` makes values of elements.
struct Reduce<'a, L: Layout, T, V, O> {
    space: Space,
    x: View<'a, L, T, 3>,
    index: fn(T, usize) -> V,
    out: PartialsOut<'a, V>,
    op: std::marker::PhantomData<O>,
}

impl<L: Layout, T: Copy + Sync, V: Copy + Send + Sync, O: Op<V>> rt::Kernel for Reduce<'_, L, T, V, O> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &rt::Chunk) {
        let mut value = [O::IDENTITY; rt::TILE];
        for block in self.space.blocks(chunk) {
            let element =
                |e: usize, inner: usize| (self.index)(self.x.as_slice()[self.space.offset(block.outer, e, inner)], e);
            if self.space.contiguous() {
                let mut lanes = Lanes::<V, O>::new(&block);
                for t in block.tiles() {
                    let value = &mut value[..t.len()];
                    value.iter_mut().zip(t).for_each(|(v, e)| *v = element(e, 0));
                    lanes.push::<I>(value);
                }
                // SAFETY: a block of this space, which only this thread has.
                #[allow(unsafe_code, reason = "as generated code does")]
                let out = unsafe { self.out.of(&block) };
                out[0] = lanes.fold();
            } else {
                // SAFETY: a block of this space, which only this thread has.
                #[allow(unsafe_code, reason = "as generated code does")]
                let Some(mut lanes) = (unsafe { self.out.rows::<O>(&block) }) else { return };
                for (e, piece) in block.walk() {
                    let value = &mut value[..piece.len()];
                    value.iter_mut().zip(piece.clone()).for_each(|(v, inner)| *v = element(e, inner));
                    lanes.push(e, piece.start - block.inner.start, value);
                }
                lanes.fold::<I>();
            }
        }
    }
}

fn along<L: Layout, T, V, O>(x: &Array3<T>, dim: usize, index: fn(T, usize) -> V, _: O) -> Array3<V>
where
    T: Copy + Send + Sync,
    V: Copy + Send + Sync,
    O: Op<V>,
{
    let packed = x.strided(Vector::Column).pack::<L>();
    let mut shape = packed.view().shape();
    let space = Space::along::<L, 3>(shape, dim);
    let mut partials = Partials::<V>::new(space);
    let kernel =
        Reduce::<L, T, V, O> { space, x: packed.view(), index, out: partials.out(), op: std::marker::PhantomData };
    rt::launch(&kernel, space.domain(), u32::MAX);
    shape[dim] = 1;
    // SAFETY: the kernel ran over the whole space.
    #[allow(unsafe_code, reason = "as generated code does")]
    unsafe { partials.combine::<O, L, 3>(shape, &SITE) }.unwrap().into_ndarray()
}

/// Compares each dimension and layout with the reference; `same` compares values (NaN equals NaN).
fn check<T, V, O>(x: &Array3<T>, index: fn(T, usize) -> V, op: O)
where
    T: Copy + Send + Sync,
    V: Copy + Send + Sync + Debug,
    O: Op<V>,
{
    for dim in 0..3 {
        let lanes = x.lanes(Axis(dim));
        let want: Vec<V> = lanes
            .into_iter()
            .map(|lane| tree::reference(lane.iter().enumerate().map(|(e, &v)| index(v, e)), O::IDENTITY, O::combine))
            .collect();
        let whole = [along::<ColMajor, _, _, _>(x, dim, index, op), along::<RowMajor, _, _, _>(x, dim, index, op)];
        let parted = [1, 2].map(|seed| rt::cuts::within(seed, || along::<ColMajor, _, _, _>(x, dim, index, op)));
        let rows = [3, 4].map(|seed| rt::cuts::within(seed, || along::<RowMajor, _, _, _>(x, dim, index, op)));
        for got in whole.into_iter().chain(parted).chain(rows) {
            let got: Vec<V> = got.into_iter().collect();
            // Debug output distinguishes every value, signed zeros included, and NaN prints as itself.
            assert_eq!(format!("{got:?}"), format!("{want:?}"), "dimension {dim} of {:?}", x.dim());
        }
    }
}

fn shapes() -> impl Strategy<Value = (usize, usize, usize)> {
    prop_oneof![
        (0usize..9, 0usize..9, 0usize..9),
        (1usize..300, 1usize..4, 1usize..4),
        (1usize..4, 1usize..4, 130usize..300),
        (1usize..3, 4000usize..9000, 1usize..3),
    ]
}

/// A number for each element, with every kind of double among them.
fn number(i: usize, seed: usize) -> f64 {
    let h = (i + 1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(seed)
        .rotate_left(23)
        .wrapping_mul(0xbf58_476d_1ce4_e5b9);
    match h % 17 {
        0 => f64::NAN,
        1 => -0.0,
        2 => 0.0,
        _ => (h >> 40) as f64 / 1e6 - 8.0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn reductions_follow_the_tree(shape in shapes(), seed in any::<usize>()) {
        let mut i = 0;
        let x = Array3::from_shape_simple_fn(shape, || { i += 1; number(i, seed) });
        let finite = x.mapv(|v| if v.is_nan() { 0.1 } else { v });
        let whole = finite.mapv(|v| (v * 16.0) as i8);
        check(&finite, |v, _| v, Sum);
        check(&finite.mapv(|v| 1.0 + v / 1e3), |v, _| v, Prod);
        check(&finite.mapv(|v| v as f32), |v, _| v, Sum);
        check(&x, |v, _| v, Min);
        check(&x, |v, _| v, Max);
        check(&x, |value, index| Indexed { value, index }, Min);
        check(&x, |value, index| Indexed { value, index }, Max);
        check(&whole, |v, _| v, Sum);
        check(&whole, |v, _| v, Max);
        check(&whole, |v, _| v > 100, Any);
        check(&whole, |v, _| v > -128, All);
    }
}

/// From 33 chunks on, a lane of the second level takes more than one of them.
#[test]
fn many_chunks_follow_the_tree() {
    for shape in [(1, 34 * 4096 + 5, 1), (2, 33 * 4096, 2)] {
        let mut i = 0;
        let x = Array3::from_shape_simple_fn(shape, || {
            i += 1;
            let x = number(i, 7);
            if x.is_nan() { 0.1 } else { x }
        });
        check(&x, |v, _| v, Sum);
        check(&x.mapv(|v| v as i8), |v, _| v, Sum);
        check(&x, |value, index| Indexed { value, index }, Max);
    }
}
