//! Products of doubles by tensor cores (from sm_80 on).
//!
//! `mma` adds the products of an element of a tile to it one after the other, in the order of the inner index and each by a fused multiply-add: to the bit the
//! chain of `linalg::matrix`. No manual says so, so each device is asked before it is relied upon (`kernels.rs`).
//!
//! Tiles of both factors arrive in shared memory by `cp.async`, some stages ahead. In a stage the elements of one term are neighbours; those of
//! term `k` stand at `i ^ (k % 4 * 4)`, so that the eight rows and four terms that half a warp reads at once lie in different banks. A thread has
//! `mma`'s share of its warp's part of the product in registers.

use super::text::{Class, Text, Tile, begin, put};

/// How a kernel is cut.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub tile: Tile,
    /// Rows and columns of a warp's part.
    pub warp: [u32; 2],
    /// Stages in shared memory.
    pub stages: u32,
    /// Whether `mma` has tiles of 16 rows and 8 terms (from sm_90 on), else of 8 and 4.
    pub wide: bool,
}

const BYTES: u32 = 8;
/// Terms that are multiplied at a time.
const TERMS: u32 = 8;

impl Shape {
    fn factor_bytes(&self) -> [u32; 2] {
        [self.tile.rows, self.tile.columns].map(|lines| lines * self.tile.depth * BYTES)
    }

    fn stage(&self) -> u32 {
        self.factor_bytes().iter().sum()
    }

    /// Blocks of 16 rows and of 8 columns that a warp makes.
    fn atoms(&self) -> [u32; 2] {
        [self.warp[0] / 16, self.warp[1] / 8]
    }
}

/// The text of an entry.
pub(super) fn entry(text: &mut Text, name: &str, shape: &Shape, class: Class) {
    begin(text, name, shape.tile, shape.stage() * shape.stages);
    let [down, along] = shape.atoms();
    put!(text, ".reg .f64 %s<{}>, %e<{}>, %f<{}>;", down * along * 4, down * 4, along * 2);
    put!(text, ".reg .pred %more, %row, %in, %q<32>;");
    put!(text, ".reg .b64 %pa, %pb, %sa, %sb, %p, %d;");
    put!(
        text,
        ".reg .b32 %g, %l, %w, %ka, %kb, %a0, %a1, %b0, %a0s, %a1s, %b0s, %ra, %rb, %ras, %rax, %rbs, %rbx, %left, %to, %from;"
    );
    for at in 0..down * along * 4 {
        put!(text, "mov.f64 %s{at}, {};", class.nothing[0]);
    }
    places(text, shape);
    for stage in 0..shape.stages - 1 {
        put!(text, "mov.u32 %to, {};", stage * shape.stage());
        load(text, shape, class);
    }
    put!(text, "add.u32 %left, %k, {};\nshr.u32 %left, %left, {};", shape.tile.depth - 1, shape.tile.depth.ilog2());
    put!(text, "mov.u32 %from, 0;\nmov.u32 %to, {};", (shape.stages - 1) * shape.stage());
    put!(text, "$next:\nsetp.eq.u32 %more, %left, 0;\n@%more bra.uni $done;");
    put!(text, "cp.async.wait_group {};\nbar.sync 0;", shape.stages - 2);
    load(text, shape, class);
    multiply(text, shape);
    let end = shape.stages * shape.stage();
    for register in ["from", "to"] {
        put!(text, "add.u32 %{register}, %{register}, {};", shape.stage());
        put!(text, "setp.eq.u32 %more, %{register}, {end};\nselp.u32 %{register}, 0, %{register}, %more;");
    }
    put!(text, "sub.u32 %left, %left, 1;\nbra.uni $next;\n$done:");
    store(text, shape);
    put!(text, "ret;\n}}");
}

