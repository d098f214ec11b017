//! A device whose operations are noted in the trace.
//!
//! Copies and kernels are shown in a row for each queue: when the device says that they ran, if it keeps such a list as a simulated one does
//! (by its own clock), else when the host started them. All else is shown where it happened, in the thread of the host.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use megha_base::plan::{Ceilings, Launch};

use super::{
    Address, Arg, Device, Download, Event, Kernels, Module, Outcome, Product, Ptx, Queue, Rates, Rows, Span, Stamp,
};
use crate::trace::{self, Lane, Value};

/// A device and what is known of it in the trace.
pub(super) struct Traced {
    inner: Arc<dyn Device>,
    /// Its name in the trace.
    label: String,
    /// How much of the device's own list is in the trace; `None` if it keeps none.
    listed: Option<Mutex<usize>>,
    /// The texts that were loaded, by address.
    loaded: Mutex<HashSet<usize>>,
}

/// The devices that are traced: each is wrapped once, so that who compares devices sees one.
static ALL: Mutex<Vec<Weak<Traced>>> = Mutex::new(Vec::new());

/// Notes what devices say they have done.
pub(crate) fn collect() {
    let all: Vec<_> = ALL.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect();
    all.iter().for_each(|device| device.collect());
}

impl Traced {
    /// The device, traced.
    pub(super) fn of(device: Arc<dyn Device>) -> Arc<dyn Device> {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|known| known.strong_count() > 0);
        let same = |known: &Arc<Traced>| {
            Arc::ptr_eq(&known.inner, &device) || std::ptr::addr_eq(Arc::as_ptr(known), Arc::as_ptr(&device))
        };
        if let Some(known) = all.iter().filter_map(Weak::upgrade).find(same) {
            return known;
        }
        let listed = device.timeline(0).map(|list| Mutex::new(list.len()));
        let clock = if listed.is_some() { " (its own clock)" } else { "" };
        let label = match all.len() {
            0 => format!("{}{clock}", device.name()),
            others => format!("{}, number {}{clock}", device.name(), others + 1),
        };
        let traced = Arc::new(Traced { inner: device, label, listed, loaded: Mutex::default() });
        all.push(Arc::downgrade(&traced));
        traced
    }

    fn collect(&self) {
        let Some(listed) = &self.listed else { return };
        let mut listed = listed.lock().unwrap_or_else(PoisonError::into_inner);
        for Span { name, queue, start, end } in self.inner.timeline(*listed).unwrap_or_default() {
            *listed += 1;
            let kind = if queue == Queue::Compute { "kernel" } else { "copy" };
            let times = [start, end].map(|at| at.as_secs_f64() * 1e6);
            trace::device_span(Lane::Device(&self.label, row(queue)), (kind, &name), times);
        }
    }

    /// Notes an operation of the host with the device.
    fn noted<T>(
        &self,
        what: (&str, &str),
        known: &[(&str, Value<'_>)],
        run: impl FnOnce(&dyn Device) -> Outcome<T>,
    ) -> Outcome<T> {
        self.on_lane(Lane::Host, what, known, run)
    }

    /// Notes an operation in a queue.
    fn queued<T>(
        &self,
        queue: Queue,
        what: (&str, &str),
        known: &[(&str, Value<'_>)],
        run: impl FnOnce(&dyn Device) -> Outcome<T>,
    ) -> Outcome<T> {
        match self.listed {
            // it is in the device's list
            Some(_) => run(&*self.inner).inspect_err(|failure| self.failed(what.1, failure)),
            None => self.on_lane(Lane::Device(&self.label, row(queue)), what, known, run),
        }
    }

    fn on_lane<T>(
        &self,
        lane: Lane<'_>,
        what: (&str, &str),
        known: &[(&str, Value<'_>)],
        run: impl FnOnce(&dyn Device) -> Outcome<T>,
    ) -> Outcome<T> {
        let begun = Instant::now();
        let outcome = run(&*self.inner);
        trace::span(begun, lane, what, known);
        outcome.inspect_err(|failure| self.failed(what.1, failure))
    }

    fn failed(&self, name: &str, failure: &super::Failure) {
        let reason = failure.to_string();
        trace::note("failure", name, &[("device", Value::Text(&self.label)), ("reason", Value::Text(&reason))]);
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        self.collect();
    }
}

fn row(queue: Queue) -> &'static str {
    match queue {
        Queue::Compute => "compute",
        Queue::Upload => "upload",
        Queue::Download => "download",
    }
}

fn bytes(length: u64) -> [(&'static str, Value<'static>); 1] {
    [("bytes", Value::Count(length))]
}

fn in_rows(rows: Rows) -> [(&'static str, Value<'static>); 2] {
    [("bytes", Value::Count(rows.length() as u64)), ("rows", Value::Count(rows.count as u64))]
}

impl Device for Traced {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn memory(&self) -> Outcome<(u64, u64)> {
        self.inner.memory()
    }

    fn budget(&self) -> u64 {
        self.inner.budget()
    }

    fn takes(&self, bytes: u64) -> u64 {
        self.inner.takes(bytes)
    }

    fn ceilings(&self) -> Ceilings {
        self.inner.ceilings()
    }

    fn rates(&self) -> Rates {
        self.inner.rates()
    }

    fn threads(&self) -> f64 {
        self.inner.threads()
    }

    fn allocate(&self, length: u64) -> Outcome<Address> {
        self.noted(("memory", "allocation"), &bytes(length), |device| device.allocate(length))
    }

    fn free(&self, address: Address) {
        self.inner.free(address);
    }

    fn load(&self, ptx: &'static str) -> Outcome<Module> {
        // the same text is loaded once, and asked for at each launch
        let text = ptx.as_ptr() as usize;
        if self.loaded.lock().unwrap_or_else(PoisonError::into_inner).contains(&text) {
            return self.inner.load(ptx).inspect_err(|failure| self.failed("module load", failure));
        }
        let module = self.noted(("module", "module load"), &bytes(ptx.len() as u64), |device| device.load(ptx))?;
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).insert(text);
        Ok(module)
    }

    fn upload(&self, queue: Queue, to: Address, from: &[u8]) -> Outcome<()> {
        self.queued(queue, ("copy", "upload"), &bytes(from.len() as u64), |device| device.upload(queue, to, from))
    }

    fn upload_rows(&self, queue: Queue, to: Address, from: &[u8], rows: Rows) -> Outcome<()> {
        self.queued(queue, ("copy", "upload"), &in_rows(rows), |device| device.upload_rows(queue, to, from, rows))
    }

    fn begin_rows(&self, queue: Queue, from: Address, rows: Rows) -> Outcome<Download> {
        self.queued(queue, ("copy", "download"), &in_rows(rows), |device| device.begin_rows(queue, from, rows))
    }

    fn row(&self) -> Duration {
        self.inner.row()
    }

    fn begin_download(&self, queue: Queue, from: Address, length: usize) -> Outcome<Download> {
        let run = |device: &dyn Device| device.begin_download(queue, from, length);
        self.queued(queue, ("copy", "download"), &bytes(length as u64), run)
    }

    fn finish_download(&self, download: Download, to: &mut [u8]) -> Outcome<()> {
        let length = bytes(to.len() as u64);
        self.noted(("wait", "wait for a download"), &length, |device| device.finish_download(download, to))
    }

    fn fill(&self, queue: Queue, to: Address, element: &[u8], length: u64) -> Outcome<()> {
        self.queued(queue, ("copy", "fill"), &bytes(length), |device| device.fill(queue, to, element, length))
    }

    fn copy(&self, queue: Queue, to: Address, from: Address, length: u64) -> Outcome<()> {
        let run = |device: &dyn Device| device.copy(queue, to, from, length);
        self.queued(queue, ("copy", "copy on the device"), &bytes(length), run)
    }

    fn launch(&self, queue: Queue, module: Module, entry: &str, launch: Launch, args: &[Arg]) -> Outcome<()> {
        let threads = |extents: [u32; 3]| Value::Count(extents.iter().fold(1, |n, e| n * u64::from(*e)));
        let known = [("blocks", threads(launch.grid)), ("threads in a block", threads(launch.block))];
        self.queued(queue, ("kernel", entry), &known, |device| device.launch(queue, module, entry, launch, args))
    }

    fn ptx(&self) -> Ptx {
        self.inner.ptx()
    }

    fn kernels(&self) -> &Kernels {
        self.inner.kernels()
    }

    fn library(&self) -> bool {
        self.inner.library()
    }

    fn multiply(&self, product: &Product) -> Outcome<()> {
        let [m, n, p] = product.extents.map(|extent| Value::Count(extent.unsigned_abs().into()));
        let known = [("rows", m), ("columns", n), ("inner extent", p)];
        self.queued(Queue::Compute, ("kernel", "matrix product"), &known, |device| device.multiply(product))
    }

    fn record(&self, queue: Queue) -> Outcome<Event> {
        self.inner.record(queue).inspect_err(|failure| self.failed("record", failure))
    }

    fn wait(&self, queue: Queue, event: Event) -> Outcome<()> {
        self.inner.wait(queue, event).inspect_err(|failure| self.failed("wait", failure))
    }

    fn synchronize(&self, event: Event) -> Outcome<()> {
        self.noted(("wait", "synchronisation"), &[], |device| device.synchronize(event))
    }

    fn timeline(&self, skip: usize) -> Option<Vec<Span>> {
        self.inner.timeline(skip)
    }

    fn stamp(&self, queue: Queue) -> Outcome<Stamp> {
        self.inner.stamp(queue).inspect_err(|failure| self.failed("stamp", failure))
    }

    fn between(&self, from: Stamp, to: Stamp) -> Outcome<Option<Duration>> {
        self.inner.between(from, to).inspect_err(|failure| self.failed("stamp", failure))
    }

    fn identity(&self) -> Option<String> {
        self.inner.identity()
    }

    #[cfg(feature = "interop")]
    fn as_cuda(&self) -> Option<&super::cuda::CudaDevice> {
        self.inner.as_cuda()
    }

    fn lot(&self) -> Option<u64> {
        self.inner.lot()
    }

    fn host_worked(&self, estimate: Duration) -> Option<Duration> {
        self.inner.host_worked(estimate)
    }
}

#[cfg(all(test, feature = "sim"))]
mod tests;
