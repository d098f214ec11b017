//! Which device is used, and whether kernels must, may or must not run on it.
//!
//! The first of these that applies decides: [`with`] on the calling thread; [`Builder::install`] for the process; the environment
//! variable `MEGHA_DEVICE` (`cpu`, `gpu`, `auto` or `sim`, the second and third with `:` and the number of a CUDA device, the last with `:` and the name of a card), which is read
//! once, when a compiled function first asks. How much memory of it arrays may take `budget` says.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::absent::Absent;
use super::traced::Traced;
use super::{Device, Failure, budget};
use crate::per_thread::PerThread;
use crate::trace::{self, Value};

/// Where kernels run if a device is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Placement {
    /// On the CPU.
    Cpu,
    /// On the device, whatever that costs.
    Gpu,
    /// Where they are estimated to be faster.
    Auto,
}

/// What kind of device is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// None.
    Cpu,
    /// A CUDA device, for all kernels.
    Gpu,
    /// A CUDA device if there is one, for the kernels that are faster there.
    Auto,
    /// A simulated device, for all kernels.
    Sim,
}

/// Why there is no device.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unavailable(pub(super) String);

impl From<Failure> for Unavailable {
    fn from(failure: Failure) -> Self {
        Unavailable(failure.to_string())
    }
}

/// A device, opened, and what is to run on it.
pub type Chosen = (Arc<dyn Device>, Placement);

/// What a device is to be like.
///
/// ```
/// use megha_rt::device::{Builder, Kind};
///
/// // at most 4 GiB of the second GPU, if there is one
/// match Builder::new(Kind::Auto).ordinal(1).memory_limit(4 << 30).open() {
///     Ok(Some((device, _))) => println!("{}", device.name()),
///     Ok(None) => unreachable!("the CPU was not asked for"),
///     Err(why) => println!("on the CPU: {why}"),
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Builder {
    kind: Kind,
    ordinal: usize,
    memory: Option<u64>,
    placement: Option<Placement>,
    #[cfg(feature = "sim")]
    simulator: megha_sim::Config,
}

impl Builder {
    /// The first device of a kind, with all of its memory.
    pub fn new(kind: Kind) -> Builder {
        Builder {
            kind,
            ordinal: 0,
            memory: None,
            placement: None,
            #[cfg(feature = "sim")]
            simulator: super::sim::SimDevice::standard(),
        }
    }

    /// The number of the CUDA device, counted from 0 in the driver's order.
    pub fn ordinal(mut self, ordinal: usize) -> Builder {
        self.ordinal = ordinal;
        self
    }

    /// The most bytes of its memory that arrays may take. Without, `MEGHA_GPU_MEMORY` says it, or it is what is free less a margin.
    pub fn memory_limit(mut self, bytes: u64) -> Builder {
        self.memory = Some(bytes);
        self
    }

    /// What is to run on it, if not what its kind says.
    pub fn placement(mut self, placement: Placement) -> Builder {
        self.placement = Some(placement);
        self
    }

    /// The properties of a simulated device; those of real cards are [`super::sim::SimDevice::card`].
    #[cfg(feature = "sim")]
    pub fn simulator(mut self, config: megha_sim::Config) -> Builder {
        self.simulator = config;
        self
    }

    /// Opens the device; `None` if the CPU was asked for.
    ///
    /// # Errors
    /// Why there is no such device.
    pub fn open(&self) -> Result<Option<Chosen>, Unavailable> {
        let memory = self.memory.or_else(budget::asked);
        let (device, placement) = match self.kind {
            Kind::Cpu => return Ok(None),
            Kind::Gpu => (self.cuda(memory)?, Placement::Gpu),
            Kind::Auto => (self.cuda(memory)?, Placement::Auto),
            Kind::Sim => (self.simulated(memory)?, Placement::Gpu),
        };
        Ok(Some((device, self.placement.unwrap_or(placement))))
    }

