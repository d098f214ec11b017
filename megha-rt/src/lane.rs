//! What points of a sequential loop carry, compared bit by bit.

/// A number that a loop carries for each point.
pub trait Lane: Copy {
    /// Not zero where the bits differ.
    fn differs(self, other: Self) -> u64;
}

macro_rules! lanes {
    ($($number:ty: |$value:ident| $bits:expr;)*) => { $(
        impl Lane for $number {
            #[inline(always)]
            fn differs(self, other: Self) -> u64 {
                let bits = |$value: Self| $bits as u64;
                bits(self) ^ bits(other)
            }
        }
    )* };
}

lanes! {
    f64: |x| x.to_bits();
    f32: |x| x.to_bits();
    i64: |x| x;
    i32: |x| x;
    i16: |x| x;
    i8: |x| x;
    u64: |x| x;
    u32: |x| x;
    u16: |x| x;
    u8: |x| x;
    bool: |x| x;
}

#[cfg(test)]
mod tests {
    use super::Lane;

    #[test]
    fn bits_count() {
        assert_ne!(0.0.differs(-0.0), 0);
        assert_eq!(f64::NAN.differs(f64::NAN), 0);
        assert_ne!(1_i8.differs(-1), 0);
        assert_eq!(true.differs(true), 0);
        assert_ne!(true.differs(false), 0);
    }
}
