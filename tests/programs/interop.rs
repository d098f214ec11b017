//! Arrays from and to cudarc's slices and raw device pointers, in processes in which Megha and cudarc find the simulated driver. It runs what streams hold as late as
//! it may, so whoever does not wait reads what is not there yet, and memory that is freed too early is missed.

use std::ffi::c_void;
use std::sync::Arc;

use megha::Array;
use megha::device::{Builder, Device, Kind, Placement, with};
use megha::rt::cudarc::driver::{CudaContext, CudaSlice, CudaStream, DevicePtr, result};
use megha::rt::{ErrorKind, Order};
use megha_sim_driver::Loaded;
use ndarray::Array2;

use super::driver;

megha::matlab! {
    function y = scaled(x)
    arguments
        x (n,m) double
    end
    y = x .* 0.5 + 1;
    end
}

#[test]
fn slices_of_cudarc() {
    driver::run("interop::child", "slices", false);
}

/// Before CUDA 11.2 cudarc frees at once and not in a stream.
#[test]
fn slices_on_an_old_driver() {
    driver::run_with("interop::child", "slices", false, &[("MEGHA_TEST_VERSION", "11000")]);
}

/// A device whose operations are noted is the same device.
#[test]
fn slices_on_a_traced_device() {
    let file = std::env::temp_dir().join(format!("megha-interop-{}.json", std::process::id()));
    driver::run_with("interop::child", "slices", false, &[("MEGHA_TRACE", file.to_str().unwrap())]);
    std::fs::remove_file(file).unwrap();
}

#[test]
fn raw_pointers() {
    driver::run("interop::child", "pointers", false);
}

#[test]
fn what_is_refused_is_given_back() {
    driver::run("interop::child", "refused", false);
}

#[test]
fn every_call_of_the_driver_can_fail() {
    driver::run("interop::child", "failing", false);
}

/// Not a test by itself: what the other tests run in a process of its own.
#[test]
fn child() {
    let Some(task) = driver::task() else { return };
    let driver = driver::loaded();
    match task.as_str() {
        "slices" => {
            for each in [round_trip, other_streams, memory_ends_after_the_work, results_outlive_the_device, host_arrays]
            {
                checked(&driver, each);
            }
        }
        "pointers" => {
            for each in [pointers_go_around, an_owner_that_frees_at_once, a_slice_as_a_pointer] {
                checked(&driver, each);
            }
        }
        "refused" => {
            for each in [refused_slices, refused_arrays, refused_pointers] {
                checked(&driver, each);
            }
        }
        _ => each_call(&driver),
    }
}

/// A device, and a context and streams of cudarc on it.
struct Both {
    device: Arc<dyn Device>,
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
}

impl Both {
    fn open() -> Option<Both> {
        let (device, _) = Builder::new(Kind::Gpu).open().ok()??;
        let context = CudaContext::new(0).ok()?;
        // with a second stream cudarc orders streams by events
        let stream = context.new_stream().ok()?;
        Some(Both { device, context, stream })
    }

    fn on_device<R>(&self, body: impl FnOnce() -> R) -> R {
        with(self.device.clone(), Placement::Gpu, body)
    }

    fn imported(&self, slice: CudaSlice<f64>, order: Order) -> Array<f64, 2> {
        self.on_device(|| Array::from_cudarc(slice, SHAPE, order)).unwrap()
    }

    fn scaled(&self, x: &Array<f64, 2>) -> Array<f64, 2> {
        let y = self.on_device(|| scaled_resident(x)).unwrap();
        let run = megha::last_run().unwrap();
        assert!(run.device_kernels > 0 && run.moved.bytes_up == 0 && run.moved.bytes_down == 0, "{run}");
        y
    }
}

