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
    let Some(func) = func else { return };
    let mut module = ir::Module { funcs: vec![func] };
    let rust = std::env::args().nth(3).is_some();
    let mut log = megha_core::passes::PassLog::default();
    if !rust {
        println!("{module}");
    }
    if let Err(f) = megha_core::passes::run_passes(&mut module, &mut log) {
        println!("{module}\nFAIL {} {:?}", f.pass, f.violations.iter().map(|v| v.to_string()).collect::<Vec<_>>());
        return;
    }
    if !rust {
        println!("AFTER\n{module}");
        for (_, blocks) in &log.blocks {
            for b in blocks {
                println!("{} kernels: {:?}", b.kernels.len(), b.stopped);
            }
        }
        return;
    }
    let Ok(v) = ir::verify::verify(&module) else { return };
    let name = module.funcs[0].name.clone();
    let export = megha_core::cpu::Export {
        func: ir::FuncId::new(0),
        name,
        visibility: "pub".into(),
        doc: String::new(),
        counts: Vec::new(),
    };
    let options = megha_core::cpu::Options { runtime: "::megha_rt", positions: &|_| None };
    match megha_core::cpu::generate(v, &[export], &options) {
        Ok(r) => print!("//RUST\n{r}"),
        Err(e) => println!("//GENFAIL {e:?}"),
    }
}
