//! The kernels that multiply matrices on a device, with the bits of the CPU's products.
//!
//! | factors | on | kernel |
//! |---|---|---|
//! | matrices of doubles | tensor cores from sm_90 on, by PTX 7.8 | `tensor`, `mma` of 16 rows |
//! | | those of sm_80 on, by PTX 7.0 | `tensor`, `mma` of 8 rows |
//! | | others | `fused` |
//! | matrices of singles | all | `fused` |
//! | a matrix and a vector | all | `vector` |
//!
//! That tensor cores make chains of fused multiply-adds is tried on each device, by a product whose bits tell other orders and roundings apart; where they do not,
//! `fused` is used.

use std::sync::{LazyLock, OnceLock};

use megha_base::plan::{Element, Launch};

use super::super::run::Scratch;
use super::super::{Address, Arg, Device, Failure, Outcome, Queue, kept};
use super::text::{Class, Text, Tile};
use super::{Product, fused, tensor, vector};

/// The PTX that a device takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ptx {
    /// The newest target, 90 for `sm_90`.
    pub target: u32,
    /// The newest version of the language, 78 for 7.8.
    pub version: u32,
}

impl Ptx {
    /// What every device takes that compiled programs run on.
    pub const OLDEST: Ptx = Ptx { target: 70, version: 64 };

    fn takes(self, other: Ptx) -> bool {
        self.target >= other.target && self.version >= other.version
    }
}

/// What is known of a device's kernels.
#[derive(Debug, Default)]
pub struct Kernels {
    /// Whether its tensor cores make the CPU's bits.
    chains: OnceLock<bool>,
}

/// A module, translated when it is first used.
struct Source {
    needs: Ptx,
    entries: fn(&mut Text),
}

const WIDE: Source = Source { needs: Ptx { target: 90, version: 78 }, entries: |text| tensor_entries(text, true) };
const NARROW: Source = Source { needs: Ptx { target: 80, version: 70 }, entries: |text| tensor_entries(text, false) };
const PLAIN: Source = Source { needs: Ptx::OLDEST, entries: plain_entries };

static TEXTS: [LazyLock<String>; 3] =
    [LazyLock::new(|| WIDE.text()), LazyLock::new(|| NARROW.text()), LazyLock::new(|| PLAIN.text())];

impl Source {
    fn text(&self) -> String {
        let mut text = Text::default();
        let Ptx { target, version } = self.needs;
        text.line(format_args!(".version {}.{}\n.target sm_{target}\n.address_size 64", version / 10, version % 10));
        (self.entries)(&mut text);
        text.finish()
    }
}

/// The modules' texts and the targets that they need.
pub fn texts() -> impl Iterator<Item = (Ptx, &'static str)> {
    let needs = [WIDE, NARROW, PLAIN].map(|source| source.needs);
    needs.into_iter().zip(TEXTS.iter().map(|text| text.as_str()))
}

/// A kernel: which text has it, its name, and its tile.
#[derive(Clone, Copy)]
struct Kernel {
    text: usize,
    name: &'static str,
    tile: Tile,
}

const fn square(side: u32, depth: u32, threads: u32) -> Tile {
    Tile { rows: side, columns: side, depth, threads }
}

/// Large and small tiles. A block of the large ones has a processor for itself, so there should be as many as processors.
const TENSOR: [(&str, tensor::Shape); 2] = [
    ("product_f64_128", tensor::Shape { tile: square(128, 8, 256), warp: [64, 32], stages: 3, wide: true }),
    ("product_f64_64", tensor::Shape { tile: square(64, 8, 128), warp: [32, 32], stages: 4, wide: true }),
];
const FUSED: [(Element, &str, fused::Shape); 3] = [
    (Element::F32, "product_f32_128", fused::Shape { tile: square(128, 8, 256), part: 8 }),
    (Element::F32, "product_f32_64", fused::Shape { tile: square(64, 16, 256), part: 4 }),
    (Element::F64, "product_f64_64", fused::Shape { tile: square(64, 16, 256), part: 4 }),
];
const VECTOR: [(Element, &str, vector::Rows); 4] = [
    (Element::F64, "vector_f64_along", vector::Rows::Along),
    (Element::F64, "vector_f64_across", vector::Rows::Across),
    (Element::F32, "vector_f32_along", vector::Rows::Along),
    (Element::F32, "vector_f32_across", vector::Rows::Across),
];
/// So many large tiles are worth it.
const MANY: u64 = 96;

fn tensor_entries(text: &mut Text, wide: bool) {
    for (name, shape) in TENSOR {
        tensor::entry(text, name, &tensor::Shape { wide, ..shape }, Class::of(Element::F64));
    }
}

fn plain_entries(text: &mut Text) {
    for (element, name, shape) in &FUSED {
        fused::entry(text, name, shape, Class::of(*element));
    }
    for (element, name, rows) in VECTOR {
        vector::entry(text, name, rows, Class::of(element));
    }
}

impl Kernels {
    /// Starts a product in the queue of kernels.
    pub(super) fn start(&self, device: &dyn Device, product: &Product) -> Outcome<()> {
        let [rows, columns, _] = product.extents;
        let text = if product.element == Element::F64 && rows > 1 && columns > 1 { self.tensor(device)? } else { None };
        launch(device, chosen(product, text), product)
    }

