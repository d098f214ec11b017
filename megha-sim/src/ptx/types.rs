//! The scalar types of PTX.

/// A fundamental type other than `.pred`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    B8,
    B16,
    B32,
    B64,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F32,
    F64,
}

impl Type {
    /// The type that a dotted word names.
    pub(crate) fn named(word: &str) -> Option<Type> {
        Some(match word {
            "b8" => Type::B8,
            "b16" => Type::B16,
            "b32" => Type::B32,
            "b64" => Type::B64,
            "u8" => Type::U8,
            "u16" => Type::U16,
            "u32" => Type::U32,
            "u64" => Type::U64,
            "s8" => Type::S8,
            "s16" => Type::S16,
            "s32" => Type::S32,
            "s64" => Type::S64,
            "f32" => Type::F32,
            "f64" => Type::F64,
            _ => return None,
        })
    }

    /// Its name in PTX, without the dot.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Type::B8 => "b8",
            Type::B16 => "b16",
            Type::B32 => "b32",
            Type::B64 => "b64",
            Type::U8 => "u8",
            Type::U16 => "u16",
            Type::U32 => "u32",
            Type::U64 => "u64",
            Type::S8 => "s8",
            Type::S16 => "s16",
            Type::S32 => "s32",
            Type::S64 => "s64",
            Type::F32 => "f32",
            Type::F64 => "f64",
        }
    }

    /// Its size in bytes.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Type::B8 | Type::U8 | Type::S8 => 1,
            Type::B16 | Type::U16 | Type::S16 => 2,
            Type::B32 | Type::U32 | Type::S32 | Type::F32 => 4,
            Type::B64 | Type::U64 | Type::S64 | Type::F64 => 8,
        }
    }

    /// Its size in bits.
    pub(crate) fn bits(self) -> u32 {
        self.bytes() as u32 * 8
    }

    /// Whether it is a floating-point type.
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }

    /// Whether it is a signed integer.
    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Type::S8 | Type::S16 | Type::S32 | Type::S64)
    }

    /// Whether it is untyped bits.
    pub(crate) fn is_bits(self) -> bool {
        matches!(self, Type::B8 | Type::B16 | Type::B32 | Type::B64)
    }

    /// Whether an operand of type `self` may stand where an instruction wants `wanted`: the sizes agree, and floating-point
    /// and integer do not meet, except in untyped bits.
    pub(crate) fn agrees(self, wanted: Type) -> bool {
        self.bytes() == wanted.bytes() && self.same_class(wanted)
    }

    /// Like [`agrees`](Self::agrees) for loads, stores and conversions, whose register may be wider than the type.
    pub(crate) fn agrees_or_wider(self, wanted: Type) -> bool {
        self.agrees(wanted) || self.bytes() > wanted.bytes() && !wanted.is_float() && !self.is_float()
    }

    fn same_class(self, other: Type) -> bool {
        self.is_bits() || other.is_bits() || self.is_float() == other.is_float()
    }
}
