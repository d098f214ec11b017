//! The six programs and matrix products on the CUDA device, in processes that find a simulated driver and cuBLAS.

use super::device::call;
use super::{PROGRAMS, driver, products, views};

/// Whatever call of the driver fails, the CPU makes up for it, or the error says so where kernels have to run on the device.
#[test]
fn a_driver_that_fails_changes_nothing() {
    driver::run("cuda::child", "failing", false);
}

#[test]
fn parts_make_what_the_whole_makes() {
    driver::run("cuda::child", "parts", false);
}

/// The device's pool keeps to its budget, with blocks of its size classes, and fragments do not add up.
#[test]
fn little_memory_changes_nothing() {
    driver::run("cuda::child", "budgets", false);
}

#[test]
fn products_are_made_by_cublas() {
    driver::run("cuda::child", "products", true);
}

#[test]
fn without_cublas_kernels_make_products() {
    driver::run("cuda::child", "no cublas", false);
}

/// The variable says for a whole process what `strict` says for a scope.
#[test]
fn a_strict_process_makes_its_products_itself() {
    driver::run_with("cuda::child", "strict", true, &[("MEGHA_STRICT", "1")]);
    driver::run_with("cuda::child", "products", true, &[("MEGHA_STRICT", "0")]);
}

/// Not a test by itself: what the other tests run in a process of its own.
#[test]
fn child() {
    let Some(task) = driver::task() else { return };
    match task.as_str() {
        "failing" => {
            for program in &PROGRAMS {
                let arguments = call(program);
                driver::each_call(program.name, &|| (program.call)(&views(&arguments)));
            }
        }
        "parts" => {
            for program in &PROGRAMS {
                let arguments = call(program);
                driver::in_parts(program.name, &|| (program.call)(&views(&arguments)));
            }
        }
        "budgets" => {
            for program in &PROGRAMS {
                let arguments = call(program);
                driver::under_budgets(program.name, &|| (program.call)(&views(&arguments)));
            }
        }
        "products" => products::by_cublas(&driver::loaded()),
        "strict" => products::never_by_cublas(&driver::loaded()),
        _ => products::by_kernels(&driver::loaded()),
    }
}
