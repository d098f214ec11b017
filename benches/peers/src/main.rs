//! Megha's side of the comparison with its peers: a server that `measure.py` starts and asks, one line for each question and answer.
//!
//! | question | answer |
//! |---|---|
//! | `load PROGRAM F\|C ARGUMENT…` | `ok`, after one call |
//! | `results PREFIX` | `ok SHAPE…`: the last call's results are in the files `PREFIX.0`, `PREFIX.1` … |
//! | `time SECONDS` | `ok SECONDS…`: one time for each call, for about that long and at least one call |
//!
//! An argument is a number or `SIZExSIZE…:FILE`, a file of doubles in row-major order, which is loaded into columns first (`F`) or rows
//! first (`C`). An answer that begins with `error` says why there is none.

mod arrays;
mod programs;

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use arrays::{Argument, Results};
use programs::Call;

fn main() {
    let mut loaded = None;
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("questions are text");
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = answer(&words, &mut loaded).unwrap_or_else(|why| format!("error {why}"));
        println!("{}", answer.replace('\n', " "));
        std::io::stdout().flush().expect("somebody reads the answers");
    }
}

/// A program on its arguments, and what its last call returned.
struct Loaded {
    call: Call,
    results: Results,
}

fn answer(words: &[&str], loaded: &mut Option<Loaded>) -> Result<String, String> {
    match (words, loaded.as_mut()) {
        (["load", program, order, arguments @ ..], _) => {
            // the arrays of the last program go before those of the next come
            *loaded = None;
            let arguments =
                arguments.iter().map(|word| Argument::load(word, *order == "F")).collect::<Result<_, _>>()?;
            let call = programs::find(program, arguments).ok_or("there is no such program")?;
            let results = call().map_err(|error| error.to_string())?;
            *loaded = Some(Loaded { call, results });
            Ok("ok".into())
        }
        (["results", prefix], Some(loaded)) => loaded.results.store(prefix).map_err(|error| error.to_string()),
        (["time", seconds], Some(loaded)) => {
            let seconds = seconds.parse().map_err(|_| "a number of seconds is expected")?;
            Ok(time(&loaded.call, Duration::from_secs_f64(seconds)))
        }
        _ => Err("not a question, or no program is loaded".into()),
    }
}

/// The seconds of calls in a row, after one that is not counted. A call writes into the memory of the results before, as the peers' do that keep
/// their result arrays.
fn time(call: &Call, budget: Duration) -> String {
    let begun = Instant::now();
    let mut results = call();
    // a call that takes all the time is not repeated to warm up
    let long = begun.elapsed() > budget;
    let mut answer = String::from("ok");
    if long {
        answer += &format!(" {:e}", begun.elapsed().as_secs_f64());
    }
    while !long && begun.elapsed() < budget || answer == "ok" {
        let begun = Instant::now();
        if let Ok(results) = results {
            results.recycle();
        }
        results = call();
        answer += &format!(" {:e}", begun.elapsed().as_secs_f64());
    }
    // for the first call of the next turn
    if let Ok(results) = results {
        results.recycle();
    }
    answer
}
