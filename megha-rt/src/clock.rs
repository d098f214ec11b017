//! `tic`, `toc`, `time`, `cputime`, `clock`.

use megha_base::date;

use crate::layout::Layout;
use crate::{Array, Error, ErrorKind, Result, Site, View};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Instant, SystemTime};

/// When the timer was started; it belongs to the process.
static STARTED: Mutex<Option<f64>> = Mutex::new(None);

/// Seconds since 1970.
pub fn time() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())
}

/// Seconds since the first call: differences are those of the wall clock, which for one thread are the seconds computed.
pub fn cpu_time() -> f64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Starts the timer; gives the time.
pub fn tic() -> f64 {
    let now = time();
    *STARTED.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    now
}

/// Seconds since the timer was started.
///
/// # Errors
/// It was not started.
pub fn toc(site: &Site) -> Result<f64> {
    match *STARTED.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(started) => Ok(time() - started),
        None => Err(Error::new(
            ErrorKind::Check { message: "toc was called before tic started the timer".to_owned() },
            site,
        )),
    }
}

/// Year, month, day, hour, minute and second as a row.
///
/// # Errors
/// No memory.
pub fn vector<L: Layout>(seconds: f64, site: &Site) -> Result<Array<L, f64, 2>> {
    crate::whole::row(&date::vector(seconds), site)
}

/// Seconds since 1970 of such a row.
pub fn seconds<L: Layout, const N: usize>(vector: View<'_, L, f64, N>) -> f64 {
    let mut parts = [0.0; 6];
    parts.iter_mut().zip(vector.as_slice()).for_each(|(part, x)| *part = *x);
    date::seconds(parts)
}
