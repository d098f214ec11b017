//! Whether this machine has the memory that is about to be asked for.
//!
//! Linux promises memory that it does not have, and ends the process that writes to it. So before a large block is allocated it is asked what is there:
//! `MemAvailable` and free swap of `/proc/meminfo`, or what the process's control groups leave it, if that is less. Memory that arrays have and
//! that nobody has touched yet counts as taken: at least what they have beyond what the process has resident. The answer is kept for a moment, in
//! which it only grants; nothing is refused without asking anew. On other systems, and where these files cannot be read, only the allocator refuses.
//!
//! `MEGHA_MEMORY=512M`, or [`set_limit`], is a machine on which arrays have at most so many bytes in all.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

/// Blocks smaller than this are not asked about: asking takes some 0.1 ms, and a block of so many bytes as much as 10 ms to fill.
const LARGE: usize = 64 << 20;
/// How long an answer counts.
const KEPT: Duration = Duration::from_millis(50);
/// No limit.
const ENDLESS: u64 = u64::MAX;

static LIMIT: AtomicU64 = AtomicU64::new(ENDLESS);
static ASKED: Once = Once::new();
static ANSWER: Mutex<Option<Answer>> = Mutex::new(None);

/// What was there, less what was granted since.
struct Answer {
    at: Instant,
    left: u64,
}

/// Bounds the bytes that arrays have in all, or no longer does.
pub fn set_limit(bytes: Option<u64>) {
    ASKED.call_once(|| {});
    LIMIT.store(bytes.unwrap_or(ENDLESS), Ordering::Relaxed);
}

/// The bound of [`set_limit`] or the environment.
fn limit() -> u64 {
    ASKED.call_once(|| {
        let asked = std::env::var_os("MEGHA_MEMORY").filter(|text| !text.is_empty());
        let Some(text) = asked.map(|text| text.to_string_lossy().into_owned()) else { return };
        match crate::bytes::parse(&text) {
            Some(bytes) => LIMIT.store(bytes, Ordering::Relaxed),
            None => eprintln!(
                "megha: MEGHA_MEMORY is `{text}`, which is no number of bytes as 512M, 1.5G or 400000000; ignored"
            ),
        }
    });
    LIMIT.load(Ordering::Relaxed)
}

/// Whether there is a bound of [`set_limit`] or the environment.
pub fn is_limited() -> bool {
    limit() != ENDLESS
}

/// Where arrays that have so many bytes cannot have so many more by the limit, what they can.
pub fn beyond_limit(bytes: usize, held: usize) -> Option<u64> {
    beyond(limit(), bytes, held)
}

/// The same for a limit.
fn beyond(limit: u64, bytes: usize, held: usize) -> Option<u64> {
    let left = if limit == ENDLESS { ENDLESS } else { limit.saturating_sub(held as u64) };
    (bytes as u64 > left).then_some(left)
}

/// Where the machine does not have so many bytes more, what it has. Arrays have `held`, some of which may not have been touched.
pub fn beyond_machine(bytes: usize, held: usize) -> Option<u64> {
    if bytes < LARGE {
        return None;
    }
    let bytes = bytes as u64;
    let mut answer = ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(Answer { at, left }) = answer.as_mut()
        && at.elapsed() < KEPT
        && bytes <= *left
    {
        *left -= bytes;
        return None;
    }
    let there = available()?.saturating_sub((held as u64).saturating_sub(resident()));
    *answer = Some(Answer { at: Instant::now(), left: there.saturating_sub(bytes) });
    (bytes > there).then_some(there)
}

/// The smaller of both.
pub fn lacking(bytes: usize, held: usize) -> Option<u64> {
    beyond_limit(bytes, held).or_else(|| beyond_machine(bytes, held))
}

/// Bytes that the process can still have, if the system says it.
#[cfg(target_os = "linux")]
pub fn available() -> Option<u64> {
    let machine = of_machine(&read("/proc/meminfo")?)?;
    let groups = read("/proc/self/cgroup").and_then(|list| groups::available(&list, &read));
    Some(groups.map_or(machine, |left| left.min(machine)))
}

/// Nobody says it.
#[cfg(not(target_os = "linux"))]
pub fn available() -> Option<u64> {
    None
}

/// Bytes of memory without a file behind it that the process has touched.
fn resident() -> u64 {
    read("/proc/self/status").and_then(|text| kibibytes(&text, "RssAnon:")).unwrap_or(ENDLESS)
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// What `/proc/meminfo` says is available, with swap.
fn of_machine(text: &str) -> Option<u64> {
    Some(kibibytes(text, "MemAvailable:")?.saturating_add(kibibytes(text, "SwapFree:").unwrap_or(0)))
}

/// The bytes of a line that begins so and counts in kibibytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let number: u64 = number_after(text, name)?;
    number.checked_mul(1 << 10)
}

