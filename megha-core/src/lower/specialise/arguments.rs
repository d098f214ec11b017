//! What a specialisation knows of its arguments, and the values that are passed.

use crate::diag::Code;
use crate::ir::{Class, Size, SymData, SymDef, Type, Value};
use crate::lower::env::{Binding, Env, Handle};
use crate::lower::facts::Facts;
use crate::lower::{Lower, Lowered, Operand, live};
use crate::matlab::ast::{Expr, Function, Name, Param};
use crate::source::Span;

/// What is known of an argument.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Argument {
    /// A value of this class; no sizes for a scalar.
    Number(Class, Vec<Extent>),
    /// This logical: most decide what a function does at all.
    Flag(bool),
    /// This text.
    Text(String),
    /// `@name`
    Named(Name),
    /// `@(params) body` and what it captured.
    Anonymous { params: Vec<Param>, body: Expr, captured: Vec<(String, Argument)> },
}

/// A size of an argument.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Extent {
    /// This number.
    Known(i64),
    /// The n-th of the sizes that occur.
    Symbol(usize),
}

/// What a call passes.
#[derive(Debug, Default)]
pub(super) struct Passed {
    /// Numbers and arrays, those that function values captured included.
    pub values: Vec<Value>,
    /// The different sizes of the arrays.
    pub sizes: Vec<Size>,
    /// Sizes other than 0 and 1 count as unknown: they may differ from call to call.
    pub any_size: bool,
    /// Logicals count as unknown even where they are known.
    pub any_flag: bool,
}

impl Passed {
    fn extent(&mut self, size: &Size) -> Extent {
        match size.as_constant() {
            Some(c) if !self.any_size || c == 0 || c == 1 => Extent::Known(c),
            _ => Extent::Symbol(self.sizes.iter().position(|s| s == size).unwrap_or_else(|| {
                self.sizes.push(size.clone());
                self.sizes.len() - 1
            })),
        }
    }
}

impl<'a> Lower<'a> {
    /// What is known of an argument; its values go to `passed`.
    pub(super) fn argument_of(&mut self, operand: &Operand, passed: &mut Passed, span: Span) -> Lowered<Argument> {
        Ok(match operand {
            Operand::Value(value) if self.facts(*value).characters => return self.message_refused(span),
            Operand::Value(value) => {
                let ty = self.builder.func.ty(*value).clone();
                if let (Class::Logical, Some(known), false) = (ty.class, self.constant_of(*value), passed.any_flag) {
                    return Ok(Argument::Flag(known != 0.0));
                }
                passed.values.push(*value);
                Argument::Number(ty.class, ty.dims.iter().map(|d| passed.extent(d)).collect())
            }
            Operand::Text(text) => Argument::Text(text.clone()),
            Operand::Message(_) => return self.message_refused(span),
            Operand::List(_) => return self.cells_refused(span),
            Operand::Struct(_) => return self.struct_refused(span),
            Operand::Chosen(_) => return self.chosen_refused(span),
            Operand::Function(handle) => match &**handle {
                Handle::Named(name) => Argument::Named(name.clone()),
                Handle::Anonymous { params, body, captured } => {
                    let captured = self.captured_arguments(body, captured, passed, span)?;
                    Argument::Anonymous { params: params.clone(), body: body.clone(), captured }
                }
            },
        })
    }

    /// The variables that the body of a function value mentions and had when it was made.
    fn captured_arguments(
        &mut self,
        body: &Expr,
        captured: &Env,
        passed: &mut Passed,
        span: Span,
    ) -> Lowered<Vec<(String, Argument)>> {
        let mut names = live::Names::new();
        live::uses(body, &mut names);
        let mut arguments = Vec::new();
        for name in names {
            match captured.get(&name) {
                None => {}
                Some(Binding::Is(operand)) => {
                    let argument = self.argument_of(&operand.clone(), passed, span)?;
                    arguments.push((name, argument));
                }
                Some(_) => {
                    let message = format!("`{name}`, which this function value uses, does not have one type here");
                    return self.stop(Code::FunctionValue, span, message);
                }
            }
        }
        Ok(arguments)
    }

