//! How plans say that processors go through a kernel's domain: outer loops and inner one, columns first and rows first.

use megha_core::cpu::{Export, Options, generate};
use megha_core::ir::{FuncId, parse::parse, verify::verify};
use megha_core::ptx::device_code;
use megha_core::schedule::{DeviceBackend, Schedules};

/// What the plan of the only kernel of a function says.
fn nests(domain: &str, out: &str) -> String {
    let module = parse(&format!(
        "func @f(%a: f64[n, m, p]) -> (c: {out}) {{
           sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0 sym p = dim 0 2, >= 0
           %c: {out} = kernel 0 over [n, m, p] into ({domain}
             {}
           }}
           return %c
         }}",
        if domain.contains("reduce") { "accumulate out0, %x" } else { "put out0[%i, %j, %k] = %x" }
    ));
    let module = module.unwrap_or_else(|e| panic!("{e}"));
    let verified = verify(&module).unwrap_or_else(|v| panic!("{}", v[0]));
    let doc = "the kernel's function".to_owned();
    let export = Export { func: FuncId::new(0), name: "f".into(), visibility: "pub".into(), doc, counts: Vec::new() };
    let device = Some(device_code as DeviceBackend);
    let schedules = Schedules::of(&module);
    let options = Options { runtime: "::megha_rt", positions: &|_| None, device, schedules: &schedules };
    let code = generate(verified, &[export], &options).unwrap_or_else(|e| panic!("{e:?}"));
    let (_, line) = code.split_once("\\nhost ").expect("a plan");
    line.split("\\n").next().unwrap_or_default().to_owned()
}

const BODY: &str = ") |%i, %j, %k| { %x: f64 = load %a[%i, %j, %k]";

#[test]
fn points_lie_along_memory() {
    assert_eq!(nests(&format!("fresh{BODY}"), "f64[n, m, p]"), "2,1 0 0,1 2");
}

/// Of a reduction along one loop neighbours are points where memory has them side by side; else each row is one result.
#[test]
fn neighbouring_results_are_points() {
    let along = |axes: &str, out: &str| nests(&format!("reduce sum along [{axes}]{BODY}"), out);
    assert_eq!(along("0", "f64[1, m, p]"), "2,1 - 1 2");
    assert_eq!(along("1", "f64[n, 1, p]"), "2 0 0 2");
    assert_eq!(along("2", "f64[n, m]"), "1 0 0,1 -");
    assert_eq!(along("0, 2", "f64[1, m]"), "1 - 1 -");
    assert_eq!(along("0, 1, 2", "f64"), "- - - -");
}
