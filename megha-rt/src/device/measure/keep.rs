//! Rates that are kept across runs, in a file for each device and version of its driver.

use std::time::Duration;

use super::super::kept::Kept;
use super::Rates;

/// The file of a device.
#[derive(Debug)]
pub(super) struct Place(Kept);

impl Place {
    /// `None` if no directory is known.
    pub(super) fn of(device: &str, driver: i32) -> Option<Place> {
        Kept::named(&name(device, driver)).map(Place)
    }

    pub(super) fn read(&self) -> Option<Rates> {
        self.0.read("rates", parse)
    }

    pub(super) fn write(&self, rates: &Rates) {
        self.0.write(&text(rates));
    }
}

fn name(device: &str, driver: i32) -> String {
    format!("rates-{device}-{driver}")
}

fn text(rates: &Rates) -> String {
    let Rates { memory, flops64, flops32, upload, download, launch, queued, copy } = rates;
    let [launch, queued, copy] = [launch, queued, copy].map(Duration::as_secs_f64);
    format!(
        "memory {memory:e}\nflops64 {flops64:e}\nflops32 {flops32:e}\nupload {upload:e}\ndownload {download:e}\nlaunch {launch:e}\nqueued {queued:e}\ncopy {copy:e}\n"
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
        queued: time("queued")?,
        copy: time("copy")?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::kept::notes;
    use super::*;

    const RATES: Rates = Rates {
        memory: 3.3e12,
        flops64: 3.0e13,
        flops32: 6.1e13,
        upload: 2.5e10,
        download: 2.6e10,
        launch: Duration::from_nanos(4_100),
        queued: Duration::from_nanos(2_300),
        copy: Duration::from_nanos(9_700),
    };

    #[test]
    fn rates_are_read_as_they_were_written() {
        let directory = std::env::temp_dir().join(format!("megha-rates-{}", std::process::id()));
        let place = Place(Kept::within(&directory.join("new"), &name("NVIDIA H100 80GB/x", 12_040)));
        let path = place.0.path();
        assert_eq!(path.file_name().unwrap(), "rates-NVIDIA-H100-80GB-x-12040.txt");
        assert_eq!(place.read(), None);
        place.write(&RATES);
        assert_eq!(place.read(), Some(RATES));
        std::fs::write(path, "memory 1e12\nflops64 -3\n").unwrap();
        assert_eq!(place.read(), None);
        std::fs::remove_file(path).unwrap();
        std::fs::create_dir(path).unwrap();
        assert_eq!(place.read(), None);
        place.write(&RATES);
        let own = notes().into_iter().filter(|note| note.starts_with(&path.display().to_string())).count();
        assert_eq!(own, 3, "a broken file, one that cannot be read, one that cannot be written: {:?}", notes());
        std::fs::remove_dir_all(directory).unwrap();
    }
}
