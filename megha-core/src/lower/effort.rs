//! How much is lowered for one exported function, and what it is lowered for: whoever writes a program whose lines double what the
//! compiler has to do is told so, and why, within about a second.

use super::control::FrameKind;
use super::{Lower, Lowered, Stop};
use crate::diag::{Code, Diagnostic};
use crate::matlab::ast::Function;

/// Statements are lowered at most so often for one exported function: those of expanded calls at each call, those of loops again
/// when an assumption about them proves wrong. It takes some seconds; the longest of 440 programs by others needs a quarter.
const MAX_STATEMENTS: usize = 20_000;
/// Statements that take as long as an attempt at a loop.
const ATTEMPT: usize = 4;

/// Why a statement is lowered, or a function value's body, if there is more than one reason the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// It stands in the program, or in a function that is expanded at its call.
    Call,
    /// A function value is called.
    Handle,
    /// The iterations of a loop around it are lowered one after the other.
    Iteration,
    /// An assumption about a loop around it has proven wrong.
    Again,
    /// A text or function that it mentions depends on the way taken.
    Choice,
}

impl Cause {
    const ALL: [Cause; 5] = [Cause::Call, Cause::Handle, Cause::Iteration, Cause::Again, Cause::Choice];

    /// How often at most something is lowered for this cause: what else these do is not bounded by the length of the program.
    const fn most(self) -> usize {
        match self {
            Cause::Call => MAX_STATEMENTS,
            Cause::Iteration => 10_000,
            Cause::Handle | Cause::Again => 6_000,
            Cause::Choice => 1_000,
        }
    }

    /// What happens and what to do about it.
    fn in_words(self) -> [&'static str; 3] {
        match self {
            Cause::Call => [
                "with its calls written out it has",
                "a function is compiled for each call that passes other types, and where what it does depends on more than types",
                "call long functions in fewer places, in a loop for example, or let Rust call the parts",
            ],
            Cause::Handle => [
                "with its function handles written out where they are called it has",
                "the body of a handle stands at each of its calls: one that calls another handle twice is twice as long",
                "let a handle call another one once, as in t = f(x); y = t + t, or write a function",
            ],
            Cause::Iteration => [
                "with the iterations of its loops written out it has",
                "loops over lists, and those in which a list, a function or a class changes, are compiled one iteration after the other",
                "keep numbers in matrices in place of lists, and give variables their classes before the loops",
            ],
            Cause::Again => [
                "with what its nested loops are compiled again for it has",
                "a loop is compiled again where a variable gets another class or size in it, and so are the loops in it each time",
                "give variables their classes and sizes before the outermost loop, for example with zeros(..), or let functions do the \
                 work of inner loops",
            ],
            Cause::Choice => [
                "with each statement written out for all texts and functions that it may mention it has",
                "a statement that mentions several texts or functions which depend on the way taken is compiled for all their combinations",
                "use fewer of them in one statement",
            ],
        }
    }
}

/// What has been lowered for the exported function at hand.
#[derive(Debug, Default)]
pub(super) struct Effort {
    /// How often something was, by its cause.
    spent: [usize; Cause::ALL.len()],
    /// What has been done too often.
    exceeded: Option<Cause>,
}

impl Effort {
    fn spend(&mut self, cause: Cause, statements: usize) -> Lowered<()> {
        let spent = &mut self.spent[cause as usize];
        *spent += statements;
        if *spent > cause.most() {
            self.exceeded.get_or_insert(cause);
        }
        // Reported once, at the end: attempts that are given up take their reports with them.
        if self.exceeded.is_some() { Err(Stop) } else { Ok(()) }
    }

    /// Why lowering was given up, if it was.
    pub fn refusal(&self, function: &Function) -> Option<Diagnostic> {
        let cause = self.exceeded?;
        let ([what, note, help], most, name) = (cause.in_words(), cause.most(), &function.name.text);
        let message = format!("`{name}` becomes too long: {what} more than {most} statements");
        Some(Diagnostic::error(Code::TooLong, function.signature, message).note(note).help(help))
    }
}

impl Lower<'_> {
    /// Counts a statement.
    pub fn spend_statement(&mut self) -> Lowered<()> {
        self.specialisations.effort.spend(self.cause(), 1)
    }

    /// Counts an attempt at a loop, which takes as long as some statements even if there are none in it.
    pub fn spend_attempt(&mut self) -> Lowered<()> {
        self.specialisations.effort.spend(self.cause(), ATTEMPT)
    }

    fn cause(&self) -> Cause {
        let in_pieces = |kind: &FrameKind| matches!(kind, FrameKind::Unrolled | FrameKind::Iteration);
        if self.choosing > 0 {
            Cause::Choice
        } else if self.again > 0 {
            Cause::Again
        } else if self.frames.iter().any(|frame| in_pieces(&frame.kind)) {
            Cause::Iteration
        } else {
            Cause::Call
        }
    }

    /// Counts a call of a function value.
    pub fn spend_handle(&mut self) -> Lowered<()> {
        self.specialisations.effort.spend(Cause::Handle, 1)
    }
}
