//! How much of a device's memory arrays may take.
//!
//! What a [`Builder`](super::Builder) was given decides, then the environment variable `MEGHA_GPU_MEMORY` (`512M`, `1.5G`, or bytes), then what is free
//! when the device is opened, less a margin: the driver's modules, libraries and stacks take memory too, and who lets a display or another
//! process go without gets failures that nothing explains.

use megha_base::bytes::parse;

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

#[cfg(all(test, feature = "cuda"))]
mod tests {
    use super::*;

    #[test]
    fn something_is_left_to_others() {
        assert_eq!(of_free(64 << 30), 62 << 30);
        assert_eq!(of_free(1 << 30), (1 << 30) - (64 << 20));
        // never less than half: the device is there to be used
        assert_eq!([of_free(100 << 20), of_free(0)], [50 << 20, 0]);
    }
}