    /// Makes it the device of the process.
    ///
    /// # Errors
    /// Why there is no such device, or that compiled functions have chosen one already.
    pub fn install(&self) -> Result<(), Unavailable> {
        let process = Process { chosen: self.open()?.map(traced), unavailable: None, abandoned: OnceLock::new() };
        PROCESS.set(process).map_err(|_| Unavailable("the device of this process was already chosen".into()))
    }

    #[cfg(feature = "cuda")]
    fn cuda(&self, memory: Option<u64>) -> Result<Arc<dyn Device>, Unavailable> {
        Ok(Arc::new(super::cuda::CudaDevice::open(self.ordinal, memory)?))
    }

    #[cfg(not(feature = "cuda"))]
    fn cuda(&self, _memory: Option<u64>) -> Result<Arc<dyn Device>, Unavailable> {
        Err(Unavailable("Megha was built without the feature `cuda`".into()))
    }

    #[cfg(feature = "sim")]
    fn simulated(&self, memory: Option<u64>) -> Result<Arc<dyn Device>, Unavailable> {
        let mut config = self.simulator.clone();
        config.memory = memory.map_or(config.memory, |most| config.memory.min(most));
        Ok(Arc::new(super::sim::SimDevice::new(config)))
    }

    #[cfg(not(feature = "sim"))]
    fn simulated(&self, _memory: Option<u64>) -> Result<Arc<dyn Device>, Unavailable> {
        Err(Unavailable("Megha was built without the feature `sim`".into()))
    }
}

/// The device of the process.
struct Process {
    chosen: Option<Chosen>,
    unavailable: Option<String>,
    /// Why it is not used any more.
    abandoned: OnceLock<String>,
}

static PROCESS: OnceLock<Process> = OnceLock::new();

thread_local! {
    static SCOPED: PerThread<Chosen> = const { PerThread::new() };
}

impl Process {
    fn get() -> &'static Process {
        PROCESS.get_or_init(|| {
            let wish = std::env::var_os("MEGHA_DEVICE");
            let wish = wish.map_or(Ok(Builder::new(Kind::Auto)), |wish| parse(&wish.to_string_lossy()));
            let builder = wish.unwrap_or_else(|message| {
                trace::note("decision", "MEGHA_DEVICE", &[("reason", Value::Text(&message))]);
                eprintln!("megha: {message}");
                Builder::new(Kind::Auto)
            });
            Process::of(&builder)
        })
    }

    /// Where there is no GPU, all that must run on one fails; what may, runs on the CPU.
    fn of(builder: &Builder) -> Process {
        let (chosen, unavailable) = match builder.open() {
            Ok(chosen) => (chosen, None),
            Err(Unavailable(why)) => {
                trace::note("decision", "no device", &[("reason", Value::Text(&why))]);
                let absent = || (Arc::new(Absent::new(why.clone())) as Arc<dyn Device>, Placement::Gpu);
                let chosen = (builder.kind != Kind::Auto).then(absent);
                (chosen, Some(why))
            }
        };
        Process { chosen: chosen.map(traced), unavailable, abandoned: OnceLock::new() }
    }
}

/// The device as compiled functions see it.
fn traced((device, placement): Chosen) -> Chosen {
    (if trace::on() { Traced::of(device) } else { device }, placement)
}

