//! The kernels that were measured, as PTX.

const HEAD: &str = ".version 6.4\n.target sm_70\n.address_size 64\n";

/// Doubles from one array to another, as far apart as there are threads.
pub fn copy() -> String {
    format!(
        "{HEAD}
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 count)
{{
    .reg .pred %p;
    .reg .b32 %i, %n, %step, %r<4>;
    .reg .b64 %in, %out, %from, %to, %wide;
    .reg .f64 %x;
    mov.u32 %r0, %ctaid.x;
    mov.u32 %r1, %ntid.x;
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %nctaid.x;
    mad.lo.u32 %i, %r0, %r1, %r2;
    mul.lo.u32 %step, %r1, %r3;
    ld.param.u32 %n, [count];
    ld.param.u64 %in, [in];
    ld.param.u64 %out, [out];
AGAIN:
    setp.ge.u32 %p, %i, %n;
    @%p bra DONE;
    mul.wide.u32 %wide, %i, 8;
    add.u64 %from, %in, %wide;
    add.u64 %to, %out, %wide;
    ld.global.f64 %x, [%from];
    st.global.f64 [%to], %x;
    add.u32 %i, %i, %step;
    bra AGAIN;
DONE:
    ret;
}}
"
    )
}

/// Where a thread of a block of 32 by some reads and writes: `%x` and `%y` in the matrix, of `%n` words a row, `%tx` and `%ty` in the block.
fn matrix(registers: &str, body: &str) -> String {
    format!(
        "{HEAD}
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 order)
{{
    .reg .b32 %n, %tx, %ty, %bx, %by, %x, %y, %at, %tile, %word;
    .reg .b64 %in, %out, %wide, %place;
    {registers}
    ld.param.u32 %n, [order];
    ld.param.u64 %in, [in];
    ld.param.u64 %out, [out];
    mov.u32 %tx, %tid.x;
    mov.u32 %ty, %tid.y;
    mov.u32 %bx, %ctaid.x;
    mov.u32 %by, %ctaid.y;
    mad.lo.u32 %x, %bx, 32, %tx;
    mad.lo.u32 %y, %by, 32, %ty;
{body}
    ret;
}}
"
    )
}

/// The address of the word at `%at` of an array.
fn word_of(array: &str) -> String {
    format!("mul.wide.u32 %wide, %at, 4; add.u64 %place, %{array}, %wide;\n")
}

/// A transposition that writes across memory.
pub fn naive() -> String {
    let (from, to) = (word_of("in"), word_of("out"));
    let read = format!("mad.lo.u32 %at, %y, %n, %x; {from} ld.global.u32 %word, [%place];\n");
    matrix("", &format!("{read} mad.lo.u32 %at, %x, %n, %y; {to} st.global.u32 [%place], %word;"))
}

/// A transposition through a tile of 32 rows of `pitch` words, by blocks of so many rows of threads.
pub fn transposition(pitch: u32, rows: u32) -> String {
    let (from, to) = (word_of("in"), word_of("out"));
    let steps = || (0..32).step_by(rows as usize);
    let mut body = "mad.lo.u32 %at, %y, %n, %x;\n".to_owned();
    let (row, column) = (4 * pitch, 4);
    body +=
        &format!("mov.u32 %tile, tile; mad.lo.u32 %tile, %ty, {row}, %tile; mad.lo.u32 %tile, %tx, {column}, %tile;\n");
    for j in steps() {
        body += &format!("{from} ld.global.u32 %word, [%place]; st.shared.u32 [%tile+{}], %word;\n", j * row);
        body += &format!("mad.lo.u32 %at, %n, {rows}, %at;\n");
    }
    body += "bar.sync 0;\nmad.lo.u32 %x, %by, 32, %tx; mad.lo.u32 %y, %bx, 32, %ty; mad.lo.u32 %at, %y, %n, %x;\n";
    body +=
        &format!("mov.u32 %tile, tile; mad.lo.u32 %tile, %tx, {row}, %tile; mad.lo.u32 %tile, %ty, {column}, %tile;\n");
    for j in steps() {
        body += &format!("ld.shared.u32 %word, [%tile+{}]; {to} st.global.u32 [%place], %word;\n", j * column);
        body += &format!("mad.lo.u32 %at, %n, {rows}, %at;\n");
    }
    matrix(&format!(".shared .align 4 .b8 tile[{}];", 32 * row), &body)
}

