//! How the body of a compiled function is entered: in which memory order, on which threads, with or without devices.

use super::source::Code;

/// What a body asks of the place where it runs.
pub enum Place {
    /// Nothing: it is plain code.
    Anywhere,
    /// Threads for its kernels, and devices, which may fail.
    Threads,
    /// The same for a body that updates arrays of its caller.
    Updating,
    /// Room on the stack for calls of itself, and threads and devices for the kernels in them; the place to blame if there is none.
    DeepStack(String),
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
    /// The names of the arrays that may have an order, and vote for it. Vectors have none; without any, one instance of the function is all.
    pub arrays: Vec<&'e str>,
}

impl Entry<'_> {
    /// Writes the expression, ended by `end`.
    pub fn write(&self, code: &mut Code, end: &str) {
        let Entry { name, place, call, args, arrays } = self;
        let before = match place {
            Place::Anywhere => String::new(),
            Place::Threads => format!("rt::enter({name:?}, || "),
            Place::Updating => format!("rt::enter_in_place({name:?}, || "),
            Place::DeepStack(site) => format!("rt::calls::deep({name:?}, {site}, || "),
        };
        let after = if before.is_empty() { "" } else { ")" };
        if arrays.is_empty() {
            return code.line(format!("{before}{call}::<rt::ColMajor>({args}){after}{end}"));
        }
        let votes: Vec<String> = arrays.iter().map(|array| format!("{array}.order()")).collect();
        code.open(format!("{before}match rt::decide([{}]) {{", votes.join(", ")));
        code.line(format!("rt::Order::ColMajor => {call}::<rt::ColMajor>({args}),"));
        code.line(format!("rt::Order::RowMajor => {call}::<rt::RowMajor>({args}),"));
        code.close(&format!("}}{after}{end}"));
    }
}
