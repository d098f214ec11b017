//! A kernel: the structure that captures what it reads and writes, and its launch.

use crate::hash::{HashMap, HashSet};
use std::collections::BTreeSet;

use super::body::Body;
use super::expr::{Context, Expr, constant, rust_type};
use super::host::Host;
use super::inline::Inlined;
use super::liveness::free_values;
use super::scheduled::{Loops, Walk};
use super::shared::Shared;
use super::source::{Code, Names};
use super::storage::assign_region;
use crate::ir::{Class, Const, Func, Kernel, Mem, Op, Out, ReduceOp, Region, Size, Stmt, Sym, Type, Value};
use crate::schedule::access::{Access, Affine, Maps};
use crate::schedule::order::{self, Memory};
use crate::schedule::subject::has_checks;
use crate::schedule::{BodyLoop, Subject, Target};

/// A field of a kernel's structure.
pub struct Field {
    /// Its name, inside the kernel too.
    pub name: String,
    /// Its type.
    pub ty: String,
    /// What the host puts there.
    pub init: String,
    /// Whether it is a number, to be taken out of the structure at the start.
    pub scalar: bool,
}

/// An array that a kernel reads or writes.
pub struct Array {
    /// Which one.
    pub mem: Mem,
    /// Name of the field.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether the kernel writes it.
    pub written: bool,
}

/// A kernel on its way to Rust.
pub struct Nest<'f> {
    /// The kernel.
    pub kernel: &'f Kernel,
    /// Name of the structure.
    pub name: String,
    /// Its access maps.
    pub maps: Maps<'f>,
    /// Loads and stores.
    pub accesses: Vec<Access<'f>>,
    /// Fields of the structure.
    pub fields: Vec<Field>,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// Its loops, as its schedules have them.
    pub loops: Loops,
    /// The names of the iteration numbers.
    pub numbers: Vec<String>,
    /// The scalars of the host that it uses, and the names of their fields.
    pub captured: Vec<(Value, String)>,
    /// The variables with the partial results of its reductions, and whether the result is a scalar.
    pub partials: Vec<(String, bool)>,
    /// Whether the kernel checks something that can fail.
    pub checks: bool,
    /// The marks of the points in loops outside of the loop over points that points leave one by one, by the counters of these.
    pub marks: HashMap<Value, Value>,
    /// Types of the outs.
    pub out_types: Vec<Type>,
    /// Which outs the function returns and does not use otherwise,
    pub returned: Vec<bool>,
    /// and those that may be written past the caches.
    pub streamed: Vec<usize>,
}

/// How a run of points reaches the elements of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// A slice of consecutive elements.
    Row,
    /// The same, where those before the first are the last of their dimension: along these dimensions, columns first and rows first.
    Turned([usize; 2]),
    /// One element for all points.
    Uniform,
    /// By subscripts at each point.
    General,
}

/// How the runs of a kernel reach the elements of an access, in both layouts.
pub fn reach(access: &Access<'_>, ty: &Type, walks: &[Walk; 2]) -> Reach {
    if access.conditional {
        return Reach::General;
    }
    if let Some(map) = &access.turned {
        return turned_reach(map, ty, walks);
    }
    let long = ty.dims.iter().filter(|d| !d.is_one()).count();
    let Some(map) = access.map.as_ref().filter(|map| map.len() > 1 || long <= 1) else { return Reach::General };
    let steps =
        walks.map(|walk| pad_step(map.iter().map(|a| a.coeffs.get(walk.axis).copied().unwrap_or(0)).collect(), ty));
    let memories = [Memory::ColumnMajor, Memory::RowMajor];
    let of_neighbours = || walks.iter().all(|walk| walk.step == 1);
    if of_neighbours() && steps.iter().zip(memories).all(|(step, memory)| order::is_consecutive(step, &ty.dims, memory))
    {
        return Reach::Row;
    }
    let written = matches!(access.mem, Mem::Out(_)) && !access.unwritten;
    if steps.iter().flatten().all(|s| *s == 0) && !written { Reach::Uniform } else { Reach::General }
}

/// How runs reach elements whose subscripts may count from the end.
fn turned_reach(map: &[Affine], ty: &Type, walks: &[Walk; 2]) -> Reach {
    let steps = walks.map(|walk| map.iter().map(|a| a.coeffs.get(walk.axis).copied().unwrap_or(0)).collect::<Vec<_>>());
    let memories = [Memory::ColumnMajor, Memory::RowMajor];
    if walks.iter().any(|walk| walk.step != 1) {
        return Reach::General;
    }
    if !steps.iter().zip(memories).all(|(step, memory)| order::is_consecutive(step, &ty.dims, memory)) {
        return Reach::General;
    }
    Reach::Turned(steps.map(|step| step.iter().position(|by| *by != 0).unwrap_or(0)))
}

