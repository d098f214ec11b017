//! Rust files: what `megha explain` says of them.

use super::{megha, printed, written_as};
use expect_test::expect;

/// Of a Rust file each loop of its offloaded functions is explained, in the words of the attribute's note, and its calls of `matlab!`.
#[test]
fn loops_of_rust_files_are_explained() {
    megha(
        &["explain", "solve.rs"],
        expect![[r#"
        exit code 0
        rows  (solve.rs)

          line 7   loop over i: parallel, loop 0 of kernel 0, if `ld >= m`; else in order: iteration i may read a[ld*i
                   + j], iteration i' with i' > i may write a[ld*i' + j']: direction < (assumed, because not all
                   subscripts can be analysed): subscript 1 of `a` multiplies a loop variable, and the bounds of the
                   loops do not show that what is added stays below that factor (line 9)
          line 8   loop over j: parallel, loop 0 of kernel 0

        sweep  (solve.rs)

          line 16  loop over i: in order inside kernel 0: iteration i writes u[[i, j]], iteration i + 1 reads it:
                   distance 1 (line 18)
          line 17  loop over j: parallel, loop 0 of kernel 0

        sums with `T` = f32  (solve.rs)

          line 28  loop over i: parallel, loop 0 of kernel 0
          line 30  loop over j: in order inside kernel 0: an iteration uses the `s` of the one before
          line 35  loop over i: in order: an iteration uses the `total` of the one before

        sums with `T` = f64  (solve.rs)

          line 28  loop over i: parallel, loop 0 of kernel 0
          line 30  loop over j: in order inside kernel 0: an iteration uses the `s` of the one before
          line 35  loop over i: in order: an iteration uses the `total` of the one before

        count  (solve.rs)

          line 46  loop over i: in order: an iteration uses the `s` of the one before
          line 50  loop over i: in order: iteration i may read g[?], iteration i' with i' > i may write g[?]:
                   direction < (assumed, because not all subscripts can be analysed): subscript 1 of `g` comes from an
                   element of `idx` (line 51)

        statements  (solve.rs)

          takes    x  n by 1
          returns  y  n by 1

        line 59: y: memory filled with 0 but for the elements (2:n), which are stored first
        line 60: single numbers

        for i = 2:numel(x) (line 60): one iteration after the other
          because iteration i writes y(i), iteration i + 1 reads it: distance 1
          line 61: single numbers
          line 61: y: one element is stored
        --- messages ---
    "#]],
    );
}

#[test]
fn mistakes_in_rust_files_are_shown_with_carets() {
    megha(
        &["explain", "wrong.rs"],
        expect![[r#"
        exit code 1
        --- messages ---
        error[M0150]: calls of functions that are not known here are not taken
         --> wrong.rs:4:23
          |
        4 |         x[i] = y[i] + read();
          |                       ^^^^^^
          = help: methods of numbers are taken, and functions of the same file with `#[megha::offload]` or `#[inline]`

        error[M0150]: `#[offload]` takes `parallel`, `explain`, `contract`, `reassociate` and types of numbers for type parameters, as in `T = f32, f64`, not `paralel`
         --> wrong.rs:8:18
          |
        8 | #[megha::offload(paralel)]
          |                  ^^^^^^^

        error[M0158]: loop over i: in order: iteration i writes x[i], iteration i + 1 reads it: distance 1 (line 12)
          --> wrong.rs:12:5
           |
        12 |     for i in 1..x.len() { x[i] += x[i - 1]; }
           |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           = help: make its iterations independent, or leave `parallel` out

        error[M0111]: `un` is neither a variable nor a known function here
          --> wrong.rs:16:34
           |
        16 |         y = x + zeros(4, 2, 3) + un;
           |                                  ^^
           = help: a function of your own must be in this file or in a file of its name beside it

    "#]],
    );
    let (code, _, messages) = printed(&["explain", &written_as("unread", "f.rs", "fn f() {\n    let s = (1;\n}\n")]);
    assert!(
        code == 1 && messages.contains("error[M0216]: this is no Rust") && messages.contains("f.rs:3:1"),
        "{messages}"
    );
}

#[test]
fn what_does_not_apply_to_rust_files_is_refused() {
    let refused = |arguments: &[&str], why: &str| {
        let (code, text, messages) = printed(arguments);
        assert!(code == 2 && text.is_empty() && messages.contains(why), "{messages}");
    };
    refused(&["explain", &written_as("without", "f.rs", "fn f() {}\n")], "holds no `#[offload]` functions");
    let file = written_as("offloaded", "f.rs", "#[offload]\nfn f(x: &mut [f64]) { x[0] = 1.0; }\n");
    refused(&["explain", &file, "--emit", "ast"], "no tree but Rust's own");
    refused(&["explain", &file, "--sig", "fn f(x: f64)"], "`--sig` is for MATLAB");
}

/// Each stage shows all functions: every instance, every form of one that has a test, in their order.
#[test]
fn stages_of_rust_files_are_printed() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/solve.rs");
    let stage = |name: &str| {
        let (code, text, messages) = printed(&["explain", file, "--emit", name]);
        assert_eq!((code, messages.as_str()), (0, ""));
        text
    };
    let titles = |text: &str, sign: &str| {
        let titles = text.lines().filter_map(|line| line.strip_prefix(sign));
        titles.filter(|line| line.contains("rows,") || line.contains("sums with")).collect::<Vec<_>>().join("; ")
    };
    let all = "rows, if `ld >= m`; rows, in other calls; sums with `T` = f32; sums with `T` = f64";
    for (name, sign) in
        [("ir", "# "), ("kernels", "# "), ("maps", "# "), ("nests", "# "), ("schedules", "# "), ("passes", "# ")]
    {
        assert_eq!(titles(&stage(name), sign), all, "{name}");
    }
    for name in ["rust", "ptx"] {
        assert_eq!(titles(&stage(name), "// "), all, "{name}");
    }
    expect![[r#"
        # rows, if `ld >= m`
        nest 1 of rows, line 7
          for i below n
            for j below m
              read a[i*ld + j], line 9
              write a[i*ld + j], line 9
          write a[i*ld + j], line 9 after read a[i*ld + j], line 9: distance (0, 0)

        # rows, in other calls
        nest 1 of rows, line 7
          for i below n
            for j below m
              read a[i*ld + j], line 9
              write a[i*ld + j], line 9
          read a[i*ld + j], line 9 after write a[i*ld + j], line 9: direction (<, <), assumed; direction (<, =), assumed; direction (<, >), assumed; direction (=, <), assumed
          write a[i*ld + j], line 9 after read a[i*ld + j], line 9: direction (<, <), assumed; direction (<, =), assumed; direction (<, >), assumed; direction (=, <), assumed; distance (0, 0), assumed
          write a[i*ld + j], line 9 after write a[i*ld + j], line 9: direction (<, <), assumed; direction (<, =), assumed; direction (<, >), assumed; direction (=, <), assumed

        nest 1 of sweep, line 16
          for i below u_rows - 1
            for j below u_cols
              read u[i + 1, j], line 18
              read u[i, j], line 18
              write u[i + 1, j], line 18
          read u[i, j], line 18 after write u[i + 1, j], line 18: distance (1, 0)
          write u[i + 1, j], line 18 after read u[i + 1, j], line 18: distance (0, 0)

        # sums with `T` = f32
        nest 1 of sums, line 28
          for i below a_rows
            for j below a_cols
              read a[i, j], line 31
            write y[i], line 33
          no dependences
        nest 2 of sums, line 35: no nest of element-wise statements, because an iteration uses the `total` of the one before

        # sums with `T` = f64
        nest 1 of sums, line 28
          for i below a_rows
            for j below a_cols
              read a[i, j], line 31
            write y[i], line 33
          no dependences
        nest 2 of sums, line 35: no nest of element-wise statements, because an iteration uses the `total` of the one before

        nest 1 of count, line 46: no nest of element-wise statements, because an iteration uses the `s` of the one before
        nest 2 of count, line 50
          for i below x_len
            read x[i], line 51
            read idx[i], line 51
            read g[:], line 51
            write g[:], line 51
          read g[:], line 51 after write g[:], line 51: direction <, assumed
          write g[:], line 51 after read g[:], line 51: direction <, assumed; distance 0, assumed
          write g[:], line 51 after write g[:], line 51: direction <, assumed

        nest 1 of statements, line 60
          for i below n - 1
            read y[i], line 61
            read x[i + 1], line 61
            write y[i + 1], line 61
          read y[i], line 61 after write y[i + 1], line 61: distance 1
    "#]].assert_eq(&stage("nests"));
    let (rust, ptx) = (stage("rust"), stage("ptx"));
    assert_eq!(rust.matches("mod megha_offload {").count(), 6, "{rust}");
    assert!(rust.contains("pub fn statements"), "{rust}");
    for entry in ["rows_k0_c", "sweep_k0_r", "sums_k0_c"] {
        assert!(ptx.contains(&format!(".visible .entry {entry}(")), "{entry}");
    }
    assert!(stage("passes").contains("changes nothing"));
}