/// The number of a line that begins so.
fn number_after(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(any(target_os = "linux", test))]
mod groups {
    //! What control groups leave a process (`/proc/self/cgroup`), version 2 or 1: the least of the limits of its own and of those around it, less what
    //! each uses that is no cache of files. Swap that a group may have is not counted against it.

    use super::number_after;

    /// The names of a version's files.
    struct Files {
        root: &'static str,
        limit: &'static str,
        used: &'static str,
        cached: &'static str,
    }

    const SECOND: Files =
        Files { root: "/sys/fs/cgroup", limit: "memory.max", used: "memory.current", cached: "inactive_file " };
    const FIRST: Files = Files {
        root: "/sys/fs/cgroup/memory",
        limit: "memory.limit_in_bytes",
        used: "memory.usage_in_bytes",
        cached: "total_inactive_file ",
    };

    /// Bytes that the groups of a list leave; `None` without a limit.
    pub fn available(list: &str, read: &dyn Fn(&str) -> Option<String>) -> Option<u64> {
        let mut least = None;
        for line in list.lines() {
            let mut fields = line.splitn(3, ':');
            let (Some(_), Some(kinds), Some(path)) = (fields.next(), fields.next(), fields.next()) else { continue };
            let files = if kinds.is_empty() { SECOND } else { FIRST };
            if !kinds.is_empty() && !kinds.split(',').any(|kind| kind == "memory") {
                continue;
            }
            // the group itself and all around it, of which a container may see only the first
            let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
            for end in ends {
                let left = left(&files, &path[..end], read);
                least = [least, left].into_iter().flatten().min();
            }
        }
        least
    }

    /// What one group leaves.
    fn left(files: &Files, path: &str, read: &dyn Fn(&str) -> Option<String>) -> Option<u64> {
        let file = |name: &str| read(&format!("{}{}/{name}", files.root, path.trim_end_matches('/')));
        let number = |name: &str| file(name)?.trim().parse::<u64>().ok();
        let (limit, used) = (number(files.limit)?, number(files.used)?);
        let cached = file("memory.stat").and_then(|text| number_after(&text, files.cached)).unwrap_or(0);
        Some(limit.saturating_sub(used.saturating_sub(cached)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_machine_says() {
        let text = "MemTotal:       24684092 kB\nMemFree:  7 kB\nMemAvailable:   20429384 kB\nSwapFree: 16 kB\n";
        assert_eq!(of_machine(text), Some((20_429_384 + 16) << 10));
        assert_eq!(of_machine("MemAvailable:   20 kB\n"), Some(20 << 10));
        assert_eq!(["", "MemAvailable: much kB", "MemAvailable:"].map(of_machine), [None; 3]);
    }

    #[test]
    fn what_control_groups_leave() {
        let files = [
            // the second version: a limit around the group
            ("/sys/fs/cgroup/a/memory.max", "1000\n"),
            ("/sys/fs/cgroup/a/memory.current", "900\n"),
            ("/sys/fs/cgroup/a/memory.stat", "anon 5\ninactive_file 300\nactive_file 77\n"),
            ("/sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("/sys/fs/cgroup/a/b/memory.current", "20\n"),
            // the first
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n"),
            ("/sys/fs/cgroup/memory/c/memory.limit_in_bytes", "500\n"),
            ("/sys/fs/cgroup/memory/c/memory.usage_in_bytes", "700\n"),
        ];
        let read = |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
        let left = |list: &str| groups::available(list, &read);
        assert_eq!(left("0::/a/b\n"), Some(400));
        assert_eq!(left("0::/\n"), None);
        assert_eq!(left("4:cpu,memory:/\n3:cpuset:/c\n0::/\n"), Some(9_223_372_036_854_771_712 - 1000));
        assert_eq!(left("4:memory:/c\n0::/a"), Some(0));
        assert_eq!(["", "memory", "4:memory"].map(left), [None; 3]);
    }

    /// What arrays have and nobody has touched is not there for others, and what is there is never refused.
    #[test]
    #[cfg(target_os = "linux")]
    fn more_than_the_machine_has() {
        let there = available().expect("Linux says what it has");
        assert_eq!(beyond_machine(LARGE - 1, usize::MAX), None);
        assert_eq!(beyond_machine(LARGE, 0), None, "{there}");
        assert!(beyond_machine(4 * there as usize, 0).is_some_and(|left| left < 4 * there));
        let untouched = resident() as usize + there as usize;
        assert!(beyond_machine(there as usize / 2, untouched).is_some(), "{there}");
    }

    #[test]
    fn a_limit_is_a_small_machine() {
        let of = |bytes, held| beyond(1000, bytes, held);
        assert_eq!([of(1000, 0), of(1, 1000), of(600, 500), of(1, 2000)], [None, Some(0), Some(500), Some(0)]);
        assert_eq!([0, 2000].map(|held| beyond(ENDLESS, usize::MAX, held)), [None; 2]);
    }
}
