//! How the body of a compiled function is entered: in which memory order, on which threads, with or without devices.

use std::fmt;

use super::source::Code;

/// What a body asks of the place where it runs.
pub enum Place {
    /// Nothing: it is plain code.
    Anywhere,
    /// Threads for its kernels, and devices, which may fail; an estimate of its work.
    Threads(Work),
    /// The same for a body that updates arrays of its caller.
    Updating(Work),
    /// Room on the stack for calls of itself, and threads and devices for the kernels in them; the place to blame if there is none.
    DeepStack(String),
}

/// How much a body has to do, as `megha_rt::Work` has it.
pub enum Work {
    /// One or two launches.
    FewLaunches,
    /// More of them; the expression for an estimate.
    Estimated(String),
    /// Nothing is known of it.
    Unknown,
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Work::FewLaunches => f.write_str("rt::Work::FewLaunches"),
            Work::Estimated(work) => write!(f, "rt::Work::Estimated({work})"),
            Work::Unknown => f.write_str("rt::Work::Unknown"),
        }
    }
}

/// An entered function, generic over the memory order.
pub struct Entry<'e> {
    /// The function as traces and messages name it.
    pub name: &'e str,
    /// Where it runs.
    pub place: Place,
    /// The Rust function that is called in an order, and its arguments.
    pub call: &'e str,
    /// As written in the call.
    pub args: String,
    /// The names of the arrays, which vote for an order; `None` if no array occurs anywhere.
    pub arrays: Option<Vec<&'e str>>,
}

impl Entry<'_> {
    /// Writes the expression, ended by `end`.
    pub fn write(&self, code: &mut Code, end: &str) {
        let Entry { name, place, call, args, arrays } = self;
        let before = match place {
            Place::Anywhere => String::new(),
            Place::Threads(work) => format!("rt::enter({name:?}, {work}, || "),
            Place::Updating(work) => format!("rt::enter_in_place({name:?}, {work}, || "),
            Place::DeepStack(site) => format!("rt::calls::deep({name:?}, {site}, || "),
        };
        let after = if before.is_empty() { "" } else { ")" };
        let Some(arrays) = arrays else {
            return code.line(format!("{before}{call}::<rt::ColMajor>({args}){after}{end}"));
        };
        let votes: Vec<String> = arrays.iter().map(|array| format!("{array}.order()")).collect();
        code.open(format!("{before}match rt::decide([{}]) {{", votes.join(", ")));
        code.line(format!("rt::Order::ColMajor => {call}::<rt::ColMajor>({args}),"));
        code.line(format!("rt::Order::RowMajor => {call}::<rt::RowMajor>({args}),"));
        code.close(&format!("}}{after}{end}"));
    }
}
