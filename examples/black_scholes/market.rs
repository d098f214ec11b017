//! Option data from a file of comma-separated values.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use megha::rt::ndarray::Array1;

/// The columns that a file must have, in any order; it may have more.
const COLUMNS: [&str; 5] = ["spot", "strike", "rate", "volatility", "expiry"];

/// Market data of `n` European options, an array of `n` elements for each quantity.
pub struct Market {
    /// Price of the underlying.
    pub spot: Array1<f64>,
    /// Exercise price, in the same unit.
    pub strike: Array1<f64>,
    /// Risk-free rate per year, continuously compounded.
    pub rate: Array1<f64>,
    /// Volatility per square root of a year.
    pub volatility: Array1<f64>,
    /// Time to expiry in years.
    pub expiry: Array1<f64>,
}

/// Why a file could not be read.
#[derive(Debug)]
pub enum MarketError {
    /// The file system's reason.
    Io(io::Error),
    /// The file has no first line with the names of the columns.
    Empty,
    /// The first line lacks this column.
    NoColumn {
        /// The column that is missing.
        name: &'static str,
        /// The first line.
        header: String,
    },
    /// A line has more or fewer fields than the first.
    Fields {
        /// Line, from 1.
        line: usize,
        /// Fields on it.
        got: usize,
        /// Fields on the first line.
        want: usize,
    },
    /// A field that is no number, or one that no option has.
    Field {
        /// Line, from 1.
        line: usize,
        /// Column of the first character of the field, from 1.
        column: usize,
        /// The name of the quantity.
        name: &'static str,
        /// What stands there.
        text: String,
        /// What should.
        want: &'static str,
    },
}

impl fmt::Display for MarketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Empty => {
                write!(f, "line 1: expected the names of the columns, {}; the file is empty", COLUMNS.join(","))
            }
            Self::NoColumn { name, header } => {
                write!(f, "line 1: there is no column `{name}`; the columns are `{header}`")
            }
            Self::Fields { line, got, want } => {
                write!(f, "line {line}: {got} fields where line 1 names {want} columns")
            }
            Self::Field { line, column, name, text, want } => {
                write!(f, "line {line}, column {column}: the {name} is `{text}`, but must be {want}")
            }
        }
    }
}

impl From<io::Error> for MarketError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Market {
    /// Reads a file; `progress` is told the number of bytes read so far.
    ///
    /// # Errors
    /// What is wrong, with the line and the column.
    pub fn load(path: &Path, progress: impl FnMut(u64)) -> Result<Self, MarketError> {
        Self::read(BufReader::new(File::open(path)?), progress)
    }

    /// As [`Market::load`], from an open file.
    pub fn read(mut input: impl BufRead, mut progress: impl FnMut(u64)) -> Result<Self, MarketError> {
        let mut text = String::new();
        let mut bytes = input.read_line(&mut text)?;
        let header = Header::parse(text.trim_start_matches('\u{feff}').trim_end())?;
        let mut columns: [Vec<f64>; 5] = Default::default();
        for line in 2.. {
            text.clear();
            let read = input.read_line(&mut text)?;
            if read == 0 {
                break;
            }
            bytes += read;
            progress(bytes as u64);
            let row = text.trim_end_matches(['\r', '\n']);
            if !row.trim().is_empty() {
                header.row(row, line, &mut columns)?;
            }
        }
        let [spot, strike, rate, volatility, expiry] = columns.map(Array1::from);
        Ok(Self { spot, strike, rate, volatility, expiry })
    }

    /// Number of options.
    pub fn len(&self) -> usize {
        self.spot.len()
    }
}

/// Where the quantities stand on a line.
struct Header {
    /// For each field of a line, which of `COLUMNS` it is.
    quantities: Vec<Option<usize>>,
}

impl Header {
    fn parse(line: &str) -> Result<Self, MarketError> {
        if line.trim().is_empty() {
            return Err(MarketError::Empty);
        }
        let quantities: Vec<Option<usize>> =
            line.split(',').map(|field| COLUMNS.iter().position(|name| *name == field.trim())).collect();
        match (0..COLUMNS.len()).find(|quantity| !quantities.contains(&Some(*quantity))) {
            Some(missing) => Err(MarketError::NoColumn { name: COLUMNS[missing], header: line.to_owned() }),
            None => Ok(Self { quantities }),
        }
    }

    fn row(&self, row: &str, line: usize, columns: &mut [Vec<f64>; 5]) -> Result<(), MarketError> {
        let (got, want) = (row.split(',').count(), self.quantities.len());
        if got != want {
            return Err(MarketError::Fields { line, got, want });
        }
        let mut start = 1;
        for (field, quantity) in row.split(',').zip(&self.quantities) {
            if let Some(quantity) = *quantity {
                let value = value(field, quantity).map_err(|want| {
                    let (name, text) = (COLUMNS[quantity], field.trim().to_owned());
                    let blanks = field.chars().take_while(|c| c.is_whitespace()).count();
                    MarketError::Field { line, column: start + blanks, name, text, want }
                })?;
                columns[quantity].push(value);
            }
            start += field.chars().count() + 1;
        }
        Ok(())
    }
}

/// The value of a field, or what it must be. Only a rate may be zero or less.
fn value(field: &str, quantity: usize) -> Result<f64, &'static str> {
    let value: f64 = field.trim().parse().map_err(|_| "a number")?;
    match COLUMNS[quantity] {
        "rate" if value.is_finite() => Ok(value),
        "rate" => Err("a finite number"),
        _ if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err("a finite number above zero"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Market, MarketError};

    fn read(text: &str) -> Result<Market, MarketError> {
        Market::read(text.as_bytes(), |_| {})
    }

    #[test]
    fn columns_are_found_by_name() {
        let market = read("\u{feff}expiry, name,strike,rate,spot,volatility\r\n1,a,2,-3,4, 5 \r\n\r\n").unwrap();
        assert_eq!(market.len(), 1);
        let row = [market.spot[0], market.strike[0], market.rate[0], market.volatility[0], market.expiry[0]];
        assert_eq!(row, [4.0, 2.0, -3.0, 5.0, 1.0]);
        assert_eq!(read("spot,strike,rate,volatility,expiry").unwrap().len(), 0);
    }

    #[test]
    fn mistakes_are_placed() {
        const HEADER: &str = "spot,strike,rate,volatility,expiry";
        let cases = [
            (String::new(), "line 1: expected the names of the columns"),
            ("spot,strike,rate,expiry\n".into(), "line 1: there is no column `volatility`; the columns are `spot,"),
            (format!("{HEADER}\n1,2,3\n"), "line 2: 3 fields where line 1 names 5 columns"),
            (
                format!("{HEADER}\n1,2,3,4,5\n1,2,3, x,5\n"),
                "line 3, column 8: the volatility is `x`, but must be a number",
            ),
            (
                format!("{HEADER}\n-1,2,3,4,5\n"),
                "line 2, column 1: the spot is `-1`, but must be a finite number above zero",
            ),
            (format!("{HEADER}\n1,2,NaN,4,5\n"), "line 2, column 5: the rate is `NaN`, but must be a finite number"),
            (format!("{HEADER}\n1,2,3,4,\n"), "line 2, column 9: the expiry is ``, but must be a number"),
        ];
        for (text, want) in cases {
            let message = read(&text).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(message.starts_with(want), "{text:?}: {message}");
        }
    }
}
