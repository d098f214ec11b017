//! What kernels do with which elements: their access maps in words.

use super::gpu::polynomial;
use super::kernel::letter;
use super::names::Names;
use crate::ir::{Kernel, Module, Stmt, Value};
use crate::lower::SpanTable;
use crate::schedule::footprint::{Definitions, Footprint, definitions, footprint};
use crate::source::SourceMap;
use megha_base::access::{self, AccessMap};

/// For each kernel of a module its loops and a line for each access; numbered as in [`explain`](super::explain), by function.
pub fn access_maps(module: &Module, sources: &SourceMap, spans: &SpanTable) -> String {
    let mut text = String::new();
    for func in &module.funcs {
        let names = Names::new(func, &[], sources, spans);
        let defs = definitions(func);
        let mut number = 0;
        for (stmt, kernel) in func.body.kernels() {
            number += 1;
            let loops: Vec<String> = (0..kernel.domain.len()).map(letter).collect();
            let extents = loops.iter().zip(&kernel.domain).map(|(l, size)| format!("{l} below {}", names.size(size)));
            let over = extents.collect::<Vec<_>>().join(", ");
            text +=
                &format!("kernel {number} of {}: {}\n", func.name, if over.is_empty() { "one point" } else { &over });
            lines(&names, (stmt, kernel), &defs, &loops, &mut text);
        }
    }
    text
}

fn lines(
    names: &Names<'_>,
    (stmt, kernel): (&Stmt, &Kernel),
    defs: &Definitions<'_>,
    loops: &[String],
    text: &mut String,
) {
    let Footprint { arrays, maps } = footprint(names.func, stmt, kernel, defs);
    let called = access::Names {
        loops,
        size: &|size| names.size(&polynomial(size)),
        scalar: &|value| names.func.name_of(Value::new(value)),
    };
    let texts: Vec<String> = arrays.iter().map(|value| names.value(*value)).collect();
    for map in &maps {
        let mut name = texts[map.array].clone();
        // Results of one statement may be called alike.
        if texts.iter().filter(|text| **text == name).count() > 1 {
            name += &format!(" ({})", arrays[map.array]);
        }
        *text += &format!("  {:<11}{name}{}{}\n", map.access.word(), map.text(&called), sureness(map));
    }
}

/// What is not certain of an access.
fn sureness(map: &AccessMap) -> &'static str {
    match (map.must, map.depends_on_data()) {
        (true, false) => "",
        (false, false) => " (in some iterations)",
        (true, true) => " (: depends on data)",
        (false, true) => " (in some iterations; : depends on data)",
    }
}
