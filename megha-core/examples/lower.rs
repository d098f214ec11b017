//! Prints the IR of a MATLAB file.
use megha_core::{diag, ir, lower, matlab, source};
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let sig = std::env::args().nth(2).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut map = source::SourceMap::new();
    let id = map.add(path, text);
    let mut diags = diag::Diagnostics::new();
    let program = matlab::parse(map.get(id).unwrap(), &mut diags);
    let scope = lower::Scope::new(&program.functions);
    let mut spans = lower::SpanTable::default();
    let f = &program.functions[0];
    let mut params = vec![];
    for part in sig.split(';').filter(|s| !s.is_empty()) {
        let mut it = part.split(',');
        let class = it.next().unwrap();
        let dims = it
            .map(|d| {
                d.parse()
                    .map(lower::DimSpec::constant)
                    .unwrap_or_else(|_| if d == ":" { lower::DimSpec::Any } else { lower::DimSpec::name(d) })
            })
            .collect();
        let usz = class == "n";
        params.push(lower::ParamSpec {
            class: ir::Class::Double,
            dims,
            facts: ir::ParamFacts { integer: usz, at_least: usz.then_some(0), at_most: None },
        });
    }
    let spec = lower::EntrySpec { params, results: f.outputs.len() };
    let func = lower::lower_function(f, &spec, &scope, &mut spans, &mut diags);
    print!("{}", diag::render_all(&diags, &map, false));
    if let Some(func) = func {
        let mut module = ir::Module { funcs: vec![func] };
        println!("{}", module);
        match ir::verify::verify(&module) {
            Ok(_) => println!("verified"),
            Err(e) => {
                for v in e {
                    println!("VIOLATION {v}")
                }
            }
        }
        let mut log = megha_core::passes::PassLog { dump: false, ..Default::default() };
        match megha_core::passes::run_passes(&mut module, &mut log) {
            Ok(()) => {
                println!("AFTER\n{module}");
                println!(
                    "{:#?}",
                    log.blocks
                        .iter()
                        .flat_map(|b| b.1.iter().map(|r| (r.kernels.len(), &r.stopped)))
                        .collect::<Vec<_>>()
                )
            }
            Err(f) => {
                println!("{module}");
                println!("FAIL {} {:?}", f.pass, f.violations.iter().map(|v| v.to_string()).collect::<Vec<_>>())
            }
        }
    }
}
