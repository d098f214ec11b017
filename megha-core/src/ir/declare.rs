//! What the declaration of an operation says besides its fields, and the macro that makes the enumeration of it.
//!
//! [`super::op::Op`] declares each operation once: its fields and, behind `=>`, its [`Kind`], the [`Place`] where it may stand, its [`Effect`]
//! and how many results it has ([`Results`]), the latter two in terms of the fields. Everything that concerns all operations follows from
//! that: operands, sizes and regions are those of the fields (`operands.rs`), in their order.

/// What an operation works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Makes a scalar of scalars, a size or nothing; the same of the same.
    Scalar,
    /// Makes each element of the elements of its operands at the same place; of scalars a scalar.
    Elementwise,
    /// Works on whole arrays, or on texts.
    Whole,
    /// Reads or writes an element in a kernel.
    Access,
    /// Tests, prints, or changes the state that programs share.
    Action,
    /// Has regions, or is a call.
    Control,
}

/// Where an operation may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In kernels and outside.
    Anywhere,
    /// Outside of kernels.
    Host,
    /// In kernels.
    Kernel,
}

/// What an operation does besides giving results, the weaker first. That memory may not suffice for a result is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing.
    None,
    /// Control leaves a region around it.
    Leaves,
    /// It stores an element or contributes to a reduction: the purpose of the kernel around it.
    Stores,
    /// It may end the function with an error, or not come to an end.
    MayFail,
    /// It can be seen from outside, and may fail.
    Visible,
    /// Control never gets past it.
    Ends,
}

/// How many values an operation defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Results {
    /// So many.
    Count(usize),
    /// As many as the function that is called.
    OfCallee,
    /// As many as the statement says.
    Free,
}

/// Makes the enumeration of the operations, and the methods that follow from their declarations.
macro_rules! operations {
    ($(#[$enum_doc:meta])* $Op:ident { $(
        $(#[$doc:meta])*
        $name:ident
        $( ( $( $field:ident : $ty:ty ),* ) )?
        $( { $( $(#[$named_doc:meta])* $named:ident : $named_ty:ty ),* $(,)? } )?
        => $kind:ident, $place:ident, $effect:expr, $results:expr;
    )* }) => {
        $(#[$enum_doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $Op { $(
            $(#[$doc])*
            $name $( ( $( $ty ),* ) )? $( { $( $(#[$named_doc])* $named : $named_ty ),* } )?
        ),* }

        impl $Op {
            /// What it works on.
            pub fn kind(&self) -> Kind {
                match self { $( Self::$name { .. } => Kind::$kind, )* }
            }

            /// Where it may stand.
            pub fn place(&self) -> Place {
                match self { $( Self::$name { .. } => Place::$place, )* }
            }

            /// What it does besides giving results.
            #[allow(unused_variables, reason = "few effects depend on fields")]
            pub fn effect(&self) -> Effect {
                match self { $( Self::$name $( ( $( $field ),* ) )? $( { $( $named ),* } )? => $effect, )* }
            }

            /// How many values it defines.
            #[allow(unused_variables, reason = "few numbers of results depend on fields")]
            pub fn results(&self) -> Results {
                match self { $( Self::$name $( ( $( $field ),* ) )? $( { $( $named ),* } )? => $results, )* }
            }

            /// Calls `f` on each value that the operation itself uses, in order; not on those used inside nested regions.
            pub fn for_each_operand(&self, f: &mut impl FnMut(Value)) {
                match self { $( Self::$name $( ( $( $field ),* ) )? $( { $( $named ),* } )? => {
                    $( $( $field.values(f); )* )?
                    $( $( $named.values(f); )* )?
                } )* }
            }

            /// Calls `f` on each value that the operation itself uses, to be rewritten; not on those inside nested regions.
            pub fn for_each_operand_mut(&mut self, f: &mut impl FnMut(&mut Value)) {
                match self { $( Self::$name $( ( $( $field ),* ) )? $( { $( $named ),* } )? => {
                    $( $( $field.values_mut(f); )* )?
                    $( $( $named.values_mut(f); )* )?
                } )* }
            }

            /// Calls `f` on each size that the operation itself mentions (types of results aside).
            pub fn for_each_size<'a>(&'a self, f: &mut impl FnMut(&'a Size)) {
                match self { $( Self::$name $( ( $( $field ),* ) )? $( { $( $named ),* } )? => {
                    $( $( $field.sizes(f); )* )?
                    $( $( $named.sizes(f); )* )?
                } )* }
            }

            /// Calls `f` on each size that the operation itself mentions, to be rewritten (types of results aside).
            pub fn for_each_size_mut(&mut self, f: &mut impl FnMut(&mut Size)) {
                match self { $( Self::$name $( ( $( $field ),* ) )? $( { $( $named ),* } )? => {
                    $( $( $field.sizes_mut(f); )* )?
                    $( $( $named.sizes_mut(f); )* )?
                } )* }
            }

            /// Whether regions can be nested in the operation. Walks ask this first: of most statements it spares them a list.
            pub fn may_have_regions(&self) -> bool {
                matches!(self.kind(), Kind::Control)
            }

            /// The regions nested in the operation.
            pub fn regions(&self) -> Vec<&Region> {
                let mut list = Vec::new();
                match self { $( Self::$name $( ( $( $field ),* ) )? $( { $( $named ),* } )? => {
                    $( $( $field.regions(&mut list); )* )?
                    $( $( $named.regions(&mut list); )* )?
                } )* }
                list
            }

            /// The regions nested in the operation, to be changed.
            pub fn regions_mut(&mut self) -> Vec<&mut Region> {
                let mut list = Vec::new();
                match self { $( Self::$name $( ( $( $field ),* ) )? $( { $( $named ),* } )? => {
                    $( $( $field.regions_mut(&mut list); )* )?
                    $( $( $named.regions_mut(&mut list); )* )?
                } )* }
                list
            }
        }
    };
}

/// Makes an enumeration whose members have names in the textual IR.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are the operations' own")]
        pub enum $name { $($variant),* }

        impl $name {
            /// All of them with their names in the textual IR.
            pub const NAMES: &'static [(Self, &'static str)] = &[$((Self::$variant, $text)),*];

            /// The name in the textual IR.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }

            /// The operation of this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::NAMES.iter().find(|(_, n)| *n == name).map(|(op, _)| *op)
            }
        }
    };
}

/// Makes an enumeration of element-wise functions: behind the name stand the classes of operands that a function is defined on, and
/// `-> Logical` where that is the class of the result whatever that of the operands.
macro_rules! functions {
    (@logical) => { false };
    (@logical Logical) => { true };
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal: $classes:ident $(-> $logical:ident)?),* $(,)? }) => {
        named!($(#[$doc])* $name { $($variant = $text),* });

        impl $name {
            /// Whether it is defined on operands of a class.
            pub fn accepts(self, class: Class) -> bool {
                match self { $(Self::$variant => Classes::$classes),* }.contain(class)
            }

            /// Whether the result is `Logical` whatever the operands' class.
            pub fn is_logical(self) -> bool {
                match self { $(Self::$variant => functions!(@logical $($logical)?)),* }
            }

            /// The class of the result for operands of a class.
            pub fn class(self, operands: Class) -> Class {
                if self.is_logical() { Class::Logical } else { operands }
            }
        }
    };
}

pub(super) use {functions, named, operations};
