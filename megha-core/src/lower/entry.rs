//! Exported functions: the types of their parameters, and the function as a whole.

use super::ambiguous::Kind;
use super::call::never_assigned;
use super::complex::split;
use super::control::Frame;
use super::effort::Effort;
use super::env::Binding;
use super::facts::Facts;
use super::versions::Versions;
use super::{Lower, Lowered, Operand, Scope, SpanTable, Specialisations, contractions, masks, slices};
use crate::diag::{Code, Diagnostics};
use crate::ir::{Assumptions, Class, Func, Op, ParamFacts, Size, SymData, SymDef, Terminator, Type, Value};
use crate::matlab::ast::{Function, Param};
use crate::source::Span;
use std::collections::BTreeMap;

/// The size of a dimension in a declaration: a polynomial over names, or free (`:`).
#[derive(Debug, Clone, PartialEq)]
pub enum DimSpec {
    /// Products of names with their coefficients; the empty product is the constant.
    Named(BTreeMap<Vec<String>, i64>),
    /// Any size.
    Any,
}

impl DimSpec {
    /// A known number.
    pub fn constant(value: i64) -> Self {
        Self::Named(BTreeMap::from([(Vec::new(), value)]))
    }

    /// One name.
    pub fn name(name: &str) -> Self {
        Self::Named(BTreeMap::from([(vec![name.to_owned()], 1)]))
    }

    /// Whether it is a number below zero, which is no size.
    pub fn is_negative(&self) -> bool {
        matches!(self, Self::Named(terms) if terms.iter().all(|(product, c)| product.is_empty() && *c < 0))
    }
}

/// What a declaration says of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct ParamSpec {
    /// Its class.
    pub class: Class,
    /// Its sizes; empty for a scalar.
    pub dims: Vec<DimSpec>,
    /// What else holds of a scalar.
    pub facts: ParamFacts,
}

/// The exported form of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct EntrySpec {
    /// One for each parameter that the Rust function has; a MATLAB function may have more, which then are not given.
    pub params: Vec<ParamSpec>,
    /// One for each result that the Rust function has: its class, if it is declared.
    pub results: Vec<Option<Class>>,
}

/// A function that has been lowered.
#[derive(Debug)]
pub struct Lowering {
    /// The form for all arguments.
    pub func: Func,
    /// A form in which fewer stores may enlarge arrays, and what it assumes of the arguments.
    pub usual: Option<(Func, Assumptions)>,
}

/// Lowers a function for parameters of these types, and in the form that it usually has, if there is a better one than that for all arguments.
/// The functions that it calls without expanding them are in `specialisations`. `None` if mistakes were reported.
pub fn lower_function(
    function: &Function,
    spec: &EntrySpec,
    scope: &Scope<'_>,
    specialisations: &mut Specialisations,
    spans: &mut SpanTable,
    diags: &mut Diagnostics,
) -> Option<Lowering> {
    let errors_before = diags.has_errors();
    let mut attempt = |assumed: &Assumptions, complex_roots| {
        attempt((function, spec), scope, specialisations, spans, (assumed, complex_roots))
    };
    let mut complex_roots = false;
    let mut first = attempt(&Assumptions::default(), complex_roots);
    if first.falls_short_of(spec) {
        // Results that are declared complex and come out real: roots of negative numbers are meant.
        let second = attempt(&Assumptions::default(), true);
        if second.func.is_some() {
            (first, complex_roots) = (second, true);
        }
    }
    for diagnostic in first.diags.sorted() {
        diags.push(diagnostic.clone());
    }
    let func = first.func.filter(|_| !errors_before)?;
    let usual = usual((&func, first.growing), &first.wishes, &mut |assumed| attempt(assumed, complex_roots));
    Some(Lowering { func, usual })
}

/// Lowers a function under what it wishes to assume, until it wishes no more; `None` if that keeps no store from enlarging.
fn usual(
    (general, growing): (&Func, usize),
    wishes: &Assumptions,
    attempt: &mut dyn FnMut(&Assumptions) -> Attempt,
) -> Option<(Func, Assumptions)> {
    let mut assumed = wishes.clone();
    for _ in 0..MAX_ROUNDS {
        if assumed.is_empty() || assumed.conditions.len() > MAX_CONDITIONS {
            return None;
        }
        let found = attempt(&assumed);
        let func = found.func?;
        if found.wishes == assumed {
            let alike = |(a, b): (&Type, &Type)| a.class == b.class && a.dims.len() == b.dims.len();
            let same =
                func.results.len() == general.results.len() && func.results.iter().zip(&general.results).all(alike);
            let assumed = assumed.in_params_of(&func);
            return (same && found.growing < growing).then_some((func, assumed));
        }
        assumed = found.wishes;
    }
    None
}

