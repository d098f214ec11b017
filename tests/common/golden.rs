//! Reader of the golden files in `tests/golden`, whose format `make.m` there describes.

use std::fs::{self, DirEntry};
use std::path::Path;

use ndarray::{ArrayD, IxDyn, ShapeBuilder};

/// One call of a program, as GNU Octave made it.
#[derive(Debug)]
pub struct Golden {
    /// Name of the file without its extension, for messages.
    pub name: String,
    inputs: Vec<(String, ArrayD<f64>)>,
    outputs: Vec<(String, ArrayD<f64>)>,
    error: Option<String>,
    printed: Vec<String>,
}

impl Golden {
    /// Every call of a program in `tests/golden`, by name; `program` is the name of its
    /// function and of its file in `examples/matlab`.
    ///
    /// # Panics
    /// If there is none, or one cannot be read or breaks the format.
    #[allow(dead_code, reason = "the gallery has its own folder")]
    pub fn all(program: &str) -> Vec<Self> {
        Self::all_in("tests/golden", program)
    }

    /// The same in another folder of the package.
    ///
    /// # Panics
    /// As [`Self::all`].
    pub fn all_in(folder: &str, program: &str) -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut calls: Vec<Self> = fs::read_dir(&folder)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()))
            .iter()
            .map(DirEntry::path)
            .filter(|path| is_call_of(path, program))
            .map(|path| Self::load(&path, program).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
            .collect();
        assert!(!calls.is_empty(), "{} has no call of `{program}`", folder.display());
        calls.sort_by(|a, b| a.name.cmp(&b.name));
        calls
    }

    fn load(path: &Path, program: &str) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::parse(&name, &text, program)
    }

    /// Parses the text of a golden file, which must be a call of `program`.
    ///
    /// # Errors
    /// A sentence with the line at which the text breaks the format.
    fn parse(name: &str, text: &str, program: &str) -> Result<Self, String> {
        let mut lines = text.lines().enumerate().peekable();
        let first = format!("megha-golden 1 {program}");
        if lines.next().is_none_or(|(_, line)| line != first) {
            return Err(format!("line 1: expected `{first}`"));
        }
        let name = name.to_owned();
        let mut golden = Self { name, inputs: Vec::new(), outputs: Vec::new(), error: None, printed: Vec::new() };
        while let Some((number, header)) = lines.next() {
            if let Some(text) = header.strip_prefix("error ") {
                golden.error = Some(text.to_owned());
                continue;
            }
            if let Some(text) = header.strip_prefix("print ") {
                golden.printed.push(text.to_owned());
                continue;
            }
            let mut words = Vec::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| !is_header(line)) {
                words.extend(line.split_whitespace());
            }
            let (role, name, array) =
                parse_array(header, &words).map_err(|error| format!("line {}: {error}", number + 1))?;
            let arrays = if role == "in" { &mut golden.inputs } else { &mut golden.outputs };
            arrays.push((name.to_owned(), array));
        }
        Ok(golden)
    }

    /// The input of that name, in column-major order.
    ///
    /// # Panics
    /// If there is none.
    pub fn input(&self, name: &str) -> &ArrayD<f64> {
        find(&self.inputs, name)
    }

    /// The output of that name, in column-major order.
    ///
    /// # Panics
    /// If there is none.
    pub fn output(&self, name: &str) -> &ArrayD<f64> {
        find(&self.outputs, name)
    }
}

#[allow(dead_code, reason = "not every test needs all parts of a call")]
impl Golden {
    /// All inputs in the order of the parameters.
    pub fn inputs(&self) -> impl Iterator<Item = &ArrayD<f64>> {
        self.inputs.iter().map(|(_, array)| array)
    }

    /// All outputs in the order of the results, with their names.
    pub fn outputs(&self) -> &[(String, ArrayD<f64>)] {
        &self.outputs
    }

    /// The message of the error that ends the call in Octave.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// The lines that the program prints.
    pub fn printed(&self) -> &[String] {
        &self.printed
    }
}

/// The 2-norm of `got - want` relative to that of `want`, or absolute where `want` is zero;
/// infinite for arrays of different shapes.
pub fn distance(got: &ArrayD<f64>, want: &ArrayD<f64>) -> f64 {
    if got.shape() != want.shape() {
        return f64::INFINITY;
    }
    let norm = |a: &ArrayD<f64>| a.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (difference, size) = (norm(&(got - want)), norm(want));
    if size > 0.0 { difference / size } else { difference }
}

/// Whether the path is `PROGRAM-LABEL.txt`.
fn is_call_of(path: &Path, program: &str) -> bool {
    path.extension().is_some_and(|extension| extension == "txt")
        && path.file_stem().and_then(|stem| stem.to_str()?.split_once('-')).is_some_and(|(own, _)| own == program)
}

fn is_header(line: &str) -> bool {
    ["in ", "out ", "error ", "print "].iter().any(|role| line.starts_with(role))
}

