//! Why there is no device, or not any more, is in the trace: processes that find the simulated driver where they look for NVIDIA's.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

use super::super::exercise::round;
use super::super::kept;
use super::*;
use crate::enter;

/// A folder of this name, in which the simulated driver has the name of NVIDIA's if there is to be one.
fn folder(name: &str, driver: bool) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let places = test.ancestors().skip(1).take(2).map(|folder| folder.join("libmegha_sim_driver.so"));
    let library = places.into_iter().find(|place| place.exists()).expect("the simulated driver");
    let folder = std::env::temp_dir().join(format!("megha-reasons-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    if driver {
        std::os::unix::fs::symlink(library, folder.join("libcuda.so.1")).unwrap();
    }
    folder
}

/// What a process sees: the reason that it may ask for, and the reasons in its trace by the names of their events.
struct Seen {
    unavailable: Option<String>,
    traced: Vec<(String, String)>,
}

fn process(folder: &Path, device: &str, settings: &[(&str, &str)]) -> Seen {
    let trace = folder.join("trace.json");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["device::choose::reasons::work", "--exact", "--ignored", "--nocapture"]);
    command.env("LD_LIBRARY_PATH", folder).env("MEGHA_CACHE", folder).env("MEGHA_DEVICE", device);
    command.env("MEGHA_TRACE", &trace).envs(settings.iter().copied());
    let output = command.output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{out}{}", String::from_utf8_lossy(&output.stderr));
    let unavailable = out.lines().find_map(|line| line.split_once("unavailable: ")).map(|(_, why)| why.to_owned());
    let events: Vec<Json> = serde_json::from_slice(&std::fs::read(&trace).unwrap()).unwrap();
    let text = |json: &Json| json.as_str().unwrap_or("").to_owned();
    let reasons = events.iter().filter(|event| event["args"]["reason"].is_string());
    let traced = reasons.map(|event| (text(&event["name"]), text(&event["args"]["reason"]))).collect();
    Seen { unavailable, traced }
}

/// What is traced: a call, and in it some work on the device if there is one.
#[test]
#[ignore = "run by the tests below"]
fn work() {
    let body = || {
        if let Some((device, _)) = current() {
            let done = round(&*device, &[1.0, 2.0]);
            if let Err(failure @ Failure::Lost { .. }) = &done {
                abandon(&device, failure);
            }
        }
        if std::env::var_os("MEGHA_TEST_NOTE").is_some() {
            kept::note("a file that cannot be read".into());
        }
        Ok(())
    };
    enter("f", body).unwrap();
    if let Some(why) = unavailable() {
        println!("unavailable: {why}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri starts no processes")]
fn a_device_that_cannot_be_had() {
    let folder = folder("none", true);
    let cases = [
        ("12040:0:90", "the CUDA driver finds no device"),
        ("10020:1:90", "the driver is for CUDA 10.2; 11.0 is needed"),
        ("12040:1:61", "Simulated CUDA device has compute capability 6.1; 7.0 is needed"),
    ];
    for (driver, reason) in cases {
        let seen = process(&folder, "auto", &[("MEGHA_SIM_DRIVER", driver)]);
        assert_eq!(seen.unavailable.as_deref(), Some(reason));
        assert_eq!(seen.traced, [("no device".to_owned(), reason.to_owned())]);
    }
    let seen = process(&folder, "auto:2", &[("MEGHA_SIM_DRIVER", "12040:2:90")]);
    assert_eq!(seen.traced, [("no device".into(), "there is no CUDA device 2: the driver finds 2".into())]);
    assert_eq!(process(&folder, "auto:1", &[("MEGHA_SIM_DRIVER", "12040:2:90")]).traced, []);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
#[cfg_attr(miri, ignore = "Miri starts no processes")]
fn no_driver() {
    let folder = folder("empty", false);
    // a machine may have a driver of its own, which then says that it may use no device
    let seen = process(&folder, "auto", &[("CUDA_VISIBLE_DEVICES", "")]);
    let why = seen.unavailable.expect("a reason");
    assert_eq!(seen.traced, [("no device".to_owned(), why)]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Whatever call fails, while the device is opened or while it works: the trace says why.
#[test]
#[cfg_attr(miri, ignore = "Miri starts no processes")]
fn a_driver_that_fails_half_way() {
    let folder = folder("half", true);
    let (mut opening, mut working) = (0, 0);
    for number in 1..48 {
        let seen = process(&folder, "auto", &[("MEGHA_SIM_DRIVER_FAIL", &format!("{number}:700"))]);
        let told = |name: &str| seen.traced.iter().any(|(event, reason)| event == name && !reason.is_empty());
        match seen.unavailable {
            Some(_) if told("no device") => opening += 1,
            Some(why) => {
                assert!(told("the device is not used any more"), "{number}: {why}, {:?}", seen.traced);
                working += 1;
            }
            // some failures only mean that a buffer is not pinned, or that memory does not go back to its pool
            None => {}
        }
    }
    assert!(opening > 5 && working > 5, "{opening} while opening, {working} while working");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
#[cfg_attr(miri, ignore = "Miri starts no processes")]
fn what_is_wrong_with_a_cache() {
    let folder = folder("cache", true);
    let seen = process(&folder, "auto", &[("MEGHA_TEST_NOTE", "1")]);
    assert_eq!(seen.traced, [("what was measured".into(), "a file that cannot be read".into())]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
#[cfg_attr(miri, ignore = "Miri starts no processes")]
fn a_wish_that_is_not_understood() {
    let folder = folder("wish", true);
    let seen = process(&folder, "cuda", &[]);
    assert!(seen.traced[0].1.starts_with("MEGHA_DEVICE is `cuda`"), "{:?}", seen.traced);
    std::fs::remove_dir_all(folder).unwrap();
}