    /// The text whose kernels multiply doubles on tensor cores, if there are such and they make the right bits.
    fn tensor(&self, device: &dyn Device) -> Outcome<Option<usize>> {
        let ptx = device.ptx();
        let Some(text) = [WIDE, NARROW].iter().position(|source| ptx.takes(source.needs)) else { return Ok(None) };
        let known = match self.chains.get() {
            Some(known) => *known,
            None => {
                let why = against_tensor_cores(device, text)?;
                if let Some(why) = &why {
                    kept::note(format!("tensor cores of {} are not used: {why}", device.name()));
                }
                *self.chains.get_or_init(|| why.is_none())
            }
        };
        Ok(known.then_some(text))
    }
}

/// What speaks against a text for tensor cores. One that a driver does not translate would not be translated for the next product either.
fn against_tensor_cores(device: &dyn Device, text: usize) -> Outcome<Option<String>> {
    match device.load(TEXTS[text].as_str()) {
        Ok(_) => Ok((!makes_chains(device, text)?).then(|| "they add in another order".to_owned())),
        Err(Failure::Operation { reason, .. }) => Ok(Some(reason)),
        Err(failure) => Err(failure),
    }
}

/// The kernel for a product, of doubles by the tensor cores' text if there is one.
fn chosen(product: &Product, tensor: Option<usize>) -> Kernel {
    let [rows, columns, _] = product.extents;
    let plain = TEXTS.len() - 1;
    let of = |name, tile| Kernel { text: tensor.unwrap_or(plain), name, tile };
    if rows == 1 || columns == 1 {
        let along = columns != 1;
        let wanted = if along { vector::Rows::Along } else { vector::Rows::Across };
        let found = VECTOR.iter().find(|(element, _, rows)| *element == product.element && *rows == wanted);
        let (_, name, _) = found.expect("each class has both");
        return Kernel { text: plain, name, tile: vector::TILE };
    }
    let extents = [rows, columns].map(|extent| extent.unsigned_abs());
    let fits = |tile: &Tile| tile.rows < 128 || tile.blocks(extents) >= MANY;
    if tensor.is_some() {
        let found = TENSOR.iter().find(|(_, shape)| fits(&shape.tile));
        let (name, shape) = found.expect("small tiles always fit");
        return of(name, shape.tile);
    }
    let found = FUSED.iter().find(|(element, _, shape)| *element == product.element && fits(&shape.tile));
    let (_, name, shape) = found.expect("small tiles always fit");
    of(name, shape.tile)
}

fn launch(device: &dyn Device, Kernel { text, name, tile }: Kernel, product: &Product) -> Outcome<()> {
    let module = device.load(LazyLock::force(&TEXTS[text]).as_str())?;
    let ([a, b], [rows, columns, terms]) = (product.factors, product.extents.map(|extent| extent.unsigned_abs()));
    // the matrix of a product with a vector has its lines as rows, and the other factor is the vector
    let (extents, a, b) = match (rows, columns) {
        (1, 2..) => ([columns, 1, terms], b, a),
        _ => ([rows, columns, terms], a, b),
    };
    let wrong = |_| {
        let reason = format!("a product of {rows} by {columns} elements has too many tiles");
        Failure::Operation { operation: "matrix product", reason }
    };
    let blocks = i32::try_from(tile.blocks([extents[0], extents[1]])).map_err(wrong)?;
    let launch = Launch { grid: [blocks.unsigned_abs(), 1, 1], block: [tile.threads, 1, 1] };
    let mut args = vec![Arg::Address(product.product), Arg::Address(a), Arg::Address(b)];
    args.extend(extents.map(Arg::U32));
    device.launch(Queue::Compute, module, name, launch, &args)
}

/// Extents of the product by which it is found out what tensor cores do.
const TRIED: [i32; 3] = [16, 16, 32];

/// Whether the tensor cores' kernels give the bits of chains. The numbers have very different magnitudes and signs, so that sums in another order, or with
/// roundings elsewhere, differ in nearly all elements.
fn makes_chains(device: &dyn Device, text: usize) -> Outcome<bool> {
    let [rows, columns, terms] = TRIED.map(|extent| extent.unsigned_abs() as usize);
    let number = |at: usize| {
        let bits = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0) * f64::from(1 << (bits % 24))
    };
    let factors = [rows * terms, terms * columns];
    let numbers: Vec<f64> = (0..factors[0] + factors[1]).map(number).collect();
    let (left, right) = numbers.split_at(factors[0]);
    let mut scratch = Scratch::new(device);
    let mut send = |values: &[f64]| {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
        let address = scratch.allocate(bytes.len() as u64)?;
        device.upload(Queue::Compute, address, &bytes).map(|()| address)
    };
    let (a, b, c): (Address, Address, Address) = (send(left)?, send(right)?, send(&vec![0.0; rows * columns])?);
    let product = Product { element: Element::F64, extents: TRIED, factors: [a, b], product: c };
    launch(device, chosen(&product, Some(text)), &product)?;
    let mut made = vec![0; rows * columns * size_of::<f64>()];
    let download = device.begin_download(Queue::Compute, c, made.len())?;
    device.finish_download(download, &mut made)?;
    let chain = |at: usize| {
        let (row, column) = (at % rows, at / rows);
        (0..terms).fold(0.0, |sum: f64, k| left[row + k * rows].mul_add(right[k + column * terms], sum))
    };
    let same = |(at, bytes): (usize, &[u8])| *bytes == chain(at).to_ne_bytes();
    Ok(made.chunks_exact(size_of::<f64>()).enumerate().all(same))
}

#[cfg(all(test, feature = "sim"))]
mod tests;
