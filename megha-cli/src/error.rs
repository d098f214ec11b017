//! `megha error`: what the numbers of messages mean.

use super::End;
use crate::output::say;
use megha_core::diag::Code;

/// Explains one number, or lists all.
pub fn error(number: Option<&str>) -> End {
    let Some(number) = number else {
        for code in Code::ALL {
            say(format_args!("{code}  {}\n", code.title()));
        }
        return End::Well;
    };
    let digits = number.trim_start_matches(['M', 'm']);
    let code = digits.parse::<u16>().ok().and_then(|n| Code::ALL.iter().find(|c| c.number() == n));
    match code {
        Some(code) => {
            say(format_args!("{code}: {}\n\n", code.title()));
            wrap(code.explanation());
            End::Well
        }
        None => End::Refused(format!("there is no message {number}; `megha error` lists all")),
    }
}

/// Prints a text in lines of at most 80 characters.
fn wrap(text: &str) {
    let mut width = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 80 {
            say(format_args!("\n"));
            width = 0;
        }
        say(format_args!("{}{word}", if width > 0 { " " } else { "" }));
        width += length + usize::from(width > 0);
    }
    say(format_args!("\n"));
}
