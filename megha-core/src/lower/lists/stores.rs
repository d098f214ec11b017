//! Stores into lists and deletion of their elements.

use super::{List, MAX_ELEMENTS};
use crate::diag::Code;
use crate::ir::{Class, Size};
use crate::lower::env::Binding;
use crate::lower::{Lower, Lowered, Operand, Stop};
use crate::matlab::ast::{Access, AccessKind, Expr, LValue, Name};
use crate::source::Span;

impl Lower<'_> {
    /// `c(2:3) = d`: these elements are those of another list, or the only one of it.
    pub fn store_part_of_list(
        &mut self,
        target: &LValue,
        mut list: List,
        args: &[Expr],
        value: List,
        span: Span,
    ) -> Lowered<()> {
        let places = self.places(&list, args, span)?;
        if value.len() != 1 && value.len() != places.len() {
            return self.stop(
                Code::SizeMismatch,
                span,
                format!("{} elements get {} values", places.len(), value.len()),
            );
        }
        for (k, at) in places.into_iter().enumerate() {
            self.lengthen(&mut list, at + 1);
            list.items[at] = value.items[if value.len() == 1 { 0 } else { k }].clone();
        }
        self.env.set(&target.name.text, Binding::Is(Operand::List(list)), target.span);
        Ok(())
    }

    /// `c(2) = []`
    pub fn delete_from_list(&mut self, target: &LValue, list: List, args: &[Expr]) -> Lowered<()> {
        let places = self.places(&list, args, target.span)?;
        if places.iter().any(|at| *at >= list.len()) {
            return self.outside_list(&list, &[], target.span);
        }
        let kept = list.items.iter().enumerate().filter(|(at, _)| !places.contains(at)).map(|(_, item)| item.clone());
        let list = List { items: kept.collect(), column: list.column };
        self.env.set(&target.name.text, Binding::Is(Operand::List(list)), target.span);
        Ok(())
    }

    /// Makes a list so long; new elements are `[]`.
    fn lengthen(&mut self, list: &mut List, len: usize) {
        while list.len() < len {
            let nothing = self.filled(0.0, Class::Double, vec![Size::constant(0), Size::constant(0)]);
            list.items.push(Operand::Value(nothing));
        }
    }

    /// `c{k} = e` with a known `k`; elements that are passed over are `[]`. `c{k}(i) = e` stores into an element.
    pub fn store_in_list(&mut self, target: &LValue, operand: Operand, span: Span) -> Lowered<()> {
        let [Access { kind: AccessKind::Brace(args), .. }, further @ ..] = &target.accesses[..] else {
            return Err(Stop);
        };
        let name = &target.name;
        let mut list = match self.env.get(&name.text) {
            Some(Binding::Is(Operand::List(list))) => list.clone(),
            Some(Binding::Is(Operand::Value(v))) if self.builder.func.ty(*v).numel().as_constant() == Some(0) => {
                List::default()
            }
            None => List::default(),
            Some(Binding::Ambiguous(kind)) => {
                let kind = *kind;
                return self.ambiguous(&name.text, kind, name.span);
            }
            // Reported where it was assigned.
            Some(Binding::Poison) => return Err(Stop),
            Some(_) => return self.cells_refused(span),
        };
        let subscripts = self.list_subscript(&list, args, span)?;
        let at = match self.known_place(&list, &subscripts, span)? {
            Some(at) if at < MAX_ELEMENTS as usize => at,
            _ => return self.outside_list(&list, &subscripts, span),
        };
        self.lengthen(&mut list, at + 1);
        list.items[at] = match further {
            [] => operand,
            _ => self.stored_inside(list.items[at].clone(), target, further, operand, span)?,
        };
        self.env.set(&name.text, Binding::Is(Operand::List(list)), name.span);
        Ok(())
    }

    /// An element of a list with something stored into it.
    fn stored_inside(
        &mut self,
        element: Operand,
        target: &LValue,
        further: &[Access],
        operand: Operand,
        span: Span,
    ) -> Lowered<Operand> {
        // No variable has such a name.
        let hidden = format!("{}{{}}", target.name.text);
        self.env.set(&hidden, Binding::Is(element), span);
        let name = Name { text: hidden.clone(), span: target.name.span };
        let inner = LValue { name, accesses: further.to_vec(), span: target.span };
        let stored = self.assign_operand(&inner, operand, span);
        let result = self.env.get(&hidden).cloned();
        self.env.remove(&hidden);
        stored?;
        match result {
            Some(Binding::Is(operand)) => Ok(operand),
            _ => Err(Stop),
        }
    }
}