fn find<'a>(arrays: &'a [(String, ArrayD<f64>)], name: &str) -> &'a ArrayD<f64> {
    match arrays.iter().find(|(own, _)| own == name) {
        Some((_, array)) => array,
        None => panic!("the golden file has no array `{name}`"),
    }
}

/// Role, name and value of an array from its header line and the words under it.
fn parse_array<'a>(header: &'a str, words: &[&str]) -> Result<(&'a str, &'a str, ArrayD<f64>), String> {
    let mut fields = header.split_whitespace();
    let (Some(role @ ("in" | "out")), Some(name)) = (fields.next(), fields.next()) else {
        return Err(format!("expected `in NAME SIZE ...` or `out NAME SIZE ...`, found `{header}`"));
    };
    let sizes = fields
        .map(|size| size.parse::<usize>().map_err(|error| format!("size `{size}`: {error}")))
        .collect::<Result<Vec<_>, _>>()?;
    let values = words.iter().map(|word| parse_bits(word)).collect::<Result<Vec<_>, _>>()?;
    let count = values.len();
    let array = ArrayD::from_shape_vec(IxDyn(&sizes).f(), values)
        .map_err(|_| format!("`{name}` has sizes {sizes:?} but {count} elements"))?;
    Ok((role, name, array))
}

fn parse_bits(word: &str) -> Result<f64, String> {
    if word.len() != 16 {
        return Err(format!("`{word}` is not 16 hexadecimal digits"));
    }
    u64::from_str_radix(word, 16).map(f64::from_bits).map_err(|error| format!("`{word}`: {error}"))
}

#[cfg(test)]
mod tests {
    use super::{Golden, distance};
    use ndarray::{ArrayD, array};

    const SAMPLE: &str = "megha-golden 1 sample\n\
        in a 2 3\n\
        3ff0000000000000 4000000000000000 4008000000000000\n\
        4010000000000000 4014000000000000 8000000000000000\n\
        in none 0 3\n\
        out x 1 1\n\
        7ff0000000000000\n";

    #[test]
    fn elements_come_in_column_major_order() {
        let golden = Golden::parse("a name", SAMPLE, "sample").unwrap();
        assert_eq!(golden.name, "a name");
        assert_eq!(*golden.input("a"), array![[1.0, 3.0, 5.0], [2.0, 4.0, -0.0]].into_dyn());
        assert_eq!(golden.input("a").strides(), [1, 2]);
        assert!(golden.input("a")[[1, 2]].is_sign_negative());
        assert_eq!(golden.input("none").shape(), [0, 3]);
        assert_eq!(golden.output("x")[[0, 0]], f64::INFINITY);
    }

    #[test]
    fn errors_and_printed_lines_are_texts() {
        let text = "megha-golden 1 sample\nin a 1 1\n3ff0000000000000\nerror no  good\nprint  two\nprint \n";
        let golden = Golden::parse("s", text, "sample").unwrap();
        assert_eq!(golden.error(), Some("no  good"));
        assert_eq!(golden.printed(), [" two", ""]);
        assert_eq!((golden.inputs().count(), golden.outputs().len()), (1, 0));
    }

    #[test]
    fn broken_files_are_refused_with_the_line() {
        let broken = [
            ("", "line 1: expected `megha-golden 1 s`"),
            ("megha-golden 2 s\n", "line 1: expected `megha-golden 1 s`"),
            ("megha-golden 1 sample\n", "line 1: expected `megha-golden 1 s`"),
            ("megha-golden 1 s\nin a 1 2\n3ff0000000000000\n", "line 2: `a` has sizes [1, 2] but 1"),
            ("megha-golden 1 s\nin a 1 1\n3ff\n", "line 2: `3ff` is not 16"),
            ("megha-golden 1 s\nin a 1 1\nzff0000000000000\n", "line 2: `zff0000000000000`"),
            ("megha-golden 1 s\nin a 1 -1\n", "line 2: size `-1`"),
            ("megha-golden 1 s\n3ff0000000000000\n", "line 2: expected `in NAME"),
        ];
        for (text, expected) in broken {
            let error = Golden::parse("s", text, "s").unwrap_err();
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn distance_is_relative_and_sees_shapes() {
        let want = array![[3.0, 4.0]].into_dyn();
        assert_eq!(distance(&array![[3.0, 4.5]].into_dyn(), &want), 0.1);
        assert_eq!(distance(&array![[3.0], [4.0]].into_dyn(), &want), f64::INFINITY);
        assert_eq!(distance(&array![[0.25]].into_dyn(), &array![[0.0]].into_dyn()), 0.25);
        assert!(distance(&array![[f64::NAN]].into_dyn(), &array![[1.0]].into_dyn()).is_nan());
        assert_eq!(distance(&ArrayD::zeros(vec![0, 2]), &ArrayD::zeros(vec![0, 2])), 0.0);
    }
}
