//! What tests of all devices do with one: values go up, are doubled, and come down.

use megha_base::plan::Launch;

use super::{Address, Arg, Device, Module, Outcome, Queue};

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
