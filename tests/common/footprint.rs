//! The access maps of kernels' plans against the elements that the reference interpreter sees touched, for random boxes of iterations.

use std::collections::BTreeSet;

use megha_base::access::{Access, Known};
use megha_base::plan::{Array, KernelPlan, Role};
use megha_base::region::Region;
use megha_core::interp::{Event, KernelRun, Scalar, Touched};
use megha_core::ir::verify::verify;
use megha_core::ir::{self, Kernel, Mem, Module, Op, Out, Size, Stmt, Sym, Value};
use megha_core::ptx::{Ptx, Refused, generate};
use megha_core::schedule::Schedules;
use megha_core::schedule::footprint::{Footprint, definitions, expression, footprint};

/// How often each kernel is looked at.
const RUNS: usize = 3;
/// Boxes of each run; the first is the whole domain.
const BOXES: usize = 6;

/// The plans of a module, and what came of its kernels.
pub struct Footprints {
    /// As the run-time system has them, each with the function's symbols that it names.
    plans: Vec<(KernelPlan, Vec<usize>)>,
    runs: Vec<usize>,
    random: u64,
    /// What has been compared.
    pub counts: Counts,
    /// What is wrong.
    pub wrong: Vec<String>,
}

/// Numbers of regions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Runs of kernels.
    pub kernels: usize,
    /// Boxes of iterations, each array and kind of access by itself.
    pub regions: usize,
    /// Those that say that they are exact.
    pub exact: usize,
    /// Those that do not, but are what is touched.
    pub modest: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.kernels += other.kernels;
        self.regions += other.regions;
        self.exact += other.exact;
        self.modest += other.modest;
    }
}

impl Footprints {
    /// Those of a module after the passes.
    ///
    /// # Panics
    /// If it does not hold to the rules.
    pub fn of(module: &Module) -> Self {
        let Ptx { mut kernels, refused, .. } =
            generate(verify(module).expect("a verified module"), &Schedules::of(module));
        kernels.extend(refused.iter().map(|refused| without_entries(module, refused)));
        Self::new(kernels)
    }

    /// Those of these plans, after their way through text.
    pub fn new(plans: Vec<KernelPlan>) -> Self {
        let survives = |plan: KernelPlan| {
            let (plan, symbols) = plan.compact();
            let read = KernelPlan::decode_all(&plan.encode()).expect("the text of a plan");
            assert_eq!(read.as_slice(), std::slice::from_ref(&plan));
            (plan, symbols)
        };
        let plans: Vec<_> = plans.into_iter().map(survives).collect();
        let runs = vec![0; plans.len()];
        Self { plans, runs, random: 1, counts: Counts::default(), wrong: Vec::new() }
    }

    /// Looks at a kernel that has run.
    pub fn watch(&mut self, module: &Module, event: &Event<'_>) {
        let Event::Kernel(run) = event else { return };
        let (Some(touched), Ok(_)) = (run.touched, &run.results) else { return };
        let function = module.funcs.iter().position(|f| std::ptr::eq(f, run.func));
        let same = |plan: &KernelPlan| Some(plan.function_number) == function && plan.number == run.kernel.id;
        let number = self.plans.iter().position(|(plan, _)| same(plan)).expect("every kernel has a plan");
        self.runs[number] += 1;
        if self.runs[number] > RUNS {
            return;
        }
        self.counts.kernels += 1;
        let (plan, symbols) = &self.plans[number];
        let found = Run { plan, symbols, run, touched }.compare(&mut self.random, &mut self.counts);
        self.wrong.extend(found.err().map(|why| format!("kernel {} of {}: {why}", plan.number, plan.function)));
    }
}

/// What a plan says of a kernel that devices cannot run.
fn without_entries(module: &Module, refused: &Refused) -> KernelPlan {
    let funcs = module.funcs.iter().enumerate();
    let found = funcs.filter_map(|(at, func)| Some((at, func, kernel(&func.body, refused)?))).next();
    let (number, func, (stmt, kernel)) = found.expect("the kernel that was refused");
    let head = format!("kernel {} {number} {}", kernel.id, func.name);
    let mut plan = KernelPlan::decode_all(&head).expect("a plan").remove(0);
    let Footprint { arrays, maps } = footprint(func, stmt, kernel, &definitions(func));
    let role = |at: usize| match kernel.outs.get(at) {
        Some(Out::Fresh) => Role::Fresh,
        Some(Out::Update(from)) => Role::Update(from.index()),
        Some(Out::Reduce(..)) => Role::Reduced,
        None => Role::In,
    };
    let array = |(at, value): (usize, &Value)| Array {
        value: value.index(),
        name: value.to_string(),
        element: func.ty(*value).class.element().expect("an array of numbers"),
        dims: func.ty(*value).dims.iter().map(expression).collect(),
        role: role(at),
    };
    plan.symbols = func.symbols.iter().map(|(_, data)| data.name.clone()).collect();
    plan.domain = kernel.domain.iter().map(expression).collect();
    plan.arrays = arrays.iter().enumerate().map(array).collect();
    plan.accesses = maps;
    // an entry needs a name to be read back
    plan.entries.iter_mut().for_each(|entry| entry.name = "none".into());
    plan
}

