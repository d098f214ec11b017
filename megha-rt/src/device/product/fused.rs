//! Products by fused multiply-adds, on every device.
//!
//! A thread has a part of the block's tile in registers. The terms that the block has at hand lie in shared memory, twice: while all multiply what
//! one half holds, the next terms are on their way into registers, from where they go to the other half.

use super::text::{Class, Text, Tile, begin, put};

/// How a kernel is cut.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub tile: Tile,
    /// Rows, and columns, of a thread's part.
    pub part: u32,
}

/// Bytes that a thread reads from shared memory at once.
const WIDTH: u32 = 16;

/// A shape for a class.
struct Cut {
    tile: Tile,
    part: u32,
    class: Class,
}

impl Cut {
    /// Elements that are read at once.
    fn wide(&self) -> u32 {
        WIDTH / self.class.bytes
    }

    /// Threads along the rows, and along the columns.
    fn threads(&self) -> [u32; 2] {
        [self.tile.rows / self.part, self.tile.columns / self.part]
    }

    /// Bytes from a term to the next, of the left and of the right factor. The latter is stored by threads that hold different terms: these
    /// meet different banks.
    fn pitch(&self) -> [u32; 2] {
        [self.tile.rows * self.class.bytes, (self.tile.columns + self.wide()) * self.class.bytes]
    }

    fn half(&self) -> u32 {
        self.pitch().iter().sum::<u32>() * self.tile.depth
    }

    /// How many elements of each factor a thread loads.
    fn loads(&self) -> [u32; 2] {
        [self.tile.rows, self.tile.columns].map(|lines| lines * self.tile.depth / self.tile.threads)
    }

    /// The first of the elements of a thread's part that are read at once with number `at`.
    fn group(&self, at: u32, lines: u32) -> u32 {
        at * (lines * self.wide() / self.part)
    }
}

/// The text of an entry.
pub(super) fn entry(text: &mut Text, name: &str, shape: &Shape, class: Class) {
    let cut = Cut { tile: shape.tile, part: shape.part, class };
    let ty = class.name;
    begin(text, name, cut.tile, 2 * cut.half());
    let [left, right] = cut.loads();
    put!(
        text,
        ".reg .{ty} %s<{}>, %e<{part}>, %f<{part}>, %u<{left}>, %v<{right}>;",
        cut.part * cut.part,
        part = cut.part
    );
    put!(text, ".reg .pred %more, %row, %in, %q<32>;");
    put!(text, ".reg .b64 %pa, %pb, %sa, %sb, %p, %d;");
    put!(text, ".reg .b32 %ka, %kb, %a0, %b0, %ra, %rb, %left, %half;");
    for at in 0..cut.part * cut.part {
        put!(text, "mov.{ty} %s{at}, {};", class.nothing[0]);
    }
    places(text, &cut);
    load(text, &cut);
    stage(text, &cut);
    put!(text, "add.u32 %left, %k, {};\nshr.u32 %left, %left, {};", cut.tile.depth - 1, cut.tile.depth.ilog2());
    put!(text, "$next:\nsetp.eq.u32 %more, %left, 0;\n@%more bra.uni $done;");
    load(text, &cut);
    multiply(text, &cut);
    put!(text, "sub.u32 %left, %left, 1;\nneg.s32 %half, %half;");
    put!(text, "add.u32 %ra, %ra, %half;\nadd.u32 %rb, %rb, %half;");
    stage(text, &cut);
    put!(text, "bra.uni $next;\n$done:");
    store(text, &cut);
    put!(text, "ret;\n}}");
}

/// Where the thread loads from and to, and where it reads.
fn places(text: &mut Text, cut: &Cut) {
    let Tile { rows, columns, depth, threads } = cut.tile;
    let (bytes, shift, [left, right]) = (cut.class.bytes, cut.class.bytes.ilog2(), cut.pitch());
    put!(text, "and.b32 %x, %t, {};\nshr.u32 %ka, %t, {};", rows - 1, rows.ilog2());
    put!(text, "mov.u32 %a0, tiles;\nmad.lo.u32 %a0, %ka, {left}, %a0;\nmad.lo.u32 %a0, %x, {bytes}, %a0;");
    put!(text, "add.u32 %x, %x, %i;\nsetp.lt.u32 %row, %x, %m;");
    put!(
        text,
        "mul.wide.u32 %pa, %ka, %m;\ncvt.u64.u32 %d, %x;\nadd.u64 %pa, %pa, %d;\nshl.b64 %pa, %pa, {shift};\nadd.u64 %pa, %pa, %a;"
    );
    put!(text, "mul.wide.u32 %sa, %m, {};", threads / rows * bytes);
    put!(text, "and.b32 %kb, %t, {};\nshr.u32 %x, %t, {};", depth - 1, depth.ilog2());
    put!(text, "mov.u32 %b0, tiles;\nmad.lo.u32 %b0, %kb, {right}, %b0;\nmad.lo.u32 %b0, %x, {bytes}, %b0;");
    put!(text, "add.u32 %b0, %b0, {};\nadd.u32 %x, %x, %j;", left * depth);
    let apart = threads / depth;
    for round in 0..columns / apart {
        put!(text, "add.u32 %y, %x, {};\nsetp.lt.u32 %q{round}, %y, %n;", round * apart);
    }
    put!(
        text,
        "mul.wide.u32 %pb, %x, %k;\ncvt.u64.u32 %d, %kb;\nadd.u64 %pb, %pb, %d;\nshl.b64 %pb, %pb, {shift};\nadd.u64 %pb, %pb, %b;"
    );
    put!(text, "mul.wide.u32 %sb, %k, {};", apart * bytes);
    let (down, wide) = (cut.threads()[0], cut.wide());
    put!(text, "and.b32 %x, %t, {};\nmul.lo.u32 %x, %x, {wide};\nadd.u32 %i, %i, %x;", down - 1);
    put!(text, "shr.u32 %y, %t, {};\nmul.lo.u32 %y, %y, {wide};\nadd.u32 %j, %j, %y;", down.ilog2());
    put!(text, "mov.u32 %ra, tiles;\nmad.lo.u32 %rb, %y, {bytes}, %ra;\nmad.lo.u32 %ra, %x, {bytes}, %ra;");
    put!(text, "add.u32 %rb, %rb, {};\nmov.u32 %half, {};", left * depth, -i64::from(cut.half()));
}

