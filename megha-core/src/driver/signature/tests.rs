use super::super::poly::show;
use super::*;
use crate::diag::render_all;
use crate::source::SourceMap;

fn read(text: &str) -> Result<Signature, String> {
    let mut sources = SourceMap::new();
    let id = sources.add("sig", text);
    let file = sources.get(id).unwrap();
    let mut diags = Diagnostics::new();
    parse(file, 0..text.len(), &mut diags).ok_or_else(|| render_all(&diags, &sources, false))
}

fn dims(entry: &Entry) -> Vec<String> {
    entry.ty.as_ref().unwrap().dims.iter().map(show).collect()
}

#[test]
fn a_full_signature() {
    let text = "pub(crate) fn fdtd as simulate(lx: f64, nx: usize, e: f32[nx, 2 * (ny + 1) - 1], m: bool[:, 3],) -> (ex: f64[nx], ey)";
    let s = read(text).unwrap();
    assert_eq!((s.visibility.as_str(), s.function.text.as_str()), ("pub(crate)", "fdtd"));
    assert_eq!(s.rust_name().text, "simulate");
    assert!(s.params[1].ty.as_ref().unwrap().count);
    assert_eq!(s.params[2].ty.as_ref().unwrap().class, Class::Single);
    assert_eq!(dims(&s.params[2]), ["nx", "2*ny + 1"]);
    assert_eq!(dims(&s.params[3]), [":", "3"]);
    let results = s.results.unwrap();
    assert_eq!(dims(&results[0]), ["nx", "1"]);
    assert_eq!(results[1].ty, None);
}

#[test]
fn results_may_be_absent_single_or_none() {
    assert_eq!(read("fn f()").unwrap().results, None);
    assert_eq!(read("fn f() -> y").unwrap().results.unwrap().len(), 1);
    assert_eq!(read("fn f() -> ()").unwrap().results.unwrap().len(), 0);
}

#[test]
fn comments_may_hold_a_signature() {
    assert_eq!(read("fn f(x: f64[n, 1],\n%   k: usize)").unwrap().params.len(), 2);
    assert_eq!(read("fn f(/* none */) // end").unwrap().params.len(), 0);
}

#[test]
fn mistakes_are_named() {
    for (text, code, word) in [
        ("fn f(x: double)", "M0148", "called `f64`"),
        ("fn f(x: String)", "M0148", "not a type"),
        ("fn f(k: usize[n])", "M0148", "single counts"),
        ("fn f(x: f64[n,- 1])", "M0148", "a size is not negative"),
        ("fn f(x: f64[n - n - 2])", "M0148", "a size is not negative"),
        ("fn f(x: f64[n / 2, 1])", "M0202", "expected `]`, found `/`"),
        ("fn f(x: f64, x: f64)", "M0202", "occurs twice"),
        ("fn f(x: f64) y", "M0202", "complete before `y`"),
        ("fn 3()", "M0202", "the name of a function"),
        ("pub(crate fn f()", "M0202", "expected `crate)`"),
        ("", "M0202", "expected `fn`, found the end"),
        ("fn f(ü: f64)", "M0202", "found `ü`"),
    ] {
        let message = read(text).unwrap_err();
        assert!(message.contains(code) && message.contains(word), "{text}: {message}");
    }
}

#[test]
fn single_numbers_have_no_sizes() {
    assert_eq!(read("fn f(x: f64[1, 1])").unwrap().params[0].ty.as_ref().unwrap().dims, []);
}

#[test]
fn deep_parentheses_are_refused_not_followed() {
    let text = format!("fn f(x: f64[{}n{}, 1])", "(".repeat(10_000), ")".repeat(10_000));
    assert!(read(&text).unwrap_err().contains("M0202"));
}

proptest::proptest! {
    #[test]
    fn any_text_is_taken_without_panic(text in "[fn()as:,\\[\\]\\-> +*xyé0-9%/\n]{0,60}") {
        let _ = read(&text);
        let _ = read(&format!("fn f({text}"));
    }
}