/// Where the thread loads from and to, and where its warp reads.
fn places(text: &mut Text, shape: &Shape) {
    let Tile { rows, columns, depth, threads } = shape.tile;
    // left factor: neighbouring threads load neighbouring rows
    put!(text, "and.b32 %x, %t, {};\nshr.u32 %ka, %t, {};", rows - 1, rows.ilog2());
    put!(text, "shl.b32 %y, %ka, 2;\nxor.b32 %y, %x, %y;\nmad.lo.u32 %y, %ka, {rows}, %y;");
    put!(text, "mov.u32 %a0, tiles;\nmad.lo.u32 %a0, %y, {BYTES}, %a0;\nxor.b32 %a1, %a0, {};", 8 * BYTES);
    put!(text, "add.u32 %x, %x, %i;\nsetp.lt.u32 %row, %x, %m;");
    put!(
        text,
        "mul.wide.u32 %pa, %ka, %m;\ncvt.u64.u32 %d, %x;\nadd.u64 %pa, %pa, %d;\nshl.b64 %pa, %pa, 3;\nadd.u64 %pa, %pa, %a;"
    );
    put!(text, "mul.wide.u32 %sa, %m, {};", threads / rows * BYTES);
    // right factor: neighbouring threads load neighbouring terms
    put!(text, "and.b32 %kb, %t, {};\nshr.u32 %x, %t, {};", depth - 1, depth.ilog2());
    put!(text, "and.b32 %y, %kb, 3;\nshl.b32 %y, %y, 2;\nxor.b32 %y, %x, %y;\nmad.lo.u32 %y, %kb, {columns}, %y;");
    put!(
        text,
        "mov.u32 %b0, tiles;\nmad.lo.u32 %b0, %y, {BYTES}, %b0;\nadd.u32 %b0, %b0, {};",
        shape.factor_bytes()[0]
    );
    put!(text, "add.u32 %x, %x, %j;");
    let apart = threads / depth;
    for round in 0..columns / apart {
        put!(text, "add.u32 %y, %x, {};\nsetp.lt.u32 %q{round}, %y, %n;", round * apart);
    }
    put!(
        text,
        "mul.wide.u32 %pb, %x, %k;\ncvt.u64.u32 %d, %kb;\nadd.u64 %pb, %pb, %d;\nshl.b64 %pb, %pb, 3;\nadd.u64 %pb, %pb, %b;"
    );
    put!(text, "mul.wide.u32 %sb, %k, {};", apart * BYTES);
    // the warp's part: rows and columns of `mma` are lane / 4, terms lane % 4
    put!(text, "shr.u32 %w, %t, 5;\nand.b32 %l, %t, 3;\nshr.u32 %g, %t, 2;\nand.b32 %g, %g, 7;");
    let down = rows / shape.warp[0];
    put!(text, "and.b32 %x, %w, {};\nmul.lo.u32 %x, %x, {};\nadd.u32 %i, %i, %x;", down - 1, shape.warp[0]);
    put!(text, "shr.u32 %w, %w, {};\nmul.lo.u32 %w, %w, {};\nadd.u32 %j, %j, %w;", down.ilog2(), shape.warp[1]);
    put!(text, "shl.b32 %y, %l, 2;\nxor.b32 %y, %g, %y;");
    put!(
        text,
        "mad.lo.u32 %x, %l, {rows}, %x;\nadd.u32 %x, %x, %y;\nmov.u32 %ra, tiles;\nmad.lo.u32 %ra, %x, {BYTES}, %ra;"
    );
    put!(
        text,
        "mad.lo.u32 %w, %l, {columns}, %w;\nadd.u32 %w, %w, %y;\nmov.u32 %rb, tiles;\nmad.lo.u32 %rb, %w, {BYTES}, %rb;"
    );
    put!(text, "add.u32 %rb, %rb, {};", shape.factor_bytes()[0]);
}

/// Sends for the next terms, to the stage `%to`. What lies outside of a factor adds nothing.
fn load(text: &mut Text, shape: &Shape, class: Class) {
    let Tile { rows, columns, depth, threads } = shape.tile;
    put!(text, "add.u32 %a0s, %a0, %to;\nadd.u32 %a1s, %a1, %to;\nadd.u32 %b0s, %b0, %to;");
    let apart = threads / rows;
    for round in 0..depth / apart {
        // terms are moved by their number modulo 4: two of them at a time leave two forms
        let (to, at) = (["%a0s", "%a1s"][(round * apart / 2 % 2) as usize], round * apart * rows * BYTES);
        put!(text, "add.u32 %x, %ka, {};\nsetp.lt.and.u32 %in, %x, %k, %row;", round * apart);
        put!(text, "@%in cp.async.ca.shared.global [{to}+{at}], [%pa], 8;");
        put!(text, "@!%in st.shared.f64 [{to}+{at}], {};", class.nothing[0]);
        put!(text, "add.u64 %pa, %pa, %sa;");
    }
    put!(text, "add.u32 %ka, %ka, {depth};\nmov.u64 %p, %pb;");
    let apart = threads / depth;
    for round in 0..columns / apart {
        let at = round * apart * BYTES;
        put!(text, "setp.lt.and.u32 %in, %kb, %k, %q{round};");
        put!(text, "@%in cp.async.ca.shared.global [%b0s+{at}], [%p], 8;");
        put!(text, "@!%in st.shared.f64 [%b0s+{at}], {};", class.nothing[1]);
        put!(text, "add.u64 %p, %p, %sb;");
    }
    put!(text, "add.u32 %kb, %kb, {depth};\nadd.u64 %pb, %pb, {};\ncp.async.commit_group;", depth * BYTES);
}

