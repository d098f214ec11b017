//! Files in the user's cache directory, in which what was measured is kept across runs.
//!
//! `MEGHA_CACHE` names another directory. A file that cannot be read or written is no failure: it is noted, and the program measures again.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::trace::{self, Value};

static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Most notes that are kept.
const MOST: usize = 64;
/// Longer files are not ours.
const LONGEST: u64 = 1 << 22;

/// What went wrong while a device was measured, or while what was measured was read or written. The trace shows it too.
pub fn notes() -> Vec<String> {
    NOTES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

pub(super) fn note(text: String) {
    trace::note("cache", "what was measured", &[("reason", Value::Text(&text))]);
    let mut notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner);
    if notes.len() < MOST {
        notes.push(text);
    }
}

/// A file of the cache.
#[derive(Debug)]
pub(super) struct Kept(PathBuf);

impl Kept {
    /// The file of this name, in which only letters, digits and `-` stay; `None` if no directory is known.
    pub(super) fn named(name: &str) -> Option<Kept> {
        Some(Kept::within(&directory()?, name))
    }

    pub(super) fn within(directory: &Path, name: &str) -> Kept {
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        Kept(directory.join(format!("{name}.txt")))
    }

    /// This very file.
    pub(super) fn at(path: &Path) -> Kept {
        Kept(path.to_owned())
    }

    #[cfg(test)]
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// What `parse` makes of the file. `None` if there is none; if it cannot be read or is not `what` it should be, that is noted.
    pub(super) fn read<T>(&self, what: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let text = std::fs::metadata(&self.0).and_then(|file| match file.len() {
            0..=LONGEST => std::fs::read_to_string(&self.0),
            bytes => Err(std::io::Error::other(format!("{bytes} bytes are too many"))),
        });
        let parsed = match text {
            Ok(text) => parse(&text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => {
                note(format!("{}: {error}", self.0.display()));
                return None;
            }
        };
        if parsed.is_none() {
            note(format!("{}: not a file of {what}", self.0.display()));
        }
        parsed
    }

    /// Replaces the file.
    pub(super) fn write(&self, text: &str) {
        if let Err(error) = self.replace(text) {
            note(format!("{}: {error}", self.0.display()));
        }
    }

    /// Other processes read the old file or the new one, never a part.
    fn replace(&self, text: &str) -> std::io::Result<()> {
        if let Some(directory) = self.0.parent() {
            std::fs::create_dir_all(directory)?;
        }
        let part = self.0.with_extension(format!("{}.part", std::process::id()));
        std::fs::write(&part, text)?;
        std::fs::rename(&part, &self.0)
    }
}

/// Where the user's programs keep what they can make again.
fn directory() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let own = || {
        variable(if cfg!(windows) { "LOCALAPPDATA" } else { "XDG_CACHE_HOME" })
            .or_else(|| {
                Some(variable("HOME")?.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }))
            })
            .map(|cache| cache.join("megha"))
    };
    variable("MEGHA_CACHE").or_else(own)
}
