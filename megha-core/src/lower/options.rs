//! Options of functions of functions: structs that `optimset` and `odeset` make, whose fields `optimget` and `odeget` read. A field has
//! the option's name as MATLAB spells it, however a program does.

use super::structs::Struct;
use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Class, Size};
use crate::matlab::ast::Expr;
use crate::source::Span;

/// Options that the functions here act on.
const MEANT: &[&str] =
    &["TolX", "TolFun", "MaxIter", "MaxFunEvals", "Display", "AbsTol", "RelTol", "MaxStep", "InitialStep"];
/// Options that change no result of these functions.
const WITHOUT_EFFECT: &[&str] = &[
    "Algorithm",
    "BDF",
    "DerivativeCheck",
    "Diagnostics",
    "GradObj",
    "Jacobian",
    "JPattern",
    "LargeScale",
    "MaxOrder",
    "Refine",
    "TolCon",
    "Vectorized",
];
/// Options that would change more than numbers, unless they have the value that they have anyway.
const ONLY_OFF: &[&str] = &["FunValCheck", "NormControl", "Stats"];
const REFUSED: &[&str] = &["Events", "Mass", "MStateDependence", "NonNegative", "OutputFcn", "OutputSel", "PlotFcns"];

impl Lower<'_> {
    /// A call of a function of options; `None` of another function.
    pub fn about_options(&mut self, name: &str, args: &[Expr], span: Span) -> Option<Lowered<Vec<Operand>>> {
        match name {
            "optimset" | "odeset" => Some(self.options(name, args, span).map(|whole| vec![Operand::Struct(whole)])),
            "optimget" | "odeget" => Some(self.option(args, span).map(|value| vec![value])),
            _ => None,
        }
    }

    /// `optimset('TolX', 1e-8, ..)`, `optimset(old, 'TolX', 1e-8, ..)`, `optimset(old, new)`
    fn options(&mut self, name: &str, args: &[Expr], span: Span) -> Lowered<Struct> {
        let operands = self.arguments(args)?;
        let mut whole = Struct::default();
        let mut rest = &operands[..];
        while let [Operand::Struct(given), further @ ..] = rest {
            given.fields.iter().for_each(|(field, value)| set(&mut whole, field, value.clone()));
            rest = further;
        }
        if rest.len() % 2 == 1 {
            let message = format!("`{name}` takes names of options, each with a value");
            return self.stop(Code::ArgumentCount, span, message);
        }
        let first = args.len() - rest.len();
        for (k, pair) in rest.chunks(2).enumerate() {
            let (at, value_at) = (args[first + 2 * k].span, args[first + 2 * k + 1].span);
            let Operand::Text(given) = &pair[0] else {
                return self.stop(
                    Code::TextValue,
                    at,
                    "the name of an option must be a text that is known when compiling",
                );
            };
            let known = |names: &[&'static str]| names.iter().copied().find(|n| n.eq_ignore_ascii_case(given));
            let off = matches!(&pair[1], Operand::Text(text) if text == "off");
            if let Some(option) = known(MEANT).or_else(|| known(WITHOUT_EFFECT)) {
                set(&mut whole, option, pair[1].clone());
            } else if let Some(option) = known(ONLY_OFF).or_else(|| known(REFUSED)) {
                if !(off && ONLY_OFF.contains(&option) || self.is_nothing(&pair[1])) {
                    return self.report(
                        Diagnostic::error(
                            Code::Unsupported,
                            value_at,
                            format!("the option `{option}` is not supported"),
                        )
                        .help("leave it out, and compute what it gives from the results"),
                    );
                }
            } else {
                let message = format!("`{name}` has no option `{given}`");
                let help = format!("the options that change something are {}", MEANT.join(", "));
                return self.report(Diagnostic::error(Code::Unsupported, at, message).help(help));
            }
        }
        Ok(whole)
    }

    /// `optimget(options, name, usual)`: the usual value where the option has none.
    fn option(&mut self, args: &[Expr], span: Span) -> Lowered<Operand> {
        let operands = self.arguments(args)?;
        let (whole, field) = match &operands[..] {
            [Operand::Struct(whole), Operand::Text(field), ..] if operands.len() <= 3 => (whole.clone(), field.clone()),
            [nothing, Operand::Text(field), ..] if operands.len() <= 3 && self.is_nothing(nothing) => {
                (Struct::default(), field.clone())
            }
            _ => {
                return self.stop(
                    Code::Struct,
                    span,
                    "options must be a struct that optimset or odeset makes, or [], and the option's name a text",
                );
            }
        };
        let found = whole.fields.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(&field));
        match (found, operands.into_iter().nth(2)) {
            (Some((_, value)), _) if !self.is_nothing(&value) => Ok(value),
            (_, Some(usual)) => Ok(usual),
            (_, None) => {
                Ok(Operand::Value(self.filled(0.0, Class::Double, vec![Size::constant(0), Size::constant(0)])))
            }
        }
    }

    /// Whether an operand is `[]`.
    fn is_nothing(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Value(v) if self.builder.func.ty(*v).numel().as_constant() == Some(0))
    }
}

fn set(whole: &mut Struct, option: &str, value: Operand) {
    match whole.fields.iter_mut().find(|(name, _)| name == option) {
        Some((_, old)) => *old = value,
        None => whole.fields.push((option.to_owned(), value)),
    }
}
