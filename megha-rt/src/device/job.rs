//! What a device can do of a block: a launch or a matrix product, with all that it needs but addresses.

use megha_base::plan::block::{Block, Node, Task};
use megha_base::plan::{Role, SizeExpr};

use super::learn::Timer;
use super::product::Multiplication;
use super::program::Program;
use super::run::{Scratch, Work};
use super::table::Place;
use super::{Address, Arg, Outcome};
use crate::Order;
use crate::fault::Fault;

/// How a product and its factors are used.
const PRODUCT: [Role; 3] = [Role::Fresh, Role::In, Role::In];

/// A launch or a product to which the host has come.
#[derive(Clone, Copy)]
pub struct Arrival<'c> {
    /// The module.
    pub program: &'static Program,
    /// Which kernel or product of it.
    pub task: Task,
    /// The order of its arrays in memory.
    pub order: Order,
    /// The values of a plan's symbols.
    pub sizes: &'c [i64],
    /// The scalars that a plan names.
    pub scalars: &'c [Arg],
    /// What a product multiplies.
    pub product: Option<Multiplication>,
    /// A plan's arrays, or a product and its factors.
    pub arrays: &'c [Place],
    /// Where a check that fails is noted.
    pub fault: Option<&'c Fault>,
}

/// What a device does.
pub enum Job<'w> {
    /// A kernel.
    Launch(Work<'w>),
    /// A product.
    Product(Multiplication),
}

/// How the arrays of a node are used, out-variables first; `None` if they are not known.
pub fn roles<'p>(program: &'static Program, node: &Node) -> Option<Vec<&'p Role>> {
    let roles: Vec<&Role> = match node.task {
        Task::Host | Task::Memory => return None,
        Task::Kernel(number) => program.kernel(number)?.arrays.iter().map(|array| &array.role).collect(),
        Task::Product(_) => PRODUCT.iter().collect(),
    };
    (roles.len() == node.arrays.len()).then_some(roles)
}

impl<'w> Job<'w> {
    /// What a node of a block does whose symbols have these values, in an order and with or without a library for products, if its launch
    /// passes sizes and scalars.
    pub fn of(
        program: &'static Program,
        (block, node, symbols): (&Block, &Node, &[i64]),
        (order, library): (Order, bool),
        passed: (&'w [i64], &'w [Arg]),
    ) -> Option<Job<'w>> {
        match node.task {
            Task::Host | Task::Memory => None,
            Task::Kernel(number) => Work::new((program, number), order, passed).map(Job::Launch),
            Task::Product(_) => {
                let [_, a, b] = node.arrays[..] else { return None };
                let value = |size: &SizeExpr| size.eval(&|symbol| symbols.get(symbol).copied().unwrap_or(0));
                let shape = |data: usize| match &block.data[data].dims[..] {
                    [rows, columns] => Some([rows, columns].map(|size| usize::try_from(value(size)).unwrap_or(0))),
                    _ => None,
                };
                Multiplication::new(block.data[a].element, order, [shape(a)?, shape(b)?], library).map(Job::Product)
            }
        }
    }

    /// Whether there is anything to compute, as far as a device can.
    pub fn is_some_point(&self) -> bool {
        match self {
            Job::Launch(work) => work.is_some_point(),
            Job::Product(_) => true,
        }
    }

    /// What is multiplied.
    pub fn product(&self) -> Option<Multiplication> {
        match self {
            Job::Launch(_) => None,
            Job::Product(product) => Some(*product),
        }
    }

    /// An array's memory on the host, as far as it counts.
    pub fn place(&self, at: usize, place: Place) -> Place {
        match self {
            Job::Launch(work) => work.place(at, place),
            Job::Product(_) => place,
        }
    }

    /// Bytes of an array.
    pub fn bytes_of(&self, at: usize) -> u64 {
        match self {
            Job::Launch(work) => work.bytes_of(at),
            Job::Product(product) => product.bytes_of(at),
        }
    }

    /// Bytes of the arrays that it reads and of those that it makes.
    pub fn touched(&self) -> u64 {
        match self {
            Job::Launch(work) => work.touched(),
            Job::Product(product) => (0..PRODUCT.len()).map(|at| product.bytes_of(at)).sum(),
        }
    }

    /// Starts it on arrays at these addresses; gives the address of the word that says which check failed, if there are checks.
    pub fn issue(
        &self,
        scratch: &mut Scratch<'_>,
        arrays: &[Address],
        timer: Option<&Timer<'_>>,
    ) -> Outcome<Option<Address>> {
        match self {
            Job::Launch(work) => work.issue(scratch, arrays, timer),
            Job::Product(product) => product.issue(scratch.device(), arrays, timer).map(|()| None),
        }
    }
}
