//! The command line as its users see it: output, messages and exit codes.
//!
//! `UPDATE_EXPECT=1 cargo test -p megha-cli` writes the expected texts anew.

#[path = "cli/memory.rs"]
mod memory;
#[path = "cli/rust_files.rs"]
mod rust_files;

use expect_test::{Expect, expect, expect_file};
use std::process::{Command, Stdio};

/// Runs `megha` in `tests/cli` and compares its exit code, output and messages.
fn megha(arguments: &[&str], expected: Expect) {
    let output = Command::new(env!("CARGO_BIN_EXE_megha"))
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli"))
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let shown = format!(
        "exit code {}\n{}--- messages ---\n{}",
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr)
    );
    assert!(!shown.contains('\x1b'), "no colours in a pipe: {shown}");
    expected.assert_eq(&shown);
}

#[test]
fn check_says_what_became_of_each_function() {
    megha(
        &["check", "pair.m"],
        expect![[r#"
            exit code 0
            pair.m: compiles  fn pair(x: f64[n, 1], k: f64) -> (total: f64, y: f64[n, 1])
            pair.m: compiles  scale, as part of pair
            pair.m: compiles  fn alone(a: f64, b: f64) -> y: f64  (types assumed)
            --- messages ---
        "#]],
    );
}

#[test]
fn check_shows_all_mistakes() {
    megha(
        &["check", "wrong.m"],
        expect![[r#"
        exit code 1
        wrong.m: mistakes  wrong
        wrong.m: mistakes  mismatch
        --- messages ---
        error[M0009]: expected a value, found `;`
         --> wrong.m:6:9
          |
        6 | z = x * ;
          |         ^

        error[M0101]: the sizes of the operands of `+` never agree: 3-by-1 and 4-by-1
          --> wrong.m:13:5
           |
        13 | y = x + zeros(4, 1);
           |     ^^^^^^^^^^^^^^^
           = note: element-wise operations need equal sizes, or the size 1, in each dimension

        error[M0111]: `unknown` is neither a variable nor a known function here
          --> wrong.m:14:5
           |
        14 | y = unknown(y);
           |     ^^^^^^^^^^
           = help: a function of your own must be in this file or in a file of its name beside it

    "#]],
    );
}

#[test]
fn check_counts_in_folders() {
    megha(
        &["check", "."],
        expect![[r#"
            exit code 1
            ./demo.m: compiles  fn square(x: f64) -> y: f64  (types assumed)
            ./demo.m: compiles  the script
            ./fails.m: compiles  the script
            ./heat.m: compiles  fn heat(u: f64[m, n], steps: f64) -> u: f64[m, n]
            ./idle.m: compiles  fn idle(x: f64[m, n], y: f64[m, n]) -> s: f64[m, n]
            ./pair.m: compiles  fn pair(x: f64[n, 1], k: f64) -> (total: f64, y: f64[n, 1])
            ./pair.m: compiles  scale, as part of pair
            ./pair.m: compiles  fn alone(a: f64, b: f64) -> y: f64  (types assumed)
            ./turns.m: compiles  fn turns(a: f64[m, n], b: f64[m, n], c: f64[m, n], d: f64[m, n], steps: usize) -> (a: f64[m, n], b: f64[m, n], c: f64[m, n], d: f64[m, n])
            ./wrong.m: mistakes  wrong
            ./wrong.m: mistakes  mismatch

            file        compile  no types  mistakes
            ./demo.m          2         0         0
            ./fails.m         1         0         0
            ./heat.m          1         0         0
            ./idle.m          1         0         0
            ./pair.m          3         0         0
            ./turns.m         1         0         0
            ./wrong.m         0         0         2
            all               9         0         2

            reasons
                   1  M0009  missing value
                   1  M0101  sizes that never agree
                   1  M0111  unknown name
            --- messages ---
            error[M0009]: expected a value, found `;`
             --> ./wrong.m:6:9
              |
            6 | z = x * ;
              |         ^

            error[M0101]: the sizes of the operands of `+` never agree: 3-by-1 and 4-by-1
              --> ./wrong.m:13:5
               |
            13 | y = x + zeros(4, 1);
               |     ^^^^^^^^^^^^^^^
               = note: element-wise operations need equal sizes, or the size 1, in each dimension

            error[M0111]: `unknown` is neither a variable nor a known function here
              --> ./wrong.m:14:5
               |
            14 | y = unknown(y);
               |     ^^^^^^^^^^
               = help: a function of your own must be in this file or in a file of its name beside it

        "#]],
    );
}

#[test]
fn check_takes_types_from_the_command_line() {
    megha(
        &["check", "pair.m", "--sig", "fn alone(a: f64[n, m], b: f64) -> y: f64[n]"],
        expect![[r#"
            exit code 1
            pair.m: mistakes  alone
            --- messages ---
            error[M0204]: `y` is declared as f64[n, 1], but it is f64[n, m]
             --> --sig:1:38
              |
            1 | fn alone(a: f64[n, m], b: f64) -> y: f64[n]
              |                                      ^^^^^^
              = help: write `y: f64[n, m]`, or `y` alone

        "#]],
    );
}

#[test]
fn malformed_signatures_are_shown_with_a_caret() {
    megha(
        &["check", "pair.m", "--sig", "fn alone(a: double)"],
        expect![[r#"
            exit code 1
            --- messages ---
            error[M0148]: `double` is called `f64` in Rust
             --> --sig:1:13
              |
            1 | fn alone(a: double)
              |             ^^^^^^
              = help: types are f64, f32, bool, i8 to i64, u8 to u64 and usize, followed by sizes as in f64[n, 1]

        "#]],
    );
}

#[test]
fn files_that_are_not_there_are_refused() {
    megha(
        &["check", "absent.m"],
        expect![[r#"
        exit code 2
        --- messages ---
        megha: `absent.m` cannot be read: No such file or directory (os error 2)
    "#]],
    );
}

#[test]
fn stages_are_printed() {
    megha(
        &["explain", "pair.m", "--emit", "ast"],
        expect![[r#"
        exit code 0
        function [total, y] = pair(x, k)
            y = scale(x, k);
            total = sum(y);
        end

        function y = scale(x, k)
            y = k .* x;
        end

        function y = alone(a, b)
            y = a + b;
        end
        --- messages ---
    "#]],
    );
    megha(
        &["explain", "pair.m", "--emit", "ir"],
        expect![[r#"
        exit code 0
        func @pair(%0:x: f64[n, 1], %1:k: f64) -> (total: f64, y: f64[n, 1]) {
          sym n = dim 0 0, >= 0
          %2:y: f64[n, 1] = mul %1, %0 !2
          %3:total: f64 = reduce sum %2 along [0] !3
          return %3, %2
        }
        --- messages ---
    "#]],
    );
}

#[test]
fn scripts_run() {
    megha(
        &["run", "demo.m"],
        expect![[r#"
            exit code 0
            30--- messages ---
        "#]],
    );
}

#[test]
fn scripts_fail_where_they_fail() {
    megha(
        &["run", "fails.m"],
        expect![[r#"
            exit code 1
            1 2 --- messages ---
            error[M0215]: k is 3
             --> fails.m:4:9
              |
            4 |         error('stop:late', 'k is %g', k);
              |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        "#]],
    );
}

#[test]
fn numbers_are_explained() {
    megha(
        &["error", "M0101"],
        expect![[r#"
        exit code 0
        M0101: sizes that never agree

        Element-wise operations need operands whose sizes agree in each dimension, or
        are 1 there. The sizes shown are those that follow from the declared sizes of
        the inputs. Transpose one operand, or use * for a matrix product. In a branch it
        is a warning: the program ends in an error, as in Octave, if it comes there.
        --- messages ---
    "#]],
    );
    megha(
        &["error", "m999"],
        expect![[r#"
        exit code 2
        --- messages ---
        megha: there is no message m999; `megha error` lists all
    "#]],
    );
}

#[test]
fn the_help_teaches() {
    megha(
        &["--help"],
        expect![[r#"
            exit code 0
            Compiles MATLAB to fast Rust

            Usage: megha <COMMAND>

            Commands:
              check    Says for each function that it compiles, or every reason why not
              explain  Shows how a program is compiled
              run      Runs a script with the reference interpreter
              tune     Finds the fastest GPU kernels by running a program, for a file to ship
              error    Explains the number of a message
              help     Print this message or the help of the given subcommand(s)

            Options:
              -h, --help     Print help
              -V, --version  Print version

            Examples:
              megha check matlab/                 which functions compile, and why others do not
              megha check price.m --sig 'fn price(spot: f64[n, 1], rate: f64) -> call'
              megha explain price.m               what became of each statement
              megha explain price.m --emit rust   the Rust code
              megha explain src/solve.rs          what became of each loop of `#[offload]` functions
              megha run demo.m                    run a script, slowly and exactly
              megha tune -- target/release/price  find the fastest GPU kernels
              megha error M0101                   what a number means

            Types come from an arguments block in the function, from --sig, or from a comment
            that MATLAB and Octave skip:
              % megha: fn price(spot: f64[n, 1], rate: f64) -> call
            The class is f64, f32, bool, i8 to i64, u8 to u64, or usize for a count; sizes are
            sums of products of numbers and names, or : for any.

            Exit codes: 0 all is well, 1 mistakes in a program, 2 mistakes in the command.
            Colour is used on a terminal unless NO_COLOR is set.
            --- messages ---
        "#]],
    );
}

#[test]
fn unknown_commands_end_with_2() {
    megha(
        &["compile"],
        expect![[r#"
        exit code 2
        --- messages ---
        error: unrecognized subcommand 'compile'

        Usage: megha <COMMAND>

        For more information, try '--help'.
    "#]],
    );
}

const SUM: &str = "function y = f(x)\ny = sum(x) + 1;\nend\n";

/// A file of this text in a folder of its own.
fn written(folder: &str, text: &str) -> String {
    written_as(folder, "f.m", text)
}

fn written_as(folder: &str, name: &str, text: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

/// What `megha` prints to its two outputs, with its exit code.
fn printed(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_megha")).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[test]
fn mistakes_of_syntax_are_shown_once() {
    for (folder, text) in [("script", "x = (1\n"), ("untyped", "function y = f(x)\ny = [1 2;\nz = (x\nend\n")] {
        let (code, _, messages) = printed(&["check", &written(folder, text)]);
        let mut shown: Vec<&str> = messages.split("error[").skip(1).collect();
        let count = shown.len();
        shown.sort_unstable();
        shown.dedup();
        assert_eq!((code, shown.len()), (1, count), "{messages}");
    }
}

#[test]
fn folders_and_files_without_programs_are_said_to_be_so() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty");
    std::fs::create_dir_all(&folder).unwrap();
    let (code, text, messages) = printed(&["check", folder.to_str().unwrap()]);
    assert_eq!((code, text.as_str()), (2, ""));
    assert!(messages.ends_with("holds no .m files\n"), "{messages}");
    let (code, _, messages) = printed(&["explain", &written("nothing", "")]);
    assert!(code == 1 && !messages.contains('^') && messages.contains("M0205"), "{messages}");
}

/// What is suggested can be written as a signature: names once, sizes as polynomials or `:`.
#[test]
fn suggested_signatures_can_be_written() {
    let text = "function y = f(~, x, ~)\ny = [x(:)' zeros(1, max(numel(x), 3))];\nend\n";
    let (code, text, messages) = printed(&["check", &written("suggested", text)]);
    assert_eq!(code, 0, "{messages}");
    assert!(text.contains("fn f(unused_1: f64, x: f64[1, x_2], unused_3: f64) -> y: f64[1, :]"), "{text}");
}

#[test]
fn explain_assumes_the_types_that_check_assumes() {
    let (code, text, messages) = printed(&["explain", &written("assumed", SUM)]);
    assert_eq!(code, 0, "{messages}");
    assert!(messages.contains("f.m: fn f(x: f64[1, x_2]) -> y: f64  (types assumed)"), "{messages}");
    assert!(text.contains("sum(x)"), "{text}");
}

#[test]
fn run_runs_up_to_the_error() {
    let (code, text, messages) =
        printed(&["run", &written("always", "disp(1)\nx = 1;\nif x > 0, error('bad %d', x); end\n")]);
    assert_eq!((code, text.as_str()), (1, "1\n"));
    assert!(messages.contains("bad 1") && messages.contains("f.m:3:11"), "{messages}");
}

/// The whole explanations of the programs that the README begins with.
#[test]
fn explanations_of_the_first_examples() {
    for name in ["bscholes", "fdtd"] {
        let (code, text, messages) = printed(&["explain", &format!("../examples/matlab/{name}.m")]);
        assert_eq!((code, messages.as_str()), (0, ""));
        expect_file![format!("cli/{name}.explain.txt")].assert_eq(&text);
    }
}

#[test]
fn explain_names_sizes_on_a_gpu_as_the_program_does() {
    let text = "% megha: fn f(x: f64[n, 1], k: f64)\nfunction [y, s] = f(x, k)\ny = zeros(2*k - 1, 1);\nfor i = 1:2*k-1\n  y(i) = x(1) * i;\nend\ns = sum(x(2:end));\nend\n";
    let (code, text, messages) = printed(&["explain", &written("sizes", text)]);
    assert_eq!(code, 0, "{messages}");
    let (_, gpu) = text.split_once("On a GPU").unwrap();
    assert!(gpu.contains("points over length(1:2*k-1);") && gpu.contains("1 reduction of n-1 elements"), "{gpu}");
}

#[test]
fn explain_says_where_products_are_made() {
    let text = "% megha: fn f(a: f64[n, m], x: f64[m, 1])\nfunction [y, s] = f(a, x)\ny = a * x;\ns = transpose(x) * x;\nend\n";
    let (code, text, messages) = printed(&["explain", &written("products", text)]);
    assert_eq!(code, 0, "{messages}");
    let (_, gpu) = text.split_once("On a GPU").unwrap();
    assert!(
        gpu.contains("product `a * x` of f, line 3: by cuBLAS where") && gpu.contains("line 4: by the CPU, as"),
        "{gpu}"
    );
}

#[test]
fn explain_shows_what_each_pass_changes() {
    let (code, text, messages) = printed(&["explain", &written("sums", SUM), "--emit", "passes"]);
    assert_eq!(code, 0, "{messages}");
    let passes: Vec<&str> = text.lines().filter(|line| line.starts_with("# ") && line.contains(" ms): ")).collect();
    let names: Vec<&str> = passes.iter().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(names, megha_core::passes::PASSES.iter().map(|pass| pass.name).collect::<Vec<_>>());
    let after = |name: &str| text.split("# ").find(|part| part.starts_with(name)).unwrap();
    assert!(after("kernels").contains("kernel") && text.contains("# changes nothing"), "{text}");
}

#[test]
fn explain_shows_which_elements_kernels_touch() {
    let text = "% megha: fn f(a: f64[n, m], x: f64[m, 1], k: f64[n, 1]) -> (y, z)
function [y, z] = f(a, x, k)
  y = zeros(size(a, 1), 1);
  for i = 1:size(a, 1)
    s = 0;
    for j = 1:i
      s = s + a(i, j) * x(j);
    end
    y(i) = s;
  end
  z = x(k);
end
";
    let (code, text, messages) = printed(&["explain", &written("touched", text), "--emit", "maps"]);
    assert_eq!(code, 0, "{messages}");
    expect![[r#"
        kernel 1 of f: i below n
          read       a[i, t] for t below i + 1
          read       x[t, 0] for t below i + 1
          write      y[i, 0]
          read       k[i, 0]
          read       x[:] (: depends on data)
          write      z[i, 0]
    "#]]
    .assert_eq(&text);
}

/// A stencil in place and a product: bounds, accesses, what depends on what.
#[test]
fn nests_show_domains_accesses_and_dependences() {
    let text = "\
function a = f(a, x)
  % megha: fn f(a: f64[n, m], x: f64[n, 1]) -> a
  for i = 2:size(a, 1)
    for j = 1:i
      if x(i) > 0
        a(i, j) = a(i-1, j) + x(j);
      end
    end
  end
end
";
    let (code, text, messages) = printed(&["explain", &written("nested", text), "--emit", "nests"]);
    assert_eq!(code, 0, "{messages}");
    expect![[r#"
        nest 1 of f, line 3
          for i below n - 1
            for j below i + 2
              read x[i + 1], line 5
              read a[i, j] in some iterations, line 6
              read x[j] in some iterations, line 6
              write a[i + 1, j] in some iterations, line 6
          read a[i, j], line 6 after write a[i + 1, j], line 6: distance (1, 0)
    "#]]
    .assert_eq(&text);
}

/// GPU code without some of its optimisations; wrong names, and stages that have no GPU code.
#[test]
fn optimisations_are_left_out() {
    let text = "\
function z = f(a, x, y)
  % megha: fn f(a: f32, x: f32[n, 1], y: f32[n, 1]) -> z
  z = a .* x + y;
end
";
    let file = written("left_out", text);
    let stage = |stage: &str, more: &[&str]| printed(&[&["explain", &file, "--emit", stage], more].concat());
    let count = |(code, text, messages): (i32, String, String), what: &str| {
        assert_eq!(code, 0, "{messages}");
        text.matches(what).count()
    };
    assert!(count(stage("ptx", &[]), ".v4.f32") > 0);
    assert_eq!(count(stage("ptx", &["--without", "vectors"]), ".v4.f32"), 0);
    assert_eq!(count(stage("ptx", &["--without", "dead,vectors"]), ".v4.f32"), 0);
    assert!(count(stage("schedules", &[]), "jam      i 4") > 0);
    assert_eq!(count(stage("schedules", &["--without", "dead", "--without", "vectors"]), "jam"), 0);

    let (code, _, messages) = stage("ptx", &["--without", "vector"]);
    assert!(
        code == 2 && messages.contains("there is no optimisation `vector`: they are coalescing, tiles"),
        "{messages}"
    );
    let (code, _, messages) = stage("rust", &["--without", "vectors"]);
    assert!(code == 2 && messages.contains("ask for `--emit schedules` or `--emit ptx`"), "{messages}");
}

#[test]
fn schedules_show_loops_for_each_target_and_order_of_memory() {
    let text = "\
function c = f(a, b)
  % megha: fn f(a: f64[n, p], b: f64[p, m]) -> c
  c = zeros(size(a, 1), size(b, 2));
  for i = 1:size(a, 1)
    for j = 1:size(b, 2)
      for k = 1:size(a, 2)
        c(i, j) = c(i, j) + a(i, k) * b(k, j);
      end
    end
  end
end
";
    let (code, text, messages) = printed(&["explain", &written("scheduled", text), "--emit", "schedules"]);
    assert_eq!(code, 0, "{messages}");
    expect![[r#"
        kernel 1 of f: i below n, j below m; in each iteration k below p
          schedule on cpu, columns first
            order    i/32 j k i
            bind     core i/32 j, vector i
            jam      j 6
            sweep    k steps 4
            stage    array 1 at i/32 in cache
            fission  above 90 into 60 operations 96 tile 128
          schedule on cpu, rows first
            order    j/32 i k j
            bind     core j/32 i, vector j
            jam      i 6
            sweep    k steps 4
            stage    array 2 at j/32 in cache
            fission  above 90 into 60 operations 96 tile 128
          schedule on gpu, columns first
            order    j i k
            bind     block.x i, block.y j, thread.x i, thread.y j
            unroll   k 8
          schedule on gpu, columns first
            order    j/64 i/64 k/16 k j i
            bind     block.x i/64, block.y j/64, thread.x i, thread.y j
            jam      j 4, i 4
            unroll   k 8
            stage    array 1 at k/16 in shared pad 1
            stage    array 2 at k/16 in shared pad 1
          schedule on gpu, columns first
            order    j/32 i/32 k/16 k j i
            bind     block.x i/32, block.y j/32, thread.x i, thread.y j
            jam      j 2, i 2
            unroll   k 8
            stage    array 1 at k/16 in shared pad 1
            stage    array 2 at k/16 in shared pad 1
          schedule on gpu, columns first
            order    j/16 i/16 k/16 k j i
            bind     block.x i/16, block.y j/16, thread.x i, thread.y j
            unroll   k 8
            stage    array 1 at k/16 in shared pad 1
            stage    array 2 at k/16 in shared pad 1
          schedule on gpu, columns first
            order    (j i) k/1024 k
            bind     block.x (j i), thread.x (j i), thread.y k
            stage    terms at k/1024 in shared pad 1
          schedule on gpu, rows first
            order    i j k
            bind     block.x j, block.y i, thread.x j, thread.y i
            unroll   k 8
          schedule on gpu, rows first
            order    i/64 j/64 k/16 k i j
            bind     block.x j/64, block.y i/64, thread.x j, thread.y i
            jam      i 4, j 4
            unroll   k 8
            stage    array 1 at k/16 in shared pad 1
            stage    array 2 at k/16 in shared pad 1
          schedule on gpu, rows first
            order    i/32 j/32 k/16 k i j
            bind     block.x j/32, block.y i/32, thread.x j, thread.y i
            jam      i 2, j 2
            unroll   k 8
            stage    array 1 at k/16 in shared pad 1
            stage    array 2 at k/16 in shared pad 1
          schedule on gpu, rows first
            order    i/16 j/16 k/16 k i j
            bind     block.x j/16, block.y i/16, thread.x j, thread.y i
            unroll   k 8
            stage    array 1 at k/16 in shared pad 1
            stage    array 2 at k/16 in shared pad 1
          schedule on gpu, rows first
            order    (i j) k/1024 k
            bind     block.x (i j), thread.x (i j), thread.y k
            stage    terms at k/1024 in shared pad 1
    "#]]
    .assert_eq(&text);
}

/// The discount factor needs nothing of the first loop, which divides and takes a root: it is computed there, beside the divisions.
#[test]
fn work_that_waits_for_nothing_stands_beside_divisions() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/matlab/bscholes.m");
    let (code, rust, _) = printed(&["explain", file, "--emit", "rust"]);
    assert_eq!(code, 0);
    let loops: Vec<&str> = rust.split("fn kernel0_loop").skip(1).map(|l| l.split("impl<L").next().unwrap()).collect();
    // The last coefficient of the polynomial of `exp`: of the discount, and of both error functions.
    let polynomials: Vec<usize> = loops.iter().map(|l| l.matches("2.0826661080053036e-9").count()).collect();
    assert_eq!(polynomials, [1, 0, 0, 0, 1, 1], "{rust}");
    assert!(loops[0].contains(".sqrt()"), "{}", loops[0]);
}

#[test]
fn a_reader_may_leave_early() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli");
    for arguments in [["check", "pair.m"], ["run", "../endless.m"], ["error", "M0101"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_megha"));
        let command = command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let ended = (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned());
        assert_eq!(ended, (Some(0), String::new()), "{arguments:?}");
    }
}

/// `2>&1 | head`: messages too may find nobody.
#[test]
fn a_reader_of_messages_may_leave_early() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli");
    for (arguments, code) in [
        (&["check", "wrong.m"][..], 1),
        (&["explain", "wrong.m"], 1),
        (&["run", "fails.m"], 1),
        (&["check", "none.m"], 2),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_megha"));
        let command = command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{arguments:?}");
    }
}

/// Nobody writes into the pipe: who opened it would wait for ever.
#[test]
#[cfg(unix)]
fn pipes_and_devices_in_folders_are_passed_over() {
    let file = written("pipes", "function y = f(x)\ny = x;\nend\n");
    let folder = std::path::Path::new(&file).parent().unwrap();
    let (pipe, device) = (folder.join("pipe.m"), folder.join("device.m"));
    if !pipe.exists() {
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    }
    if !device.exists() {
        std::os::unix::fs::symlink("/dev/zero", &device).unwrap();
    }
    let (code, text, messages) = printed(&["check", folder.to_str().unwrap()]);
    assert_eq!((code, messages.as_str()), (0, ""));
    assert!(text.contains("f.m: compiles") && !text.contains("pipe.m") && !text.contains("device.m"), "{text}");
}

/// What is found comes from the programs that a command runs; here it is a shell that plays one.
#[cfg(unix)]
#[test]
fn tune_says_where_what_was_found_is() {
    let folder = std::env::temp_dir().join(format!("megha-cli-tune-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let out = folder.join("tuned.txt");
    let tune = |script: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_megha"))
            .args(["tune", "--out", "tuned.txt", "--", "sh", "-c", script])
            .current_dir(&folder)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, _, messages) = tune("exit 3");
    assert!(code == Some(1) && messages.contains("sh ended with exit status: 3"), "{messages}");
    let (code, _, messages) = tune("true");
    assert!(code == Some(1) && messages.contains("nothing was found"), "{messages}");
    let (code, shown, messages) = tune("echo found > \"$MEGHA_TUNE\"");
    assert!(code == Some(0) && messages.is_empty(), "{messages}");
    assert!(shown.contains(&format!("MEGHA_TUNED={}", out.display())), "{shown}");
    std::fs::remove_dir_all(&folder).unwrap();
    megha(
        &["tune", "--", "no/such/program"],
        expect![[r#"
            exit code 2
            --- messages ---
            megha: cannot run no/such/program: No such file or directory (os error 2)
        "#]],
    );
}
