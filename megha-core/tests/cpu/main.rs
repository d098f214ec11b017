//! The CPU code of small programs in textual IR: generated, compiled into this test and run, compared with plain loops by `==` in
//! both memory orders and on several numbers of threads.

mod bless;
#[allow(missing_docs, reason = "the generated functions are the test's own")]
mod generated;
mod nests;
mod passes;
mod run;
