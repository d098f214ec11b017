//! Expected texts are GNU Octave 7.3's unless a comment says otherwise.

use super::*;

fn one(template: &str, x: f64) -> String {
    format(template, &[Arg::Float(x)]).unwrap()
}

#[test]
fn integers() {
    let cases = [
        ("%d", 1e10, "10000000000"),
        ("%i", -3.0, "-3"),
        ("%5d|", 1.0, "    1|"),
        ("%-5d|", 2.0, "2    |"),
        ("%05d|", -3.0, "-0003|"),
        ("%+d", 4.0, "+4"),
        ("% d", 5.0, " 5"),
        ("%+-5d|", 3.0, "+3   |"),
        ("% 05d|", 3.0, " 0003|"),
        ("%.3d", 7.0, "007"),
        ("%.0d|", 0.0, "|"),
        ("%d", -0.0, "0"),
        ("%d", -(2f64.powi(63)), "-9223372036854775808"),
        ("%x", 255.0, "ff"),
        ("%X", 255.0, "FF"),
        ("%#x", 255.0, "0xff"),
        ("%#x", 0.0, "0"),
        ("%#o", 8.0, "010"),
        ("%x", 2f64.powi(60), "1000000000000000"),
        ("%ld", 5.0, "5"),
        ("%u", 3.0, "3"),
    ];
    for (template, x, want) in cases {
        assert_eq!(one(template, x), want, "{template} {x}");
    }
    // MATLAB's; Octave writes 1.84467e+19.
    assert_eq!(format("%d", &[Arg::Int(u64::MAX.into())]).unwrap(), "18446744073709551615");
}

#[test]
fn integer_conversions_of_other_numbers() {
    let cases = [
        ("%d", 1.5, "1.5"),
        ("%d", 1e20, "1e+20"),
        ("%d", 123456789.5, "1.23457e+08"),
        ("%i", std::f64::consts::PI, "3.14159"),
        ("%x", 1.5, "1.5"),
        ("%x", -1.0, "-1"),
        ("%10.3d|", 7.5, "       7.5|"),
        ("%010d|", 1.5, "00000001.5|"),
        ("%5.2d|", 1.23456, "  1.2|"),
        ("%+d", 1.5, "+1.5"),
        ("%.10d", 1.23456789012345, "1.23456789"),
        ("%d", 1e-320, "9.99989e-321"),
        ("%d", f64::NAN, "NaN"),
        ("%5d|", f64::NEG_INFINITY, " -Inf|"),
        ("%010d|", f64::NAN, "       NaN|"),
        ("%05.2f", f64::INFINITY, "  Inf"),
        ("%+f", f64::NAN, "+NaN"),
        ("%x", f64::INFINITY, "Inf"),
        ("% d", f64::NAN, "NaN"),
        ("% f", f64::INFINITY, "Inf"),
        ("% 6g", f64::NEG_INFINITY, "  -Inf"),
        ("%X", 1e-10, "1e-10"),
        ("%8.3X", -2.5e-10, "-2.5e-10"),
        ("%G", 1e-10, "1E-10"),
        ("%u", -3.5, "-3.5"),
        ("%5.2u|", -3.0, "   -3|"),
        ("%05u|", -12.0, "-0012|"),
        ("%+u|% u", 5.0, "5|"),
        ("%#u", -42.0, "-42.0000"),
        ("%s", f64::NAN, "NaN"),
        ("%5s|", f64::NAN, "  NaN|"),
    ];
    for (template, x, want) in cases {
        assert_eq!(one(template, x), want, "{template} {x}");
    }
}

#[test]
fn floats() {
    let cases = [
        ("%f", 1e20, "100000000000000000000.000000"),
        ("%f", -0.0, "-0.000000"),
        ("%.1f", 0.25, "0.2"),
        ("%.0f", 2.5, "2"),
        ("%#.0f", 1.0, "1."),
        ("%.3f", -0.0001, "-0.000"),
        ("%-8.3f|", 1.5, "1.500   |"),
        ("%e", 12345.678, "1.234568e+04"),
        ("%e", f64::MAX, "1.797693e+308"),
        ("%+.2e", 2.5, "+2.50e+00"),
        ("%.0e", 15.0, "2e+01"),
        ("%E", 1.0, "1.000000E+00"),
        ("%g", 1e-5, "1e-05"),
        ("%g", 0.0001, "0.0001"),
        ("%g", 100000.0, "100000"),
        ("%g", 1e6, "1e+06"),
        ("%g", 999999.5, "1e+06"),
        ("%g", -0.0, "-0"),
        ("%.20g", 0.1, "0.10000000000000000555"),
        ("%.15g", 0.1, "0.1"),
        ("%#g", 1.0, "1.00000"),
        ("%#.3g|", 2.0, "2.00|"),
        ("%G", 1e-10, "1E-10"),
        ("%g", 5e-324, "4.94066e-324"),
        ("%.3g", 1234567.0, "1.23e+06"),
        ("% g", 3.5, " 3.5"),
    ];
    for (template, x, want) in cases {
        assert_eq!(one(template, x), want, "{template} {x}");
    }
}

