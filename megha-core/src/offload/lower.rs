//! From the loop AST to the IR.
//!
//! Whole numbers become `Index` ([`super::whole`]). Those numbers that are polynomials of
//! sizes, parameters and loop variables are kept as [`Size`]s, so that subscripts and trip counts are affine wherever
//! the source's are. Arrays have at least two dimensions in the IR: a vector is a column. Every array has its own size
//! symbols; every access is checked, until a pass proves it or moves the test in front of the loop.

use super::Problem;
use super::ast::{Function, ParamType, Scalar, SpanId, shown};
use super::complex;
use super::entry::{Entry, limits};
use super::guards::Assumption;
use super::types::Types;
use crate::diag::Code;
use crate::hash::{HashMap, HashSet};
use crate::ir::size::Limits;
use crate::ir::{Builder, Class, Func, Loc, Param, Size, SymData, SymDef, Terminator, Type, Value};
use crate::lower::split;

/// Lowers a typed function, with what must hold of its arguments. Its results are the final states of the arrays that it may
/// store into, in the order of the parameters, and then its own result if it has one.
///
/// Of the limits for arguments the most generous are taken under which the fewest polynomials may leave 64 bits.
///
/// # Errors
/// What only lowering finds that cannot be compiled.
pub(super) fn lower(function: &Function, types: &Types, assumed: &[Assumption]) -> Result<(Func, Entry), Vec<Problem>> {
    let mut best: Option<(usize, Func, Entry)> = None;
    for limit in limits() {
        let (wrapping, func, entry) = lower_within(function, types, assumed, limit)?;
        if best.as_ref().is_none_or(|(fewest, ..)| wrapping < *fewest) {
            best = Some((wrapping, func, entry));
        }
        if wrapping == 0 {
            break;
        }
    }
    let (_, func, entry) = match best {
        Some(best) => best,
        None => lower_within(function, types, assumed, Limits::default())?,
    };
    Ok((func, entry))
}

type Lowered = (usize, Func, Entry);

/// Lowers under limits for arguments; the number says how many polynomials may leave 64 bits.
fn lower_within(
    function: &Function,
    types: &Types,
    assumed: &[Assumption],
    limits: Limits,
) -> Result<Lowered, Vec<Problem>> {
    let mut lower = Lower {
        types,
        builder: Builder::new(&function.name.text),
        env: HashMap::default(),
        sizes: HashMap::default(),
        dims: HashMap::default(),
        arrays: Vec::new(),
        loops: Vec::new(),
        parameters: HashMap::default(),
        counters: HashSet::default(),
        reached: Vec::new(),
        shrinking: HashSet::default(),
        entry: Vec::new(),
        wrapping: 0,
        problems: Vec::new(),
        shapes: Vec::new(),
        extents: HashMap::default(),
    };
    lower.find_shared_shapes(function);
    lower.builder.func.symbols.set_limits(limits);
    lower.function(function, assumed);
    if !lower.problems.is_empty() {
        return Err(lower.problems);
    }
    let mut func = lower.builder.func;
    split::run(&mut func).map_err(|refused| {
        let problem = |refused: split::Refused| Problem {
            code: Code::UnsupportedLoop,
            span: span(refused.loc),
            message: format!("{} of complex numbers is not taken", refused.what),
            help: Some("compute with the parts `.re` and `.im`".to_owned()),
        };
        refused.into_iter().map(problem).collect::<Vec<_>>()
    })?;
    complex::name_parts(&mut func);
    Ok((lower.wrapping, func, Entry { limits, not_negative: lower.entry }))
}

/// The class of a scalar type in the IR.
pub(super) fn class(scalar: Scalar) -> Class {
    match scalar {
        Scalar::F64 => Class::Double,
        Scalar::F32 => Class::Single,
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Isize => Class::Index,
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize => Class::Index,
        Scalar::Bool => Class::Logical,
        Scalar::C64 => Class::Complex,
    }
}