    /// Opens the body of a specialisation: a symbol for each size, a parameter for each value, the variables.
    pub(super) fn open_body(&mut self, function: &Function, arguments: &[Argument]) -> usize {
        let mut params: Vec<(String, Class, Vec<Extent>)> = Vec::new();
        for (param, argument) in function.inputs.iter().zip(arguments) {
            let name = if let Param::Named(name) = param { name.text.as_str() } else { "unused" };
            parameters(name, argument, &mut params);
        }
        let symbols = self.size_symbols(&params);
        let dims = |extents: &[Extent]| {
            let size = |e: &Extent| match e {
                Extent::Known(c) => Size::constant(*c),
                Extent::Symbol(n) => symbols.get(*n).cloned().unwrap_or_default(),
            };
            extents.iter().map(size).collect::<Vec<_>>()
        };
        let types = params.iter().map(|(_, class, extents)| Type { class: *class, dims: dims(extents) }).collect();
        let (mark, values) = self.open_region(types);
        for ((name, class, _), value) in params.iter().zip(&values) {
            self.builder.func.names[value.index()] = Some(name.clone());
            let param = crate::ir::Param { value: *value, name: name.clone(), facts: Default::default() };
            self.builder.func.params.push(param);
            let (nonnegative, integral) = (*class == Class::Logical, *class == Class::Logical || class.is_integer());
            self.learn(*value, Facts { nonnegative, integral, ..Facts::default() });
        }
        let mut values = values.into_iter();
        for (param, argument) in function.inputs.iter().zip(arguments) {
            let operand = self.operand_of(argument, &mut values);
            if let (Param::Named(name), Some(operand)) = (param, operand) {
                self.env.set(&name.text, Binding::Is(operand), name.span);
            }
        }
        mark
    }

    /// An argument as the body sees it, from the values of its parameters.
    fn operand_of(&mut self, argument: &Argument, values: &mut dyn Iterator<Item = Value>) -> Option<Operand> {
        Some(match argument {
            Argument::Number(..) => Operand::Value(values.next()?),
            Argument::Flag(known) => Operand::Value(self.truth_constant(*known)),
            Argument::Text(text) => Operand::Text(text.clone()),
            Argument::Named(name) => Operand::Function(Box::new(Handle::Named(name.clone()))),
            Argument::Anonymous { params, body, captured: given } => {
                let mut captured = Env::default();
                for (name, argument) in given {
                    captured.set(name, Binding::Is(self.operand_of(argument, values)?), body.span);
                }
                let (params, body) = (params.clone(), body.clone());
                Operand::Function(Box::new(Handle::Anonymous { params, body, captured }))
            }
        })
    }

    fn size_symbols(&mut self, params: &[(String, Class, Vec<Extent>)]) -> Vec<Size> {
        let mut symbols: Vec<Size> = Vec::new();
        for (number, (name, _, extents)) in params.iter().enumerate() {
            for (axis, extent) in extents.iter().enumerate() {
                // Sizes are numbered in the order of their first occurrence.
                if *extent == Extent::Symbol(symbols.len()) {
                    let data = SymData {
                        name: format!("{name}_{}", axis + 1),
                        def: SymDef::Dim(number, axis),
                        at_least: vec![Size::constant(0)],
                        at_most: Vec::new(),
                    };
                    symbols.push(Size::sym(self.builder.func.symbols.define(data)));
                }
            }
        }
        symbols
    }
}

/// The parameters that an argument takes, in the order of [`Passed::values`], with names of their own.
fn parameters(name: &str, argument: &Argument, list: &mut Vec<(String, Class, Vec<Extent>)>) {
    match argument {
        Argument::Number(class, extents) => {
            let taken = |n: &str| list.iter().any(|(other, ..)| other == n);
            let mut unique = name.to_owned();
            while taken(&unique) {
                unique.push('_');
            }
            list.push((unique, *class, extents.clone()));
        }
        Argument::Flag(_) | Argument::Text(_) | Argument::Named(_) => {}
        Argument::Anonymous { captured, .. } => {
            captured.iter().for_each(|(name, argument)| parameters(name, argument, list))
        }
    }
}
