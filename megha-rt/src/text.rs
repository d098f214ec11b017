//! Messages that a program writes or raises: formats and their arguments.

pub use megha_base::display::{Kind, Precision, Shown};
pub use megha_base::format::Arg;
pub use megha_base::text::{characters, mat2str, num2str, num2str_complex, num2str_precise, trimmed};

use megha_base::display::disp;
use megha_base::format::format_arrays;
use megha_base::memory::gathered;

use crate::layout::{Layout, Order};
use crate::{Array, Error, Site, View};

/// The text of a format that the compiler has checked, with its arguments.
pub fn message(template: &str, args: &[&[Arg<'_>]]) -> String {
    format_arrays(template, args).unwrap_or_else(|_| template.to_owned())
}

/// The error that a program raises.
#[cold]
pub fn error(identifier: &str, template: &str, args: &[&[Arg<'_>]], site: &Site) -> Error {
    Error::user(identifier, message(template, args), site)
}

/// What a statement without `;` prints under a name, or `disp` under none.
pub fn display(name: &str, shown: &Shown<'_>) -> String {
    if name.is_empty() { disp(shown) } else { megha_base::display::display(name, shown) }
}

/// How many characters a text has.
pub fn length(text: &str) -> i64 {
    text.chars().count() as i64
}

/// The codes of a text's characters, in a row.
///
/// # Errors
/// No memory.
pub fn codes<L: Layout>(text: &str, site: &Site) -> Result<Array<L, f64, 2>, Error> {
    crate::whole::row(&megha_base::text::codes(text), site)
}

/// A number as an argument of a format.
pub trait Number: Copy {
    /// The argument.
    fn arg(self) -> Arg<'static>;
}

macro_rules! numbers {
    ($($t:ty => $variant:ident $wide:ty),*) => {$(
        impl Number for $t {
            fn arg(self) -> Arg<'static> {
                Arg::$variant(<$wide>::from(self))
            }
        }
    )*};
}
numbers!(f64 => Float f64, f32 => Float f64, i8 => Int i128, i16 => Int i128, i32 => Int i128, i64 => Int i128,
    u8 => Int i128, u16 => Int i128, u32 => Int i128, u64 => Int i128, bool => Int i128);

/// The elements of an array as arguments, columns first.
pub fn list<L: Layout, T: Number, const N: usize>(array: View<'_, L, T, N>) -> Vec<Arg<'static>> {
    if array.is_empty() {
        return vec![Arg::Empty];
    }
    match L::ORDER {
        Order::ColMajor => gathered(array.as_slice().iter().map(|x| x.arg())),
        // SAFETY: the numbers of all elements.
        Order::RowMajor => gathered((0..array.len() as i64).map(|k| unsafe { array.at_linear(k) }.arg())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_each_kind() {
        assert_eq!(message("%d of %g: %s", &[&[3i32.arg()], &[0.5.arg()], &[Arg::Text("x")]]), "3 of 0.5: x");
    }
}
