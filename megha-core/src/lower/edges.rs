//! The edges of a loop: what each way to the next iteration or out of the loop gives, held against the assumption.

use super::ambiguous::Kind;
use super::brackets::Hollow;
use super::control::{Form, Misfit, Nature, Trend};
use super::env::Binding;
use super::facts::Facts;
use super::form::form_types;
use super::{Lower, Operand};
use crate::ir::{Class, Size, Value};

impl Lower<'_> {
    /// The values of the carried variables at an edge to the next iteration or out of the loop.
    pub fn edge_values(&mut self, frame: usize) -> Vec<Value> {
        let carried = self.frames[frame].carried.clone();
        let mut values = Vec::new();
        let mut misfits = Vec::new();
        self.frames[frame].brought.edges += 1;
        let symbols: Vec<Size> = carried
            .iter()
            .filter_map(|c| if let Form::Whole { symbol, .. } = &c.form { Some(symbol.clone()) } else { None })
            .collect();
        for (index, c) in carried.iter().enumerate() {
            let mut binding = self.env.get(&c.name).cloned();
            if matches!(&c.form, Form::Value(shape) if shape.text) {
                let at = self.env.span(&c.name).unwrap_or_default();
                binding = self.spelled_out(binding, at);
            }
            if binding == Some(Binding::Poison) {
                self.poison_edge(&c.form, &mut values);
                continue;
            }
            if !self.is_sure(binding.as_ref()) {
                self.frames[frame].brought.unsure.insert(c.name.clone());
            }
            if !matches!(binding, Some(Binding::Is(Operand::Value(v))) if self.class(v) == Class::Logical) {
                self.frames[frame].brought.numbers.insert(c.name.clone());
            }
            if let Err(misfit) = self.edge_value(index, &c.form, binding, &symbols, &mut values) {
                misfits.push(misfit);
                self.poison_edge(&c.form, &mut values);
            }
        }
        for name in self.frames[frame].watched.clone() {
            match self.env.get(&name).cloned() {
                Some(Binding::Is(Operand::Value(v)) | Binding::Maybe(v, _)) => {
                    let Facts { characters: text, mixed, .. } = self.facts(v);
                    misfits.push(Misfit::Watched(
                        name,
                        self.builder.func.ty(v).clone(),
                        Nature { text, mixed, hollow: self.hollow(v) },
                    ));
                }
                other => misfits.extend(self.other_edge(frame, name, other)),
            }
        }
        misfits.extend(self.parted(frame));
        self.frames[frame].misfits.extend(misfits);
        values
    }

    /// An edge on which a watched variable is no number. Texts that differ go on as characters.
    fn other_edge(&mut self, frame: usize, name: String, binding: Option<Binding>) -> Vec<Misfit> {
        let brought = &mut self.frames[frame].brought;
        if let Some(kind) = binding.as_ref().map(Kind::of) {
            brought.kinds.entry(name.clone()).and_modify(|known| *known = known.or(kind)).or_insert(kind);
        }
        let before = brought.others.entry(name.clone()).or_insert_with(|| binding.clone());
        if *before == binding || *before == Some(Binding::Poison) {
            return Vec::new();
        }
        if binding == Some(Binding::Poison) {
            *before = binding;
            return Vec::new();
        }
        let texts = [before.take(), binding];
        let nature = Nature { text: true, mixed: false, hollow: Hollow::Typed };
        let text = |binding| if let Some(Binding::Is(Operand::Text(text))) = binding { Some(text) } else { None };
        let types = texts.into_iter().filter_map(text).map(|text| Self::text_type(&text));
        types.map(|ty| Misfit::Watched(name.clone(), ty, nature)).collect()
    }

    /// Whether the variable has a value whatever way led here.
    fn is_sure(&self, binding: Option<&Binding>) -> bool {
        match binding {
            Some(Binding::Is(_)) => true,
            Some(Binding::Maybe(_, flag)) => self.constant_of(*flag) == Some(1.0),
            _ => false,
        }
    }

    /// Stands in for a value after a mistake: this code is never generated.
    fn poison_edge(&mut self, form: &Form, values: &mut Vec<Value>) {
        let zero = self.builder.int(0);
        values.extend(form_types(form).iter().map(|_| zero));
    }

    fn edge_value(
        &mut self,
        index: usize,
        form: &Form,
        binding: Option<Binding>,
        symbols: &[Size],
        values: &mut Vec<Value>,
    ) -> Result<(), Misfit> {
        match (form, &binding) {
            (_, Some(conflict @ Binding::Conflict(_))) => return Err(Misfit::NotNumber(index, conflict.clone())),
            (
                _,
                Some(
                    Binding::Is(
                        Operand::Text(_)
                        | Operand::Function(_)
                        | Operand::List(_)
                        | Operand::Struct(_)
                        | Operand::Chosen(_),
                    )
                    | Binding::Lost(_),
                ),
            ) => {
                let kind = binding.as_ref().map_or(Kind::Any, Kind::of);
                return Err(Misfit::NotNumber(index, Binding::Lost(kind)));
            }
            (Form::Whole { .. }, Some(Binding::Is(Operand::Value(v)))) if self.class(*v) == Class::Logical => {
                return Err(Misfit::Mixed(index));
            }
            (Form::Whole { symbol, trend }, Some(Binding::Is(Operand::Value(v)))) => {
                let size = self
                    .step_of(*v, symbol, *trend, symbols)
                    .map_err(|now| now.map_or(Misfit::NotWhole(index), |now| Misfit::Turns(index, now)))?;
                values.push(self.index_value(&size));
            }
            (Form::Whole { .. }, _) => return Err(Misfit::Undefined(index)),
            (Form::Value(shape), Some(Binding::Is(Operand::Value(v)) | Binding::Maybe(v, _)))
                if shape.class.is_float()
                    && !shape.mixed
                    && (self.class(*v) == Class::Logical || self.facts(*v).mixed) =>
            {
                return Err(Misfit::Mixed(index));
            }
            (Form::Value(shape), Some(Binding::Is(Operand::Value(v)) | Binding::Maybe(v, _)))
                if shape.hollow == Hollow::Brackets && self.hollow(*v) == Hollow::Typed =>
            {
                let (ty, characters) = (self.builder.func.ty(*v).clone(), self.facts(*v).characters);
                return Err(Misfit::Typed(index, ty, characters, Hollow::Typed));
            }
            (Form::Value(shape), binding) => match (self.carry(binding.as_ref(), shape), binding) {
                (Some(carried), _) => values.extend(carried),
                (None, Some(Binding::Is(Operand::Value(v)) | Binding::Maybe(v, _)))
                    if shape.maybe || !matches!(binding, Some(Binding::Maybe(..))) =>
                {
                    let hollow = self.hollow(*v);
                    return Err(Misfit::Typed(
                        index,
                        self.builder.func.ty(*v).clone(),
                        self.facts(*v).characters,
                        hollow,
                    ));
                }
                (None, _) => return Err(Misfit::Undefined(index)),
            },
        }
        Ok(())
    }

    /// The next value of a whole carried variable: it steps by a constant, or is set to something that does not itself go
    /// round the loop. `Err`: how it changes instead, if it is whole at all.
    fn step_of(&mut self, value: Value, symbol: &Size, trend: Trend, symbols: &[Size]) -> Result<Size, Option<Trend>> {
        let size = self.whole_of(value).ok_or(None)?;
        let step = size.sub(symbol);
        if let Some(step) = step.as_constant() {
            return match trend {
                Trend::Rises if step < 0 => Err(Some(Trend::Falls)),
                Trend::Falls if step > 0 => Err(Some(Trend::Either)),
                _ => Ok(size),
            };
        }
        let goes_round = symbols.iter().filter_map(Size::as_sym).any(|s| size.symbols().any(|t| t == s));
        if goes_round {
            return Err(None);
        }
        if trend == Trend::Either { Ok(size) } else { Err(Some(Trend::Either)) }
    }
}
