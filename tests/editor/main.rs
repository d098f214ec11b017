//! What an editor shows of a crate that uses the macros: a real rust-analyzer, driven over its protocol, finds no mistakes in any form, and
//! shows help and shapes on calls.
//!
//! ```text
//! rustup component add rust-analyzer rust-src
//! cargo test --workspace --test editor -- --ignored
//! ```

mod client;
#[allow(dead_code, reason = "shared with tests that use more of it")]
#[path = "../common/outside.rs"]
mod outside;

use std::path::PathBuf;

use client::Editor;

/// All forms. On a line that ends in `// hover NAME: words; ..` the editor shows these words of the name.
const MAIN: &str = include_str!("crate/main.rs");
const FILE: &str = include_str!("crate/scale.m");

/// A crate in a folder of its own that uses Megha by path, with the versions of this workspace.
fn project(name: &str, main: &str) -> PathBuf {
    let root = env!("CARGO_MANIFEST_DIR");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(folder.join("src/matlab")).unwrap();
    let manifest = format!(
        "[package]\nname = \"edited\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\nmegha = {{ path = {root:?} }}\n\
         ndarray = {{ version = \"0.17\", default-features = false }}\n[workspace]\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(format!("{root}/Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    std::fs::copy(format!("{root}/rust-toolchain.toml"), folder.join("rust-toolchain.toml")).unwrap();
    std::fs::write(folder.join("src/matlab/scale.m"), FILE).unwrap();
    std::fs::write(folder.join("src/main.rs"), main).unwrap();
    folder
}

#[test]
#[ignore = "needs rust-analyzer: rustup component add rust-analyzer rust-src"]
fn an_editor_shows_functions_and_no_mistakes() {
    let folder = project("editor", MAIN);
    let mut editor = Editor::start(&folder, &outside::target());
    editor.open("src/main.rs", MAIN);
    assert_eq!(editor.mistakes("src/main.rs"), Vec::<String>::new());
    for (number, line) in MAIN.lines().enumerate() {
        let Some((code, (name, wanted))) =
            line.split_once("// hover ").and_then(|(code, rest)| Some((code, rest.split_once(": ")?)))
        else {
            continue;
        };
        let hover = editor.hover("src/main.rs", number, code.find(name).expect("the name stands on the line"));
        for words in wanted.split("; ") {
            assert!(hover.contains(words), "line {}: `{words}` is not in\n{hover}", number + 1);
        }
    }

    // What is not saved has no lines: functions keep their parameters, and there are no mistakes.
    let edits = [("a .* x", "a .* x + 1"), ("exp(-rate)", "exp(-2 * rate)"), ("pub fn scale", "pub(crate) fn scale")];
    let edited = edits.iter().fold(MAIN.to_owned(), |text, (old, new)| text.replacen(old, new, 1));
    editor.change("src/main.rs", &edited);
    assert_eq!(editor.mistakes("src/main.rs"), Vec::<String>::new());
    for (call, wanted) in [("saxpy(2.0", "fn saxpy<R0>(a: f64, x: impl "), ("scaled(&y", "fn scaled<R0, R1>(x: impl ")]
    {
        let (number, line) = edited.lines().enumerate().find(|(_, line)| line.contains(call)).unwrap();
        let hover = editor.hover("src/main.rs", number, line.find(call).unwrap());
        assert!(hover.contains(wanted), "`{wanted}` is not in\n{hover}");
    }

    // Mistakes that Rust's types show are still shown.
    editor.change("src/main.rs", &MAIN.replace("fn main() {", "fn main() { let n: usize = saxpy(2.0, x, y);"));
    assert!(!editor.mistakes("src/main.rs").is_empty());
    editor.stop();
}