/// The class of an array's elements in the IR: numbers of 64 bits as they are computed with, narrower ones as they are stored.
pub(super) fn stored(scalar: Scalar) -> Class {
    match scalar {
        Scalar::I8 => Class::Int8,
        Scalar::I16 => Class::Int16,
        Scalar::I32 => Class::Int32,
        Scalar::U8 => Class::UInt8,
        Scalar::U16 => Class::UInt16,
        Scalar::U32 => Class::UInt32,
        Scalar::F64 | Scalar::F32 | Scalar::I64 | Scalar::Isize | Scalar::U64 | Scalar::Usize => class(scalar),
        Scalar::Bool | Scalar::C64 => class(scalar),
    }
}

/// The location of a position.
pub(super) fn loc(span: SpanId) -> Loc {
    Loc::new(span.0 as usize + 1)
}

/// The position that a location stands for.
pub(super) fn span(loc: Loc) -> SpanId {
    SpanId(loc.index().saturating_sub(1) as u32)
}

/// The state of lowering a function.
pub(super) struct Lower<'t> {
    pub(super) types: &'t Types,
    pub(super) builder: Builder,
    /// The current value of each variable.
    pub(super) env: HashMap<usize, Value>,
    /// `Index` values that are sizes.
    sizes: HashMap<Value, Size>,
    /// The sizes of the function's own arrays; the IR leaves out trailing ones.
    pub(super) dims: HashMap<usize, Vec<Size>>,
    /// The arrays that the function may store into, in the order of the parameters.
    pub(super) arrays: Vec<usize>,
    /// The variables that go round each loop around the current statement.
    pub(super) loops: Vec<Vec<usize>>,
    /// The `Index` values that are parameters, with their types, and those that count a loop's iterations.
    pub(super) parameters: HashMap<Value, Scalar>,
    pub(super) counters: HashSet<Value>,
    /// The values of variables that loops only make smaller.
    pub(super) shrinking: HashSet<Value>,
    /// Sizes that are not negative, since calls in which they are run the plain function.
    pub(super) entry: Vec<Size>,
    /// Sizes that are not negative in the loops around the current statement, since these have an iteration: the number of the last.
    pub(super) reached: Vec<Size>,
    /// How many polynomials may leave 64 bits.
    pub(super) wrapping: usize,
    /// The parameter that each has the shape of.
    pub(super) shapes: Vec<usize>,
    /// The sizes of array parameters.
    pub(super) extents: HashMap<usize, Vec<Size>>,
    /// What cannot be compiled.
    problems: Vec<Problem>,
}