/// Five neighbours of doubles with weights, a thread for each; the first array has two more at both ends.
pub const FIVE_POINTS: &str = "
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 count)
{
    .reg .pred %p;
    .reg .b32 %i, %n, %r<3>;
    .reg .b64 %in, %out, %wide;
    .reg .f64 %a, %b, %c, %d, %e;
    mov.u32 %r0, %ctaid.x;
    mov.u32 %r1, %ntid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.u32 %i, %r0, %r1, %r2;
    ld.param.u32 %n, [count];
    setp.ge.u32 %p, %i, %n;
    @%p bra DONE;
    ld.param.u64 %in, [in];
    ld.param.u64 %out, [out];
    mul.wide.u32 %wide, %i, 8;
    add.u64 %in, %in, %wide;
    add.u64 %out, %out, %wide;
    ld.global.f64 %a, [%in];
    ld.global.f64 %b, [%in+8];
    ld.global.f64 %c, [%in+16];
    ld.global.f64 %d, [%in+24];
    ld.global.f64 %e, [%in+32];
    mul.rn.f64 %a, %a, 0d3FD0000000000000;
    fma.rn.f64 %a, %b, 0d3FD0000000000000, %a;
    sub.rn.f64 %a, %a, %c;
    fma.rn.f64 %a, %d, 0d3FE0000000000000, %a;
    fma.rn.f64 %a, %e, 0d3FE0000000000000, %a;
    st.global.f64 [%out], %a;
DONE:
    ret;
}
";

/// A product of singles, a thread for each element, whose factors come from global memory.
pub const DIRECT: &str = "
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 left, .param .u64 right, .param .u64 product, .param .u32 columns, .param .u32 terms)
{
    .reg .pred %p;
    .reg .b32 %n, %k, %x, %y, %at, %r<4>;
    .reg .b64 %a, %b, %c, %wide, %row;
    .reg .f32 %s, %u, %v;
    ld.param.u32 %n, [columns];
    ld.param.u32 %k, [terms];
    ld.param.u64 %a, [left];
    ld.param.u64 %b, [right];
    ld.param.u64 %c, [product];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %tid.y;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ctaid.y;
    mad.lo.u32 %x, %r2, 32, %r0;
    mad.lo.u32 %y, %r3, 32, %r1;
    mul.lo.u32 %at, %y, %k;
    mul.wide.u32 %wide, %at, 4;
    add.u64 %a, %a, %wide;
    mul.wide.u32 %wide, %x, 4;
    add.u64 %b, %b, %wide;
    mul.wide.u32 %row, %n, 4;
    mov.f32 %s, 0f00000000;
AGAIN:
    ld.global.f32 %u, [%a];
    ld.global.f32 %v, [%b];
    fma.rn.f32 %s, %u, %v, %s;
    add.u64 %a, %a, 4;
    add.u64 %b, %b, %row;
    sub.u32 %k, %k, 1;
    setp.ne.u32 %p, %k, 0;
    @%p bra AGAIN;
    mad.lo.u32 %at, %y, %n, %x;
    mul.wide.u32 %wide, %at, 4;
    add.u64 %c, %c, %wide;
    st.global.f32 [%c], %s;
    ret;
}
";

