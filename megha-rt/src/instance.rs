//! The instances of a generic function: values of a type parameter as values of the type that it is.
//!
//! `#[offload(T = f32, f64)]` compiles a function for types that it names; the function itself stays generic and asks here which of them `T`
//! is. A type of numbers has no lifetimes in it, so types that are one when lifetimes are left out of account are one.

use ndarray::{ArrayView, ArrayViewMut};
use std::any::TypeId;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;

/// The types that functions are compiled for.
pub trait Number: Copy + 'static + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! numbers {
    ($($t:ty),*) => {$(
        impl Number for $t {}
        impl sealed::Sealed for $t {}
    )*};
}
numbers!(f64, f32, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, bool);

trait WithoutLifetimes {
    fn id(&self) -> TypeId
    where
        Self: 'static;
}

impl<T> WithoutLifetimes for PhantomData<T> {
    fn id(&self) -> TypeId
    where
        Self: 'static,
    {
        TypeId::of::<T>()
    }
}

/// Whether a type is this type of numbers. The optimizer knows it.
#[inline]
pub fn is<T, S: Number>() -> bool {
    let marker = PhantomData::<T>;
    let marker: &dyn WithoutLifetimes = &marker;
    // SAFETY: only the bound of the trait object changes; the reference does not live longer, and what is called does not use `T`'s
    // lifetimes (D. Tolnay's crate `typeid`).
    let marker = unsafe { std::mem::transmute::<&dyn WithoutLifetimes, &(dyn WithoutLifetimes + 'static)>(marker) };
    marker.id() == TypeId::of::<S>()
}

/// A value as one of the type that its type is.
#[inline]
fn same<T, S: Number, A, B>(value: A) -> B {
    assert!(is::<T, S>(), "another type of numbers than the one that was asked for");
    let value = ManuallyDrop::new(value);
    // SAFETY: each caller names `A` and `B` that are one type if `T` and `S` are.
    unsafe { std::mem::transmute_copy::<ManuallyDrop<A>, B>(&value) }
}

/// A number.
#[inline]
pub fn number<S: Number, T>(value: &T) -> S {
    same::<T, S, &T, &S>(value).to_owned()
}

/// A number back.
#[inline]
pub fn back<S: Number, T>(value: S) -> T {
    same::<T, S, S, T>(value)
}

/// An array that is read.
#[inline]
pub fn read<S: Number, T, D>(array: ArrayView<'_, T, D>) -> ArrayView<'_, S, D> {
    same::<T, S, ArrayView<'_, T, D>, ArrayView<'_, S, D>>(array)
}

/// An array that is written.
#[inline]
pub fn write<S: Number, T, D>(array: ArrayViewMut<'_, T, D>) -> ArrayViewMut<'_, S, D> {
    same::<T, S, ArrayViewMut<'_, T, D>, ArrayViewMut<'_, S, D>>(array)
}

/// A slice that is read.
#[inline]
pub fn slice<S: Number, T>(slice: &[T]) -> &[S] {
    same::<T, S, &[T], &[S]>(slice)
}

/// A slice that is written.
#[inline]
pub fn slice_mut<S: Number, T>(slice: &mut [T]) -> &mut [S] {
    same::<T, S, &mut [T], &mut [S]>(slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_told_apart() {
        assert!(is::<f64, f64>() && !is::<f32, f64>() && !is::<i64, u64>() && !is::<&f64, f64>());
        let text = String::from("x");
        let borrowed = |_: &str| is::<&str, f32>();
        assert!(!borrowed(&text));
        assert_eq!(number::<f64, f64>(&2.5), 2.5);
        assert_eq!(back::<u8, u8>(7), 7);
        assert_eq!(slice::<f64, f64>(&[1.0, 2.0]), [1.0, 2.0]);
        slice_mut::<i32, i32>(&mut [1, 2])[0] = 3;
        let mut a = ndarray::arr2(&[[1.0, 2.0]]);
        write::<f64, f64, _>(a.view_mut())[[0, 1]] = 5.0;
        assert_eq!(read::<f64, f64, _>(a.view()), a);
    }

    #[test]
    #[should_panic(expected = "another type of numbers")]
    fn another_type_is_refused() {
        number::<f32, f64>(&2.5);
    }
}
