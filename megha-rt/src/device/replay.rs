//! What a call did that can be seen from outside, so that it can run again without doing it twice.
//!
//! When a device fails and has the only copy of an array, the compiled function runs again on the CPU. It then prints the same texts and
//! draws the same random numbers, because results do not depend on where kernels run.

use std::collections::VecDeque;

use crate::per_thread::PerThread;

/// What a call printed and drew.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    /// Bytes of its texts.
    printed: usize,
    /// The keys of its random numbers.
    keys: VecDeque<i64>,
}

enum Mode {
    Recording(Effects),
    Replaying(Effects),
}

thread_local! {
    static MODE: PerThread<Mode> = const { PerThread::new() };
}

/// Runs `body` and notes what it prints and draws.
pub(crate) fn recording(effects: &mut Effects, body: &mut dyn FnMut()) {
    within(Mode::Recording(Effects::default()), effects, body);
}

/// Runs `body`, which does again what was noted: what it did before is not done again.
pub(crate) fn replaying(effects: &mut Effects, body: &mut dyn FnMut()) {
    within(Mode::Replaying(std::mem::take(effects)), effects, body);
}

/// Whether a call in progress on this thread is noted or done again.
#[inline]
pub(crate) fn is_noted() -> bool {
    MODE.with(|now| now.with(|mode| mode.is_some()))
}

/// Runs `body`, of which nothing is noted: another call that the thread takes up meanwhile.
pub(crate) fn apart(body: &mut dyn FnMut()) {
    let Some(outer) = MODE.with(|now| now.replace(None)) else { return body() };
    let _restore = Restore(Some(outer));
    body();
}

/// Puts the mode back that was there before, also when a body panics.
struct Restore(Option<Mode>);

impl Drop for Restore {
    fn drop(&mut self) {
        MODE.with(|now| now.replace(self.0.take()));
    }
}

fn within(mode: Mode, effects: &mut Effects, body: &mut dyn FnMut()) {
    let _restore = Restore(MODE.with(|now| now.replace(Some(mode))));
    body();
    if let Some(Mode::Recording(noted) | Mode::Replaying(noted)) = MODE.with(|now| now.replace(None)) {
        *effects = noted;
    }
}

/// The part of a text that was not printed before.
pub(crate) fn unprinted(text: &str) -> &str {
    let now = |mode: &mut Option<Mode>| match mode {
        None => text,
        Some(Mode::Recording(effects)) => {
            effects.printed += text.len();
            text
        }
        Some(Mode::Replaying(effects)) => {
            let done = effects.printed.min(text.len());
            effects.printed -= done;
            text.get(done..).unwrap_or("")
        }
    };
    MODE.with(|mode| mode.with(now))
}

/// The key of random numbers that was drawn before at this point, or a new one.
pub(crate) fn drawn(draw: impl FnOnce() -> i64) -> i64 {
    let now = |mode: &mut Option<Mode>| match mode {
        None => draw(),
        Some(Mode::Recording(effects)) => {
            let key = draw();
            effects.keys.push_back(key);
            key
        }
        Some(Mode::Replaying(effects)) => effects.keys.pop_front().unwrap_or_else(draw),
    };
    MODE.with(|mode| mode.with(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_done_twice() {
        let (mut effects, mut next) = (Effects::default(), 10);
        let mut keys = Vec::new();
        recording(&mut effects, &mut || {
            assert_eq!(unprinted("abc"), "abc");
            next += 1;
            keys.push(drawn(|| next));
        });
        assert_eq!(effects, Effects { printed: 3, keys: [11].into() });
        let mut texts = String::new();
        replaying(&mut effects, &mut || {
            ["ab", "cd", "e"].iter().for_each(|text| texts += unprinted(text));
            keys.extend([drawn(|| 12), drawn(|| 13)]);
        });
        assert_eq!((texts.as_str(), &keys[..]), ("de", &[11, 11, 13][..]));
        assert_eq!((unprinted("x"), drawn(|| 5)), ("x", 5));
    }
}
