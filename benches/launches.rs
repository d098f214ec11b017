//! What a launch takes of the host: programs of many launches on a device that does nothing.
//!
//! `cargo bench -p megha --bench launches [ELEMENTS]` prints the median over 31 differences of calls with 1050 and 50 rounds, by launches.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use megha::device::*;
use megha_base::plan::Launch;
use ndarray::Array1;

/// A device whose operations end at once, and make nothing.
#[derive(Default)]
struct Idle {
    next: AtomicU64,
    launches: AtomicU64,
    kernels: Kernels,
}

impl Idle {
    fn number(&self) -> u64 {
        self.next.fetch_add(1, Relaxed)
    }
}

impl Device for Idle {
    fn name(&self) -> &str {
        "idle"
    }

    fn memory(&self) -> Outcome<(u64, u64)> {
        Ok((1 << 36, 1 << 36))
    }

    fn rates(&self) -> Rates {
        Rates {
            memory: 3e12,
            flops64: 3e13,
            flops32: 6e13,
            upload: 2e10,
            download: 2e10,
            launch: Duration::from_micros(3),
            queued: Duration::from_micros(1),
            copy: Duration::from_micros(8),
        }
    }

    fn allocate(&self, bytes: u64) -> Outcome<Address> {
        Ok(Address(4096 + self.next.fetch_add(bytes.next_multiple_of(256), Relaxed)))
    }

    fn free(&self, _: Address) {}

    fn load(&self, _: &'static str) -> Outcome<Module> {
        Ok(Module(0))
    }

    fn upload(&self, _: Queue, _: Address, _: &[u8]) -> Outcome<()> {
        Ok(())
    }

    fn begin_rows(&self, _: Queue, _: Address, rows: Rows) -> Outcome<Download> {
        Ok(Download { ticket: 0, bytes: rows.length() })
    }

    fn begin_download(&self, _: Queue, _: Address, bytes: usize) -> Outcome<Download> {
        Ok(Download { ticket: 0, bytes })
    }

    fn finish_download(&self, _: Download, to: &mut [u8]) -> Outcome<()> {
        to.fill(0);
        Ok(())
    }

    fn fill(&self, _: Queue, _: Address, _: &[u8], _: u64) -> Outcome<()> {
        Ok(())
    }

    fn copy(&self, _: Queue, _: Address, _: Address, _: u64) -> Outcome<()> {
        Ok(())
    }

    fn launch(&self, _: Queue, _: Module, _: &str, _: Launch, _: &[Arg]) -> Outcome<()> {
        self.launches.fetch_add(1, Relaxed);
        Ok(())
    }

    fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    fn record(&self, _: Queue) -> Outcome<Event> {
        Ok(Event(self.number()))
    }

    fn wait(&self, _: Queue, _: Event) -> Outcome<()> {
        Ok(())
    }

    fn synchronize(&self, _: Event) -> Outcome<()> {
        Ok(())
    }

    fn stamp(&self, _: Queue) -> Outcome<Stamp> {
        Ok(Stamp(self.number()))
    }

    fn between(&self, _: Stamp, _: Stamp) -> Outcome<Option<Duration>> {
        Ok(Some(Duration::from_micros(20)))
    }
}

megha::matlab! {
    function u = chain(u, v, k)
    arguments
        u (:,1) double
        v (:,1) double
        k (1,1) double
    end
    n = numel(u);
    for t = 1:k
        u = u(n:-1:1) .* 0.5 + v;
        v = v(n:-1:1) - u(n:-1:1) .* 0.1;
    end
    end

    function [p, q, r] = several(p, q, r, k)
    arguments
        p (:,1) double
        q (:,1) double
        r (:,1) double
        k (1,1) double
    end
    n = numel(p);
    for t = 1:k
        s = sum(q .* r);
        p = p(n:-1:1) + s .* q;
        q = q(n:-1:1) - 0.1 .* p(n:-1:1);
        r = max(r, q(n:-1:1));
    end
    end
}

/// A program by its number of rounds.
type Program = fn(&Array1<f64>, f64);

const PROGRAMS: [(&str, Program); 2] = [
    ("chain", |x, k| drop(black_box(chain(x, x, k).expect("a result")))),
    ("several", |x, k| drop(black_box(several(x, x, x, k).expect("a result")))),
];

fn main() {
    let elements = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let x = Array1::<f64>::ones(elements);
    for placement in [Placement::Gpu, Placement::Auto] {
        for (name, program) in PROGRAMS {
            let (time, launches) = measured(placement, &|k| program(&x, k));
            println!("{name} of {elements}, {placement:?}: {time:.2} µs a launch, {launches} launches for 1000 rounds");
        }
    }
}

/// Microseconds a launch, and the launches of 1000 rounds.
fn measured(placement: Placement, program: &(dyn Fn(f64) + Sync)) -> (f64, u64) {
    let idle = Arc::new(Idle::default());
    let timed = |rounds: f64| {
        let (before, start) = (idle.launches.load(Relaxed), Instant::now());
        with(idle.clone() as Arc<dyn Device>, placement, || program(rounds));
        (start.elapsed().as_secs_f64() * 1e6, idle.launches.load(Relaxed) - before)
    };
    let mut launches = 0;
    let mut times = [0.0; 31].map(|_: f64| {
        let [few, many] = [50.0, 1050.0].map(timed);
        launches = many.1 - few.1;
        (many.0 - few.0) / launches.max(1) as f64
    });
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], launches)
}