/// So often a function is lowered under more assumptions.
const MAX_ROUNDS: usize = 6;
/// More conditions on arguments are not looked at.
const MAX_CONDITIONS: usize = 20;

/// One way of lowering a function.
struct Attempt {
    /// `None` if mistakes were reported.
    func: Option<Func>,
    diags: Diagnostics,
    /// Classes of the results before they were given the declared ones.
    classes: Vec<Class>,
    /// What was assumed of the arguments, and what else would help.
    wishes: Assumptions,
    /// How many variables stores may enlarge.
    growing: usize,
}

impl Attempt {
    /// Whether it went well, but with real results where complex ones are declared.
    fn falls_short_of(&self, spec: &EntrySpec) -> bool {
        let real =
            |(class, declared): (&Class, &Option<Class>)| *declared == Some(Class::Complex) && *class != Class::Complex;
        self.func.is_some() && self.classes.iter().zip(&spec.results).any(real)
    }
}

fn attempt(
    (function, spec): (&Function, &EntrySpec),
    scope: &Scope<'_>,
    specialisations: &mut Specialisations,
    spans: &mut SpanTable,
    (assumed, complex_roots): (&Assumptions, bool),
) -> Attempt {
    let mut local = Diagnostics::new();
    specialisations.effort = Effort::default();
    let mut lower = Lower::new(&function.name.text, scope, spans, &mut local, specialisations);
    lower.complex_roots = complex_roots;
    lower.versions = Versions { assumed: assumed.clone(), open: true, ..Versions::default() };
    let done = lower.entry(function, spec);
    let (wishes, growing) = (lower.versions.all(), lower.growing.len());
    let mut func = lower.builder.func;
    if let Some(refusal) = specialisations.effort.refusal(function) {
        local = Diagnostics::new();
        local.push(refusal);
    }
    let ready = !local.has_errors() && done.is_ok();
    if ready && let Err(refused) = split::run(&mut func) {
        refused.iter().for_each(|r| local.push(r.diagnostic(spans)));
    }
    if ready {
        masks::run(&mut func);
        slices::run(&mut func);
        contractions::run(&mut func);
    }
    let func = (ready && !local.has_errors()).then_some(func);
    Attempt { func, diags: local, classes: done.unwrap_or_default(), wishes, growing }
}

/// The names of sizes and what they stand for.
type NamedSizes = BTreeMap<String, Size>;

impl<'a> Lower<'a> {
    /// Lowers the whole function; gives the classes of its results before they become the declared ones.
    fn entry(&mut self, function: &Function, spec: &EntrySpec) -> Lowered<Vec<Class>> {
        if spec.params.len() > function.inputs.len() {
            let message = format!(
                "`{}` has {} parameters, but {} are declared",
                function.name.text,
                function.inputs.len(),
                spec.params.len()
            );
            return self.stop(Code::ArgumentCount, function.signature, message);
        }
        let spare = super::lists::takes_any(function) && spec.params.len() < function.inputs.len();
        if !spare || super::lists::gives_any(function) {
            self.check_variadic(function)?;
        }
        let names: Vec<(String, Span)> = function.inputs.iter().map(param_name).take(spec.params.len()).collect();
        let sizes = self.named_sizes(&names, spec);
        let types: Vec<Type> =
            spec.params.iter().enumerate().map(|(p, s)| self.param_type(p, s, &names[p].0, &sizes)).collect();
        let (mark, values) = self.open_region(types);
        self.here(function.signature);
        self.bind_parameters(&names, spec, &values, &sizes);
        if spare {
            // The signature gives it nothing.
            self.env.set("varargin", Binding::Is(Operand::List(Default::default())), function.signature);
        }
        self.calls.push(function.name.text.clone());
        self.frames.push(Frame::call(function, spec.params.len(), spec.results.len()));
        let done = match self.scope.find(&function.name.text, function.name.span.file) {
            Some(callee) if self.scope.is_recursive(callee) => {
                self.entry_call(callee, function, &values, spec.results.len())
            }
            _ => self.function_body(function),
        };
        self.frames.clear();
        let results = done.and_then(|()| self.entry_results(function, spec.results.len()));
        let values = results?;
        let classes = values.iter().map(|v| self.class(*v)).collect();
        let values: Vec<Value> =
            values.into_iter().zip(&spec.results).map(|(v, class)| self.declared_class(v, *class)).collect();
        self.builder.func.results = values.iter().map(|v| self.builder.func.ty(*v).clone()).collect();
        self.builder.func.result_names =
            function.outputs.iter().take(spec.results.len()).map(|o| o.text.clone()).collect();
        self.builder.func.body = self.close_region(mark, Terminator::Return(values));
        Ok(classes)
    }