/// Runs a test with two devices. All that was made has to be given back, in whatever order that is.
fn checked(driver: &Loaded, test: fn(&Loaded, Both)) {
    let version = std::env::var("MEGHA_TEST_VERSION").map_or(12_040, |version| version.parse().unwrap());
    driver.reset_to(1 << 30, version, 2, 90);
    test(driver, Both::open().expect("the simulated driver"));
    assert_eq!((driver.mistakes(), driver.live()), (0, 0));
}

const SHAPE: [usize; 2] = [5, 30];

fn values() -> Vec<f64> {
    (0..150).map(|i| (f64::from(i) * 0.618).sin()).collect()
}

fn wanted(values: &[f64]) -> Vec<f64> {
    values.iter().map(|x| x * 0.5 + 1.0).collect()
}

/// The elements in the order of memory.
fn elements(array: &Array<f64, 2>) -> Vec<f64> {
    array.to_ndarray().unwrap().into_raw_vec_and_offset().0
}

fn address(slice: &CudaSlice<f64>) -> u64 {
    slice.device_ptr(slice.stream()).0
}

/// Neither way copies, both wait for the other's stream, and the slice that comes back is the one that went in.
fn round_trip(driver: &Loaded, both: Both) {
    for order in [Order::ColMajor, Order::RowMajor] {
        let slice = both.stream.clone_htod(&values()).unwrap();
        let (before, copies) = (address(&slice), driver.copies());
        let x = both.imported(slice, order);
        assert!(x.is_on_device() && x.order() == Some(order) && x.shape() == SHAPE);
        let y = both.scaled(&x);
        assert_eq!(y.order(), Some(order));
        let y = y.into_cudarc(&both.stream).unwrap();
        let x = x.into_cudarc(&both.context.default_stream()).unwrap();
        assert_eq!((driver.copies(), address(&x)), (copies, before));
        assert!(x.stream() == &both.stream && y.stream() == &both.stream);
        assert_eq!(both.stream.clone_dtoh(&y).unwrap(), wanted(&values()));
        assert_eq!(both.stream.clone_dtoh(&x).unwrap(), values());
        // and once more with what the device has made
        let z = both.scaled(&both.imported(y, order));
        assert_eq!(elements(&z), wanted(&wanted(&values())));
    }
}

/// What cudarc's other streams have done to a slice comes before the device, and what they do to one comes after it.
fn other_streams(_: &Loaded, both: Both) {
    let [before, after] = [0, 1].map(|_| both.context.new_stream().unwrap());
    let mut slice = both.stream.alloc_zeros::<f64>(150).unwrap();
    before.memcpy_htod(&values(), &mut slice).unwrap();
    let x = both.imported(slice, Order::ColMajor);
    let y = both.scaled(&x).into_cudarc(&both.stream).unwrap();
    assert_eq!(after.clone_dtoh(&y).unwrap(), wanted(&values()));
    // The array was read by a kernel that may not have run yet.
    let y = both.scaled(&x);
    let mut x = x.into_cudarc(&both.context.default_stream()).unwrap();
    after.memset_zeros(&mut x).unwrap();
    after.synchronize().unwrap();
    let y = y.into_cudarc(&before).unwrap();
    assert_eq!(before.clone_dtoh(&y).unwrap(), wanted(&values()));
    drop(both.stream);
}

/// A slice whose array is dropped is freed in its stream, but not before the kernels that read it.
fn memory_ends_after_the_work(driver: &Loaded, both: Both) {
    let x = both.imported(both.stream.clone_htod(&values()).unwrap(), Order::ColMajor);
    let clone = x.clone();
    let y = both.scaled(&x);
    let live = driver.live();
    drop(x);
    assert_eq!(driver.live(), live, "the clone has it");
    drop(clone);
    both.stream.synchronize().unwrap();
    assert!(driver.live() < live, "it is freed");
    // The stream and the context of cudarc go before the array.
    let z = both.imported(both.stream.clone_htod(&values()).unwrap(), Order::ColMajor);
    let Both { device, context, stream } = both;
    drop((context, stream));
    assert_eq!(elements(&z), values());
    drop(device);
    assert_eq!(elements(&y), wanted(&values()));
}