fn kernel<'m>(region: &'m ir::Region, refused: &Refused) -> Option<(&'m Stmt, &'m Kernel)> {
    region.stmts.iter().find_map(|stmt| match &stmt.op {
        Op::Kernel(kernel) => (kernel.id == refused.number && stmt.loc == refused.loc).then_some((stmt, &**kernel)),
        op => op.regions().into_iter().find_map(|inner| kernel(inner, refused)),
    })
}

/// A run of a kernel.
struct Run<'r> {
    plan: &'r KernelPlan,
    symbols: &'r [usize],
    run: &'r KernelRun<'r>,
    touched: &'r [Touched],
}

impl Run<'_> {
    fn compare(&self, random: &mut u64, counts: &mut Counts) -> Result<(), String> {
        let symbol = |s: usize| (self.run.size)(&Size::sym(Sym::new(self.symbols[s]))).expect("a known symbol");
        let scalar = |value: usize| match (self.run.value)(Value::new(value)).and_then(|datum| datum.get(0)) {
            Some(Scalar::Index(number)) => number,
            other => panic!("%{value} is {other:?}"),
        };
        let known = Known { symbol: &symbol, scalar: &scalar };
        let extents: Vec<i64> = self.plan.domain.iter().map(|d| d.eval(&symbol)).collect();
        for number in 0..BOXES {
            let iterations: Vec<(i64, i64)> =
                extents.iter().map(|n| if number == 0 { (0, *n) } else { between(random, *n) }).collect();
            for array in 0..self.plan.arrays.len() {
                for access in [Access::Read, Access::Write, Access::Accumulate] {
                    let wanted = self.inside(&iterations, &extents, (array, access));
                    let region = self.plan.touched((array, access), &iterations, &known);
                    self.judge(&region, &wanted, (array, access), &iterations, counts)?;
                }
            }
        }
        Ok(())
    }

    /// The elements that iterations in a box touched.
    fn inside(&self, iterations: &[(i64, i64)], extents: &[i64], (array, access): (usize, Access)) -> BTreeSet<i64> {
        let mem = match self.plan.arrays[array].role {
            Role::In => Mem::In(Value::new(self.plan.arrays[array].value)),
            Role::Fresh | Role::Update(_) | Role::Reduced | Role::Flag(_) => Mem::Out(array),
        };
        let within = |iteration: usize| {
            let mut rest = iteration as i64;
            iterations.iter().zip(extents).all(|((low, high), extent)| {
                let at = rest % extent;
                rest /= extent;
                (*low..*high).contains(&at)
            })
        };
        let own = self.touched.iter().filter(|t| t.mem == mem && t.access == access && within(t.iteration));
        own.map(|t| t.element as i64).collect()
    }

    fn judge(
        &self,
        region: &Region,
        wanted: &BTreeSet<i64>,
        (array, access): (usize, Access),
        iterations: &[(i64, i64)],
        counts: &mut Counts,
    ) -> Result<(), String> {
        let symbol = |s: usize| (self.run.size)(&Size::sym(Sym::new(self.symbols[s]))).expect("a known symbol");
        let sizes = self.plan.arrays[array].sizes(&symbol);
        let got = elements(region, &sizes);
        let right = if region.is_exact() { got == *wanted } else { got.is_superset(wanted) };
        if !(got.is_empty() && wanted.is_empty()) {
            counts.regions += 1;
            counts.exact += usize::from(region.is_exact());
            counts.modest += usize::from(!region.is_exact() && got == *wanted);
        }
        if right && got.len() as i64 == region.count() {
            return Ok(());
        }
        let maps: Vec<String> =
            self.plan.accesses.iter().filter(|m| (m.array, m.access) == (array, access)).map(|m| m.encode()).collect();
        let name = &self.plan.arrays[array].name;
        Err(format!(
            "{access:?} of {name} {sizes:?} in {iterations:?}: {region:?}, not {wanted:?}; {}",
            maps.join(" / ")
        ))
    }
}

/// The numbers of a region's elements, columns first.
fn elements(region: &Region, sizes: &[i64]) -> BTreeSet<i64> {
    let mut all = BTreeSet::new();
    for section in region.sections() {
        let mut list = vec![0];
        let mut stride = 1;
        for (triplet, size) in section.dims().iter().zip(sizes) {
            let along = (0..triplet.count()).map(|k| stride * (triplet.start() + k * triplet.step()));
            list = along.flat_map(|more| list.iter().map(move |at| at + more).collect::<Vec<i64>>()).collect();
            stride *= size;
        }
        all.extend(list);
    }
    all
}

/// Some of the numbers below `n` (SplitMix64, Steele, Lea and Flood 2014): often one or all of them.
fn between(random: &mut u64, n: i64) -> (i64, i64) {
    let mut below = |most: i64| {
        *random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (*random ^ (*random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % most.max(1) as u64) as i64
    };
    let low = below(n);
    match below(4) {
        0 => (0, n),
        1 => (low, (low + 1).min(n)),
        _ => (low, low + below(n - low + 1)),
    }
}
