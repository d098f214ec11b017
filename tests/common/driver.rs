//! The CUDA device on the simulated driver: processes that find `megha-sim/driver` where they look for NVIDIA's libraries.

use std::path::PathBuf;
use std::process::{Command, Output};

use megha::device::{Builder, Kind, Placement, with};
use megha::rt::cuts;
use megha_sim_driver::Loaded;

use super::failing::{Results, assert_alike};
use super::parting::SEEDS;

/// Says to a process what it is to do.
const TASK: &str = "MEGHA_TEST_TASK";
/// The names under which the driver's library is found: by Megha, and by cudarc.
const DRIVER: &str = "libcuda.so.1";
const FOR_CUDARC: &str = "libcuda.so";
const CUBLAS: &str = "libcublas.so.12";

/// Rates of a device on which nothing takes time, so that it is used for any size.
const INSTANT: &str =
    "memory 1e30\nflops64 1e30\nflops32 1e30\nupload 1e30\ndownload 1e30\nlaunch 1e-9\nqueued 1e-9\ncopy 1e-9\n";

/// A folder in which the simulated driver has the names of NVIDIA's libraries.
fn folder(libraries: &[&str]) -> PathBuf {
    let library = std::env::current_exe().unwrap().with_file_name("libmegha_sim_driver.so");
    let folder = std::env::temp_dir().join(format!("megha-driver-{}-{}", std::process::id(), libraries.len()));
    std::fs::create_dir_all(&folder).unwrap();
    for name in libraries {
        // another test of this process may just have made it
        let _ = std::os::unix::fs::symlink(&library, folder.join(name));
    }
    std::fs::write(folder.join("rates-Simulated-CUDA-device-12040.txt"), INSTANT).unwrap();
    folder
}

/// Runs a test of this binary in a process with the simulated driver, and asserts that the driver found no mistake; what it wrote.
pub fn run(test: &str, task: &str, cublas: bool) -> String {
    run_with(test, task, cublas, &[])
}

/// The same in a process with more variables in its environment.
pub fn run_with(test: &str, task: &str, cublas: bool, variables: &[(&str, &str)]) -> String {
    let libraries = if cublas { &[DRIVER, FOR_CUDARC, CUBLAS][..] } else { &[DRIVER, FOR_CUDARC] };
    let folder = folder(libraries);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env("MEGHA_DEVICE", "cpu").env(TASK, task);
    command.envs(variables.iter().copied());
    let output = command.env("LD_LIBRARY_PATH", &folder).env("MEGHA_CACHE", &folder).output().unwrap();
    let Output { status, stdout, stderr } = output;
    let (out, err) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success() && !err.contains("simulated CUDA driver"), "{task}:\n{out}\n{err}");
    out.into_owned()
}

/// What this process is to do, if it was started by [`run`].
pub fn task() -> Option<String> {
    std::env::var(TASK).ok()
}

/// The driver that this process finds.
pub fn loaded() -> Loaded {
    Loaded::open(DRIVER)
}

/// Opens the device and calls a program on it; `None` if it does not open.
fn on_device(placement: Placement, call: &dyn Fn() -> Results) -> Option<Results> {
    let (device, _) = Builder::new(Kind::Gpu).open().ok()??;
    Some(with(device, placement, call))
}

/// Asserts that a call whose launches are cut into parts at random gives what it gives on the CPU.
pub fn in_parts(name: &str, call: &dyn Fn() -> Results) {
    let wanted = call();
    for seed in SEEDS {
        let got = on_device(Placement::Gpu, &|| cuts::within(seed, call));
        let got = got.unwrap_or_else(|| panic!("{name}: there is no simulated driver"));
        assert_alike(&format!("{name}, cut by {seed}"), Placement::Auto, &got, &wanted);
    }
}

/// Asserts that a call gives what it gives on the CPU, one time after the other on one device that has little memory, and that the device has it all again
/// each time.
pub fn under_budgets(name: &str, call: &dyn Fn() -> Results) {
    let (driver, wanted) = (loaded(), call());
    for budget in [1 << 10, 3 << 10, 6 << 10, 12 << 10, 24 << 10, 1 << 20] {
        driver.reset();
        let opened = Builder::new(Kind::Gpu).memory_limit(budget).open();
        let (device, _) = opened.ok().flatten().unwrap_or_else(|| panic!("{name}: there is no simulated driver"));
        for placement in [Placement::Gpu, Placement::Auto, Placement::Gpu] {
            let what = format!("{name} on {budget} bytes");
            assert_alike(&what, Placement::Auto, &with(device.clone(), placement, call), &wanted);
            assert_eq!(driver.mistakes(), 0, "{what}");
            assert_eq!(device.memory(), Ok((budget, budget)), "{what}");
        }
        drop(device);
        assert_eq!(driver.live(), 0, "{name} on {budget} bytes");
    }
}

/// Lets every call of the driver fail once that a call of a program needs, from the opening of the device to its end. Results are those of
/// the CPU, and nothing that was made is left.
pub fn each_call(name: &str, call: &dyn Fn() -> Results) {
    let driver = loaded();
    let wanted = call();
    driver.reset();
    let before = driver.calls();
    let got = on_device(Placement::Gpu, call).unwrap_or_else(|| panic!("{name}: there is no simulated driver"));
    assert_alike(name, Placement::Auto, &got, &wanted);
    let calls = driver.calls() - before;
    assert!(driver.launches() > 0, "{name}: nothing ran on the device");
    for (nth, placement) in (1..=calls).flat_map(|nth| [(nth, Placement::Auto), (nth, Placement::Gpu)]) {
        // invalid value, out of memory, illegal address
        let code = [1, 2, 700][(nth as usize + usize::from(placement == Placement::Gpu)) % 3];
        let what = format!("{name}: call {nth} of {calls} fails with {code}");
        driver.reset();
        driver.fail(nth, code);
        if let Some(got) = on_device(placement, call) {
            assert_alike(&what, placement, &got, &wanted);
        }
        assert_eq!(driver.mistakes(), 0, "{what}");
        // what could not be given back because that failed
        assert!(code == 700 || driver.live() <= 1, "{what}: {} things are left", driver.live());
    }
}
