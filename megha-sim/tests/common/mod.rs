//! Runs small pieces of PTX.

#![allow(dead_code)] // not every test uses all of it

use megha_sim::{Arg, Checks, Config, Device, Error, Fault, FaultKind, Launch, Module, Ptr, Report, Stream};

pub const HEAD: &str = ".version 6.4\n.target sm_70\n.address_size 64\n";

/// The 64-bit words as bytes.
pub fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
}

/// New memory that holds `words`.
pub fn upload(device: &Device, values: &[u64]) -> Ptr {
    let ptr = device.alloc(values.len() * 8).unwrap();
    device.copy_in(Stream::DEFAULT, ptr, &bytes(values)).unwrap();
    ptr
}

pub fn download(device: &Device, ptr: Ptr, count: usize) -> Vec<u64> {
    let mut out = vec![0; count * 8];
    device.copy_out(Stream::DEFAULT, &mut out, ptr).unwrap();
    words(&out)
}

/// An entry `k`: `%i` is the index of the thread along x, `%in` and `%out` the addresses of its words of input and result,
/// `%l15` what it leaves there.
pub fn kernel(variables: &str, body: &str) -> String {
    format!(
        "{HEAD}{variables}
.visible .entry k(.param .u64 in, .param .u64 out)
{{
    .reg .pred %p<8>;
    .reg .b16 %h<8>;
    .reg .b32 %r<16>, %i, %t, %block, %lane;
    .reg .b64 %l<16>, %in, %out, %first, %result, %wide;
    .reg .f32 %f<8>;
    .reg .f64 %d<8>;
    mov.u32 %t, %tid.x;
    mov.u32 %block, %ctaid.x;
    mov.u32 %lane, %laneid;
    mov.u32 %i, %ntid.x;
    mad.lo.u32 %i, %i, %block, %t;
    ld.param.u64 %first, [in];
    ld.param.u64 %result, [out];
    mul.wide.u32 %wide, %i, 8;
    add.u64 %in, %first, %wide;
    add.u64 %out, %result, %wide;
    mov.u64 %l15, 0;
{body}
    st.global.u64 [%out], %l15;
END:
    ret;
}}
"
    )
}

pub fn device() -> Device {
    Device::new(Config { memory: 1 << 24, instruction_limit: 1_000_000, ..Config::default() })
}

pub fn load(device: &Device, ptx: &str) -> Module {
    device.load(ptx).unwrap_or_else(|error| panic!("{error}\n{}", numbered(ptx)))
}

fn numbered(ptx: &str) -> String {
    ptx.lines().enumerate().map(|(i, line)| format!("{:>4} {line}\n", i + 1)).collect()
}

/// What each thread of a launch leaves in `%l15`, after `input` was copied in.
pub fn run(ptx: &str, launch: Launch, input: &[u64]) -> Result<(Vec<u64>, Report), Error> {
    let device = device();
    let module = load(&device, ptx);
    let threads: u32 = launch.grid.iter().chain(&launch.block).product();
    let input = upload(&device, input);
    let output = upload(&device, &vec![0; threads as usize]);
    let report = device.launch(Stream::DEFAULT, &module, "k", launch, &[Arg::Ptr(input), Arg::Ptr(output)])?;
    Ok((download(&device, output, threads as usize), report))
}

/// The results of the threads of one block.
pub fn results(body: &str, threads: u32) -> Vec<u64> {
    run(&kernel("", body), Launch::linear(1, threads), &[7; 2048]).unwrap_or_else(|error| panic!("{error}")).0
}

/// The mistake that a kernel makes.
pub fn fault(ptx: &str, launch: Launch) -> Fault {
    match run(ptx, launch, &vec![0; 4096]) {
        Err(Error::Kernel(fault)) => *fault,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("the kernel ran to its end"),
    }
}

pub fn fault_kind(variables: &str, body: &str, launch: Launch) -> FaultKind {
    fault(&kernel(variables, body), launch).kind
}

/// A device without a check, to see that the others are silent.
pub fn without(change: fn(&mut Checks)) -> Device {
    let mut checks = Checks::all();
    change(&mut checks);
    Device::new(Config { memory: 1 << 24, checks, ..Config::default() })
}