/// A slice that was given away needs the device no more.
fn results_outlive_the_device(driver: &Loaded, both: Both) {
    let x = both.imported(both.stream.clone_htod(&values()).unwrap(), Order::ColMajor);
    let y = both.scaled(&x).into_cudarc(&both.stream).unwrap();
    let Both { device, context, stream } = both;
    let before = device.memory().unwrap();
    drop(x);
    drop(device);
    assert!(before.0 > 0 && driver.live() > 0);
    assert_eq!(stream.clone_dtoh(&y).unwrap(), wanted(&values()));
    drop(context);
}

/// What only the host has is copied to the device once; arrays without elements are no exception.
fn host_arrays(driver: &Loaded, both: Both) {
    let host = Array2::from_shape_vec(SHAPE, values()).unwrap();
    let copies = driver.copies();
    let slice = both.on_device(|| Array::of(&host).into_cudarc(&both.stream)).unwrap();
    assert_eq!(driver.copies(), copies + 1);
    assert_eq!(both.stream.clone_dtoh(&slice).unwrap(), values());
    let nothing = both.on_device(|| Array::of(&Array2::<f64>::zeros([0, 3])).into_cudarc(&both.stream)).unwrap();
    assert!(nothing.is_empty());
    let nothing = both.on_device(|| Array::from_cudarc(nothing, [3, 0], Order::RowMajor)).unwrap();
    assert_eq!(both.on_device(|| scaled_resident(&nothing)).unwrap().to_ndarray().unwrap().shape(), [3, 0]);
}

/// Memory as cust's `DeviceBuffer` owns it: freed at once. Another stream stands for a driver that does not wait for all streams then.
struct Buffer {
    pointer: u64,
    stream: Arc<CudaStream>,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: allocated by `buffer`, and nobody uses it any more.
        #[allow(unsafe_code)]
        unsafe { result::free_async(self.pointer, self.stream.cu_stream()) }.unwrap();
        self.stream.synchronize().unwrap();
    }
}

fn raw(stream: &CudaStream) -> *mut c_void {
    stream.cu_stream().cast()
}

/// A buffer that a stream has not written yet.
#[allow(unsafe_code)]
fn buffer(both: &Both) -> Buffer {
    both.context.bind_to_thread().unwrap();
    // SAFETY: the memory has room for the values, which cudarc copies before it returns.
    unsafe {
        let pointer = result::malloc_sync(8 * values().len()).unwrap();
        result::memcpy_htod_async(pointer, &values(), both.stream.cu_stream()).unwrap();
        Buffer { pointer, stream: both.context.new_stream().unwrap() }
    }
}

#[allow(unsafe_code)]
fn lent(both: &Both, buffer: Buffer) -> Array<f64, 2> {
    let (pointer, stream) = (buffer.pointer, raw(&both.stream));
    // SAFETY: the buffer owns as many doubles as the shape has elements, which the stream writes.
    both.on_device(|| unsafe { Array::from_device_ptr(pointer, SHAPE, Order::ColMajor, stream, buffer) }).unwrap()
}

#[allow(unsafe_code)]
fn pointers_go_around(driver: &Loaded, both: Both) {
    let buffer = buffer(&both);
    let (before, copies) = (buffer.pointer, driver.copies());
    let x = lent(&both, buffer);
    let y = both.scaled(&x);
    // SAFETY: the stream is one of the device's context.
    let [x, y] = [x, y].map(|array| unsafe { array.into_device_ptr(raw(&both.stream)) }.unwrap());
    assert_eq!((x.pointer, driver.copies()), (before, copies));
    let buffer = x.owner.unwrap().downcast::<Buffer>().unwrap();
    assert!(y.owner.is_none());
    let mut got = [vec![0.0; 150], vec![0.0; 150]];
    for (got, pointer) in got.iter_mut().zip([buffer.pointer, y.pointer]) {
        // SAFETY: both have so many doubles.
        unsafe { result::memcpy_dtoh_async(got, pointer, both.stream.cu_stream()) }.unwrap();
    }
    assert_eq!(got, [values(), wanted(&values())]);
    // SAFETY: without an owner it is ours to free.
    unsafe { result::free_sync(y.pointer) }.unwrap();
    drop(both.stream);
}