/// Loads the thread's elements of the next terms. What lies outside of a factor adds nothing.
fn load(text: &mut Text, cut: &Cut) {
    let (Tile { rows, depth, threads, .. }, ty, [left, right]) = (cut.tile, cut.class.name, cut.loads());
    for at in 0..left {
        put!(text, "add.u32 %x, %ka, {};\nsetp.lt.and.u32 %in, %x, %k, %row;", at * (threads / rows));
        put!(
            text,
            "mov.{ty} %u{at}, {};\n@%in ld.global.nc.{ty} %u{at}, [%pa];\nadd.u64 %pa, %pa, %sa;",
            cut.class.nothing[0]
        );
    }
    put!(text, "add.u32 %ka, %ka, {depth};\nmov.u64 %p, %pb;");
    for at in 0..right {
        put!(text, "setp.lt.and.u32 %in, %kb, %k, %q{at};");
        put!(
            text,
            "mov.{ty} %v{at}, {};\n@%in ld.global.nc.{ty} %v{at}, [%p];\nadd.u64 %p, %p, %sb;",
            cut.class.nothing[1]
        );
    }
    put!(text, "add.u32 %kb, %kb, {depth};\nadd.u64 %pb, %pb, {};", depth * cut.class.bytes);
}

/// Stores them into the half of the tiles at `%a0` and `%b0`, which then is the one to read; the next ones go to the other.
fn stage(text: &mut Text, cut: &Cut) {
    let (Tile { rows, depth, threads, .. }, class, [left, right]) = (cut.tile, cut.class, cut.loads());
    for at in 0..left {
        put!(text, "st.shared.{} [%a0+{}], %u{at};", class.name, at * (threads / rows) * cut.pitch()[0]);
    }
    for at in 0..right {
        put!(text, "st.shared.{} [%b0+{}], %v{at};", class.name, at * (threads / depth) * class.bytes);
    }
    put!(text, "sub.u32 %a0, %a0, %half;\nsub.u32 %b0, %b0, %half;\nbar.sync 0;");
}

/// Multiplies what the half at `%ra` and `%rb` holds.
fn multiply(text: &mut Text, cut: &Cut) {
    let (Tile { rows, columns, depth, .. }, class, [left, right]) = (cut.tile, cut.class, cut.pitch());
    let groups = cut.part / cut.wide();
    for term in 0..depth {
        for (name, from, pitch, lines) in [("e", "%ra", left, rows), ("f", "%rb", right, columns)] {
            for at in 0..groups {
                let registers =
                    (0..cut.wide()).map(|lane| format!("%{name}{}", at * cut.wide() + lane)).collect::<Vec<_>>();
                let offset = term * pitch + cut.group(at, lines) * class.bytes;
                put!(text, "ld.shared.v{}.{} {{{}}}, [{from}+{offset}];", cut.wide(), class.name, registers.join(","));
            }
        }
        for (i, j) in (0..cut.part).flat_map(|j| (0..cut.part).map(move |i| (i, j))) {
            let s = j * cut.part + i;
            put!(text, "fma.rn.{} %s{s}, %e{i}, %f{j}, %s{s};", class.name);
        }
    }
}

/// Stores the thread's part, whose first row and column are `%i` and `%j`.
fn store(text: &mut Text, cut: &Cut) {
    let (Tile { rows, columns, .. }, class, wide) = (cut.tile, cut.class, cut.wide());
    let place = |at: u32, lines: u32| cut.group(at / wide, lines) + at % wide;
    for at in 0..cut.part {
        put!(text, "add.u32 %x, %i, {};\nsetp.lt.u32 %q{at}, %x, %m;", place(at, rows));
    }
    put!(
        text,
        "mul.wide.u32 %sa, %m, {};\ncvt.u64.u32 %d, %i;\nmul.lo.u64 %d, %d, {};\nadd.u64 %c, %c, %d;",
        class.bytes,
        class.bytes
    );
    for j in 0..cut.part {
        put!(text, "add.u32 %x, %j, {};\nsetp.lt.u32 %row, %x, %n;", place(j, columns));
        put!(text, "cvt.u64.u32 %d, %x;\nmad.lo.u64 %p, %d, %sa, %c;");
        for i in 0..cut.part {
            let (s, at) = (j * cut.part + i, place(i, rows) * class.bytes);
            put!(text, "and.pred %in, %row, %q{i};\n@%in st.global.{} [%p+{at}], %s{s};", class.name);
        }
    }
}
