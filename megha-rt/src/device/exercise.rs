//! What tests of all devices do with one: values go up, are doubled, and come down.

use megha_base::plan::Launch;

use super::{Address, Arg, Device, Module, Outcome, Queue, Rows};

pub(super) static DOUBLE: &str = "
    .version 6.4
    .target sm_70
    .address_size 64
    .visible .entry twice(.param .u64 data, .param .s64 n)
    {
        .reg .pred %p;
        .reg .b32 %r<4>;
        .reg .b64 %rd<5>;
        .reg .f64 %x;
        mov.u32 %r0, %ctaid.x;
        mov.u32 %r1, %ntid.x;
        mov.u32 %r2, %tid.x;
        mad.lo.u32 %r3, %r0, %r1, %r2;
        cvt.s64.s32 %rd0, %r3;
        ld.param.s64 %rd1, [n];
        setp.ge.s64 %p, %rd0, %rd1;
        @%p bra DONE;
        ld.param.u64 %rd2, [data];
        mul.lo.s64 %rd3, %rd0, 8;
        add.s64 %rd4, %rd2, %rd3;
        ld.global.f64 %x, [%rd4];
        add.rn.f64 %x, %x, %x;
        st.global.f64 [%rd4], %x;
    DONE:
        ret;
    }";

pub(super) fn bytes(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

pub(super) fn twice(device: &dyn Device, module: Module, data: Address, n: i64) -> Outcome<()> {
    let launch = Launch { grid: [n.unsigned_abs().div_ceil(32) as u32, 1, 1], block: [32, 1, 1] };
    device.launch(Queue::Compute, module, "twice", launch, &[Arg::Address(data), Arg::I64(n)])
}

/// Rows go up to their places and come back side by side: what arrives, beside what was sent.
pub(super) fn rows_around(device: &dyn Device, rows: Rows) -> Outcome<[Vec<u8>; 2]> {
    let from: Vec<u8> = (0..rows.extent()).map(|at| ((at * 7) >> 3) as u8).collect();
    let data = device.allocate(from.len() as u64 + 8)?;
    let result = (|| {
        let to = Address(data.0 + 8);
        device.upload_rows(Queue::Upload, to, &from, rows)?;
        device.wait(Queue::Download, device.record(Queue::Upload)?)?;
        let download = device.begin_rows(Queue::Download, to, rows)?;
        let mut arrived = vec![0; download.bytes];
        device.finish_download(download, &mut arrived)?;
        let sent = rows.starts().flat_map(|at| from[at..at + rows.bytes].to_vec()).collect();
        Ok([arrived, sent])
    })();
    device.free(data);
    result
}

/// Rows of several kinds: short, long, one, more than a piece of a staging buffer in tests.
pub(super) const ROWS: [Rows; 5] = [
    Rows { bytes: 8, count: 100, pitch: 24 },
    Rows { bytes: 1, count: 1, pitch: 1 },
    Rows { bytes: 1000, count: 150, pitch: 1001 },
    Rows { bytes: 70_000, count: 3, pitch: 70_016 },
    Rows { bytes: 16, count: 9000, pitch: 16 },
];

/// Uploads, doubles and downloads values, each in its queue.
pub(super) fn round(device: &dyn Device, values: &[f64]) -> Outcome<Vec<u8>> {
    let from = bytes(values);
    let data = device.allocate(from.len() as u64)?;
    let result = (|| {
        let module = device.load(DOUBLE)?;
        device.upload(Queue::Upload, data, &from)?;
        device.wait(Queue::Compute, device.record(Queue::Upload)?)?;
        twice(device, module, data, values.len() as i64)?;
        device.wait(Queue::Download, device.record(Queue::Compute)?)?;
        let mut to = vec![0; from.len()];
        device.finish_download(device.begin_download(Queue::Download, data, to.len())?, &mut to)?;
        Ok(to)
    })();
    device.free(data);
    result
}
