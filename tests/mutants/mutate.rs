//! Programs with slips: tokens and lines that are missing, doubled, exchanged or taken from elsewhere.

/// What may stand where a token stood: what is easily written, and what is easily forgotten by a compiler.
const WORDS: [&str; 40] = [
    "0",
    "1",
    "-1",
    "2.5",
    "[]",
    "end",
    ":",
    "1e400",
    "1e-400",
    "NaN",
    "Inf",
    "(",
    ")",
    "[",
    "]",
    "'",
    "\"",
    ",",
    ";",
    "\n",
    "=",
    "n",
    "x",
    "i",
    "1i",
    "true",
    "break",
    "return",
    "zeros(0, 3)",
    "int8(100)",
    "single(2)",
    "(1, :)",
    "(end + 1)",
    "(:)",
    "max",
    "sum",
    "size",
    "@",
    ".^",
    "==",
];

/// SplitMix64 (Steele, Lea and Flood 2014).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// The text with a few slips; its comments, which hold signatures, stay.
pub fn mutate(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + dice.below(3) {
        let code: Vec<usize> = (0..lines.len()).filter(|&k| !lines[k].trim_start().starts_with('%')).collect();
        if code.is_empty() {
            break;
        }
        let (at, other) = (code[dice.below(code.len())], code[dice.below(code.len())]);
        match dice.below(12) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            2 => lines.swap(at, other),
            3 => {
                // A statement becomes two that differ.
                let changed = change(&lines[at], &lines[other], dice);
                lines.insert(at, changed);
            }
            _ => lines[at] = change(&lines[at], &lines[other], dice),
        }
    }
    lines.join("\n") + "\n"
}

/// A line with one token changed; `other` is a line that tokens may come from.
fn change(line: &str, other: &str, dice: &mut Dice) -> String {
    let (mut list, others) = (tokens(line), tokens(other));
    if list.is_empty() {
        return other.to_owned();
    }
    let at = dice.below(list.len());
    match dice.below(6) {
        0 => drop(list.remove(at)),
        1 => list.insert(at, list[dice.below(list.len())].clone()),
        2 => {
            let with = dice.below(list.len());
            list.swap(at, with);
        }
        3 if !others.is_empty() => list[at] = others[dice.below(others.len())].clone(),
        4 => list.insert(at, WORDS[dice.below(WORDS.len())].to_owned()),
        _ => list[at] = WORDS[dice.below(WORDS.len())].to_owned(),
    }
    list.concat()
}

/// Words and numbers, runs of blanks, and single other characters.
fn tokens(line: &str) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    let kind = |c: char| if c.is_alphanumeric() || c == '_' { 0 } else { 1 + u8::from(c.is_whitespace()) };
    let mut last = 1;
    for c in line.chars() {
        match list.last_mut() {
            Some(token) if kind(c) == last && last != 1 => token.push(c),
            _ => list.push(c.into()),
        }
        last = kind(c);
    }
    list
}
