//! A simulated GPU: reads PTX text, executes it, finds its mistakes, and models the time it takes.
//!
//! It is a second reading of PTX: it shares no code with the compiler that writes it and follows NVIDIA's *PTX ISA*. So what runs
//! here, with all checks on, has a good chance to run on hardware, and a schedule of copies and kernels can be judged where there is none.
//!
//! ```
//! use megha_sim::{Arg, Config, Device, Launch, Stream};
//!
//! let ptx = "
//!     .version 6.4
//!     .target sm_70
//!     .address_size 64
//!     .visible .entry double_all(.param .u64 data, .param .u32 n)
//!     {
//!         .reg .pred %p;
//!         .reg .b32 %r<5>;
//!         .reg .b64 %rd<3>;
//!         .reg .f64 %x;
//!         mov.u32 %r0, %ctaid.x;
//!         mov.u32 %r1, %ntid.x;
//!         mov.u32 %r2, %tid.x;
//!         mad.lo.u32 %r3, %r0, %r1, %r2;
//!         ld.param.u32 %r4, [n];
//!         setp.ge.u32 %p, %r3, %r4;
//!         @%p bra DONE;
//!         ld.param.u64 %rd0, [data];
//!         mul.wide.u32 %rd1, %r3, 8;
//!         add.u64 %rd2, %rd0, %rd1;
//!         ld.global.f64 %x, [%rd2];
//!         add.rn.f64 %x, %x, %x;
//!         st.global.f64 [%rd2], %x;
//!     DONE:
//!         ret;
//!     }";
//! let device = Device::new(Config::default());
//! let module = device.load(ptx)?;
//! let values: Vec<u8> = [1.5f64, 2.5, 3.5].iter().flat_map(|x| x.to_le_bytes()).collect();
//! let data = device.alloc(values.len())?;
//! device.copy_in(Stream::DEFAULT, data, &values)?;
//! let report = device.launch(Stream::DEFAULT, &module, "double_all", Launch::linear(1, 32), &[Arg::Ptr(data), Arg::U32(3)])?;
//! assert_eq!(report.flops64, 3);
//! let mut first = [0; 8];
//! device.copy_out(Stream::DEFAULT, &mut first, data)?;
//! assert_eq!(f64::from_le_bytes(first), 3.0);
//! device.synchronize(Stream::DEFAULT)?;
//! println!("done at {:?}", device.now());
//! # Ok::<(), megha_sim::Error>(())
//! ```
//!
//! # The way of the data
//! text → `ptx` (syntax) → `decode` (internal form, `form`) → `exec` with the functions of `alu` on `memory`;
//! `device` is the public face with streams, clock and failures.

mod alu;
mod decode;
mod device;
mod error;
mod exec;
mod form;
mod memory;
mod ptx;

pub use device::clock::{Engine, Event, Span};
pub use device::config::{Checks, Config, Model};
pub use device::fault::Operation;
pub use device::launch::{Arg, Launch, Ptr};
pub use device::product::Product;
pub use device::report::Report;
pub use device::transfers::Rows;
pub use device::{Device, MemoryUse, Module, Stream};
pub use error::{Error, Fault, FaultKind, SyntaxError};
pub use exec::traffic::Traffic;