/// The meaning of a value of `MEGHA_DEVICE`: a kind, and the number of the CUDA device or the name of the simulated card.
fn parse(wish: &str) -> Result<Builder, String> {
    let (kind, which) = wish.split_once(':').map_or((wish, None), |(kind, which)| (kind, Some(which)));
    let numbered = |kind: Kind, which: Option<&str>| {
        let ordinal = which.map_or(Some(0), |number| number.parse().ok());
        ordinal.map(|ordinal| Builder::new(kind).ordinal(ordinal))
    };
    let builder = match (kind, which) {
        ("cpu", None) => Some(Builder::new(Kind::Cpu)),
        ("gpu", which) => numbered(Kind::Gpu, which),
        ("auto", which) => numbered(Kind::Auto, which),
        ("", None) => Some(Builder::new(Kind::Auto)),
        ("sim", None) => Some(Builder::new(Kind::Sim)),
        ("sim", Some(card)) => simulating(card),
        _ => None,
    };
    builder.ok_or_else(|| {
        let cards: String = cards().iter().map(|card| format!(" sim:{card},")).collect();
        format!(
            "MEGHA_DEVICE is `{wish}`, which is none of cpu, gpu, auto, sim,{cards} gpu:1, auto:1, ..; taken for auto"
        )
    })
}

/// The names of the cards that can be simulated.
#[cfg(feature = "sim")]
fn cards() -> &'static [&'static str] {
    &megha_sim::Config::NAMES
}

#[cfg(not(feature = "sim"))]
fn cards() -> &'static [&'static str] {
    &[]
}

/// A simulated card, by one of the names.
#[cfg(feature = "sim")]
fn simulating(card: &str) -> Option<Builder> {
    Some(Builder::new(Kind::Sim).simulator(super::sim::SimDevice::card(card)?))
}

/// Whatever the card, this build cannot simulate it, which it says when the device is opened.
#[cfg(not(feature = "sim"))]
fn simulating(_card: &str) -> Option<Builder> {
    Some(Builder::new(Kind::Sim))
}

/// The device that the calling thread is to use, and what is to run on it. Where there is none, this is two reads.
///
/// Without a GPU, `MEGHA_DEVICE=gpu` gives a device of which every operation fails and says why.
pub fn current() -> Option<Chosen> {
    if let Some(scoped) = SCOPED.with(|scoped| scoped.with(|chosen| chosen.clone())) {
        return Some(scoped);
    }
    let process = Process::get();
    let chosen = process.chosen.as_ref()?;
    process.abandoned.get().is_none().then(|| chosen.clone())
}

/// Whether there may be a device for the calling thread; `false` means that [`current`] gives none.
#[inline]
pub(crate) fn may_be_chosen() -> bool {
    let none = || PROCESS.get().is_some_and(|process| process.chosen.is_none());
    SCOPED.with(|scoped| scoped.with(|chosen| chosen.is_some())) || !none()
}

/// Why the process has no device, though it may use one; `None` if it has one, or the CPU was asked for.
pub fn unavailable() -> Option<String> {
    let process = Process::get();
    process.abandoned.get().or(process.unavailable.as_ref()).cloned()
}

/// The device is not used by the process any more, because of this failure. Does nothing if it is not the device of the process.
pub fn abandon(device: &Arc<dyn Device>, failure: &Failure) {
    let chosen = PROCESS.get().and_then(|process| Some((process, process.chosen.as_ref()?)));
    if let Some((process, (own, _))) = chosen
        && Arc::ptr_eq(own, device)
    {
        let reason = failure.to_string();
        trace::note("decision", "the device is not used any more", &[("reason", Value::Text(&reason))]);
        let _ = process.abandoned.set(reason);
    }
}

/// Runs `body`, whose calls of compiled functions on this thread use `device`.
pub fn with<R>(device: Arc<dyn Device>, placement: Placement, body: impl FnOnce() -> R) -> R {
    /// Puts back what was there before, also when `body` panics.
    struct Restore(Option<Chosen>);
    impl Drop for Restore {
        fn drop(&mut self) {
            SCOPED.with(|scoped| scoped.replace(self.0.take()));
        }
    }
    let _restore = Restore(SCOPED.with(|scoped| scoped.replace(Some(traced((device, placement))))));
    body()
}

impl fmt::Debug for dyn Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.name())
    }
}

#[cfg(all(test, feature = "cuda", feature = "sim", target_os = "linux"))]
mod reasons;
#[cfg(test)]
mod tests;