    /// A complex result that is declared real is tested to be so, and a real one that is declared complex gets zeros.
    fn declared_class(&mut self, value: Value, declared: Option<Class>) -> Value {
        match (self.class(value), declared) {
            (Class::Complex, Some(Class::Double)) => self.convert(value, Class::Double),
            (Class::Double | Class::Logical, Some(Class::Complex)) => self.convert(value, Class::Complex),
            _ => value,
        }
    }

    /// The exported form of a function that calls itself: a call of its specialisation.
    fn entry_call(
        &mut self,
        callee: &'a Function,
        function: &Function,
        values: &[Value],
        results: usize,
    ) -> Lowered<()> {
        let args: Vec<Operand> = values.iter().copied().map(Operand::Value).collect();
        let given = self.call_specialised(callee, &args, function.signature, results)?;
        for (output, operand) in function.outputs.iter().zip(given) {
            self.env.set(&output.text, Binding::Is(operand), output.span);
        }
        Ok(())
    }

    fn entry_results(&mut self, function: &Function, count: usize) -> Lowered<Vec<Value>> {
        let mut values = Vec::new();
        let mut failed = false;
        for output in function.outputs.iter().take(count) {
            if !self.env.contains(&output.text) {
                failed = true;
                // After another mistake what would assign it may not have been reached.
                if !self.diags.has_errors() {
                    self.diags.push(never_assigned(output, function));
                }
                continue;
            }
            match self.name(&output.text, output.span) {
                Ok(Operand::Value(v)) => values.push(v),
                // Rust gets the codes of the characters, as of a text that changes while the function runs.
                Ok(text @ (Operand::Text(_) | Operand::Message(_) | Operand::Chosen(_))) => {
                    match self.codes_by_choice(text, &output.text, output.span) {
                        Ok(codes) => values.push(codes),
                        Err(_) => failed = true,
                    }
                }
                Ok(other) => {
                    let (name, what) = (&output.text, Kind::of_operand(&other).words());
                    let message = format!("the result `{name}` is a {what}; Rust is given numbers and arrays only");
                    failed |= self.stop::<()>(Code::TextValue, output.span, message).is_err()
                }
                Err(_) => failed = true,
            }
        }
        if failed { Err(super::Stop) } else { Ok(values) }
    }

    /// Symbols for the names in the declared sizes: a name that stands alone is that size of the input; a name in a sum is
    /// found by solving for it.
    fn named_sizes(&mut self, names: &[(String, Span)], spec: &EntrySpec) -> NamedSizes {
        let mut sizes = NamedSizes::new();
        let dims =
            || spec.params.iter().enumerate().flat_map(|(p, s)| s.dims.iter().enumerate().map(move |(a, d)| (p, a, d)));
        for (p, a, dim) in dims() {
            if let DimSpec::Named(poly) = dim
                && let Some((product, 1)) = poly.iter().next().map(|(m, c)| (m, *c))
                && poly.len() == 1
                && product.len() == 1
                && !sizes.contains_key(&product[0])
            {
                let size = self.dim_symbol(&product[0], p, a);
                sizes.insert(product[0].clone(), size);
            }
        }
        for (p, a, dim) in dims() {
            let DimSpec::Named(poly) = dim else { continue };
            let unknown: Vec<&String> = poly.keys().flatten().filter(|n| !sizes.contains_key(*n)).collect();
            if let [name] = unknown[..]
                && let Some(c) = poly.get(&vec![name.clone()]).copied()
                && matches!(c, 1 | -1)
            {
                let raw = self.dim_symbol(&format!("{}_{}", names[p].0, a + 1), p, a);
                let known: BTreeMap<_, _> =
                    poly.iter().filter(|(m, _)| !m.contains(name)).map(|(m, c)| (m.clone(), *c)).collect();
                let rest = evaluate(&known, &sizes);
                sizes.insert(name.clone(), raw.sub(&rest).scale(c));
            }
        }
        sizes
    }

    fn dim_symbol(&mut self, name: &str, param: usize, axis: usize) -> Size {
        let data = SymData {
            name: name.to_owned(),
            def: SymDef::Dim(param, axis),
            at_least: vec![Size::constant(0)],
            at_most: Vec::new(),
        };
        Size::sym(self.builder.func.symbols.define(data))
    }

    fn param_type(&mut self, param: usize, spec: &ParamSpec, name: &str, sizes: &NamedSizes) -> Type {
        let mut dims = Vec::new();
        for (axis, dim) in spec.dims.iter().enumerate() {
            dims.push(match dim {
                DimSpec::Named(poly) if poly.keys().flatten().all(|n| sizes.contains_key(n)) => evaluate(poly, sizes),
                _ => self.dim_symbol(&format!("{name}_{}", axis + 1), param, axis),
            });
        }
        if dims.is_empty() { Type::scalar(spec.class) } else { Type::array(spec.class, dims) }
    }

