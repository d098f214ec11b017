//! The entries of the driver.

use std::ffi::{CStr, c_char, c_void};

use megha_sim::{Arg, Launch};

use crate::machine::{
    CONTEXT, CONTEXTS, Code, INVALID_HANDLE, INVALID_PTX, INVALID_VALUE, Machine, NOT_FOUND, NOT_READY, OUT_OF_MEMORY,
    Queue, SUCCESS, entry, in_context,
};
use crate::streams::{Event, Operation, Record};

/// `CU_EVENT_DISABLE_TIMING`
const WITHOUT_TIMING: u32 = 2;

/// Writes a result.
pub fn put<T>(to: *mut T, value: T) -> Result<(), Code> {
    if to.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: callers of the driver give addresses that can be written.
    unsafe { to.write(value) };
    Ok(())
}

/// The entries: their names, arguments and what they do.
macro_rules! entries {
    ($($run:ident fn $name:ident($($arg:ident: $ty:ty),*) |$machine:pat_param| $body:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "system" fn $name($($arg: $ty),*) -> Code {
            $run(|$machine: &mut Machine| $body)
        }
    )*};
}
pub(crate) use entries;

entries! {
    entry fn cuInit(flags: u32) |_| if flags == 0 { Ok(()) } else { Err(INVALID_VALUE) };
    entry fn cuDriverGetVersion(version: *mut i32) |m| put(version, m.version);
    entry fn cuDeviceGetCount(count: *mut i32) |m| put(count, m.devices);
    entry fn cuDeviceGet(device: *mut i32, ordinal: i32) |m| if ordinal < m.devices { put(device, ordinal) } else { Err(101) };
    entry fn cuDeviceGetAttribute(value: *mut i32, attribute: i32, _device: i32) |m| put(value, match attribute {
        75 => m.capability / 10,
        76 => m.capability % 10,
        20 => 0,
        // operations in single precision for one in double
        87 => if matches!(m.capability, 86 | 89) { 64 } else { 2 },
        // memory pools
        115 => i32::from(m.version >= 11_020),
        _ => 1000,
    });
    entry fn cuDevicePrimaryCtxRetain(context: *mut usize, device: i32) |m| { m.retained += 1; put(context, CONTEXT + device as usize) };
    entry fn cuDevicePrimaryCtxRelease_v2(_device: i32) |m| { m.retained -= 1; Ok(()) };
    entry fn cuCtxPushCurrent_v2(context: usize) |m| if m.has_context(context) {
        CONTEXTS.with_borrow_mut(|contexts| contexts.push(context));
        Ok(())
    } else {
        Err(INVALID_VALUE)
    };
    entry fn cuCtxGetCurrent(context: *mut usize) |_| put(context, CONTEXTS.with_borrow(|contexts| contexts.last().copied().unwrap_or(0)));
    entry fn cuCtxSetCurrent(context: usize) |m| if context == 0 || m.has_context(context) {
        CONTEXTS.with_borrow_mut(|contexts| {
            contexts.pop();
            contexts.extend((context != 0).then_some(context));
        });
        Ok(())
    } else {
        Err(INVALID_VALUE)
    };
    in_context fn cuCtxSynchronize() |m| m.run_everything();
    in_context fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) |m| {
        put(free, m.device.memory().available as usize)?;
        put(total, m.device.config().memory as usize)
    };
    in_context fn cuMemAlloc_v2(address: *mut u64, bytes: usize) |m| {
        allocate(m, address, bytes)
    };
    in_context fn cuMemFree_v2(address: u64) |m| {
        m.run_everything()?;
        m.blocks.remove(&address).ok_or(INVALID_VALUE)?;
        m.device.free(megha_sim::Ptr(address)).map_err(|_| INVALID_VALUE)
    };
    in_context fn cuMemAllocAsync(address: *mut u64, bytes: usize, stream: usize) |m| {
        m.streams.get(&stream).ok_or(INVALID_HANDLE)?;
        allocate(m, address, bytes)
    };
    // of memory that was allocated in either way, as CUDA has it
    in_context fn cuMemFreeAsync(address: u64, stream: usize) |m| {
        m.blocks.get(&address).ok_or(INVALID_VALUE)?;
        m.issue(stream, Operation::Free { address })
    };
    in_context fn cuMemHostAlloc(start: *mut *mut c_void, bytes: usize, _flags: u32) |m| {
        let mut block = vec![0xa5; bytes].into_boxed_slice();
        let address = block.as_mut_ptr();
        m.pinned.insert(address as usize, block);
        put(start, address.cast())
    };
    in_context fn cuMemFreeHost(start: *mut c_void) |m| m.pinned.remove(&(start as usize)).map(drop).ok_or(INVALID_VALUE);
    in_context fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, bytes: usize, stream: usize) |m| {
        let address = from as usize;
        m.issue(stream, if m.is_pinned(address) {
            Operation::ToDevice { to, from: address, bytes }
        } else {
            // SAFETY: the caller gives memory of this length.
            let values = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), bytes) }.to_vec();
            Operation::Values { to, values }
        })
    };
    in_context fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, bytes: usize, stream: usize) |m| {
        m.issue(stream, Operation::ToHost { to: to as usize, from, bytes })?;
        // a copy to ordinary memory is done when the call returns
        if m.is_pinned(to as usize) { Ok(()) } else { m.run_all(stream) }
    };
    in_context fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: usize) |m| {
        m.issue(stream, Operation::Within { to, from, bytes })
    };
    in_context fn cuMemsetD8Async(to: u64, byte: u8, bytes: usize, stream: usize) |m| {
        m.issue(stream, Operation::Fill { to, element: vec![byte; bytes], pitch: bytes, count: 1 })
    };
    in_context fn cuMemsetD16Async(to: u64, value: u16, count: usize, stream: usize) |m| {
        m.issue(stream, Operation::Fill { to, element: value.to_ne_bytes().to_vec(), pitch: 2, count })
    };
    in_context fn cuMemsetD32Async(to: u64, value: u32, count: usize, stream: usize) |m| {
        m.issue(stream, Operation::Fill { to, element: value.to_ne_bytes().to_vec(), pitch: 4, count })
    };
    in_context fn cuMemsetD2D32Async(to: u64, pitch: usize, value: u32, width: usize, height: usize, stream: usize) |m| {
        let element = value.to_ne_bytes().repeat(width);
        m.issue(stream, Operation::Fill { to, element, pitch, count: height })
    };
    in_context fn cuStreamCreate(stream: *mut usize, _flags: u32) |m| {
        let number = m.handle();
        m.streams.insert(number, Queue { stream: m.device.stream(), waiting: Default::default() });
        put(stream, number)
    };
    in_context fn cuStreamDestroy_v2(stream: usize) |m| {
        m.run_all(stream)?;
        m.streams.remove(&stream).map(drop).ok_or(INVALID_HANDLE)
    };
    in_context fn cuStreamSynchronize(stream: usize) |m| {
        m.run_all(stream)?;
        let queue = m.streams.get(&stream).ok_or(INVALID_HANDLE)?;
        m.device.synchronize(queue.stream).map_err(|_| INVALID_HANDLE)
    };
    in_context fn cuStreamWaitEvent(stream: usize, event: usize, _flags: u32) |m| {
        // an event that was not recorded yet is not waited for
        match m.event(event)?.records.len().checked_sub(1) {
            Some(number) => m.issue(stream, Operation::Wait { event, number }),
            None => Ok(()),
        }
    };
    in_context fn cuEventCreate(event: *mut usize, flags: u32) |m| {
        let number = m.handle();
        m.events.insert(number, Event { timed: flags & WITHOUT_TIMING == 0, ..Event::default() });
        put(event, number)
    };
    in_context fn cuEventDestroy_v2(event: usize) |m| {
        m.event(event)?.destroyed = true;
        Ok(())
    };
    in_context fn cuEventRecord(event: usize, stream: usize) |m| {
        let records = &mut m.event(event)?.records;
        records.push(Record { stream, point: None });
        let number = records.len() - 1;
        m.issue(stream, Operation::Record { event, number })
    };
    // each query runs one more operation, so that who asks often enough gets on
    in_context fn cuEventQuery(event: usize) |m| {
        if let Some(Record { stream, point: None }) = m.event(event)?.records.last() {
            let stream = *stream;
            m.step(stream)?;
        }
        if !m.passed(event)? {
            return Err(NOT_READY);
        }
        seen(m, event)
    };
    in_context fn cuEventSynchronize(event: usize) |m| {
        if let Some(last) = m.event(event)?.records.len().checked_sub(1) {
            m.run_until(event, last)?;
        }
        seen(m, event)
    };
    in_context fn cuEventElapsedTime(milliseconds: *mut f32, start: usize, end: usize) |m| {
        if !(m.passed(start)? && m.passed(end)?) {
            return Err(NOT_READY);
        }
        let time = |event: usize| {
            let timed = m.events.get(&event).is_some_and(|event| event.timed);
            let point = m.point(event).filter(|_| timed);
            point.map(|point| point.time().as_secs_f32() * 1e3).ok_or(INVALID_HANDLE)
        };
        put(milliseconds, time(end)? - time(start)?)
    };
    in_context fn cuModuleLoadDataEx(module: *mut usize, image: *const c_char, count: u32, options: *const i32, values: *const *mut c_void) |m| {
        // SAFETY: the caller gives a text that ends with a zero.
        let text = unsafe { CStr::from_ptr(image) }.to_string_lossy();
        match m.device.load(&text) {
            Ok(loaded) => {
                let number = m.handle();
                m.modules.insert(number, loaded);
                put(module, number)
            }
            Err(error) => {
                // SAFETY: the caller gives so many options and values.
                unsafe { write_log(&error.to_string(), count, options, values) };
                Err(INVALID_PTX)
            }
        }
    };
    in_context fn cuModuleUnload(module: usize) |m| {
        m.run_everything()?;
        let module = m.modules.remove(&module).ok_or(INVALID_HANDLE)?;
        m.device.unload(module).map_err(|_| INVALID_HANDLE)
    };
    in_context fn cuModuleGetFunction(function: *mut usize, module: usize, name: *const c_char) |m| {
        // SAFETY: the caller gives a text that ends with a zero.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
        let found = m.modules.get(&module).ok_or(INVALID_HANDLE)?;
        if !found.entries().contains(&name) {
            return Err(NOT_FOUND);
        }
        let number = m.handle();
        m.functions.insert(number, (module, name));
        put(function, number)
    };
}