/// Multiplies what the stage `%from` holds.
fn multiply(text: &mut Text, shape: &Shape) {
    let (Tile { rows, columns, depth, .. }, [down, along]) = (shape.tile, shape.atoms());
    let other = 8 * BYTES;
    put!(
        text,
        "add.u32 %ras, %ra, %from;\nxor.b32 %rax, %ras, {other};\nadd.u32 %rbs, %rb, %from;\nxor.b32 %rbx, %rbs, {other};"
    );
    for first in (0..depth).step_by(TERMS as usize) {
        // of each block of 16 rows: both halves of the first four terms, then those of the next
        for (at, (block, (four, half))) in (0..down).flat_map(|i| HALVES.map(|part| (i, part))).enumerate() {
            let offset = ((first + 4 * four) * rows + 16 * block) * BYTES;
            put!(text, "ld.shared.f64 %e{at}, [{}+{offset}];", ["%ras", "%rax"][half as usize]);
        }
        for (at, (block, four)) in (0..along).flat_map(|j| [(j, 0), (j, 1)]).enumerate() {
            let offset = ((first + 4 * four) * columns + block / 2 * 16) * BYTES;
            put!(text, "ld.shared.f64 %f{at}, [{}+{offset}];", ["%rbs", "%rbx"][(block % 2) as usize]);
        }
        for (i, j) in (0..along).flat_map(|j| (0..down).map(move |i| (i, j))) {
            add_products(text, shape, i, j);
        }
    }
}

/// The parts of a left tile: which four terms, and which half of the rows.
const HALVES: [(u32, u32); 4] = [(0, 0), (0, 1), (1, 0), (1, 1)];

/// Adds eight terms to block `i, j` of 16 by 8 sums.
fn add_products(text: &mut Text, shape: &Shape, i: u32, j: u32) {
    let (e, f, s) = (i * 4, j * 2, (j * shape.atoms()[0] + i) * 4);
    let list = |name: &str, from: u32, count: u32| {
        let registers: Vec<String> = (from..from + count).map(|at| format!("%{name}{at}")).collect();
        format!("{{{}}}", registers.join(","))
    };
    let mut mma = |tile: &str, [sums, left, right]: [String; 3]| {
        put!(text, "mma.sync.aligned.{tile}.row.col.f64.f64.f64.f64 {sums}, {left}, {right}, {sums};");
    };
    if shape.wide {
        return mma("m16n8k8", [list("s", s, 4), list("e", e, 4), list("f", f, 2)]);
    }
    for (four, half) in HALVES {
        let at = 2 * four + half;
        mma("m8n8k4", [list("s", s + 2 * half, 2), list("e", e + at, 1), list("f", f + four, 1)]);
    }
}

/// Stores the warp's part, whose first row and column are `%i` and `%j`.
fn store(text: &mut Text, shape: &Shape) {
    let [down, along] = shape.atoms();
    put!(text, "add.u32 %i, %i, %g;\nshl.b32 %l, %l, 1;\nadd.u32 %j, %j, %l;");
    put!(
        text,
        "mul.wide.u32 %p, %j, %m;\ncvt.u64.u32 %d, %i;\nadd.u64 %p, %p, %d;\nshl.b64 %p, %p, 3;\nadd.u64 %p, %p, %c;"
    );
    for at in 0..down * 2 {
        put!(text, "add.u32 %x, %i, {};\nsetp.lt.u32 %q{at}, %x, %m;", at * 8);
    }
    put!(text, "mul.wide.u32 %sa, %m, 8;\nmul.wide.u32 %sb, %m, {};", 7 * BYTES);
    for (j, e) in (0..along).flat_map(|j| [(j, 0), (j, 1)]) {
        put!(text, "add.u32 %x, %j, {};\nsetp.lt.u32 %row, %x, %n;", j * 8 + e);
        for at in 0..down * 2 {
            let s = (j * down + at / 2) * 4 + at % 2 * 2 + e;
            put!(text, "and.pred %in, %row, %q{at};\n@%in st.global.f64 [%p+{}], %s{s};", at * 8 * BYTES);
        }
        put!(text, "add.u64 %p, %p, {};", ["%sa", "%sb"][e as usize]);
    }
}