/// The step of one subscript of a vector as that of two.
fn pad_step(step: Vec<i64>, ty: &Type) -> Vec<i64> {
    match step[..] {
        [one] if ty.dims.len() == 2 && ty.dims[1].is_one() => vec![one, 0],
        [one] if ty.dims.len() == 2 && ty.dims[0].is_one() => vec![0, one],
        _ => step,
    }
}

/// Writes the launch of a kernel into the host's code, and the kernel itself among the module's items.
pub fn launch<'f>(host: &mut Host<'_>, outer: &mut Body<'f>, stmt: &'f Stmt, kernel: &'f Kernel) {
    let func = outer.func;
    let subject = Subject::of(func, stmt, kernel);
    let schedules = host.shared.schedules.both((host.func, kernel.id), Target::Cpu);
    let loops =
        schedules.ok_or_else(|| "a kernel without a schedule".into()).and_then(|both| Loops::of(both, &subject));
    let loops = match loops {
        Ok(loops) => loops,
        Err(why) => return host.shared.problem(why),
    };
    let accesses = in_place(outer, stmt, kernel, subject.accesses);
    let out_types: Vec<Type> = stmt.results.iter().map(|r| func.ty(*r).clone()).collect();
    let array_type = |mem: Mem| match mem {
        Mem::In(v) => func.ty(v).clone(),
        Mem::Out(k) => out_types[k].clone(),
    };
    let is_outside = |l: &&BodyLoop<'_>| loops.outside.contains(&l.counter);
    let marks = subject.body_loops.iter().filter(is_outside).filter_map(|l| Some((l.counter, l.mark?))).collect();
    let mut inlined = Inlined::of(func, &kernel.body);
    for access in &accesses {
        let fixed =
            matches!(access.mem, Mem::In(_)) && reach(access, &array_type(access.mem), &loops.walks) != Reach::General;
        if let Some(result) = access.result.filter(|_| fixed) {
            inlined.insert(result, access.op);
            if let (Some(_), Op::Load(_, subs)) = (&access.turned, access.op) {
                subs.iter().for_each(|sub| inline_number(&subject.maps, *sub, &mut inlined));
            }
        }
    }
    let storage = assign_region(func, &inlined, &kernel.body, &[]);
    let mut body = Body::new(func, inlined, storage, Names::default());
    body.out_types.clone_from(&out_types);
    let name = host.shared.names.fresh(&format!("Kernel{}", kernel.id));
    let mut nest = Nest {
        kernel,
        name,
        maps: subject.maps,
        accesses,
        fields: Vec::new(),
        arrays: Vec::new(),
        loops,
        numbers: Vec::new(),
        captured: Vec::new(),
        partials: Vec::new(),
        checks: has_checks(&kernel.body),
        marks,
        out_types,
        returned: stmt.results.iter().map(|result| host.returned.contains(result)).collect(),
        streamed: Vec::new(),
    };
    nest.capture(host, outer, &mut body, stmt);
    let has_plain = nest.has_plain(outer.loops);
    let plain = (has_plain || nest.has_short()).then(|| nest.plain_body(outer, &body));
    let sites = super::loops::write(host.shared, &mut nest, &mut body, plain);
    nest.write_launch(host, outer, stmt, (&sites, has_plain));
}

/// Takes a subscript that code never asks for, as the run of elements is known, out of the statements.
fn inline_number<'f>(maps: &Maps<'f>, number: Value, inlined: &mut Inlined<'f>) {
    if let Some(op) = maps.def(number) {
        inlined.insert(number, op);
        op.for_each_operand(&mut |v| inline_number(maps, v, inlined));
    }
}

/// Loads of the old state of an array that is updated in its place read the out-variable; of the loads of these, those of constant elements
/// are marked.
fn in_place<'f>(outer: &Body<'f>, stmt: &Stmt, kernel: &Kernel, mut accesses: Vec<Access<'f>>) -> Vec<Access<'f>> {
    for access in &mut accesses {
        let Mem::In(array) = access.mem else { continue };
        let same = |k: &usize| {
            kernel.outs[*k] == Out::Update(array) && outer.storage.slot(stmt.results[*k]) == outer.storage.slot(array)
        };
        if let Some(k) = (0..kernel.outs.len()).find(same) {
            (access.mem, access.turned) = (Mem::Out(k), None);
        }
    }
    outer.old.mark(kernel, &mut accesses);
    accesses
}