/// Memory of some bytes, which the driver does not give for none.
fn allocate(machine: &mut Machine, address: *mut u64, bytes: usize) -> Result<(), Code> {
    if bytes == 0 {
        return Err(INVALID_VALUE);
    }
    let block = machine.device.alloc(bytes).map_err(|_| OUT_OF_MEMORY)?;
    machine.blocks.insert(block.0, bytes);
    put(address, block.0)
}

/// The host has seen an event's point.
fn seen(machine: &mut Machine, event: usize) -> Result<(), Code> {
    machine.point(event).map_or(Ok(()), |point| machine.device.synchronize_event(point).map_err(|_| INVALID_HANDLE))
}

/// # Safety
/// There are `count` options and values.
unsafe fn write_log(text: &str, count: u32, options: *const i32, values: *const *mut c_void) {
    let option = |wanted: i32| {
        // SAFETY: see above.
        (0..count as usize).find_map(|at| unsafe { (*options.add(at) == wanted).then(|| *values.add(at)) })
    };
    if let (Some(buffer), Some(length)) = (option(5), option(6)) {
        let text = &text.as_bytes()[..text.len().min((length as usize).saturating_sub(1))];
        // SAFETY: the buffer has the length that the other option says.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast(), text.len());
            buffer.cast::<u8>().add(text.len()).write(0);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuCtxPopCurrent_v2(context: *mut usize) -> Code {
    // neither counted nor made to fail: it cannot fail for a caller that has pushed
    let popped = CONTEXTS.with_borrow_mut(Vec::pop);
    popped.map_or(201, |popped| put(context, popped).err().unwrap_or(SUCCESS))
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDeviceGetName(name: *mut c_char, length: i32, _device: i32) -> Code {
    entry(|_| {
        let text = c"Simulated CUDA device";
        if (length as usize) < text.to_bytes_with_nul().len() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the caller's buffer is as long as it says.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), name, text.to_bytes_with_nul().len()) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGetErrorName(code: Code, name: *mut *const c_char) -> Code {
    let text = match code {
        OUT_OF_MEMORY => c"CUDA_ERROR_OUT_OF_MEMORY",
        INVALID_PTX => c"CUDA_ERROR_INVALID_PTX",
        700 => c"CUDA_ERROR_ILLEGAL_ADDRESS",
        719 => c"CUDA_ERROR_LAUNCH_FAILED",
        NOT_FOUND => c"CUDA_ERROR_NOT_FOUND",
        _ => return INVALID_VALUE,
    };
    put(name, text.as_ptr()).err().unwrap_or(SUCCESS)
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGetErrorString(code: Code, text: *mut *const c_char) -> Code {
    let words = match code {
        OUT_OF_MEMORY => c"out of memory",
        700 => c"an illegal memory access was encountered",
        _ => return INVALID_VALUE,
    };
    put(text, words.as_ptr()).err().unwrap_or(SUCCESS)
}

/// The parameters are one block, by `extra`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuLaunchKernel(
    function: usize,
    grid_x: u32,
    grid_y: u32,
    grid_z: u32,
    block_x: u32,
    block_y: u32,
    block_z: u32,
    shared: u32,
    stream: usize,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Code {
    in_context(|m| {
        let mut block: &[u8] = &[];
        if !extra.is_null() {
            // SAFETY: the caller gives a list of keys and values that ends with the key 0.
            let list: [usize; 5] = std::array::from_fn(|at| unsafe { *extra.add(at) } as usize);
            let [1, buffer, 2, size, 0] = list else { return Err(INVALID_VALUE) };
            // SAFETY: the values are the block's address and the address of its length.
            block = unsafe { std::slice::from_raw_parts(buffer as *const u8, *(size as *const usize)) };
        }
        let (module, entry) = m.functions.get(&function).cloned().ok_or(INVALID_HANDLE)?;
        let handle = m.modules.get(&module).ok_or(INVALID_HANDLE)?;
        let layout = m.device.parameters(handle, &entry).ok_or(INVALID_HANDLE)?;
        let end = layout.last().map_or(0, |range| range.end);
        if !params.is_null() || block.len() != end {
            return Err(INVALID_VALUE);
        }
        let args = layout.into_iter().map(|range| Arg::Bytes(block[range].to_vec())).collect();
        let launch = Launch { grid: [grid_x, grid_y, grid_z], block: [block_x, block_y, block_z], shared };
        m.issue(stream, Operation::Launch { module, entry, launch, args })
    })
}
