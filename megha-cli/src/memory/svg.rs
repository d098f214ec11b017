//! Memory plans as a drawing.

use std::fmt::Write;

use super::chart::{Cell, Chart};
use super::words;

/// Sizes of a cell, and of the column of names.
const CELL: (usize, usize) = (28, 20);
const NAMES: usize = 220;

fn colour(cell: Cell) -> &'static str {
    match cell {
        Cell::Away => "#f4f4f4",
        Cell::Used => "#1f5f9f",
        Cell::Kept => "#9fc4e8",
        Cell::Spilled => "#e8a09f",
        Cell::Host => "#d8d8a0",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// All plans, one below the other.
pub fn drawn(charts: &[Chart]) -> String {
    let (mut body, mut y, mut width) = (String::new(), CELL.1, 0);
    for chart in charts {
        width = width.max(NAMES + CELL.0 * chart.statements.len());
        y = one(&mut body, chart, y);
    }
    width = width.max(NAMES + 400);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{y}\" font-family=\"monospace\" font-size=\"12\">\n{body}</svg>\n"
    )
}

/// A plan from a height on; where it ends.
fn one(body: &mut String, chart: &Chart, mut y: usize) -> usize {
    let mut line = |text: String| writeln!(body, "{text}").unwrap_or(());
    line(format!("<text x=\"4\" y=\"{y}\">{}; {} of memory</text>", escaped(&chart.title), words(chart.budget)));
    y += CELL.1 / 2;
    for (name, bytes, cells) in &chart.rows {
        line(format!("<text x=\"4\" y=\"{}\">{} ({})</text>", y + 14, escaped(name), words(*bytes)));
        for (at, cell) in cells.iter().enumerate() {
            let (x, [width, height]) = (NAMES + at * CELL.0, [CELL.0 - 2, CELL.1 - 2]);
            let fill = colour(*cell);
            line(format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"));
        }
        y += CELL.1;
    }
    for (at, (statement, [all, left])) in chart.statements.iter().zip(&chart.live).enumerate() {
        let (x, number) = (NAMES + at * CELL.0 + 4, at + 1);
        let (all, left) = (words(*all), words(*left));
        line(format!(
            "<text x=\"{x}\" y=\"{}\">{number}<title>{}: {all}, {left}</title></text>",
            y + 14,
            escaped(statement)
        ));
    }
    y + 3 * CELL.1
}
