//! The live ranges of a block's arrays, for a placement of its nodes.

use super::{Array, Program, Use, User};
use crate::plan::block::{Block, Node};

/// A block that is about to run.
pub struct Placed<'b> {
    /// The block.
    pub block: &'b Block,
    /// Whether each array that exists before it is on the host and on the device.
    pub present: &'b [[bool; 2]],
    /// How often it runs in a row.
    pub rounds: u64,
    /// Bytes that there are.
    pub budget: u64,
    /// Bytes that an array takes on the device.
    pub bytes: &'b dyn Fn(usize) -> u64,
    /// Seconds of a copy of an array to the host and to the device.
    pub seconds: &'b dyn Fn(usize) -> [f64; 2],
    /// Whether a node runs on the device, with all of its arrays there.
    pub on_device: &'b dyn Fn(usize) -> bool,
    /// Seconds that a node takes on the device, if it may be repeated there.
    pub again: &'b dyn Fn(usize) -> Option<f64>,
    /// Whether a node goes through the device in parts, which take what there is.
    pub in_parts: &'b dyn Fn(usize) -> bool,
}

impl Program {
    /// The program of a block.
    pub fn of_block(placed: &Placed<'_>) -> Program {
        let Placed { block, rounds, budget, .. } = *placed;
        let mut present = placed.present.iter();
        let repeats = rounds > 1;
        let read_there = |d: usize| {
            let mut nodes = block.nodes.iter().enumerate();
            nodes.any(|(number, node)| (placed.on_device)(number) && node.reads.contains(&d))
        };
        let arrays = block.data.iter().enumerate().map(|(d, data)| {
            let there = if data.before { present.next().copied() } else { None };
            let [on_host, on_device_before] = there.unwrap_or([false; 2]);
            let used = |(number, node): (usize, &Node)| {
                let (reads, writes) = (node.reads.contains(&d), node.writes.contains(&d));
                let user = if (placed.on_device)(number) { User::Device } else { User::Host };
                (reads || writes).then_some(Use { point: number, user, reads, writes })
            };
            let [download, upload] = (placed.seconds)(d);
            Array {
                bytes: (placed.bytes)(d),
                upload,
                download,
                on_host,
                // what a round hands on the next one finds there, if it is read there
                on_device: on_device_before || repeats && data.before && !data.lives && read_there(d),
                needed: data.after && !repeats,
                exists: data.before,
                stays: data.lives,
                uses: block.nodes.iter().enumerate().filter_map(used).collect(),
                again: Vec::new(),
            }
        });
        let arrays = arrays.collect();
        let scratch = (0..block.nodes.len()).map(|number| if (placed.in_parts)(number) { budget } else { 0 });
        let mut program = Program { scratch: scratch.collect(), arrays, rounds: rounds.max(1) as f64, budget };
        program.find_again(placed);
        program
    }
}