#[test]
fn texts_and_characters() {
    let t = |s| Arg::Text(s);
    let n = Arg::Float;
    let cases: [(&str, &[Arg<'_>], &str); 17] = [
        ("%s %d\n", &[t("abc"), n(5.0)], "abc 5\n"),
        ("%s", &[n(65.0)], "A"),
        ("%d", &[t("abc")], "979899"),
        ("%c%c", &[t("abc")], "abc"),
        ("%c", &[n(65.5)], "65.5"),
        ("%5s|", &[t("ab")], "   ab|"),
        ("%05s|", &[t("ab")], "   ab|"),
        ("%.1s|", &[t("ab")], "a|"),
        ("%5.3s|", &[t("abcdef")], "  abc|"),
        ("%d|%s|", &[t("ab"), t("cd")], "97|b|99|d|"),
        ("%s|%s|", &[t("ab")], "ab|"),
        ("%d %s|", &[n(1.0), t("ab"), n(2.0), t("cd")], "1 ab|2 cd|"),
        ("%d|", &[t("ab"), n(5.0)], "97|98|5|"),
        ("%s|", &[n(72.0), n(101.0)], "H|e|"),
        ("%s=%d;", &[t(""), n(1.0)], "=1;"),
        ("%-5c|", &[t("a")], "a    |"),
        // Octave 7.3 writes nothing for the number.
        ("%f %s\n", &[n(3.0), n(3.5)], "3.000000 3.5\n"),
    ];
    for (template, args, want) in cases {
        assert_eq!(format(template, args).unwrap(), want, "{template} {args:?}");
    }
}

#[test]
fn codes_in_an_array_are_a_text() {
    let cases: [(&str, &[&[f64]], &str); 7] = [
        ("%s|", &[&[72.0, 105.0]], "Hi|"),
        ("%s|", &[&[72.0], &[105.0]], "H|i|"),
        ("%c|", &[&[72.0, 105.0]], "H|i|"),
        ("%d|%s|", &[&[65.0, 66.0, 67.0, 68.0]], "65|BCD|"),
        ("%5s|%d|", &[&[72.0, 105.0], &[7.0]], "   Hi|7|"),
        ("%.1s|", &[&[65.0, 66.0]], "A|"),
        ("%s|", &[&[65.0, f64::NAN, 66.0]], "A|NaN|B|"),
    ];
    for (template, arrays, want) in cases {
        let arrays: Vec<Vec<_>> = arrays.iter().map(|a| a.iter().map(|x| Arg::Float(*x)).collect()).collect();
        let arrays: Vec<&[Arg<'_>]> = arrays.iter().map(Vec::as_slice).collect();
        assert_eq!(format_arrays(template, &arrays).unwrap(), want, "{template}");
    }
    assert_eq!(format("%d|%s|", &[Arg::Text("ABCD")]).unwrap(), "65|BCD|");
}

#[test]
fn templates_are_used_again() {
    let n = |list: &[f64]| list.iter().map(|x| Arg::Float(*x)).collect::<Vec<_>>();
    assert_eq!(format("%d %d\n", &n(&[1.0, 2.0, 3.0])).unwrap(), "1 2\n3 ");
    assert_eq!(format("%d, ", &n(&[1.0, 2.0, 3.0])).unwrap(), "1, 2, 3, ");
    assert_eq!(format("hello\n", &n(&[1.0, 2.0])).unwrap(), "hello\n");
    assert_eq!(format("a%s|%d\n", &[]).unwrap(), "a");
    assert_eq!(format("a%db", &[Arg::Empty]).unwrap(), "ab");
    assert_eq!(format("%5d|%-8g|%4s|%3c|", &[Arg::Empty; 4]).unwrap(), "||    |   |");
    assert_eq!(format("a%db%dc", &n(&[1.0])).unwrap(), "a1b");
    assert_eq!(format("%d\n", &[Arg::Float(1.0), Arg::Empty]).unwrap(), "1\n\n");
    assert_eq!(format("%d%%\n", &n(&[50.0])).unwrap(), "50%\n");
    assert_eq!(format("%*.*f|%-*d|", &n(&[8.0, 2.0, 2.518, 3.0, 7.0])).unwrap(), "    2.52|7  |");
}

#[test]
fn bad_templates() {
    for template in ["abc%", "%q", "%5", "%a", "%5000d", "%.99999999999999999999f"] {
        assert!(format(template, &[]).is_err(), "{template}");
    }
    let error = format("x: %y", &[]).unwrap_err();
    assert_eq!(error.at, 3);
    assert!(error.message.contains("`%y`"), "{error}");
    assert_eq!(check("%d %*.*f %%"), Ok(4));
}

#[test]
fn escapes() {
    assert_eq!(unescape(r"a\n\t\\n\x41\101\q"), "a\n\t\\nAA\\q");
    assert_eq!(unescape("end\\"), "end\\");
}
