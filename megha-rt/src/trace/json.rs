//! The trace event format of Chrome and Perfetto: one JSON object for each event, times in microseconds.

use std::fmt::Write;

/// Where an event is shown: in a row (`thread`) of a group of rows (`process`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Row {
    pub process: u32,
    pub thread: u32,
}

/// What is known about an event.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'v> {
    Text(&'v str),
    Count(u64),
}

pub(crate) type Details<'v> = [(&'v str, Value<'v>)];

/// Appends a text as JSON.
fn text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' | '\u{7f}' => _ = write!(out, "\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn head(out: &mut String, phase: &str, name: &str, row: Row) {
    out.push_str("{\"name\":");
    text(out, name);
    _ = write!(out, ",\"ph\":\"{phase}\",\"pid\":{},\"tid\":{}", row.process, row.thread);
}

fn category(out: &mut String, name: &str) {
    out.push_str(",\"cat\":");
    text(out, name);
}

fn details(out: &mut String, details: &Details<'_>) {
    out.push_str(",\"args\":{");
    for (at, (name, value)) in details.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        text(out, name);
        out.push(':');
        match value {
            Value::Text(value) => text(out, value),
            Value::Count(value) => _ = write!(out, "{value}"),
        }
    }
    out.push_str("}}");
}

/// Something that took from `start` to `end`.
pub(super) fn span(
    out: &mut String,
    row: Row,
    (kind, name): (&str, &str),
    [start, end]: [f64; 2],
    known: &Details<'_>,
) {
    head(out, "X", name, row);
    category(out, kind);
    _ = write!(out, ",\"ts\":{start:.3},\"dur\":{:.3}", (end - start).max(0.0));
    details(out, known);
}

/// Something that happened at a moment.
pub(super) fn moment(out: &mut String, row: Row, (kind, name): (&str, &str), at: f64, known: &Details<'_>) {
    head(out, "i", name, row);
    category(out, kind);
    _ = write!(out, ",\"ts\":{at:.3},\"s\":\"t\"");
    details(out, known);
}

/// The name of a row, or with `process_name` of its group.
pub(super) fn label(out: &mut String, what: &str, row: Row, name: &str) {
    head(out, "M", what, row);
    details(out, &[("name", Value::Text(name))]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_escaped() {
        let name = "a\"b\\c\n\r\t\0\u{7f}\u{2028}\u{1F600}</script>";
        let row = Row { process: 1, thread: 2 };
        let mut out = String::new();
        span(&mut out, row, (name, name), [1.25, 3.5], &[(name, Value::Text(name)), ("n", Value::Count(u64::MAX))]);
        let read: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!((read["name"].as_str(), read["cat"].as_str()), (Some(name), Some(name)));
        assert_eq!((read["args"][name].as_str(), read["args"]["n"].as_u64()), (Some(name), Some(u64::MAX)));
        assert_eq!((read["ts"].as_f64(), read["dur"].as_f64()), (Some(1.25), Some(2.25)));
        assert!(!out.contains('\n'), "one line for each event");
    }
}
