//! Opening and closing a device.

use std::ffi::{CStr, OsStr, c_int};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use megha_base::plan::Ceilings;

use super::super::{Kernels, Outcome, Ptx, Rates, Unavailable, budget};
use super::cublas::Found;
use super::driver::{Context, Driver, StreamHandle};
use super::memory::Memory;
use super::modules::Modules;
use super::queues::Queues;
use super::staging::Staging;
use super::stamps::Stamps;
use super::{CudaDevice, Entered, State};

/// The names of the driver's library.
const LIBRARIES: &[&str] = if cfg!(windows) { &["nvcuda.dll"] } else { &["libcuda.so.1", "libcuda.so"] };
/// The compute capability that the compiler writes for, as 10 times major and minor.
const OLDEST: c_int = 70;
/// `CU_STREAM_NON_BLOCKING`: not ordered with the stream 0 of others in the process.
const NON_BLOCKING: u32 = 1;

/// `CUdevice_attribute`
const COMPUTE_MODE: c_int = 20;
const CLOCK_KHZ: c_int = 13;
const MULTIPROCESSORS: c_int = 16;
const MEMORY_CLOCK_KHZ: c_int = 36;
const MEMORY_BUS_BITS: c_int = 37;
const MAJOR: c_int = 75;
const MINOR: c_int = 76;
const SINGLE_TO_DOUBLE: c_int = 87;
/// `CU_COMPUTEMODE_PROHIBITED`
const PROHIBITED: c_int = 2;

impl CudaDevice {
    /// Opens a device, of whose memory it may take so many bytes.
    ///
    /// # Errors
    /// That there is no driver, that it is too old, that it finds no device, that the device is too old, or what else the driver says.
    pub fn open(ordinal: usize, limit: Option<u64>) -> Result<CudaDevice, Unavailable> {
        let libraries: Vec<&OsStr> = LIBRARIES.iter().map(OsStr::new).collect();
        Self::open_with(&libraries, ordinal, limit)
    }

    /// The same with a driver of another name.
    pub(super) fn open_with(
        libraries: &[&OsStr],
        ordinal: usize,
        limit: Option<u64>,
    ) -> Result<CudaDevice, Unavailable> {
        let driver: &'static Driver = Box::leak(Box::new(Driver::load(libraries)?));
        let number = find(driver, ordinal)?;
        let mut name = [0; 256];
        // SAFETY: the driver writes at most so many bytes, with a zero at the end.
        let code = unsafe { (driver.device_name)(name.as_mut_ptr(), name.len() as c_int, number) };
        driver.check("device query", code)?;
        // SAFETY: it ends with a zero.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
        usable(driver, number, &name)?;
        let mut context = Context::NULL;
        // SAFETY: `context` can be written, and the device exists.
        driver.check("context", unsafe { (driver.retain_context)(&raw mut context, number) })?;
        let state = State {
            queues: Queues::new(),
            memory: Memory::new(limit.unwrap_or(u64::MAX)),
            staging: Staging::new(),
            stamps: Stamps::default(),
            modules: Modules::default(),
            cublas: Found::default(),
        };
        let mut device = CudaDevice {
            driver,
            number,
            context,
            name,
            ptx: newest_ptx(driver, number),
            ceilings: ceilings(driver, number),
            kernels: Kernels::default(),
            streams: [StreamHandle::NULL; 3],
            state: Mutex::new(state),
            starting: Mutex::new(()),
            lost: OnceLock::new(),
            rates: OnceLock::new(),
            measuring: AtomicBool::new(false),
        };
        device.streams = device.create_streams()?;
        if limit.is_none() {
            device.leave_a_margin();
        }
        Ok(device)
    }

    fn create_streams(&self) -> Outcome<[StreamHandle; 3]> {
        let _entered = self.enter("stream")?;
        let mut streams = [StreamHandle::NULL; 3];
        for at in 0..streams.len() {
            // SAFETY: reason 1; the element can be written.
            let code = unsafe { (self.driver.create_stream)(&raw mut streams[at], NON_BLOCKING) };
            if let Err(failure) = self.check("stream", code) {
                for stream in &streams[..at] {
                    // SAFETY: reason 1; it was just created and is not used.
                    unsafe { (self.driver.destroy_stream)(*stream) };
                }
                return Err(failure);
            }
        }
        Ok(streams)
    }

    /// Leaves some of what is free to others; a driver that does not say how much that is sets no limit.
    fn leave_a_margin(&self) {
        let Ok(_entered) = self.enter("memory query") else { return };
        let state = &mut *self.state();
        if let Ok((free, _)) = self.memory_use(state) {
            state.memory.set_limit(budget::of_free(free));
        }
    }

    /// The version of the driver, for what is kept about it across runs.
    pub fn driver_version(&self) -> i32 {
        self.driver.version_number()
    }

