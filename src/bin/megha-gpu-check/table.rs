//! The table of times and rates.

use megha::device::Rates;

use crate::cases::Case;
use crate::watched::Log;

/// What was measured of a case, in seconds.
pub struct Line {
    /// On the CPU.
    pub cpu: f64,
    /// A whole call on the device, with its copies.
    pub device: f64,
    /// Its kernels one by one.
    pub log: Log,
}

/// The ceilings, and how many lines there were.
pub struct Table {
    rates: Rates,
    lines: usize,
}

impl Table {
    pub fn new(rates: Rates) -> Table {
        Table { rates, lines: 0 }
    }

    pub fn lines(&self) -> usize {
        self.lines
    }

    /// The names of the columns.
    pub fn head() -> String {
        let [cpu, device, kernels, alone] = ["CPU ms", "device ms", "kernels", "alone ms"];
        let [touched, rate, share, up, down] = ["MB touched", "GB/s", "of memory", "MB up", "MB down"];
        format!(
            "{:<12} {:<16} {cpu:>9} {device:>11} {kernels:>8} {alone:>10} {touched:>11} {rate:>8} {share:>10} {up:>9} {down:>9}",
            "program", "size"
        )
    }

    /// The ceilings in words.
    pub fn ceilings(&self) -> String {
        let Rates { memory, flops64, flops32, upload, download, launch, queued, copy } = self.rates;
        format!(
            "ceilings: memory {:.0} GB/s, double {:.2} and single {:.2} Tflop/s, up {:.1} and down {:.1} GB/s, launch {:.1} us, {:.1} in a row, copy {:.1} us",
            memory / 1e9,
            flops64 / 1e12,
            flops32 / 1e12,
            upload / 1e9,
            download / 1e9,
            1e6 * launch.as_secs_f64(),
            1e6 * queued.as_secs_f64(),
            1e6 * copy.as_secs_f64()
        )
    }

    /// A case in a line. "Touched" are the bytes of the arrays that kernels are given, each once a kernel.
    pub fn add(&mut self, case: &Case, line: Line) -> String {
        self.lines += 1;
        let Line { cpu, device, log } = line;
        let rate = if log.kernels > 0.0 { log.touched as f64 / log.kernels } else { 0.0 };
        format!(
            "{:<12} {:<16} {:>9.3} {:>11.3} {:>8} {:>10.3} {:>11.3} {:>8.1} {:>8.1} % {:>9.3} {:>9.3}",
            case.name,
            case.size,
            1e3 * cpu,
            1e3 * device,
            log.launches,
            1e3 * log.kernels,
            log.touched as f64 / 1e6,
            rate / 1e9,
            100.0 * rate / self.rates.memory,
            log.up as f64 / 1e6,
            log.down as f64 / 1e6
        )
    }
}

/// A line for each kernel: how often it was launched, its time in microseconds a launch, and the rate at which arrays went by.
pub fn kernels(log: &Log) -> String {
    let line = |(name, (count, time, touched)): (&String, &(u64, f64, u64))| {
        let each = 1e6 * time / *count as f64;
        format!("\n    {name:<40} {count:>6} x {each:>10.2} us {:>8.1} GB/s", *touched as f64 / time / 1e9)
    };
    log.each.iter().map(line).collect()
}