/// The same through tiles of 32 by 32 of both factors; the loop over a tile is written out eight times, as `nvcc` does.
pub const TILED: &str = "
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 left, .param .u64 right, .param .u64 product, .param .u32 columns, .param .u32 terms)
{
    .reg .pred %p;
    .reg .b32 %n, %k, %x, %y, %at, %mine, %u, %v, %rest, %tx, %ty, %r<2>;
    .reg .b64 %a, %b, %c, %wide, %rows;
    .reg .f32 %s, %f<2>;
    .shared .align 4 .b8 left_tile[4096];
    .shared .align 4 .b8 right_tile[4096];
    ld.param.u32 %n, [columns];
    ld.param.u32 %k, [terms];
    ld.param.u64 %a, [left];
    ld.param.u64 %b, [right];
    ld.param.u64 %c, [product];
    mov.u32 %tx, %tid.x;
    mov.u32 %ty, %tid.y;
    mov.u32 %r0, %ctaid.x;
    mov.u32 %r1, %ctaid.y;
    mad.lo.u32 %x, %r0, 32, %tx;
    mad.lo.u32 %y, %r1, 32, %ty;
    mad.lo.u32 %at, %y, %k, %tx;
    mul.wide.u32 %wide, %at, 4;
    add.u64 %a, %a, %wide;
    mad.lo.u32 %at, %ty, %n, %x;
    mul.wide.u32 %wide, %at, 4;
    add.u64 %b, %b, %wide;
    mul.wide.u32 %rows, %n, 128;
    mad.lo.u32 %mine, %ty, 32, %tx;
    mul.lo.u32 %mine, %mine, 4;
    mov.f32 %s, 0f00000000;
TILE:
    ld.global.f32 %f0, [%a];
    ld.global.f32 %f1, [%b];
    mov.u32 %u, left_tile;
    add.u32 %u, %u, %mine;
    st.shared.f32 [%u], %f0;
    mov.u32 %v, right_tile;
    add.u32 %v, %v, %mine;
    st.shared.f32 [%v], %f1;
    bar.sync 0;
    add.u64 %a, %a, 128;
    add.u64 %b, %b, %rows;
    mov.u32 %u, left_tile;
    mad.lo.u32 %u, %ty, 128, %u;
    mov.u32 %v, right_tile;
    mad.lo.u32 %v, %tx, 4, %v;
    mov.u32 %rest, 4;
EIGHT:
    ld.shared.f32 %f0, [%u];
    ld.shared.f32 %f1, [%v];
    fma.rn.f32 %s, %f0, %f1, %s;
    ld.shared.f32 %f0, [%u+4];
    ld.shared.f32 %f1, [%v+128];
    fma.rn.f32 %s, %f0, %f1, %s;
    ld.shared.f32 %f0, [%u+8];
    ld.shared.f32 %f1, [%v+256];
    fma.rn.f32 %s, %f0, %f1, %s;
    ld.shared.f32 %f0, [%u+12];
    ld.shared.f32 %f1, [%v+384];
    fma.rn.f32 %s, %f0, %f1, %s;
    ld.shared.f32 %f0, [%u+16];
    ld.shared.f32 %f1, [%v+512];
    fma.rn.f32 %s, %f0, %f1, %s;
    ld.shared.f32 %f0, [%u+20];
    ld.shared.f32 %f1, [%v+640];
    fma.rn.f32 %s, %f0, %f1, %s;
    ld.shared.f32 %f0, [%u+24];
    ld.shared.f32 %f1, [%v+768];
    fma.rn.f32 %s, %f0, %f1, %s;
    ld.shared.f32 %f0, [%u+28];
    ld.shared.f32 %f1, [%v+896];
    fma.rn.f32 %s, %f0, %f1, %s;
    add.u32 %u, %u, 32;
    add.u32 %v, %v, 1024;
    sub.u32 %rest, %rest, 1;
    setp.ne.u32 %p, %rest, 0;
    @%p bra EIGHT;
    bar.sync 0;
    sub.u32 %k, %k, 32;
    setp.ne.u32 %p, %k, 0;
    @%p bra TILE;
    mad.lo.u32 %at, %y, %n, %x;
    mul.wide.u32 %wide, %at, 4;
    add.u64 %c, %c, %wide;
    st.global.f32 [%c], %s;
    ret;
}
";
