//! How much of a device's memory arrays may take.
//!
//! What a [`Builder`](super::Builder) was given decides, then the environment variable `MEGHA_GPU_MEMORY` (`512M`, `1.5G`, or bytes), then what is free
//! when the device is opened, less a margin: the driver's modules, libraries and stacks take memory too, and who lets a display or another
//! process go without gets failures that nothing explains.

use crate::trace::{self, Value};

/// What may be taken of so many free bytes.
#[cfg(feature = "cuda")]
pub(super) fn of_free(free: u64) -> u64 {
    /// The least that is left free of a device of which nobody else has said how much to take,
    const LEAST_MARGIN: u64 = 64 << 20;
    /// or this part of what is free, if that is more.
    const MARGIN: u64 = 32;
    free.saturating_sub((free / MARGIN).max(LEAST_MARGIN)).max(free / 2)
}

/// The budget that the environment names; a text that is none is said to be, and ignored.
pub(super) fn asked() -> Option<u64> {
    let text = std::env::var_os("MEGHA_GPU_MEMORY").filter(|text| !text.is_empty())?;
    let text = text.to_string_lossy();
    let bytes = parse(&text);
    if bytes.is_none() {
        let message =
            format!("MEGHA_GPU_MEMORY is `{text}`, which is no number of bytes as 512M, 1.5G or 400000000; ignored");
        trace::note("decision", "MEGHA_GPU_MEMORY", &[("reason", Value::Text(&message))]);
        eprintln!("megha: {message}");
    }
    bytes
}

/// A number of bytes, with or without one of the letters K, M, G and T for powers of 1024; at least one byte.
pub fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    let text = text.strip_suffix(['B', 'b']).unwrap_or(text);
    let text = text.strip_suffix('i').unwrap_or(text);
    let power = text.chars().last().and_then(|letter| "KMGT".find(letter.to_ascii_uppercase()));
    let (number, shift) = match power {
        Some(at) => (&text[..text.len() - 1], 10 * (at as u32 + 1)),
        None => (text, 0),
    };
    let number = number.trim();
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let bytes = number.parse::<f64>().ok()? * f64::from(shift).exp2();
    (1.0..9e18).contains(&bytes).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_bytes() {
        let good = [("512M", 512 << 20), ("1.5G", 3 << 29), ("8g", 8 << 30), ("64 KiB", 64 << 10), ("2TB", 2 << 40)];
        for (text, bytes) in good.into_iter().chain([("400000000", 400_000_000), ("1", 1), (" 7k ", 7 << 10)]) {
            assert_eq!(parse(text), Some(bytes), "{text}");
        }
        for text in ["", "M", "0", "-1M", "1e9", "12Q", "1.2.3", "inf", "0.1", "99999999T"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[cfg(feature = "cuda")]
    #[test]
    fn something_is_left_to_others() {
        assert_eq!(of_free(64 << 30), 62 << 30);
        assert_eq!(of_free(1 << 30), (1 << 30) - (64 << 20));
        // never less than half: the device is there to be used
        assert_eq!([of_free(100 << 20), of_free(0)], [50 << 20, 0]);
    }
}
