//! Numbers of bytes as people write them.

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

/// A number of bytes in the largest of these units of which it has one.
pub fn words(bytes: u64) -> String {
    let power = (1..=4).rev().find(|power| bytes >= 1 << (10 * power));
    match power {
        Some(power) => {
            let unit = ["K", "M", "G", "T"][power - 1];
            format!("{:.1} {unit}iB", bytes as f64 / f64::from(10 * power as u32).exp2())
        }
        None => format!("{bytes} B"),
    }
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
        let said = [0, 1023, 1024, 1536 << 10, 8 << 30, u64::MAX].map(words);
        assert_eq!(said, ["0 B", "1023 B", "1.0 KiB", "1.5 MiB", "8.0 GiB", "16777216.0 TiB"]);
    }
}
