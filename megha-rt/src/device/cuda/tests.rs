//! Against the simulated driver (`megha-sim-driver`), which is loaded as the real one is.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use megha_sim_driver::Loaded;

use super::super::Unavailable;
use super::super::exercise::{DOUBLE, ROWS, bytes, round, rows_around, twice};
use super::*;

/// The library of the simulated driver, which is built as a dependency of this test.
fn library() -> OsString {
    let test = std::env::current_exe().unwrap();
    let places: Vec<PathBuf> = test.ancestors().skip(1).take(2).map(|d| d.join("libmegha_sim_driver.so")).collect();
    places.iter().find(|place| place.exists()).unwrap_or_else(|| panic!("none of {places:?}")).into()
}

/// The simulated driver, whose one machine tests use one after the other.
struct Simulated {
    driver: Loaded,
    _turn: MutexGuard<'static, ()>,
}

static TURN: Mutex<()> = Mutex::new(());
static LIBRARY: LazyLock<OsString> = LazyLock::new(library);

impl Simulated {
    fn new(memory: u64) -> Simulated {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let driver = Loaded::open(&*LIBRARY);
        driver.reset_to(memory, 12_040, 1, 90);
        Simulated { driver, _turn: turn }
    }

    fn open(&self, limit: Option<u64>) -> Result<CudaDevice, Unavailable> {
        CudaDevice::open_with(&[OsStr::new("there is no such library.so"), &LIBRARY], 0, limit)
    }
}

#[test]
fn values_go_around() {
    let simulated = Simulated::new(1 << 26);
    let device = simulated.open(None).unwrap();
    assert_eq!((device.name(), device.driver_version()), ("Simulated CUDA device", 12_040));
    assert_eq!(round(&device, &[1.5, -2.0, 1e300]).unwrap(), bytes(&[3.0, -4.0, 2e300]));
    let many: Vec<f64> = (0..20_000).map(f64::from).collect();
    let twice: Vec<f64> = many.iter().map(|x| 2.0 * x).collect();
    for _ in 0..100 {
        assert_eq!(round(&device, &many).unwrap(), bytes(&twice));
    }
    assert!(simulated.driver.live() < 70, "events, buffers and blocks are used again: {}", simulated.driver.live());
    drop(device);
    assert_eq!((simulated.driver.live(), simulated.driver.mistakes()), (0, 0));
}

#[test]
fn rates_are_measured_in_reasonable_time() {
    let simulated = Simulated::new(1 << 28);
    let device = simulated.open(None).unwrap();
    let start = std::time::Instant::now();
    let rates = super::super::measure::measure(&device).unwrap();
    assert!(rates.memory > 1e6 && rates.flops64 > 1e6 && rates.upload > 1e6, "{rates:?}");
    assert!(start.elapsed().as_secs() < 60);
    assert_eq!(simulated.driver.mistakes(), 0);
}

#[test]
fn values_are_taken_before_an_upload_returns() {
    let simulated = Simulated::new(1 << 26);
    let device = simulated.open(None).unwrap();
    let length = 200_000; // several pieces
    let blocks: Vec<Address> = (0..3).map(|_| device.allocate(length).unwrap()).collect();
    let mut values = vec![0u8; length as usize];
    let value = |round: usize, at: usize| (at.wrapping_mul(31) >> 3) as u8 ^ round as u8;
    for (number, block) in blocks.iter().enumerate() {
        values.iter_mut().enumerate().for_each(|(at, v)| *v = value(number, at));
        device.upload(Queue::Upload, *block, &values).unwrap();
    }
    device.wait(Queue::Download, device.record(Queue::Upload).unwrap()).unwrap();
    for (number, block) in blocks.iter().enumerate() {
        let download = device.begin_download(Queue::Download, *block, length as usize).unwrap();
        device.free(*block);
        device.finish_download(download, &mut values).unwrap();
        assert!(values.iter().enumerate().all(|(at, v)| *v == value(number, at)));
    }
    assert_eq!(simulated.driver.mistakes(), 0);
}

#[test]
fn memory_is_used_again_when_the_queues_have_passed() {
    let simulated = Simulated::new(1 << 20);
    let device = simulated.open(Some(1 << 19)).unwrap();
    assert_eq!(device.memory(), Ok((1 << 19, 1 << 19)));
    let a = device.allocate(1 << 17).unwrap();
    device.fill(Queue::Compute, a, &[7], 1 << 17).unwrap();
    device.record(Queue::Compute).unwrap();
    device.fill(Queue::Compute, a, &[8], 1 << 17).unwrap();
    device.free(a);
    let b = device.allocate(1 << 17).unwrap();
    assert_ne!(a, b, "the fills may still run");
    let done = device.record(Queue::Compute).unwrap();
    device.synchronize(done).unwrap();
    assert_eq!(device.allocate(1 << 17), Ok(a));
    let all = device.allocate(1 << 19);
    assert_eq!(all, Err(Failure::OutOfMemory { wanted: 1 << 19 }), "the limit");
    device.fill(Queue::Compute, b, &[7], 1 << 17).unwrap();
    device.free(a);
    device.free(b);
    device.free(b);
    device.allocate(1 << 19).expect("free blocks of other classes are given back");
    assert_eq!(simulated.driver.mistakes(), 0);
}

