//! What the entries for products have in common: their text, their parameters, and where a block's tile of the product lies.

use std::fmt::{self, Write};

use megha_base::plan::Element;

/// PTX text that grows by lines.
#[derive(Default)]
pub(super) struct Text(String);

impl Text {
    pub(super) fn line(&mut self, line: fmt::Arguments<'_>) {
        // a string takes everything
        let _ = self.0.write_fmt(line);
        self.0.push('\n');
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// Adds a line to a text.
macro_rules! put {
    ($text:expr, $($line:tt)*) => { $text.line(format_args!($($line)*)) };
}
pub(super) use put;

/// A class of elements in PTX.
#[derive(Clone, Copy)]
pub(super) struct Class {
    /// `f64` or `f32`.
    pub name: &'static str,
    pub bytes: u32,
    /// 0 and -0, which add nothing to a chain as a product: `0 * -0 = -0`, and `x + -0` is `x` for every `x`.
    pub nothing: [&'static str; 2],
}

impl Class {
    pub(super) fn of(element: Element) -> Class {
        match element {
            Element::F32 => Class { name: "f32", bytes: 4, nothing: ["0f00000000", "0f80000000"] },
            _ => Class { name: "f64", bytes: 8, nothing: ["0d0000000000000000", "0d8000000000000000"] },
        }
    }
}

/// The rows and columns of the product that a block of threads makes, and how many terms of its chains it has at hand at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    pub rows: u32,
    pub columns: u32,
    pub depth: u32,
    pub threads: u32,
}

impl Tile {
    /// Blocks for a product of so many rows and columns.
    pub(super) fn blocks(&self, [rows, columns]: [u32; 2]) -> u64 {
        u64::from(rows.div_ceil(self.rows)) * u64::from(columns.div_ceil(self.columns))
    }
}

/// Begins an entry: addresses in `%a %b %c`, extents in `%m %n %k`, the thread in `%t`, the first row and column of the block's tile in `%i %j`.
pub(super) fn begin(text: &mut Text, name: &str, tile: Tile, shared: u32) {
    put!(
        text,
        ".visible .entry {name}(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u32 p3, .param .u32 p4, .param .u32 p5)"
    );
    put!(text, ".maxntid {}, 1, 1\n.minnctapersm 1\n{{", tile.threads);
    put!(text, ".shared .align 128 .b8 tiles[{shared}];");
    put!(text, ".reg .b64 %a, %b, %c;\n.reg .b32 %m, %n, %k, %t, %i, %j, %tiles, %x, %y;");
    for (at, register) in ["c", "a", "b"].iter().enumerate() {
        put!(text, "ld.param.u64 %{register}, [p{at}];\ncvta.to.global.u64 %{register}, %{register};");
    }
    for (at, register) in ["m", "n", "k"].iter().enumerate() {
        put!(text, "ld.param.u32 %{register}, [p{}];", at + 3);
    }
    put!(text, "mov.u32 %t, %tid.x;\nmov.u32 %x, %ctaid.x;");
    put!(text, "add.u32 %tiles, %m, {};\ndiv.u32 %tiles, %tiles, {};", tile.rows - 1, tile.rows);
    put!(text, "div.u32 %j, %x, %tiles;\nmul.lo.u32 %y, %j, %tiles;\nsub.u32 %i, %x, %y;");
    put!(text, "mul.lo.u32 %i, %i, {};\nmul.lo.u32 %j, %j, {};", tile.rows, tile.columns);
}
