//! Rates that are kept across runs, in a file for each device and version of its driver in the user's cache directory.
//!
//! `MEGHA_CACHE` names another directory. A file that cannot be read or written is no failure: it is noted, and the device is measured in each
//! run.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::Rates;

static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// What went wrong while rates were measured, read or written.
pub fn notes() -> Vec<String> {
    NOTES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

pub(super) fn note(text: String) {
    NOTES.lock().unwrap_or_else(PoisonError::into_inner).push(text);
}

/// The file of a device.
#[derive(Debug)]
pub(super) struct Place(PathBuf);

impl Place {
    /// `None` if no directory is known.
    pub(super) fn of(device: &str, driver: i32) -> Option<Place> {
        Some(Place::within(&directory()?, device, driver))
    }

    pub(super) fn within(directory: &Path, device: &str, driver: i32) -> Place {
        let name: String = device.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        Place(directory.join(format!("rates-{name}-{driver}.txt")))
    }

    pub(super) fn read(&self) -> Option<Rates> {
        let text = match std::fs::read_to_string(&self.0) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => {
                note(format!("{}: {error}", self.0.display()));
                return None;
            }
        };
        let rates = parse(&text);
        if rates.is_none() {
            note(format!("{}: not a file of rates", self.0.display()));
        }
        rates
    }

    pub(super) fn write(&self, rates: &Rates) {
        if let Err(error) = self.replace(&text(rates)) {
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

fn text(rates: &Rates) -> String {
    let Rates { memory, flops64, flops32, upload, download, launch, copy } = rates;
    let [launch, copy] = [launch, copy].map(Duration::as_secs_f64);
    format!(
        "memory {memory:e}\nflops64 {flops64:e}\nflops32 {flops32:e}\nupload {upload:e}\ndownload {download:e}\nlaunch {launch:e}\ncopy {copy:e}\n"
    )
}

/// `None` unless every rate is there and positive.
fn parse(text: &str) -> Option<Rates> {
    let find = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse::<f64>().ok())?;
        (value > 0.0 && value.is_finite()).then_some(value)
    };
    let time = |name: &str| Duration::try_from_secs_f64(find(name)?).ok();
    Some(Rates {
        memory: find("memory")?,
        flops64: find("flops64")?,
        flops32: find("flops32")?,
        upload: find("upload")?,
        download: find("download")?,
        launch: time("launch")?,
        copy: time("copy")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: Rates = Rates {
        memory: 3.3e12,
        flops64: 3.0e13,
        flops32: 6.1e13,
        upload: 2.5e10,
        download: 2.6e10,
        launch: Duration::from_nanos(4_100),
        copy: Duration::from_nanos(9_700),
    };

    #[test]
    fn rates_are_read_as_they_were_written() {
        let directory = std::env::temp_dir().join(format!("megha-rates-{}", std::process::id()));
        let place = Place::within(&directory.join("new"), "NVIDIA H100 80GB/x", 12_040);
        assert_eq!(place.0.file_name().unwrap(), "rates-NVIDIA-H100-80GB-x-12040.txt");
        assert_eq!(place.read(), None);
        place.write(&RATES);
        assert_eq!(place.read(), Some(RATES));
        std::fs::write(&place.0, "memory 1e12\nflops64 -3\n").unwrap();
        assert_eq!(place.read(), None);
        std::fs::remove_file(&place.0).unwrap();
        std::fs::create_dir(&place.0).unwrap();
        assert_eq!(place.read(), None);
        place.write(&RATES);
        let file = place.0.display().to_string();
        let own = notes().into_iter().filter(|note| note.starts_with(&file)).count();
        assert_eq!(own, 3, "a broken file, one that cannot be read, one that cannot be written: {:?}", notes());
        std::fs::remove_dir_all(directory).unwrap();
    }
}
