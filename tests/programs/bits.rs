//! Bits of integer classes: integer instructions, in each class, on the host and on a device.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use ndarray::{Array1, Array2, ShapeBuilder};

use super::lowered::generated;

megha::matlab! {
    function crc = crc16(data)
    arguments
        data (n,1) uint8
    end
    poly = uint16(0x8408);
    crc = uint16(0xFFFF);
    for b = transpose(data)
        cur_byte = uint16(b);
        for k = 1:8
            if bitxor(bitand(crc, 1), bitand(cur_byte, 1))
                crc = bitxor(bitshift(crc, -1), poly);
            else
                crc = bitshift(crc, -1);
            end
            cur_byte = bitshift(cur_byte, -1);
        end
    end
    crc = bitcmp(crc);
    crc = bitor(bitshift(crc, 8), bitshift(crc, -8));
    end

    function [l, r, b, s] = of_bytes(a, n)
    arguments
        a (h,w) uint8
        n (h,w) double
    end
    l = bitshift(a, n); r = bitshift(a, -2); b = bitcmp(a); s = bitset(a, 3);
    end

    function [l, r, b, s] = of_signed_bytes(a, n)
    arguments
        a (h,w) int8
        n (h,w) double
    end
    l = bitshift(a, n); r = bitshift(a, -2); b = bitcmp(a); s = bitshift(a, 3);
    end

    function [l, r, b, s] = of_words(a, n)
    arguments
        a (h,w) int32
        n (h,w) double
    end
    l = bitshift(a, n); r = bitshift(a, -2); b = bitcmp(a); s = bitshift(a, 3);
    end

    function [l, r, b, s] = of_long_words(a, n)
    arguments
        a (h,w) uint64
        n (h,w) double
    end
    l = bitshift(a, n); r = bitshift(a, -2); b = bitcmp(a); s = bitset(a, 60);
    end
}

#[test]
fn a_checksum_is_that_of_a_loop_over_integers() {
    let data = Array1::from_shape_fn(3001, |k| (k * k * 7 + k / 3) as u8);
    let mut crc = 0xffff_u16;
    for byte in &data {
        crc ^= u16::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 != 0 { (crc >> 1) ^ 0x8408 } else { crc >> 1 };
        }
    }
    assert_eq!(crc16(&data).unwrap(), (!crc).swap_bytes());
    assert_eq!(crc16(Array1::zeros(0)).unwrap(), 0);
}

#[test]
fn a_checksum_is_computed_without_floats() {
    let text = "function crc = f(data)\narguments\n data (n,1) uint8\nend\ncrc = uint16(0xFFFF);\nfor b = data.'\n\
                crc = bitxor(bitshift(crc, -1), bitcmp(bitshift(uint16(b), 3)));\nend\nend\n";
    let code = generated(text);
    let body = &code[code.find("fn body_f").expect("a body")..];
    assert!(!body.contains("f64") && !body.contains("i128"), "{body}");
    assert!(body.contains("rt::Integer::shr(crc, 1)"), "{body}");
}

/// What the host gives a device gives as well, and a loop in Rust.
macro_rules! in_class {
    ($test:ident, $function:ident, $t:ty, $last:expr) => {
        #[test]
        fn $test() {
            let bits = i64::from(<$t>::BITS);
            let signed = <$t>::MIN != 0;
            let a = Array2::from_shape_fn((30, 25), |(i, j)| {
                ((i * 25 + j) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) as $t
            });
            let n = Array2::from_shape_fn((30, 25), |(i, j)| ((i * 7 + j * 3) % 140) as f64 - 70.0);
            let left = |a: $t, n: f64| match n as i64 {
                n if n < 0 => {
                    if -n < bits {
                        a >> -n
                    } else {
                        a >> (bits - 1) >> 1
                    }
                }
                n if n >= bits || (signed && n >= bits - 1) => 0,
                n => a << n,
            };
            let mut columns = Array2::zeros(a.raw_dim().f());
            columns.assign(&a);
            let wanted = $function(&a, &n).unwrap();
            assert_eq!(wanted.0, Array2::from_shape_fn(a.raw_dim(), |at| left(a[at], n[at])));
            assert_eq!((&wanted.1, &wanted.2), (&a.mapv(|a| a >> 2), &a.mapv(|a| !a)));
            let last: fn($t) -> $t = $last;
            assert_eq!(wanted.3, a.mapv(last));
            assert_eq!($function(&columns, &n).unwrap(), wanted);
            let device = Arc::new(SimDevice::new(SimDevice::standard()));
            let got = with(device.clone(), Placement::Gpu, || $function(&a, &n).unwrap());
            assert_eq!((got, device.mistakes()), (wanted, vec![]));
        }
    };
}
in_class!(bits_of_bytes, of_bytes, u8, |a| a | 4);
in_class!(bits_of_signed_bytes, of_signed_bytes, i8, |a| a << 3);
in_class!(bits_of_words, of_words, i32, |a| a << 3);
in_class!(bits_of_long_words, of_long_words, u64, |a| a | 1 << 59);
