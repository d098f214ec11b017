use std::process::Command;

use serde_json::Value as Json;

use super::super::exercise::{DOUBLE, bytes, round};
use super::super::sim::SimDevice;
use super::super::{Failure, Placement, current, with};
use super::*;
use crate::{Chunk, Domain, Isa, Kernel, enter, launch};

/// A name as no function has it.
const HOSTILE: &str = "f\"}],\\\n\u{0}";

struct Ones;

impl Kernel for Ones {
    fn run<I: Isa>(&self, _: &Chunk) {}
}

/// What is traced, in a process of its own: its environment says where to.
#[test]
#[ignore = "run by the test below"]
fn work_to_trace() {
    let device: Arc<dyn Device> = Arc::new(SimDevice::new(SimDevice::standard()));
    for _ in 0..2 {
        let body = || {
            let (traced, _) = current().unwrap();
            assert_eq!(round(&*traced, &[1.0, 2.0]).unwrap(), bytes(&[2.0, 4.0]));
            assert!(traced.load(DOUBLE).is_ok());
            assert!(matches!(traced.allocate(1 << 60), Err(Failure::OutOfMemory { .. })));
            launch(&Ones, Domain::flat(10), 1);
            // the same device, also through what is traced already
            with(traced.clone(), Placement::Gpu, || assert!(Arc::ptr_eq(&traced, &current().unwrap().0)));
            Ok(())
        };
        with(device.clone(), Placement::Gpu, || enter(HOSTILE, body)).unwrap();
    }
}

/// The events of a run of [`work_to_trace`].
fn traced_work() -> Vec<Json> {
    let path = std::env::temp_dir().join(format!("megha-traced-{}.json", std::process::id()));
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["device::traced::tests::work_to_trace", "--exact", "--ignored"])
        .env("MEGHA_TRACE", &path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let events = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    std::fs::remove_file(path).unwrap();
    events
}

#[test]
#[cfg_attr(miri, ignore = "Miri starts no processes")]
fn a_trace_shows_kernels_copies_allocations_calls_and_failures() {
    let events = traced_work();
    let of = |kind: &str| -> Vec<&Json> { events.iter().filter(|e| e["cat"] == kind).collect() };
    let names = |kind: &str| -> Vec<&str> { of(kind).iter().map(|e| e["name"].as_str().unwrap()).collect() };
    assert_eq!(names("call"), [HOSTILE; 2]);
    assert_eq!(names("memory"), ["allocation"; 4]);
    assert_eq!(of("memory")[0]["args"]["bytes"], 16);
    assert_eq!(names("module"), ["module load"; 2], "what is loaded already is not shown again");
    assert_eq!(of("module")[0]["args"]["bytes"], DOUBLE.len());
    assert_eq!(names("failure"), ["allocation"; 2]);
    assert!(of("failure")[0]["args"]["reason"].as_str().unwrap().starts_with("no memory for"));
    assert_eq!(names("copy"), ["copy in", "copy out"].repeat(2));
    assert_eq!(names("kernel"), ["Ones", "twice", "Ones", "twice"]);
    assert_eq!(of("kernel")[0]["args"]["points"], 10);

    // host and device are apart, each queue has its row, and what waits for another starts after its end
    let (host, twice) = (of("kernel")[0], of("kernel")[1]);
    let (up, down) = (of("copy")[0], of("copy")[1]);
    let end = |e: &Json| e["ts"].as_f64().unwrap() + e["dur"].as_f64().unwrap();
    let starts = |e: &Json| e["ts"].as_f64().unwrap() + 0.002;
    assert!(starts(twice) >= end(up) && starts(down) >= end(twice));
    assert_ne!(host["pid"], twice["pid"]);
    let label = |what: &str, e: &Json| {
        let named = |m: &&Json| m["name"] == what && m["pid"] == e["pid"];
        let row = |m: &&Json| what == "process_name" || m["tid"] == e["tid"];
        let label = events.iter().filter(named).find(row).unwrap();
        label["args"]["name"].as_str().unwrap().to_owned()
    };
    assert_eq!([up, twice, down].map(|e| label("thread_name", e)), ["upload", "compute", "download"]);
    assert!(label("process_name", twice).starts_with("simulated GPU"));
    assert_eq!(label("process_name", host), "host");
}
