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
    let parts: Vec<&str> = line.splitn(3, ':').collect();
    let (class, dims) = parts[0].trim().split_once(' ').unwrap();
    let dims: Vec<usize> = dims.split(' ').map(|d| d.parse().unwrap()).collect();
    let elements = elements(class, parts[2]);
    display("x", &Shown { dims: &dims, elements: &elements, limit: parts[1].trim().parse().ok() })
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
    assert!(cases > 200, "{cases}");
    assert!(wrong.is_empty(), "{} of {cases} differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn disp_has_no_name() {
    let numbers = [Arg::Float(1.0), Arg::Float(2.5)];
    let shown = |dims| Shown { dims, elements: &numbers, limit: None };
    assert_eq!(disp(&shown(&[1, 2])), "   1.0000   2.5000\n");
    assert_eq!(disp(&shown(&[1, 1, 2])), "ans(:,:,1) = 1\nans(:,:,2) = 2.5000\n");
    assert_eq!(disp(&Shown { dims: &[], elements: &[Arg::Int(1)], limit: None }), "1\n");
    assert_eq!(disp(&Shown { dims: &[0, 3], elements: &[], limit: None }), "[](0x3)\n");
    assert_eq!(display("s", &Shown { dims: &[], elements: &[Arg::Text("abc")], limit: None }), "s = abc\n");
}