    /// What a device of this build should reach.
    pub(super) fn expected_rates(&self) -> Rates {
        let attribute = |which| f64::from(attribute(self.driver, self.number, which).unwrap_or(0).max(1));
        let clock = attribute(CLOCK_KHZ) * 1e3 * attribute(MULTIPROCESSORS);
        let memory = attribute(MEMORY_CLOCK_KHZ) * 1e3 * attribute(MEMORY_BUS_BITS) / 8.0;
        Rates {
            // two transfers in a cycle, and nine tenths of them in practice
            memory: 2.0 * 0.9 * memory,
            // fused multiply-adds of 32 and 64 lanes
            flops64: clock * 32.0 * 2.0,
            flops32: clock * 64.0 * 2.0,
            upload: 12e9,
            download: 12e9,
            launch: Duration::from_micros(5),
            queued: Duration::from_micros(3),
            copy: Duration::from_micros(10),
        }
    }

    fn close(&self, _entered: &Entered<'_>) {
        let driver = self.driver;
        let mut guard = self.state();
        let state = &mut *guard;
        for stream in self.streams {
            // SAFETY: reasons 1 and 2.
            unsafe { (driver.synchronize_stream)(stream) };
        }
        if let Found::Present(cublas) = std::mem::take(&mut state.cublas) {
            cublas.close();
        }
        for address in state.memory.all() {
            // SAFETY: reason 1; all work is done, and the device is gone for those who hold the address.
            unsafe { (driver.free)(address) };
        }
        for buffer in state.staging.all() {
            // SAFETY: as above; nothing but the device's methods uses pinned buffers.
            unsafe { (driver.free_host)(buffer.cast()) };
        }
        for event in state.queues.take_all().into_iter().chain(state.stamps.take_all()) {
            // SAFETY: as above.
            unsafe { (driver.destroy_event)(event) };
        }
        for module in state.modules.take_all() {
            // SAFETY: as above.
            unsafe { (driver.unload_module)(module) };
        }
        for stream in self.streams.into_iter().filter(|stream| *stream != StreamHandle::NULL) {
            // SAFETY: as above.
            unsafe { (driver.destroy_stream)(stream) };
        }
    }
}

impl Drop for CudaDevice {
    fn drop(&mut self) {
        // what a lost device holds is gone with its context; a failure that passes is no reason to leave everything
        let entered = self.enter("close").or_else(|_| self.enter("close"));
        if let Ok(entered) = entered {
            self.close(&entered);
        }
        // SAFETY: retained once when opened.
        unsafe { (self.driver.release_context)(self.number) };
    }
}

/// The driver's number of a device.
fn find(driver: &Driver, ordinal: usize) -> Result<c_int, Unavailable> {
    let mut count = 0;
    // SAFETY: `count` can be written.
    driver.check("device query", unsafe { (driver.device_count)(&raw mut count) })?;
    let wanted = c_int::try_from(ordinal).ok().filter(|wanted| *wanted < count);
    let Some(wanted) = wanted else {
        return Err(Unavailable(match count {
            0 => "the CUDA driver finds no device".into(),
            _ => format!("there is no CUDA device {ordinal}: the driver finds {count}"),
        }));
    };
    let mut number = 0;
    // SAFETY: `number` can be written.
    driver.check("device query", unsafe { (driver.device)(&raw mut number, wanted) })?;
    Ok(number)
}

/// What entries are chosen by: a large device of the same ratio between singles and doubles, by which devices differ most (1/2 to 1/64).
fn ceilings(driver: &Driver, device: c_int) -> Ceilings {
    let large = Ceilings::default();
    let ratio = attribute(driver, device, SINGLE_TO_DOUBLE).ok().filter(|ratio| *ratio > 0);
    Ceilings { doubles: ratio.map_or(large.doubles, |ratio| large.singles / f64::from(ratio)), ..large }
}

fn attribute(driver: &Driver, device: c_int, which: c_int) -> Outcome<c_int> {
    let mut value = 0;
    // SAFETY: `value` can be written.
    driver.check("device query", unsafe { (driver.device_attribute)(&raw mut value, which, device) })?;
    Ok(value)
}

/// Refuses devices that cannot run what the compiler writes.
/// The newest PTX that a driver takes for a device. From CUDA 11.0 on each version of CUDA has one of PTX (PTX ISA, release notes).
fn newest_ptx(driver: &Driver, device: c_int) -> Ptx {
    let number = |which| attribute(driver, device, which).ok().and_then(|number| u32::try_from(number).ok());
    let version = match driver.version_number() {
        12_000.. => 80,
        version @ 11_000.. => 70 + (version.unsigned_abs() - 11_000) / 10,
        _ => Ptx::OLDEST.version,
    };
    number(MAJOR).zip(number(MINOR)).map_or(Ptx::OLDEST, |(major, minor)| Ptx { target: major * 10 + minor, version })
}

fn usable(driver: &Driver, device: c_int, name: &str) -> Result<(), Unavailable> {
    let [major, minor] = [attribute(driver, device, MAJOR)?, attribute(driver, device, MINOR)?];
    if major * 10 + minor < OLDEST {
        return Err(Unavailable(format!("{name} has compute capability {major}.{minor}; 7.0 is needed")));
    }
    if attribute(driver, device, COMPUTE_MODE)? == PROHIBITED {
        return Err(Unavailable(format!("{name} is set to refuse computations")));
    }
    Ok(())
}
