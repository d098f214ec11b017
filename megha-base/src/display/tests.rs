//! What Octave prints: `golden.txt`, written by `golden.m`.

use super::*;

const GOLDEN: &str = include_str!("golden.txt");

/// The elements of a case's line.
fn elements<'a>(class: &str, text: &str) -> Vec<Arg<'a>> {
    let element = |word: &str| match class {
        "double" | "single" => Arg::Float(f64::from_bits(u64::from_str_radix(word, 16).unwrap())),
        _ => Arg::Int(word.parse().unwrap()),
    };
    text.split_whitespace().map(element).collect()
}

/// What is displayed for the value that a case's line describes.
fn displayed(line: &str) -> String {
    let parts: Vec<&str> = line.split(':').collect();
    let [style, class, dims] = parts[0].trim().splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
    let dims: Vec<usize> = dims.split(' ').map(|d| d.parse().unwrap()).collect();
    let [reals, imag] = [2, 3].map(|part| elements(class, parts[part]));
    let kind = match parts[1].trim() {
        "" => Kind::Plain,
        "diagonal" => Kind::Diagonal,
        "permutation" => Kind::Permutation,
        "complex" => Kind::Pairs(&imag),
        limit => Kind::Range(limit.parse().unwrap()),
    };
    let precision = match (style, class) {
        ("short", _) => Precision::SHORT,
        (_, "single") => Precision::LONG_SINGLE,
        _ => Precision::LONG,
    };
    display("x", &Shown { dims: &dims, elements: &reals, kind, precision })
}

#[test]
fn as_octave_displays() {
    let mut lines = GOLDEN.lines().peekable();
    let (mut cases, mut wrong) = (0, Vec::new());
    while let Some(line) = lines.next() {
        let mut want = String::new();
        while let Some(text) = lines.next_if(|l| l.starts_with('|')) {
            want += &text[1..];
            want.push('\n');
        }
        let got = displayed(line);
        cases += 1;
        if got != want {
            wrong.push(format!("{line}\nwanted:\n{want}got:\n{got}"));
        }
    }
    assert!(cases > 600, "{cases}");
    assert!(wrong.is_empty(), "{} of {cases} differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn disp_has_no_name() {
    let numbers = [Arg::Float(1.0), Arg::Float(2.5)];
    let shown = |dims, kind| Shown { dims, elements: &numbers, kind, precision: Precision::SHORT };
    assert_eq!(disp(&shown(&[1, 2], Kind::Plain)), "   1.0000   2.5000\n");
    assert_eq!(disp(&shown(&[1, 1, 2], Kind::Plain)), "ans(:,:,1) = 1\nans(:,:,2) = 2.5000\n");
    let matrix = [1.0, 0.0, 0.0, 2.5].map(Arg::Float);
    let diagonal = Shown { elements: &matrix, ..shown(&[2, 2], Kind::Diagonal) };
    assert_eq!(disp(&diagonal), "Diagonal Matrix\n\n   1.0000        0\n        0   2.5000\n");
    let one = |elements| Shown { elements, ..shown(&[], Kind::Plain) };
    assert_eq!(disp(&one(&[Arg::Int(1)])), "1\n");
    assert_eq!(disp(&Shown { dims: &[0, 3], elements: &[], ..shown(&[], Kind::Plain) }), "[](0x3)\n");
    assert_eq!(display("s", &one(&[Arg::Text("abc")])), "s = abc\n");
}

#[test]
fn complex_numbers_without_imaginary_parts_are_real() {
    let (numbers, zeros) = ([Arg::Float(1.0), Arg::Float(2.5)], [Arg::Float(0.0), Arg::Float(-0.0)]);
    let shown = |kind| Shown { dims: &[1, 2], elements: &numbers, kind, precision: Precision::SHORT };
    assert_eq!(disp(&shown(Kind::Complex(&zeros))), "   1.0000   2.5000\n");
    assert_eq!(disp(&shown(Kind::Pairs(&zeros))), "   1.0000 +      0i   2.5000 -      0i\n");
}
