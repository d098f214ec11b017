//! Crates outside the workspace: one that uses Megha as the README says, and a back end on public items of the compiler. They build without
//! a warning, and run.

#[path = "common/outside.rs"]
mod outside;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::{env, fs, process};

const PROGRAM: &str = r#"
#![deny(warnings)]
//! Prices without a call.

megha::matlab! {
    function y = saxpy(a, x, y0)
    % SAXPY  A scaled vector plus another; the comment is nothing to Rust.
    arguments
        a  (1,1) double
        x  (n,1) double
        y0 (n,1) double
    end
    y = a .* x + y0;
    end
}

fn main() -> megha::Result<()> {
    let y = saxpy(2.0, [1.0, 2.0, 3.0], vec![10.0, 20.0, 30.0])?;
    println!("{:?}", y.column(0).to_vec());
    if let Err(error) = saxpy(2.0, [1.0, 2.0, 3.0], [1.0]) {
        println!("{error}");
    }
    Ok(())
}
"#;

/// A crate in a folder of its own, which goes when the test ends.
struct Crate {
    folder: PathBuf,
}

impl Crate {
    fn new(name: &str, main: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let dependency = format!("megha = {{ path = {:?} }}", root.display().to_string());
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependency}\n"
        );
        Self::with_manifest(name, &manifest, main)
    }

    fn with_manifest(name: &str, manifest: &str, main: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = env::temp_dir().join(format!("megha-{name}-{}", process::id()));
        fs::create_dir_all(folder.join("src")).unwrap();
        // As the crate of random programs has it, so that both build what they depend on once.
        let manifest = format!("{manifest}\n[profile.dev]\ndebug = 0\nincremental = false\n");
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join("src/main.rs"), main).unwrap();
        // The versions that the workspace has fetched already.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        Self { folder }
    }

    fn run(&self, arguments: &[&Path]) -> Output {
        let arguments = arguments.iter().map(|path| path.as_os_str());
        outside::cargo(&self.folder, ["run", "--quiet", "--"].map(OsStr::new).into_iter().chain(arguments))
    }
}

impl Drop for Crate {
    fn drop(&mut self) {
        // What is left in the temporary folder hurts nobody.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_crate_of_its_own_builds_and_runs() {
    let output = Crate::new("newcomer", PROGRAM).run(&[]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(said, "", "a clean build says nothing");
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut lines = printed.lines();
    assert_eq!(lines.next(), Some("[12.0, 24.0, 36.0]"));
    assert_eq!(lines.next(), Some("argument `y0` is 1-by-1, but must be (n,1), which is 3-by-1 here"));
}

/// A program whose functions stand in files, of which one calls the other.
const WITH_FILES: &str = r#"
megha::matlab!(file "outer.m", fn outer(x: f64[n, 1]) -> y);

fn main() -> megha::Result<()> {
    println!("{:?}", outer([1.0, 2.0, 3.0])?.column(0).to_vec());
    Ok(())
}
"#;

#[test]
fn edited_files_are_compiled_again() {
    let krate = Crate::new("edited", WITH_FILES);
    let write = |name: &str, text: &str| fs::write(krate.folder.join("src").join(name), text).unwrap();
    let printed = || {
        let output = krate.run(&[]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    write("outer.m", "function y = outer(x)\ny = inner(x) + 1;\nend\n");
    write("inner.m", "function y = inner(x)\ny = 10 * x;\nend\n");
    assert_eq!(printed(), "[11.0, 21.0, 31.0]\n");
    write("outer.m", "function y = outer(x)\ny = inner(x) + 2;\nend\n");
    assert_eq!(printed(), "[12.0, 22.0, 32.0]\n");
    write("inner.m", "function y = inner(x)\ny = 100 * x;\nend\n");
    assert_eq!(printed(), "[102.0, 202.0, 302.0]\n", "of a file that the named one calls");
}

/// The loops come from the schedule, the accesses and the body from the kernel.
#[test]
fn a_back_end_of_its_own_prints_pseudo_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = root.join("examples/backend");
    let read = |name: &str| fs::read_to_string(example.join(name)).unwrap();
    let main = read("src/main.rs");
    assert!(main.lines().count() < 150, "{} lines", main.lines().count());
    let compiler = root.join("megha-core").display().to_string();
    let manifest = read("Cargo.toml").replace("../../megha-core", &compiler);
    let output = Crate::with_manifest("backend", &manifest, &main).run(&[&root.join("examples/matlab/matmul.m")]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "a clean build says nothing");
    let printed = String::from_utf8_lossy(&output.stdout);
    let wanted = "kernel 0 of matmul
  for tiles of 32 of i in 0..m, on the cores
    for j in 0..n, on the cores, 6 of them together
      for i in its tile, along vectors
        total = const 0.0
        t28 = size k
        for k in 0..k, 4 at a time for all points of the tile
          t33 = a[i, k]
          t34 = b[k, j]
          t35 = mul(t33, t34)
          total = add(total, t35)
        c[i, j] = total
";
    assert_eq!(printed, wanted);
}