/// Symbols of the sizes that a kernel's body and accesses mention.
fn symbols(nest: &Nest<'_>) -> BTreeSet<Sym> {
    fn sizes(region: &Region, out: &mut BTreeSet<Sym>) {
        for stmt in &region.stmts {
            if let Op::Size(size) = &stmt.op {
                out.extend(size.symbols());
            }
            stmt.op.regions().into_iter().for_each(|r| sizes(r, out));
        }
    }
    let mut found = BTreeSet::new();
    sizes(&nest.kernel.body, &mut found);
    for affine in nest.accesses.iter().filter_map(|a| a.map.as_ref().or(a.turned.as_ref())).flatten() {
        found.extend(affine.size.symbols());
    }
    if nest.checks || nest.reduced().is_some() {
        nest.kernel.domain.iter().for_each(|d| found.extend(d.symbols()));
    }
    found
}

impl<'f> Nest<'f> {
    /// The reduced axes, if the kernel reduces.
    pub fn reduced(&self) -> Option<&[usize]> {
        self.kernel.outs.iter().find_map(|o| if let Out::Reduce(_, axes) = o { Some(&axes[..]) } else { None })
    }

    /// Whether it is the same in both orders of memory: all that it reads and writes are vectors, and its schedules are alike.
    pub fn is_of_vectors(&self) -> bool {
        let long = self.kept().into_iter().filter(|axis| !self.kernel.domain[*axis].is_one());
        let is_vector = |array: &Array| self.is_combined(array) || array.ty.is_vector();
        self.loops.are_alike() && long.count() <= 1 && self.arrays.iter().all(is_vector)
    }

    /// Whether an array is what partial results are combined to, so that the kernel has these in its place.
    fn is_combined(&self, array: &Array) -> bool {
        matches!(array.mem, Mem::Out(k) if self.reducer(k).is_some())
    }

    /// Takes its arrays, which are vectors, in the order of columns.
    pub fn take_vectors(&mut self) {
        let arrays: Vec<&str> =
            self.arrays.iter().filter(|array| !self.is_combined(array)).map(|array| array.name.as_str()).collect();
        let fields = self.fields.iter_mut().filter(|field| arrays.contains(&field.name.as_str()));
        fields.for_each(|field| field.init.push_str(".vector()"));
    }

    /// The axes that are not reduced.
    pub fn kept(&self) -> Vec<usize> {
        let reduced = self.reduced().unwrap_or(&[]);
        (0..self.kernel.domain.len()).filter(|a| !reduced.contains(a)).collect()
    }

    /// The operation of an out-variable that is a reduction.
    pub fn reducer(&self, out: usize) -> Option<ReduceOp> {
        if let Out::Reduce(op, _) = self.kernel.outs[out] { Some(op) } else { None }
    }

    /// The array of this access.
    pub fn array(&self, mem: Mem) -> Option<&Array> {
        self.arrays.iter().find(|a| a.mem == mem)
    }

    /// Declares the fields and gives the captured values their names inside the kernel.
    fn capture(&mut self, host: &Host<'_>, outer: &mut Body<'f>, body: &mut Body<'f>, stmt: &Stmt) {
        let func = outer.func;
        self.capture_arrays(host, outer, body, stmt);
        let mut free = Vec::new();
        free_values(&self.kernel.body, &mut free);
        for value in free.into_iter().filter(|v| func.ty(*v).is_scalar()) {
            if let Some(op @ (Op::Const(_) | Op::Size(_))) = outer.inlined.get(value) {
                body.inlined.insert(value, op);
                continue;
            }
            let name = body.fresh_name(value);
            body.vars.insert(value, Expr::name(name.clone()));
            let ty = rust_type(func.ty(value).class).to_owned();
            self.captured.push((value, name.clone()));
            self.fields.push(Field { name, ty, init: outer.text(value), scalar: true });
        }
        let mut symbols = symbols(self);
        let constants: Vec<Size> = body.inlined.sizes().cloned().collect();
        constants.iter().for_each(|s| symbols.extend(s.symbols()));
        let mut inside = HashSet::default();
        self.kernel.body.defined(&mut inside);
        for sym in symbols.into_iter().filter(|s| func.symbols.is_known(*s, &|v| !inside.contains(&v))) {
            let name = body.names.fresh(&func.symbols.get(sym).name);
            body.symbols.insert(sym, name.clone());
            self.fields.push(Field { name, ty: "i64".into(), init: outer.size(&Size::sym(sym)).text(), scalar: true });
        }
        for (axis, param) in self.kernel.body.params.iter().enumerate() {
            let wanted = func.names[param.index()].clone().unwrap_or_else(|| axis_name(axis));
            let one = self.kernel.domain[axis].is_one();
            let name = if one { "0".to_owned() } else { body.names.fresh(&wanted) };
            let number = if one { constant(&Const::Int(0), Class::Index) } else { Expr::name(name.clone()) };
            body.vars.insert(*param, number);
            body.bounded.insert(*param);
            self.numbers.push(name);
        }
    }

