//! Cards that can be had: what their data sheets and published measurements say, as [`Config`] and [`Model`].
//!
//! | figure | is | source |
//! |---|---|---|
//! | processors, clock, lanes | of the full boost clock | NVIDIA, *A100 Tensor Core GPU Architecture* (2020), *Ada GPU Architecture* (2023), *L4 Tensor Core GPU* (data sheet, 2023) |
//! | memory | of the data sheet, nine tenths of which a copy reaches | as above; D. Ernst, *gpu-benches*, `gpu-stream`: 1381 of 1555 GB/s on an A100 of 40 GB, 770 to 816 of 864 on an L40 |
//! | caches | bytes a cycle that a processor reads of the second level | `gpu-l2-cache` there: 5.4 TB/s on an A100, 5.2 on an L40 (the processors of an L4 and an RTX 4090) |
//! | latency | cycles of a load from the second level | `gpu-latency` and `cuda-latency` there: 213 on an A100, 276 on an L40 |
//! | streamed | bytes a second that a copy moves for each thread, a double each | `gpu-stream` there, before memory is busy: 954 GB/s of 55,296 threads on an A100, 549 of 18,176 on an L40 |
//! | links | four fifths of PCI Express 4.0 with 16 lanes, two thirds of a direction of NVLink, the shares of the [`Model`] of an H100 | data sheets |
//!
//! An instruction of a warp is issued by each of four schedulers in each cycle, and a pass over shared memory moves 128 bytes in each. What the host takes, and a
//! launch, is as on an H100, and so is the memory: what a simulated device holds, the host has to hold.

use super::config::{Config, Model};

/// Lanes of a warp.
const WARP: f64 = 32.0;
/// Those parts of a processor that issue an instruction in a cycle.
const SCHEDULERS: f64 = 4.0;
/// Bytes that a pass over shared memory moves.
const PASS: f64 = 128.0;
/// Operations of a fused multiply-add.
const FMA: f64 = 2.0;
/// The share of the data sheet's memory bandwidth that a copy reaches.
const REACHED: f64 = 0.9;
/// Bytes that a thread has under way with a request for a double.
const DOUBLE: f64 = 8.0;
/// Bytes a second that copies reach over PCI Express 4.0 with 16 lanes, of 31.5e9.
const PCIE_4: f64 = 25e9;

/// What a card's times follow from.
struct Card {
    capability: u32,
    processors: u64,
    /// Cycles in a second.
    clock: f64,
    /// Fused multiply-adds of a processor in a cycle: in single precision, in double precision, of tensor cores in double precision.
    lanes: [f64; 3],
    /// Bytes a second of the data sheet.
    memory: f64,
    /// Bytes that a processor reads from the second level of caches in a cycle,
    cached: f64,
    /// and the cycles that a load from there takes.
    latency: f64,
    /// Bytes a second that a copy moves for each thread while there are few.
    streamed: f64,
    /// Bytes a second from another card.
    peer: f64,
}

/// SXM4 with 40 GB.
const A100: Card = Card {
    capability: 80,
    processors: 108,
    clock: 1.41e9,
    lanes: [64.0, 32.0, 64.0],
    memory: 1555e9,
    cached: 35.5,
    latency: 213.0,
    streamed: 17.2e6,
    peer: 200e9,
};

/// The boost clock, which 72 W do not sustain in long work.
const L4: Card = Card {
    capability: 89,
    processors: 58,
    clock: 2.04e9,
    // two lanes for doubles, which do the work of `mma` too: 1/64 of singles
    lanes: [128.0, 2.0, 2.0],
    memory: 300e9,
    cached: 14.7,
    latency: 276.0,
    streamed: 30.2e6,
    peer: PCIE_4,
};

const RTX_4090: Card = Card { processors: 128, clock: 2.52e9, memory: 1008e9, ..L4 };