impl Lower<'_> {
    fn function(&mut self, function: &Function, assumed: &[Assumption]) {
        let types: Vec<Type> = function.params.iter().enumerate().map(|(at, p)| self.param_type(at, p)).collect();
        let values = self.builder.open(types);
        for (number, (param, value)) in function.params.iter().zip(&values).enumerate() {
            self.name(*value, &param.name.text);
            let entry = Param { value: *value, name: param.name.text.clone(), facts: Default::default() };
            self.builder.func.params.push(entry);
            self.env.insert(number, *value);
            self.parameter(number, *value, &param.name.text);
            if matches!(param.ty, ParamType::Array { mutable: true, .. }) {
                self.arrays.push(number);
            }
        }
        self.assume(assumed);
        let (result, left) = self.block(&function.body);
        let arrays = self.arrays.iter().map(|number| self.types.variables()[*number].name.clone());
        let names: Vec<String> =
            arrays.chain((0..function.results.len()).map(|number| result_name(function, number))).collect();
        let arrays = self.arrays.iter().map(|number| self.builder.func.ty(self.env[number]).clone());
        let types = arrays.chain(function.results.iter().map(|scalar| Type::scalar(class(*scalar)))).collect();
        let func = &mut self.builder.func;
        func.result_names = names;
        func.results = types;
        let term = left.unwrap_or_else(|| self.returned(result.into_iter().collect()));
        self.builder.func.body = self.builder.close(term);
    }

    /// Reports what cannot be compiled.
    pub(super) fn refuse(&mut self, span: SpanId, message: String, help: &str) {
        self.problems.push(Problem { code: Code::UnsupportedLoop, span, message, help: Some(help.to_owned()) });
    }

    /// The end of the function: the final states of the arrays that it may store into, and these results.
    pub(super) fn returned(&self, values: Vec<Value>) -> Terminator {
        Terminator::Return(self.arrays.iter().map(|number| self.env[number]).chain(values).collect())
    }

    /// A parameter that is a whole number is a symbol.
    fn parameter(&mut self, number: usize, value: Value, name: &str) {
        let scalar = self.types.class(number);
        if !self.builder.func.ty(value).is_scalar() || !scalar.is_whole() {
            return;
        }
        let least = if scalar.is_unsigned() { vec![Size::constant(0)] } else { Vec::new() };
        self.parameters.insert(value, scalar);
        self.symbol(value, name, least, Vec::new());
    }

    fn param_type(&mut self, number: usize, param: &super::ast::Param) -> Type {
        match param.ty {
            ParamType::Scalar(..) | ParamType::Constant(_) => Type::scalar(class(self.types.class(number))),
            ParamType::Array { class: of, rank, .. } => {
                let own = (0..rank).map(|axis| self.extent(number, axis, &param.name.text, rank)).collect();
                let mut dims = self.shared_shape(number, own);
                self.extents.insert(number, dims.clone());
                dims.resize(rank.max(2), Size::constant(1));
                Type::array(stored(of), dims)
            }
        }
    }

    fn extent(&mut self, param: usize, axis: usize, name: &str, rank: usize) -> Size {
        let word = match (rank, axis) {
            (1, _) => "len".to_owned(),
            (2, 0) => "rows".to_owned(),
            (2, _) => "cols".to_owned(),
            (_, axis) => format!("dim{axis}"),
        };
        self.define(&format!("{name}_{word}"), SymDef::Dim(param, axis), vec![Size::constant(0)], Vec::new())
    }

    /// A symbol with a name like the wanted one.
    fn define(&mut self, wanted: &str, def: SymDef, at_least: Vec<Size>, at_most: Vec<Size>) -> Size {
        let symbols = &mut self.builder.func.symbols;
        let wanted = if shown(wanted).is_empty() { "k" } else { shown(wanted) };
        let mut name = wanted.to_owned();
        let mut number = 1;
        while symbols.by_name(&name).is_some() {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        Size::sym(symbols.define(SymData { name, def, at_least, at_most }))
    }

    /// Makes a symbol for an `Index` value.
    pub(super) fn symbol(&mut self, value: Value, wanted: &str, at_least: Vec<Size>, at_most: Vec<Size>) -> Size {
        let size = self.define(wanted, SymDef::Value(value), at_least, at_most);
        self.sizes.insert(value, size.clone());
        size
    }

    /// The size that an `Index` value is known to be.
    pub(super) fn known_size(&self, value: Value) -> Option<&Size> {
        self.sizes.get(&value)
    }

    /// An `Index` value that is this size.
    pub(super) fn whole(&mut self, size: Size) -> Value {
        let value = self.builder.size(&size);
        self.sizes.insert(value, size);
        value
    }

    /// The larger or smaller of two sizes.
    pub(super) fn extremum(&mut self, max: bool, a: Size, b: Size) -> Size {
        if let (Some(a), Some(b)) = (a.as_constant(), b.as_constant()) {
            return Size::constant(if max { a.max(b) } else { a.min(b) });
        }
        match max {
            true => self.define("max", SymDef::Max(a.clone(), b.clone()), vec![a, b], Vec::new()),
            false => self.define("min", SymDef::Min(a.clone(), b.clone()), Vec::new(), vec![a, b]),
        }
    }

    /// The quotient of a size that is not negative by a positive number, rounded down.
    pub(super) fn floor_quotient(&mut self, size: Size, by: i64) -> Size {
        if let Some(number) = size.as_constant() {
            return Size::constant(number.div_euclid(by));
        }
        let (zero, def) = (Size::constant(0), SymDef::FloorDiv(size.clone(), Size::constant(by)));
        self.define("quotient", def, vec![zero], vec![size])
    }

    /// Names a value after a variable.
    pub(super) fn name(&mut self, value: Value, name: &str) {
        let name = shown(name);
        if !matches!(name, "_" | "") {
            self.builder.func.names[value.index()].get_or_insert_with(|| name.to_owned());
        }
    }
}

fn result_name(function: &Function, number: usize) -> String {
    if function.results.len() == 1 { "result".to_owned() } else { format!("result_{number}") }
}