    fn capture_arrays(&mut self, host: &Host<'_>, outer: &mut Body<'f>, body: &mut Body<'f>, stmt: &Stmt) {
        let mut mems: Vec<Mem> = (0..stmt.results.len()).map(Mem::Out).collect();
        for access in &self.accesses {
            if !mems.contains(&access.mem) {
                mems.push(access.mem);
            }
        }
        for mem in mems {
            let (value, written) = match mem {
                Mem::In(v) => (v, false),
                Mem::Out(k) => (stmt.results[k], true),
            };
            let reduces = matches!(mem, Mem::Out(k) if self.reducer(k).is_some());
            let name = match outer.storage.slot(value).and_then(|s| outer.slot_text(s)) {
                Some(text) => body.names.fresh(&text),
                None => body.fresh_name(value),
            };
            let ty = outer.func.ty(value).clone();
            let (class, rank) = (rust_type(ty.class), ty.dims.len());
            let field = match mem {
                Mem::In(_) => Field {
                    name: name.clone(),
                    ty: format!("rt::View<'a, L, {class}, {rank}>"),
                    init: host.view(outer, value),
                    scalar: false,
                },
                Mem::Out(_) if reduces => {
                    let ty = format!("rt::reduce::PartialsOut<'a, {class}>");
                    Field { name: name.clone(), ty, init: String::new(), scalar: false }
                }
                Mem::Out(_) => Field {
                    name: name.clone(),
                    ty: format!("rt::Out<'a, L, {class}, {rank}>"),
                    init: String::new(),
                    scalar: false,
                },
            };
            self.fields.push(field);
            self.arrays.push(Array { mem, name, ty, written });
        }
    }

    /// An affine subscript at the start of a run.
    pub fn affine(&self, body: &Body<'_>, affine: &Affine) -> Expr {
        let mut terms: Vec<(i64, Vec<Expr>)> = Vec::new();
        for (axis, coeff) in affine.coeffs.iter().enumerate().filter(|(_, c)| **c != 0) {
            terms.push((*coeff, vec![Expr::name(self.numbers[axis].clone())]));
        }
        for (value, coeff) in &affine.uniform {
            terms.push((*coeff, vec![self.uniform(body, *value)]));
        }
        match body.size(&affine.size) {
            size if terms.is_empty() => return size,
            Expr::Sum(own) => terms.extend(own),
            _ => terms.extend(affine.size.as_constant().filter(|n| *n != 0).map(|n| (n, Vec::new()))),
        }
        Expr::Sum(terms)
    }

    /// The text of a value that is the same in all iterations, wherever it stands in the body.
    pub fn uniform(&self, body: &Body<'_>, value: Value) -> Expr {
        Pure { nest: self, body }.operand(value)
    }
}

/// Uniform values, written out from the captured ones.
struct Pure<'a, 'f> {
    nest: &'a Nest<'f>,
    body: &'a Body<'f>,
}

impl Context for Pure<'_, '_> {
    fn func(&self) -> &Func {
        self.body.func
    }

    fn operand(&self, value: Value) -> Expr {
        match self.nest.maps.def(value) {
            Some(Op::Size(size)) => self.body.size(size),
            Some(op) => super::expr::scalar(self, op, self.body.func.ty(value).class)
                .unwrap_or_else(|| self.body.variable(value)),
            None => self.body.operand(value),
        }
    }

    fn is_bounded(&self, value: Value) -> bool {
        self.body.is_bounded(value)
    }
}

fn axis_name(axis: usize) -> String {
    ["i", "j", "k", "m", "p", "q"].get(axis).map_or_else(|| format!("i{axis}"), |s| (*s).to_owned())
}

/// Writes the kernel's structure.
pub fn write_struct(shared: &mut Shared, nest: &Nest<'_>) {
    let mut code = Code::default();
    code.open(format!("struct {}<'a, L: rt::Layout> {{", nest.name));
    match nest.reduced() {
        Some(_) => code.line("space: rt::reduce::Space,"),
        None => code.line(format!("extents: [usize; {}],", nest.loops.orders[0].len())),
    }
    for field in &nest.fields {
        code.line(format!("{}: {},", field.name, field.ty));
    }
    if nest.checks {
        code.line("fault: &'a rt::fault::Fault,");
    }
    code.line("layout: std::marker::PhantomData<&'a L>,");
    code.close("}");
    shared.items.append(code);
    shared.items.line("\n");
}
