//! A device that is not there: who asks for it learns why.

use megha_base::plan::Launch;

use super::{Address, Arg, Device, Download, Event, Failure, Kernels, Module, Outcome, Queue, Rates, Rows, Stamp};

/// Every operation of it fails for the same reason.
#[derive(Debug)]
pub(super) struct Absent {
    why: String,
    kernels: Kernels,
}

impl Absent {
    pub(super) fn new(why: String) -> Absent {
        Absent { why, kernels: Kernels::default() }
    }

    fn fail<T>(&self) -> Outcome<T> {
        Err(Failure::Absent { reason: self.why.clone() })
    }
}

impl Device for Absent {
    fn name(&self) -> &str {
        "no device"
    }

    fn memory(&self) -> Outcome<(u64, u64)> {
        self.fail()
    }

    fn rates(&self) -> Rates {
        // nothing is asked of it that these would decide
        let none = std::time::Duration::ZERO;
        Rates {
            memory: 1.0,
            flops64: 1.0,
            flops32: 1.0,
            upload: 1.0,
            download: 1.0,
            launch: none,
            queued: none,
            copy: none,
        }
    }

    fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    fn allocate(&self, _: u64) -> Outcome<Address> {
        self.fail()
    }

    fn free(&self, _: Address) {}

    fn load(&self, _: &'static str) -> Outcome<Module> {
        self.fail()
    }

    fn upload(&self, _: Queue, _: Address, _: &[u8]) -> Outcome<()> {
        self.fail()
    }

    fn begin_rows(&self, _: Queue, _: Address, _: Rows) -> Outcome<Download> {
        self.fail()
    }

    fn begin_download(&self, _: Queue, _: Address, _: usize) -> Outcome<Download> {
        self.fail()
    }

    fn finish_download(&self, _: Download, _: &mut [u8]) -> Outcome<()> {
        self.fail()
    }

    fn fill(&self, _: Queue, _: Address, _: &[u8], _: u64) -> Outcome<()> {
        self.fail()
    }

    fn copy(&self, _: Queue, _: Address, _: Address, _: u64) -> Outcome<()> {
        self.fail()
    }

    fn launch(&self, _: Queue, _: Module, _: &str, _: Launch, _: &[Arg]) -> Outcome<()> {
        self.fail()
    }

    fn record(&self, _: Queue) -> Outcome<Event> {
        self.fail()
    }

    fn wait(&self, _: Queue, _: Event) -> Outcome<()> {
        self.fail()
    }

    fn synchronize(&self, _: Event) -> Outcome<()> {
        self.fail()
    }

    fn stamp(&self, _: Queue) -> Outcome<Stamp> {
        self.fail()
    }

    fn between(&self, _: Stamp, _: Stamp) -> Outcome<Option<std::time::Duration>> {
        self.fail()
    }
}
