//! Reader of `tests/golden/builtins/expected.txt`, whose format `make.m` there describes.

use megha_core::interp::{Datum, Scalar, datum};
use megha_core::ir::Class;

/// The file.
pub struct Table {
    pub inputs: Vec<Input>,
    pub cases: Vec<Case>,
}

/// An array of Octave's.
pub struct Value {
    pub class: String,
    pub sizes: Vec<usize>,
    pub elements: Vec<f64>,
}

/// A named array that calls may take.
pub struct Input {
    pub name: String,
    pub value: Value,
}

/// A call and its results, or Octave's error.
pub struct Case {
    pub text: String,
    /// The expression without the names of results.
    pub call: String,
    pub results: usize,
    pub expected: Result<Vec<Value>, String>,
}

impl Table {
    pub fn load() -> Self {
        let mut table = Self { inputs: Vec::new(), cases: Vec::new() };
        let mut lines = include_str!("../golden/builtins/expected.txt").lines().peekable();
        while let Some(line) = lines.next() {
            let (role, rest) = line.split_once(' ').unwrap();
            let mut elements = || lines.next_if(|l| l.starts_with(|c: char| "-+.0123456789NI".contains(c)));
            match role {
                "in" => {
                    let (name, header) = rest.split_once(' ').unwrap();
                    let value = Value::parse(header, elements());
                    table.inputs.push(Input { name: name.to_owned(), value });
                }
                "case" => table.cases.push(Case::new(rest)),
                "out" => {
                    let value = Value::parse(rest, elements());
                    let case = table.cases.last_mut().unwrap();
                    case.expected.as_mut().unwrap().push(value);
                }
                _ => table.cases.last_mut().unwrap().expected = Err(rest.to_owned()),
            }
        }
        table
    }
}

impl Case {
    fn new(text: &str) -> Self {
        let (results, call) = match text.split_once("] = ") {
            Some((names, call)) => (names.split(',').count(), call),
            None => (1, text),
        };
        Self { text: text.to_owned(), call: call.to_owned(), results, expected: Ok(Vec::new()) }
    }

    /// The text of the function in `tests/matlab/builtins` that the call names, if it does.
    pub fn callee(&self) -> String {
        let name = self.call.split('(').next().unwrap_or_default();
        let file = format!("{}/tests/matlab/builtins/{name}.m", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(file).unwrap_or_default()
    }

    /// Whether the name occurs in the call as a word.
    pub fn mentions(&self, name: &str) -> bool {
        self.call.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
    }
}

impl Input {
    /// The type in a signature: sizes of 1 are known, others are not.
    pub fn rust_type(&self) -> String {
        let class = class(&self.value.class).name();
        if self.value.sizes.iter().all(|n| *n == 1) {
            return class.to_owned();
        }
        let sizes = self.value.sizes.iter().enumerate();
        let sizes: Vec<String> =
            sizes.map(|(d, n)| if *n == 1 { "1".into() } else { format!("{}{d}", self.name.to_lowercase()) }).collect();
        format!("{class}[{}]", sizes.join(", "))
    }

    pub fn datum(&self, scalar: bool) -> Datum {
        let class = class(&self.value.class);
        let elements: Vec<Scalar> = self.value.elements.iter().map(|x| number(*x, class)).collect();
        if scalar {
            return Datum::Scalar(elements[0]);
        }
        let mut list = datum::Elements::zeros(class, elements.len()).unwrap();
        assert!(elements.iter().enumerate().all(|(at, x)| list.set(at, *x)));
        Datum::Array(datum::Array::new(self.value.sizes.clone(), list).unwrap().into())
    }
}

impl Value {
    fn parse(header: &str, elements: Option<&str>) -> Self {
        let mut words = header.split(' ');
        let class = words.next().unwrap().to_owned();
        let sizes = words.map(|w| w.parse().unwrap()).collect();
        let elements = elements.unwrap_or_default().split_whitespace().map(|w| w.parse().unwrap()).collect();
        Self { class, sizes, elements }
    }

    /// Says how a result differs.
    pub fn compare(&self, result: &Datum, tolerance: f64) -> Result<(), String> {
        let (class, sizes) = (result.class().matlab_name(), result.dims());
        if class != self.class || sizes != self.sizes {
            return Err(format!("{class} {sizes:?} where Octave has {} {:?}", self.class, self.sizes));
        }
        let found = result.to_doubles().unwrap();
        let largest = self.elements.iter().filter(|x| x.is_finite()).fold(0.0, |m: f64, x| m.max(x.abs()));
        let tolerance = if class == "single" { tolerance.max(1e-6) } else { tolerance };
        let close = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * largest;
        match found.iter().zip(&self.elements).all(|(a, b)| close(*a, *b)) {
            true => Ok(()),
            false => Err(format!("{found:?} where Octave has {:?}", self.elements)),
        }
    }
}

fn class(name: &str) -> Class {
    Class::from_matlab_name(name).unwrap()
}

fn number(x: f64, class: Class) -> Scalar {
    match class {
        Class::Double => Scalar::Double(x),
        Class::Single => Scalar::Single(x as f32),
        Class::Int8 => Scalar::Int8(x as i8),
        Class::Int32 => Scalar::Int32(x as i32),
        Class::Int64 => Scalar::Int64(x as i64),
        Class::UInt8 => Scalar::UInt8(x as u8),
        Class::UInt32 => Scalar::UInt32(x as u32),
        Class::UInt64 => Scalar::UInt64(x as u64),
        Class::Logical => Scalar::Logical(x != 0.0),
        other => panic!("inputs of class {} are not needed", other.name()),
    }
}