#[test]
fn elements_of_all_lengths_are_repeated() {
    let simulated = Simulated::new(1 << 20);
    let device = simulated.open(None).unwrap();
    let block = device.allocate(1 << 10).unwrap();
    for element in [&[7][..], &[7, 7], &[1, 2], &[1, 2, 3, 4], &1f64.to_ne_bytes(), &[1, 2, 3, 4, 1, 2, 3, 4], &[0; 8]]
    {
        let bytes = 24 + element.len();
        device.fill(Queue::Compute, block, &[9], 40).unwrap();
        device.fill(Queue::Compute, block, element, bytes as u64).unwrap();
        let mut got = [0; 40];
        let download = device.begin_download(Queue::Compute, block, got.len()).unwrap();
        device.finish_download(download, &mut got).unwrap();
        let wanted: Vec<u8> = element.iter().copied().cycle().take(bytes).chain([9; 40]).take(40).collect();
        assert_eq!(got[..], wanted, "{element:?}");
    }
    assert_eq!(simulated.driver.mistakes(), 0);
}

#[test]
fn a_host_that_runs_ahead_waits() {
    let simulated = Simulated::new(1 << 26);
    let device = simulated.open(None).unwrap();
    for _ in 0..1000 {
        let block = device.allocate(1 << 20).unwrap();
        device.fill(Queue::Compute, block, &[1], 1 << 20).unwrap();
        device.free(block);
    }
    let (free, total) = device.memory().unwrap();
    assert_eq!(free, total, "what is free may be allocated");
    assert!(device.state().memory.all().len() <= 10);
    assert!(simulated.driver.live() < 80);
}

/// Whoever waits for a module to be translated, or for the library, keeps nobody from anything else.
#[test]
fn a_module_is_loaded_beside_the_work_of_others() {
    let simulated = Simulated::new(1 << 26);
    let device = simulated.open(None).unwrap();
    std::thread::scope(|scope| {
        let others = device.starting.lock().unwrap();
        let load = scope.spawn(|| device.load(DOUBLE));
        let look = scope.spawn(|| device.library());
        for _ in 0..100 {
            let block = device.allocate(512).unwrap();
            device.fill(Queue::Compute, block, &[0], 512).unwrap();
            device.free(block);
            std::thread::yield_now();
        }
        assert!(!load.is_finished() && !look.is_finished());
        drop(others);
        assert_eq!(load.join().unwrap(), device.load(DOUBLE));
        assert_eq!(look.join().unwrap(), device.library());
    });
    assert_eq!(simulated.driver.mistakes(), 0);
}

#[test]
fn mistakes_of_callers_are_refused() {
    let simulated = Simulated::new(1 << 26);
    let device = simulated.open(None).unwrap();
    let block = device.allocate(1000).unwrap();
    let refused = |outcome: Outcome<()>, words: &str| {
        let Err(Failure::Operation { reason, .. }) = outcome else { panic!("{outcome:?}") };
        assert!(reason.contains(words), "{reason}");
    };
    refused(device.upload(Queue::Upload, Address(block.0 + 100), &[0; 1024]), "were not allocated");
    refused(device.fill(Queue::Upload, Address(64), &[0], 1), "1 bytes at 0x40 were not allocated");
    refused(device.copy(Queue::Compute, block, Address(0), 8), "were not allocated");
    refused(device.begin_download(Queue::Download, block, 1 << 20).map(drop), "were not allocated");
    refused(twice(&device, Module(3), block, 1), "there is no module 3");
    let module = device.load(DOUBLE).unwrap();
    refused(twice(&device, module, Address(64), 1), "were not allocated");
    let launch = Launch { grid: [1; 3], block: [32, 1, 1] };
    let empty = [Arg::Address(Address(0)), Arg::I64(0)];
    device.launch(Queue::Compute, module, "twice", launch, &empty).expect("an array without elements needs no memory");
    refused(device.launch(Queue::Compute, module, "thrice", launch, &[]), "CUDA_ERROR_NOT_FOUND");
    refused(device.launch(Queue::Compute, module, "twice", launch, &[Arg::U64(1)]), "CUDA error 1");
    refused(device.load(".version 6.4\n.target sm_70\nnonsense").map(drop), "nonsense");
    refused(device.finish_download(Download { ticket: 9, bytes: 1 }, &mut [0]), "was not begun");
    assert_eq!(round(&device, &[1.0]), Ok(bytes(&[2.0])), "the device can still be used");
    assert_eq!(simulated.driver.mistakes(), 0);
}

