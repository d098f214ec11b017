//! What versions of functions assume.

use super::cursor::Cursor;
use super::{ParseError, func_ref};
use crate::ir::{Assumptions, Condition, Quantity, Version};

/// Reads what follows the word `version`.
pub(super) fn version(cursor: &mut Cursor, heads: &[String]) -> Result<Version, ParseError> {
    let func = func_ref(cursor, heads)?;
    cursor.expect_word("else")?;
    let general = func_ref(cursor, heads)?;
    cursor.expect("{")?;
    let mut assumes = Assumptions::default();
    while !cursor.eat("}") {
        if cursor.eat_word("whole") {
            assumes.whole.push(cursor.index("the number of a parameter")? as usize);
        } else {
            cursor.expect_word("holds")?;
            assumes.conditions.push(condition(cursor)?);
        }
    }
    Ok(Version { func, assumes, general })
}

fn condition(cursor: &mut Cursor) -> Result<Condition, ParseError> {
    let mut condition = Condition { constant: cursor.signed()?, terms: Vec::new() };
    while cursor.eat(",") {
        let factor = cursor.signed()?;
        let extent = cursor.eat_word("extent");
        if !extent {
            cursor.expect_word("number")?;
        }
        let param = cursor.index("the number of a parameter")? as usize;
        let axis = if extent { Some(cursor.index("an axis")? as usize) } else { None };
        condition.terms.push((axis.map_or(Quantity::Number(param), |axis| Quantity::Extent(param, axis)), factor));
    }
    Ok(condition)
}
