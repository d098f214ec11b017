//! Products of a matrix and a vector: the sums by eight lanes of `linalg::vector`, a thread for each lane of each row.

use super::text::{Class, Text, Tile, begin, put};

/// Lanes of a sum.
const LANES: u32 = 8;
/// Rows of a block: a warp's threads.
const ROWS: u32 = 32;
/// Terms whose loads are under way together.
const AHEAD: u32 = 8;

/// Rows and threads of a block.
pub(super) const TILE: Tile = Tile { rows: ROWS, columns: 1, depth: LANES, threads: ROWS * LANES };

/// How the elements of a row lie in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// One after the other: neighbouring threads take the lanes of a row.
    Along,
    /// As far apart as there are rows: neighbouring threads take rows.
    Across,
}

/// The text of an entry: the product (`%m` elements), the matrix, the vector (`%k` elements).
pub(super) fn entry(text: &mut Text, name: &str, rows: Rows, class: Class) {
    let (ty, bytes) = (class.name, class.bytes);
    begin(text, name, TILE, if rows == Rows::Across { ROWS * LANES * bytes } else { bytes });
    put!(text, ".reg .{ty} %s, %r, %e<{AHEAD}>, %f<{AHEAD}>;\n.reg .pred %in, %more, %first;");
    put!(text, ".reg .b64 %p, %v, %d, %step;\n.reg .b32 %l, %g, %left, %at;");
    let near = if rows == Rows::Along { LANES } else { ROWS };
    let (mask, shift) = (near - 1, near.ilog2());
    put!(text, "and.b32 %x, %t, {mask};\nshr.u32 %y, %t, {shift};");
    let [lane, row] = if rows == Rows::Along { ["x", "y"] } else { ["y", "x"] };
    put!(text, "mov.u32 %l, %{lane};\nmov.u32 %g, %{row};\nadd.u32 %i, %i, %g;\nsetp.lt.u32 %in, %i, %m;");
    put!(
        text,
        "add.u32 %left, %k, {};\nsub.u32 %left, %left, %l;\nshr.u32 %left, %left, {};",
        LANES - 1,
        LANES.ilog2()
    );
    put!(text, "selp.u32 %left, %left, 0, %in;");
    match rows {
        Rows::Along => put!(text, "mul.wide.u32 %p, %i, %k;\ncvt.u64.u32 %d, %l;\nmov.u64 %step, {};", LANES * bytes),
        Rows::Across => {
            put!(text, "mul.wide.u32 %p, %l, %m;\ncvt.u64.u32 %d, %i;\nmul.wide.u32 %step, %m, {};", LANES * bytes);
        }
    }
    put!(
        text,
        "add.u64 %p, %p, %d;\nmad.lo.u64 %p, %p, {bytes}, %a;\nmul.wide.u32 %v, %l, {bytes};\nadd.u64 %v, %v, %b;"
    );
    put!(text, "mov.{ty} %s, {};", class.nothing[0]);
    for (label, count) in [("many", AHEAD), ("one", 1)] {
        put!(text, "${label}:\nsetp.lt.u32 %more, %left, {count};\n@%more bra ${label}_done;");
        terms(text, class, count);
        put!(text, "sub.u32 %left, %left, {count};\nbra ${label};\n${label}_done:");
    }
    fold(text, rows, class);
    put!(text, "cvt.u64.u32 %d, %i;\nmad.lo.u64 %p, %d, {bytes}, %c;\n@%in st.global.{ty} [%p], %s;\nret;\n}}");
}

/// Adds the next terms of the lane.
fn terms(text: &mut Text, class: Class, count: u32) {
    let ty = class.name;
    for at in 0..count {
        put!(text, "ld.global.nc.{ty} %e{at}, [%p];\nadd.u64 %p, %p, %step;");
        put!(text, "ld.global.nc.{ty} %f{at}, [%v+{}];", at * LANES * class.bytes);
    }
    put!(text, "add.u64 %v, %v, {};", count * LANES * class.bytes);
    for at in 0..count {
        put!(text, "mul.rn.{ty} %e{at}, %e{at}, %f{at};\nadd.rn.{ty} %s, %s, %e{at};");
    }
}

/// Adds the lanes in pairs; `%in` then says whose thread has the sum.
fn fold(text: &mut Text, rows: Rows, class: Class) {
    let ty = class.name;
    if rows == Rows::Across {
        put!(text, "mov.u32 %at, tiles;\nmad.lo.u32 %at, %t, {}, %at;", class.bytes);
    }
    for apart in [4, 2, 1] {
        match rows {
            Rows::Along if class.bytes == 8 => {
                put!(text, "mov.b64 {{%x,%y}}, %s;");
                put!(
                    text,
                    "shfl.sync.down.b32 %x, %x, {apart}, 31, 0xffffffff;\nshfl.sync.down.b32 %y, %y, {apart}, 31, 0xffffffff;"
                );
                put!(text, "mov.b64 %r, {{%x,%y}};\nadd.rn.{ty} %s, %s, %r;");
            }
            Rows::Along => {
                put!(text, "mov.b32 %x, %s;\nshfl.sync.down.b32 %x, %x, {apart}, 31, 0xffffffff;");
                put!(text, "mov.b32 %r, %x;\nadd.rn.{ty} %s, %s, %r;");
            }
            Rows::Across => {
                put!(text, "st.shared.{ty} [%at], %s;\nbar.sync 0;\nsetp.lt.u32 %more, %l, {apart};");
                put!(text, "@%more ld.shared.{ty} %r, [%at+{}];\nbar.sync 0;", apart * ROWS * class.bytes);
                put!(text, "@%more add.rn.{ty} %s, %s, %r;");
            }
        }
    }
    put!(text, "setp.eq.u32 %first, %l, 0;\nand.pred %in, %in, %first;");
}
