//! What `#[offload]` refuses of generic functions.

use num_traits::{Float, NumCast};

trait Own: Copy {
    fn sqrt(self) -> Self;
}

#[megha::offload(T = f32)]
fn means_what_a_trait_says<T: Own>(x: &mut [T]) {
    x[0] = x[0].sqrt();
}

#[megha::offload(T = f32)]
fn asks_a_trait_of_its_own<T: Own>(x: &mut [T]) {
    x[0] = T::sqrt(x[0]);
}

#[megha::offload(T = f32, f64)]
fn names_one_of_two<T: Float, U: Float>(x: &mut [T], y: U) {}

#[megha::offload(T = f32, S = f64)]
fn has_no_such_parameter<T: Float>(x: &mut [T]) {}

#[megha::offload(T = String)]
fn is_no_number<T: Clone>(x: &mut [T]) {}

#[megha::offload(f32)]
fn names_no_parameter<T: Float>(x: &mut [T]) {}

#[megha::offload(T = f32, f64, i32, U = i8, i16, i32, i64, u8, u16)]
fn has_too_many<T: Clone, U: Clone>(x: &mut [T], y: &[U]) {}

#[megha::offload(T = f64)]
fn clamps<T: Float>(x: &mut [T]) {
    x[0] = x[0].clamp(T::zero(), T::one());
}

#[megha::offload(T = i32)]
fn converts_to_whole_numbers<T: NumCast + Copy>(x: &mut [T], y: f64) {
    x[0] = T::from(y).unwrap();
}

#[megha::offload(T = f64)]
fn asks_for_what_there_is_not<T: Float>(x: &mut [T]) {
    x[0] = T::random();
}

#[megha::offload(T = f32, f64)]
fn mixes_types<T: Float>(x: &mut [T], y: f64) {
    x[0] = y;
}

#[megha::offload]
fn is_const_of_a_character<const C: char>(x: &mut [f64]) {}

fn main() {}
