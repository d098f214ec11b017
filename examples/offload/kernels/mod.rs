//! The kernels of the papers that Megha brings together, as they are naturally written in Rust: a file each, which names the paper. They are
//! here four times, in two precisions, plain and offloaded; nothing but the attribute differs.
#![allow(
    clippy::needless_range_loop,
    clippy::too_many_arguments,
    reason = "loops over subscripts, as the papers have them"
)]

mod cp;
mod distances;
mod fdtd;
mod gravity;
mod hotspot;
mod mri_fhd;
mod mri_q;
mod mv;
mod mvt;
mod product;
mod rank_2k;
mod rank_k;
mod reduction;
mod stencil;
mod tmv;
mod two_products;

/// All kernels with numbers of one type, in one form.
macro_rules! kernels {
    ($real:ident $(#[$offload:meta])?) => {
        use megha::rt::ndarray::{ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

        super::super::cp::kernel!($real $(#[$offload])?);
        super::super::distances::kernel!($real $(#[$offload])?);
        super::super::fdtd::kernel!($real $(#[$offload])?);
        super::super::gravity::kernel!($real $(#[$offload])?);
        super::super::hotspot::kernel!($real $(#[$offload])?);
        super::super::mri_fhd::kernel!($real $(#[$offload])?);
        super::super::mri_q::kernel!($real $(#[$offload])?);
        super::super::mv::kernel!($real $(#[$offload])?);
        super::super::mvt::kernel!($real $(#[$offload])?);
        super::super::product::kernel!($real $(#[$offload])?);
        super::super::rank_2k::kernel!($real $(#[$offload])?);
        super::super::rank_k::kernel!($real $(#[$offload])?);
        super::super::reduction::kernel!($real $(#[$offload])?);
        super::super::stencil::kernel!($real $(#[$offload])?);
        super::super::tmv::kernel!($real $(#[$offload])?);
        super::super::two_products::kernel!($real $(#[$offload])?);
    };
}

/// Numbers of 64 bits.
pub mod double {
    /// What Rust makes of the kernels.
    pub mod plain {
        kernels!(f64);
    }
    /// What Megha makes of them.
    pub mod offloaded {
        kernels!(f64 #[megha::offload]);
    }
}

/// Numbers of 32 bits.
pub mod single {
    /// What Rust makes of the kernels.
    pub mod plain {
        kernels!(f32);
    }
    /// What Megha makes of them.
    pub mod offloaded {
        kernels!(f32 #[megha::offload]);
    }
}