/// Before it is dropped the host waits for the kernels that read the memory.
fn an_owner_that_frees_at_once(_: &Loaded, both: Both) {
    let x = lent(&both, buffer(&both));
    let y = both.scaled(&x);
    drop(x);
    assert_eq!(elements(&y), wanted(&values()));
}

/// An owner of one kind can go out in the other form, and stays the owner.
#[allow(unsafe_code)]
fn a_slice_as_a_pointer(_: &Loaded, both: Both) {
    let slice = both.stream.clone_htod(&values()).unwrap();
    let before = address(&slice);
    let x = both.imported(slice, Order::ColMajor);
    // SAFETY: the stream is one of the device's context.
    let memory = unsafe { x.into_device_ptr(raw(&both.stream)) }.unwrap();
    let slice = memory.owner.unwrap().downcast::<CudaSlice<f64>>().unwrap();
    assert_eq!((memory.pointer, both.stream.clone_dtoh(&*slice).unwrap()), (before, values()));
}

#[allow(unsafe_code)]
fn refused_slices(_: &Loaded, both: Both) {
    let slice = both.stream.clone_htod(&values()).unwrap();
    let refused = both.on_device(|| Array::from_cudarc(slice, [5, 31], Order::ColMajor)).unwrap_err();
    assert_eq!(refused.error.kind(), &ErrorKind::Reshape { from: vec![150], to: vec![5, 31] });
    let refused = both.on_device(|| Array::from_cudarc(refused.given, [usize::MAX; 2], Order::ColMajor)).unwrap_err();
    assert!(matches!(refused.error.kind(), ErrorKind::OutOfMemory { .. }), "{refused}");
    let refused = Array::from_cudarc(refused.given, SHAPE, Order::ColMajor).unwrap_err();
    assert!(matches!(refused.error.kind(), ErrorKind::NoDevice { .. }), "{refused}");
    assert_eq!(both.stream.clone_dtoh(&refused.given).unwrap(), values(), "nothing was lost");
    // a part of an allocation, which cudarc would not free
    let part = address(&refused.given) + 8;
    // SAFETY: the memory has one element more than that.
    let part = unsafe { both.stream.upgrade_device_ptr::<f64>(part, 149) };
    let part = both.on_device(|| Array::from_cudarc(part, [149], Order::ColMajor)).unwrap_err();
    assert!(part.to_string().contains("multiple of 256 bytes"), "{part}");
    part.given.leak();
    let other = CudaContext::new(1).unwrap().new_stream().unwrap();
    let other = other.clone_htod(&values()).unwrap();
    let refused = both.on_device(|| Array::from_cudarc(other, SHAPE, Order::ColMajor)).unwrap_err();
    assert!(refused.to_string().contains("another context"), "{refused}");
    refused.given.context().bind_to_thread().unwrap();
}

fn refused_arrays(_: &Loaded, both: Both) {
    let x = both.scaled(&both.imported(both.stream.clone_htod(&values()).unwrap(), Order::ColMajor));
    let other = CudaContext::new(1).unwrap().new_stream().unwrap();
    let refused = x.clone().into_cudarc(&both.stream).unwrap_err();
    assert!(refused.to_string().contains("clones"), "{refused}");
    drop(refused);
    let refused = x.into_cudarc(&other).unwrap_err();
    assert!(refused.to_string().contains("another context"), "{refused}");
    let slice = refused.given.into_cudarc(&both.stream).unwrap();
    assert_eq!(both.stream.clone_dtoh(&slice).unwrap(), wanted(&values()), "nothing was lost");
    let host = Array::of(&Array2::from_shape_vec(SHAPE, values()).unwrap());
    let refused = host.into_cudarc(&both.stream).unwrap_err();
    assert!(matches!(refused.error.kind(), ErrorKind::NoDevice { .. }), "{refused}");
    assert_eq!(elements(&refused.given), values());
    let refused = lent(&both, buffer(&both)).into_cudarc(&both.stream).unwrap_err();
    assert!(refused.to_string().contains("somebody else"), "{refused}");
    assert!(megha::Error::from(refused).to_string().contains("Array::into_cudarc"));
}

