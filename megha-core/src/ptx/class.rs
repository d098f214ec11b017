//! How the classes of the IR are held in registers, parameters and memory.

use super::inst::Ty;
use crate::ir::Class;
use megha_base::plan::Element;

/// The type in which a class is computed; logicals are predicates.
pub fn register(class: Class) -> Result<Ty, String> {
    Ok(match class {
        Class::Double => Ty::F64,
        Class::Single => Ty::F32,
        Class::Int8 | Class::Int16 | Class::Int32 => Ty::S32,
        Class::UInt8 | Class::UInt16 | Class::UInt32 => Ty::U32,
        Class::Int64 | Class::Index => Ty::S64,
        Class::UInt64 => Ty::U64,
        Class::Logical => Ty::Pred,
        Class::Char | Class::Complex => return Err(format!("a value of class {}", class.name())),
    })
}

/// The class of elements in a plan.
pub fn element(class: Class) -> Result<Element, String> {
    class.element().ok_or_else(|| format!("an array of class {}", class.name()))
}

/// The type of an element in memory.
pub fn memory(element: Element) -> Ty {
    match element {
        Element::F64 => Ty::F64,
        Element::F32 => Ty::F32,
        Element::I8 => Ty::S8,
        Element::I16 => Ty::S16,
        Element::I32 => Ty::S32,
        Element::U8 | Element::Bool => Ty::U8,
        Element::U16 => Ty::U16,
        Element::U32 => Ty::U32,
        Element::I64 | Element::U64 | Element::Index => Ty::B64,
    }
}

/// The type of a scalar among the parameters.
pub fn parameter(element: Element) -> Ty {
    match element {
        Element::F64 => Ty::F64,
        Element::F32 => Ty::F32,
        Element::I8 | Element::I16 | Element::I32 => Ty::S32,
        Element::U8 | Element::U16 | Element::U32 | Element::Bool => Ty::U32,
        Element::I64 | Element::Index => Ty::S64,
        Element::U64 => Ty::U64,
    }
}
