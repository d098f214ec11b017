//! The file of a trace: what compiled functions did and when, if `MEGHA_TRACE` names a file.
//!
//! Events are gathered and written when an outermost call ends, each time in front of the bracket that closes the file: so it is whole JSON
//! whenever the program ends, also when it is killed, and nothing has to run at its exit.

use std::cell::Cell;
use std::collections::HashSet;
use std::fs::File;
use std::io::{Result, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::json::{self, Details, Row};

const UNKNOWN: u8 = 0;
const OFF: u8 = 1;
const ON: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);
static LOG: Mutex<Option<Log>> = Mutex::new(None);

/// The group of rows of the host; those of devices follow.
const HOST: u32 = 1;

/// What is written at the end, and over which the next events go.
const CLOSE: &[u8] = b"\n]\n";

/// Whether a trace is written. Where not, this is one read.
#[inline]
pub(crate) fn on() -> bool {
    match STATE.load(Ordering::Relaxed) {
        OFF => false,
        ON => true,
        _ => open(),
    }
}

/// Whether no trace is written, as is known by now.
#[inline(always)]
pub(crate) fn is_off() -> bool {
    STATE.load(Ordering::Relaxed) == OFF
}

#[cold]
fn open() -> bool {
    let mut log = LOG.lock().unwrap_or_else(PoisonError::into_inner);
    if STATE.load(Ordering::Relaxed) == UNKNOWN {
        let path = std::env::var_os("MEGHA_TRACE").filter(|path| !path.is_empty());
        *log = path.and_then(|path| {
            let path = Path::new(&path);
            Log::create(path).inspect_err(|error| unwritten(&path.display(), error)).ok()
        });
        STATE.store(if log.is_some() { ON } else { OFF }, Ordering::Relaxed);
    }
    log.is_some()
}

fn unwritten(file: &dyn std::fmt::Display, error: &std::io::Error) {
    eprintln!("megha: the trace {file} cannot be written: {error}");
}

/// When something began that is to be in the trace, if there is one.
#[inline]
pub(crate) fn begin() -> Option<Instant> {
    on().then(Instant::now)
}

/// Where an event belongs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lane<'l> {
    /// The calling thread of the host.
    Host,
    /// A queue of a device, by their names.
    Device(&'l str, &'static str),
}

/// Notes what began then and has ended now; `what` is its kind and its name.
pub(crate) fn span(begun: Instant, lane: Lane<'_>, what: (&str, &str), known: &Details<'_>) {
    let end = Instant::now();
    with(|log| {
        let times = [begun, end].map(|at| at.saturating_duration_since(log.start).as_secs_f64() * 1e6);
        log.span(lane, what, times, known);
    });
}

/// Notes what a device says it did; the times are microseconds of its own clock.
pub(crate) fn device_span(lane: Lane<'_>, what: (&str, &str), times: [f64; 2]) {
    with(|log| log.span(lane, what, times, &[]));
}

/// Notes something that happened now: a decision, a failure, a fallback.
pub(crate) fn note(kind: &str, name: &str, known: &Details<'_>) {
    if on() {
        with(|log| log.moment((kind, name), known));
    }
}

/// Writes what was noted.
pub(crate) fn flush() {
    let mut log = LOG.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(open) = &mut *log
        && let Err(error) = open.flush()
    {
        unwritten(&"file", &error);
        *log = None;
        STATE.store(OFF, Ordering::Relaxed);
    }
}

fn with(change: impl FnOnce(&mut Log)) {
    if let Some(log) = &mut *LOG.lock().unwrap_or_else(PoisonError::into_inner) {
        change(log);
    }
}

struct Log {
    file: File,
    /// Where the bracket is that closes the file.
    end: u64,
    /// Events that are not written yet, each with what separates it from the one before.
    pending: String,
    first: bool,
    start: Instant,
    /// The devices, each with its queues.
    devices: Vec<(String, Vec<&'static str>)>,
    named: HashSet<Row>,
}

impl Log {
    fn create(path: &Path) -> Result<Log> {
        let mut file = File::create(path)?;
        file.write_all(b"[")?;
        file.write_all(CLOSE)?;
        let (pending, devices, named) = (String::new(), Vec::new(), HashSet::new());
        let mut log = Log { file, end: 1, pending, first: true, start: Instant::now(), devices, named };
        log.append(|out| json::label(out, "process_name", Row { process: HOST, thread: 0 }, "host"));
        Ok(log)
    }

    fn append(&mut self, event: impl FnOnce(&mut String)) {
        self.pending.push_str(if self.first { "\n" } else { ",\n" });
        self.first = false;
        event(&mut self.pending);
    }

    fn span(&mut self, lane: Lane<'_>, what: (&str, &str), times: [f64; 2], known: &Details<'_>) {
        let row = self.row(lane);
        self.append(|out| json::span(out, row, what, times, known));
    }

    fn moment(&mut self, what: (&str, &str), known: &Details<'_>) {
        let row = self.row(Lane::Host);
        let at = self.start.elapsed().as_secs_f64() * 1e6;
        self.append(|out| json::moment(out, row, what, at, known));
    }

    fn row(&mut self, lane: Lane<'_>) -> Row {
        match lane {
            Lane::Host => {
                let row = Row { process: HOST, thread: thread_number() };
                let thread = std::thread::current();
                let unnamed = || format!("thread {}", row.thread);
                self.name(row, &thread.name().map_or_else(unnamed, str::to_owned));
                row
            }
            Lane::Device(device, queue) => {
                let process = self.devices.iter().position(|(name, _)| name == device).unwrap_or_else(|| {
                    self.devices.push((device.to_owned(), Vec::new()));
                    self.devices.len() - 1
                });
                let queues = &mut self.devices[process].1;
                let thread = queues.iter().position(|name| *name == queue).unwrap_or_else(|| {
                    queues.push(queue);
                    queues.len() - 1
                });
                let row = Row { process: HOST + 1 + process as u32, thread: thread as u32 };
                if thread == 0 && !self.named.contains(&row) {
                    self.append(|out| json::label(out, "process_name", row, device));
                }
                self.name(row, queue);
                row
            }
        }
    }

    fn name(&mut self, row: Row, name: &str) {
        if self.named.insert(row) {
            self.append(|out| json::label(out, "thread_name", row, name));
        }
    }

    fn flush(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut bytes = std::mem::take(&mut self.pending).into_bytes();
        let events = bytes.len() as u64;
        bytes.extend_from_slice(CLOSE);
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&bytes)?;
        self.end += events;
        Ok(())
    }
}

/// A small number for the calling thread.
fn thread_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    thread_local! {
        static NUMBER: Cell<u32> = const { Cell::new(0) };
    }
    if NUMBER.get() == 0 {
        NUMBER.set(NEXT.fetch_add(1, Ordering::Relaxed));
    }
    NUMBER.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_whole_after_every_call() {
        let path = std::env::temp_dir().join(format!("megha-trace-{}.json", std::process::id()));
        let mut log = Log::create(&path).unwrap();
        let read = || -> Vec<serde_json::Value> { serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap() };
        assert_eq!(read().len(), 0);
        for call in 1..4 {
            log.span(Lane::Host, ("call", "f"), [1.0, 2.0], &[]);
            log.span(Lane::Device("GPU", "compute"), ("kernel", "k"), [1.0, 2.0], &[]);
            log.flush().unwrap();
            log.flush().unwrap();
            // and the names of two groups and two rows
            assert_eq!(read().len(), 4 + 2 * call);
        }
        std::fs::remove_file(path).unwrap();
    }
}