#[allow(unsafe_code)]
fn refused_pointers(_: &Loaded, both: Both) {
    let (first, stream) = (buffer(&both), raw(&both.stream));
    let pointer = first.pointer;
    let of = |pointer, length, owner| {
        // SAFETY: the memory has so many doubles, and what is refused is not used.
        unsafe { Array::<f64, 1>::from_device_ptr(pointer, [length], Order::ColMajor, stream, owner) }
    };
    let from = |pointer, owner| of(pointer, 100, owner);
    let refused = from(pointer, first).unwrap_err();
    assert!(matches!(refused.error.kind(), ErrorKind::NoDevice { .. }), "{refused}");
    let refused = both.on_device(|| from(pointer + 16, refused.given)).unwrap_err();
    assert!(refused.to_string().contains("multiple of 256 bytes"), "{refused}");
    let x = lent(&both, refused.given);
    let refused = both.on_device(|| from(pointer, buffer(&both))).unwrap_err();
    assert!(refused.to_string().contains("in use already"), "{refused}");
    // also memory that is longer, or begins before
    for (pointer, length) in [(pointer, 300), (pointer - 256, 100), (pointer - 256, 300)] {
        let other = buffer(&both);
        both.stream.synchronize().unwrap();
        let refused = both.on_device(|| of(pointer, length, other)).unwrap_err();
        assert!(refused.to_string().contains("in use already"), "{length} at {pointer}: {refused}");
    }
    assert_eq!(elements(&x), values());
    both.stream.synchronize().unwrap();
}

/// Whatever call of the driver fails, of Megha or of cudarc, it is an error or makes no difference. Memory that the driver does not free is all that may be left.
fn each_call(driver: &Loaded) {
    let scenario = |both: &Both| -> Result<Vec<f64>, Box<dyn std::error::Error>> {
        let slice = both.stream.clone_htod(&values())?;
        // what is refused can be given again
        let from = |slice| both.on_device(|| Array::from_cudarc(slice, SHAPE, Order::ColMajor));
        let x = from(slice).or_else(|refused| from(refused.given))?;
        let into = |array: Array<f64, 2>| array.into_cudarc(&both.stream);
        let y = both.on_device(|| scaled_resident(&x))?;
        let y = into(y).or_else(|refused| into(refused.given))?;
        let x = into(x).or_else(|refused| into(refused.given))?;
        both.stream.clone_dtoh(&x)?;
        Ok(both.stream.clone_dtoh(&y)?)
    };
    for code in [1, 2, 700] {
        for nth in 1.. {
            driver.reset();
            driver.fail(nth, code);
            // as text: an error has what was refused
            let got = Both::open().map(|both| scenario(&both).map_err(|error| error.to_string()));
            let right = match &got {
                Some(Ok(got)) => *got == wanted(&values()),
                Some(Err(_)) | None => true,
            };
            let calls = driver.calls();
            assert!(right && driver.mistakes() == 0, "call {nth} of {calls}, code {code}: {got:?}");
            assert!(code == 700 || driver.live() <= 3, "call {nth} of {calls}, code {code}: {} left", driver.live());
            if nth > calls {
                assert!(nth > 60 && matches!(got, Some(Ok(_))), "{nth} {got:?}");
                break;
            }
        }
    }
}