#[test]
fn an_exception_loses_the_device() {
    let simulated = Simulated::new(1 << 26);
    let device = simulated.open(None).unwrap();
    let block = device.allocate(512).unwrap();
    device.fill(Queue::Compute, block, &[0], 512).unwrap();
    let module = device.load(DOUBLE).unwrap();
    twice(&device, module, block, 1000).expect("the exception comes later");
    let done = device.record(Queue::Compute).unwrap();
    let words = "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered".to_string();
    assert_eq!(device.synchronize(done), Err(Failure::Lost { operation: "synchronisation", reason: words.clone() }));
    let calls = simulated.driver.calls();
    assert_eq!(device.allocate(8), Err(Failure::Lost { operation: "allocation", reason: words }));
    device.free(block);
    assert_eq!(simulated.driver.calls(), calls, "the driver is not asked any more");
}

#[test]
fn every_call_can_fail() {
    let simulated = Simulated::new(1 << 26);
    let scenario = |device: &CudaDevice| -> Outcome<Vec<u8>> {
        round(device, &[1.0, 2.0])?;
        let [a, b] = [device.allocate(200_000)?, device.allocate(200_000)?];
        let result = (|| {
            device.upload(Queue::Compute, a, &vec![5; 200_000])?;
            device.copy(Queue::Compute, b, a, 200_000)?;
            device.fill(Queue::Compute, b, &[6], 1)?;
            let mut values = vec![0; 200_000];
            device.finish_download(device.begin_download(Queue::Compute, b, 200_000)?, &mut values)?;
            device.synchronize(device.record(Queue::Compute)?)?;
            values.truncate(2);
            Ok(values)
        })();
        device.free(a);
        device.free(b);
        result
    };
    for code in [1, 2, 700] {
        let mut right = 0;
        for nth in 1.. {
            simulated.driver.reset_to(1 << 26, 12_040, 1, 90);
            simulated.driver.fail(nth, code);
            let opened = simulated.open(None);
            let before = simulated.driver.calls();
            if let Ok(device) = opened {
                let first = scenario(&device);
                match &first {
                    Ok(values) => assert_eq!(values[..], [6, 5]),
                    Err(Failure::Lost { .. }) => assert_eq!(code, 700),
                    Err(_) => assert_ne!(code, 700),
                }
                right += u64::from(first.is_ok());
                if code != 700 && nth <= simulated.driver.calls() {
                    assert_eq!(
                        scenario(&device).map(|v| v[..] == [6, 5]),
                        Ok(true),
                        "call {nth}: it can still be used"
                    );
                }
            }
            let calls = simulated.driver.calls();
            assert_eq!(simulated.driver.mistakes(), 0, "call {nth}, code {code}");
            if code != 700 && before >= nth {
                assert_eq!(simulated.driver.live(), 0, "call {nth} of opening, code {code}");
            }
            if nth > calls {
                assert!(nth > 60 && right > 0, "{nth} {right}");
                break;
            }
        }
    }
}

#[test]
fn why_there_is_no_device() {
    let simulated = Simulated::new(1 << 26);
    let why = |version, devices, capability| {
        simulated.driver.reset_to(1 << 26, version, devices, capability);
        simulated.open(None).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(why(10_020, 1, 90), "the driver is for CUDA 10.2; 11.0 is needed");
    assert_eq!(why(12_040, 0, 90), "the CUDA driver finds no device");
    assert_eq!(why(12_040, 1, 61), "Simulated CUDA device has compute capability 6.1; 7.0 is needed");
    simulated.driver.reset_to(1 << 26, 12_040, 2, 90);
    let open = |libraries: &[&OsStr], ordinal| CudaDevice::open_with(libraries, ordinal, None).map(|_| ()).unwrap_err();
    assert_eq!(open(&[&LIBRARY], 2).to_string(), "there is no CUDA device 2: the driver finds 2");
    assert_eq!(open(&[OsStr::new("no such.so")], 0).to_string(), "there is no CUDA driver on this machine");
    let another = open(&[OsStr::new("libc.so.6")], 0).to_string();
    assert_eq!(another, "the CUDA driver is too old: it has no `cuInit`");
    assert_eq!(simulated.driver.live(), 0);
}

/// Entries are chosen by how slow doubles are on the device.
#[test]
fn the_driver_says_how_slow_doubles_are() {
    let simulated = Simulated::new(1 << 26);
    let large = Ceilings::default();
    assert_eq!(simulated.open(None).unwrap().ceilings(), large);
    simulated.driver.reset_to(1 << 26, 12_040, 1, 89);
    assert_eq!(simulated.open(None).unwrap().ceilings(), Ceilings { doubles: large.singles / 64.0, ..large });
}

#[test]
fn rows_go_around() {
    let simulated = Simulated::new(1 << 26);
    let device = simulated.open(None).unwrap();
    for rows in ROWS {
        let [arrived, sent] = rows_around(&device, rows).unwrap();
        assert!(arrived == sent, "{rows:?}");
    }
    drop(device);
    assert_eq!((simulated.driver.live(), simulated.driver.mistakes()), (0, 0));
}
