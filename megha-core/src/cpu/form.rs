//! What an exported function takes and gives: arrays of ndarray, or arrays that stay where they are (`f_resident`). A third form, `f_into`, is the
//! first one for callers that have results of an earlier call whose memory may be used again.

use super::Export;
use super::expr::rust_type;
use crate::ir::complex::Argument;
use crate::ir::{Class, Type};

/// The kind of its arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Arrays and views of ndarray, which lie on the host.
    Ndarray,
    /// `megha::Array`, which may stay on a device.
    Resident,
}

impl Form {
    /// The function's name.
    pub fn name(self, export: &Export) -> String {
        match self {
            Form::Ndarray => export.name.clone(),
            Form::Resident => format!("{}_resident", export.name),
        }
    }

    /// What its documentation says of arrays.
    pub fn remark(self) -> Option<&'static str> {
        match self {
            Form::Ndarray => None,
            Form::Resident => Some("Arrays that a device has stay there: a chain of such calls moves nothing."),
        }
    }

    /// The type of an argument as the user passes it.
    pub fn argument(self, ty: &Type) -> String {
        let (class, rank) = (rust_type(ty.class), ty.dims.len());
        match self {
            _ if ty.is_scalar() => class.into(),
            Form::Ndarray => format!("impl rt::Input<{class}, {rank}>"),
            Form::Resident => format!("&rt::device::Resident<{class}, {rank}>"),
        }
    }

    /// The type of a parameter once arguments lie where they are.
    pub fn parameter(self, ty: &Type) -> String {
        let (class, rank) = (rust_type(ty.class), ty.dims.len());
        match self {
            _ if ty.is_scalar() => class.into(),
            Form::Ndarray => format!("rt::Strided<'_, {class}, {rank}>"),
            Form::Resident => self.argument(ty),
        }
    }

    /// What brings an array into the order of the layout.
    pub fn pack(self) -> &'static str {
        match self {
            Form::Ndarray => "pack::<L>()",
            Form::Resident => "pack::<L>()?",
        }
    }

    /// The type of a result.
    pub fn result(self, ty: &Type) -> String {
        let class = rust_type(ty.class);
        match (self, ty.dims.len()) {
            _ if ty.is_scalar() => class.into(),
            (Form::Resident, rank) => format!("rt::device::Resident<{class}, {rank}>"),
            (Form::Ndarray, rank @ 2..=6) => format!("rt::ndarray::Array{rank}<{class}>"),
            (Form::Ndarray, rank) => format!("rt::ndarray::Array<{class}, rt::ndarray::Dim<[usize; {rank}]>>"),
        }
    }

    /// A result as Rust gets it, from the variables that hold the body's results.
    pub fn finished(self, result: &Argument, outs: &[String]) -> String {
        let name = &outs[result.at];
        match (self, result.ty.is_scalar(), result.ty.class == Class::Complex) {
            (_, true, false) => name.clone(),
            (Form::Resident, false, _) => format!("rt::device::Resident::keep({name})"),
            (Form::Ndarray, false, false) => format!("{name}.into_ndarray()"),
            (_, true, true) => format!("rt::c64::new({name}, {})", outs[result.at + 1]),
            (_, false, true) => format!("rt::complex::joined({name}, {}).into_ndarray()", outs[result.at + 1]),
        }
    }
}

/// The name of the form of a function that gives its results in the place of others.
pub fn into_name(export: &Export) -> String {
    format!("{}_into", export.name)
}