impl Card {
    fn model(&self) -> Model {
        let cycles = self.processors as f64 * self.clock;
        let [flops32, flops64, tensor64] = self.lanes.map(|lanes| lanes * FMA * cycles);
        let memory_bandwidth = REACHED * self.memory;
        Model {
            flops32,
            flops64,
            tensor64,
            instructions: SCHEDULERS * WARP * cycles,
            memory_bandwidth,
            cache_bandwidth: self.cached * cycles,
            shared_bandwidth: PASS * cycles,
            resident_threads: (memory_bandwidth / self.streamed) as u64,
            // Little's law
            cached_threads: (self.processors as f64 * self.cached * self.latency / DOUBLE) as u64,
            processors: self.processors,
            to_device: PCIE_4,
            from_device: PCIE_4,
            peer: self.peer,
            ..Model::default()
        }
    }

    fn config(&self) -> Config {
        Config { compute_capability: self.capability, model: self.model(), ..Config::default() }
    }
}

/// Times of real cards; the module's documentation in the source names where each figure is from.
impl Model {
    /// An H100 with PCIe 5 in round figures: the [default](Model::default).
    pub fn h100() -> Model {
        Model::default()
    }

    /// An A100 (SXM4, 40 GB): 108 processors of 1.41 GHz, 19.5 Tflop/s in single and 9.7 in double precision, 19.5 of tensor cores, 1.4 TB/s (NVIDIA's white paper, 2020, has
    /// 1555 GB/s).
    pub fn a100() -> Model {
        A100.model()
    }

    /// An L4: 58 processors of 2.04 GHz, 30.3 Tflop/s in single and 0.47 in double precision, 270 GB/s (NVIDIA's data sheet, 2023, has 300).
    pub fn l4() -> Model {
        L4.model()
    }

    /// A GeForce RTX 4090: 128 processors of 2.52 GHz, 82.6 Tflop/s in single and 1.29 in double precision, 907 GB/s (NVIDIA's white paper on Ada, 2023, has 1008).
    pub fn rtx_4090() -> Model {
        RTX_4090.model()
    }
}

/// Real cards. All have 16 GiB of memory and blocks with 48 KiB of shared memory: what a kernel may declare on any of them.
impl Config {
    /// The names that [`Config::named`] knows.
    pub const NAMES: [&str; 4] = ["h100", "a100", "l4", "rtx_4090"];

    /// The card of one of the [names](Config::NAMES).
    pub fn named(name: &str) -> Option<Config> {
        match name {
            "h100" => Some(Config::h100()),
            "a100" => Some(Config::a100()),
            "l4" => Some(Config::l4()),
            "rtx_4090" => Some(Config::rtx_4090()),
            _ => None,
        }
    }

    /// An H100: the [default](Config::default).
    pub fn h100() -> Config {
        Config::default()
    }

    /// An A100, of compute capability 8.0 ([`Model::a100`]).
    pub fn a100() -> Config {
        A100.config()
    }

    /// An L4, of compute capability 8.9 ([`Model::l4`]).
    pub fn l4() -> Config {
        L4.config()
    }

    /// A GeForce RTX 4090, of compute capability 8.9 ([`Model::rtx_4090`]).
    pub fn rtx_4090() -> Config {
        RTX_4090.config()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The peaks that the data sheets print, to the digits that they print.
    #[test]
    fn peaks_are_those_of_the_data_sheets() {
        let tera =
            |model: Model| [model.flops32, model.flops64, model.tensor64].map(|rate| (rate / 1e11).round() / 10.0);
        assert_eq!(tera(Model::a100()), [19.5, 9.7, 19.5]);
        assert_eq!(tera(Model::l4()), [30.3, 0.5, 0.5]);
        assert_eq!(tera(Model::rtx_4090()), [82.6, 1.3, 1.3]);
    }

    /// Double precision at 1/2 of single precision on data-centre cards, at 1/64 on the others.
    #[test]
    fn double_precision_is_slow_on_graphics_cards() {
        let ratio = |model: Model| (model.flops32 / model.flops64).round();
        assert_eq!([Model::h100(), Model::a100(), Model::l4(), Model::rtx_4090()].map(ratio), [2.0, 2.0, 64.0, 64.0]);
    }

    #[test]
    fn every_name_is_a_card() {
        let capabilities = Config::NAMES.map(|name| Config::named(name).map(|config| config.compute_capability));
        assert_eq!(capabilities, [Some(90), Some(80), Some(89), Some(89)]);
        assert_eq!(Config::named("h100"), Some(Config::default()));
        assert_eq!(["4", "H100", "", "v100"].map(Config::named), [None, None, None, None]);
    }
}
