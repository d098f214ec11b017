//! The second front end: Rust loop nests.

/// The code that takes the place of a function with the attribute `#[offload]`, from the texts of the attribute's arguments
/// and of the function.
///
/// # Errors
/// What the function has that is not compiled, in words.
pub fn expand(_attribute: &str, _item: &str) -> Result<String, String> {
    Err("`#[offload]` is not compiled yet; without the attribute the function runs as plain Rust".to_owned())
}