    fn bind_parameters(&mut self, names: &[(String, Span)], spec: &EntrySpec, values: &[Value], sizes: &NamedSizes) {
        for (number, (((name, span), spec), value)) in names.iter().zip(&spec.params).zip(values).enumerate() {
            let facts = spec.facts;
            self.builder.func.names[value.index()] = Some(name.clone());
            self.builder.func.params.push(crate::ir::Param { value: *value, name: name.clone(), facts });
            self.learn(
                *value,
                Facts {
                    nonnegative: facts.at_least.is_some_and(|l| l >= 0) || spec.class == Class::Logical,
                    integral: facts.integer || spec.class.is_integer() || spec.class == Class::Logical,
                    ..Facts::default()
                },
            );
            let whole = facts.integer || sizes.contains_key(name) || self.is_assumed_whole(number);
            if spec.dims.is_empty() && spec.class == Class::Double && whole {
                self.whole_parameter(name, *value, facts, sizes);
                let sym = self.whole_of(*value).and_then(|size| size.as_sym());
                self.versions.numbers.extend(sym.map(|sym| (sym, number)));
            }
            self.env.set_value(name, *value, *span);
        }
        for ((name, _), (spec, value)) in names.iter().zip(spec.params.iter().zip(values)) {
            self.late_sizes(name, spec, *value);
        }
        self.rely_on_assumptions();
    }

    /// A scalar parameter that is a whole number gets a symbol; if sizes bear its name, it must agree with them.
    fn whole_parameter(&mut self, name: &str, value: Value, facts: ParamFacts, sizes: &NamedSizes) {
        let index = self.builder.push(Op::ToIndex(value), Type::scalar(Class::Index));
        let low = facts.at_least.map(Size::constant).into_iter().collect();
        let high = facts.at_most.map(Size::constant).into_iter().collect();
        let own = SymData { name: name.to_owned(), def: SymDef::Value(index), at_least: low, at_most: high };
        let size = match sizes.get(name) {
            Some(size) => {
                let own = SymData { name: format!("{name}_value"), ..own };
                let own = Size::sym(self.builder.func.symbols.define(own));
                let text = format!("the value of `{name}` and the sizes declared with it");
                self.builder.effect(Op::SameSize(size.clone(), own, text));
                size.clone()
            }
            None => Size::sym(self.builder.func.symbols.define(own)),
        };
        let nonnegative = self.never_negative(&size);
        self.learn(index, Facts::whole(size.clone(), nonnegative));
        self.learn(value, Facts::whole(size, nonnegative));
    }

    /// Sizes that mention scalar parameters by value (`x (nx, ny + 1)` where `nx`, `ny` are parameters): tested on entry.
    fn late_sizes(&mut self, name: &str, spec: &ParamSpec, value: Value) {
        let mut wanted = self.builder.func.ty(value).dims.clone();
        if wanted.len() != spec.dims.len() {
            return;
        }
        for (axis, dim) in spec.dims.iter().enumerate() {
            let DimSpec::Named(poly) = dim else { continue };
            let mut known = NamedSizes::new();
            for n in poly.keys().flatten() {
                if let Some(Binding::Is(Operand::Value(v))) = self.env.get(n)
                    && let Some(size) = self.whole_of(*v)
                {
                    known.insert(n.clone(), size);
                }
            }
            if poly.keys().flatten().all(|n| known.contains_key(n)) && !poly.keys().all(Vec::is_empty) {
                let declared = evaluate(poly, &known);
                let what = format!("size {} of `{name}`", axis + 1);
                self.check_same(&wanted[axis].clone(), &declared, &what, Span::default());
                wanted[axis] = declared;
            }
        }
        let cast = self.recast(value, &wanted);
        if cast != value {
            let span = self.env.span(name).unwrap_or_default();
            self.env.set_value(name, cast, span);
        }
    }
}

fn param_name(param: &Param) -> (String, Span) {
    match param {
        Param::Named(name) => (name.text.clone(), name.span),
        Param::Ignored(span) => ("unused".to_owned(), *span),
    }
}

fn evaluate(poly: &BTreeMap<Vec<String>, i64>, sizes: &NamedSizes) -> Size {
    let product = |names: &Vec<String>, c: i64| {
        names.iter().fold(Size::constant(c), |p, n| p.mul(sizes.get(n).unwrap_or(&Size::constant(0))))
    };
    poly.iter().fold(Size::constant(0), |sum, (names, c)| sum.add(&product(names, *c)))
}
