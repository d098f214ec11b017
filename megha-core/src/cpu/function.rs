//! The body of a function: views and numbers in, owned arrays and numbers out.

use crate::hash::HashSet;

use super::body::Body;
use super::expr::{Expr, rust_type};
use super::host::{Host, define_symbol};
use super::inline::Inlined;
use super::shared::Shared;
use super::source::{Code, Names};
use super::wrapper::tuple;
use super::{bands, blocks, coherence, factors, storage, strips};
use crate::ir::{Func, FuncId, Sym, SymDef, Type, Value};
use megha_base::plan::block::Task;

/// Writes the body of a function: views and numbers in, owned arrays and numbers out. The parameters `owned` come as owned
/// arrays too, which the function may store into.
pub fn write(shared: &mut Shared, code: &mut Code, func: &Func, index: usize, owned: &HashSet<Value>) {
    let inlined = Inlined::of(func, &func.body);
    let mut storage = storage::assign(func, &inlined, owned);
    let banded = bands::banded(func, &storage);
    let factors = factors::of(func, &storage);
    let stripped = strips::stripped(func, &storage, (&banded, &factors));
    let id = FuncId::new(index);
    let asks = shared.device.concern(id, &func.body);
    if asks {
        coherence::place(func, &inlined, &mut storage, &|stmt| shared.device.task(id, stmt) != Task::Host);
        blocks::place((id, func), (&inlined, &banded), &mut storage, &mut shared.device);
    }
    let mut body = Body::new(func, inlined, storage, Names::default());
    let mut params = Vec::new();
    for param in &func.params {
        if let Some(slot) = body.storage.slot(param.value) {
            let name = body.names.fresh(&param.name);
            body.set_slot(slot, Expr::name(name.clone()));
            params.push(match owned.contains(&param.value) {
                true => format!("mut {name}: {}", owned_type(func.ty(param.value))),
                false => format!("{name}: {}", parameter_type(func.ty(param.value))),
            });
        }
    }
    let is_view = |v: &Value| !func.ty(*v).is_scalar() && !owned.contains(v);
    let views = func.params.iter().map(|p| p.value).filter(is_view).collect();
    let name = shared.function(index).to_owned();
    let results = tuple(func.results.iter().map(owned_type));
    body.code.open(format!("fn {name}<L: rt::Layout>({}) -> rt::Result<{results}> {{", params.join(", ")));
    let mut host = Host::new(shared, id, func, views);
    host.asks = asks;
    host.bands = banded;
    host.strips = stripped;
    host.factors = factors;
    dimension_symbols(&mut body, func);
    host.define_symbols(&mut body, None);
    for param in &func.params {
        host.define_symbols(&mut body, Some(param.value));
    }
    let items = std::mem::take(&mut body.storage.items);
    body.items(&mut host, &items);
    body.code.close("}");
    body.code.line("\n");
    code.append(body.code);
}

fn dimension_symbols(body: &mut Body<'_>, func: &Func) {
    let dims: Vec<(Sym, usize, usize)> = func
        .symbols
        .iter()
        .filter_map(|(sym, data)| if let SymDef::Dim(param, axis) = data.def { Some((sym, param, axis)) } else { None })
        .collect();
    for (sym, param, axis) in dims {
        let array = body.variable(func.params[param].value).text();
        define_symbol(body, sym, &format!("{array}.shape()[{axis}] as i64"));
    }
}

fn parameter_type(ty: &Type) -> String {
    let class = rust_type(ty.class);
    if ty.is_scalar() { class.into() } else { format!("rt::View<'_, L, {class}, {}>", ty.dims.len()) }
}

fn owned_type(ty: &Type) -> String {
    let class = rust_type(ty.class);
    if ty.is_scalar() { class.into() } else { format!("rt::Array<L, {class}, {}>", ty.dims.len()) }
}
