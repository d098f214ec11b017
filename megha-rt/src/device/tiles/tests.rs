//! What is decided for loops of known costs.

use std::time::Duration;

use super::super::absent::Absent;
use super::*;

const RATES: Rates = Rates {
    memory: 1e12,
    flops64: 1e13,
    flops32: 1e13,
    upload: 1e10,
    download: 1e10,
    launch: Duration::from_micros(5),
    queued: Duration::from_micros(3),
    copy: Duration::from_micros(10),
};

/// Two arrays of so many planes of a mebibyte each.
fn heat(planes: i64) -> Shape {
    let strip = Strip { planes, each: 1 << 20, span: 2, grows: true, sent: true, stored: true };
    Shape { strips: vec![strip; 2], whole: 0, slope: 1, launches: 1 }
}

fn best(shape: &Shape, steps: usize, seconds: f64, available: u64) -> Option<Tiling> {
    let pace = Pace { seconds, points: 1e9 };
    let absent = Absent::new(String::new());
    let best = shape.best((steps, pace), (&absent, &RATES), available);
    if let Some(Tiling { steps: at_once, width, .. }) = best {
        assert!(shape.ring(&absent, (at_once, width)) + shape.whole <= available && at_once <= steps && width > 0);
    }
    best
}

#[test]
fn as_many_steps_as_there_is_room_for() {
    let shape = heat(1000);
    // two arrays there and back take 0.2 s
    let all = 2000 << 20;
    let fast = best(&shape, 400, 0.001, all / 4).unwrap();
    assert!(fast.steps > 80 && fast.width > 5, "{fast:?}");
    // kernels that take as long as the link for two steps
    let slow = best(&shape, 400, 0.1, all / 4).unwrap();
    assert!(slow.steps > 1 && slow.each < 0.11, "{slow:?}");
    // a step by itself takes 0.2 s of the link
    assert!(fast.each < 0.005, "{fast:?}");
    assert_eq!(best(&shape, 1, 0.001, all / 4).unwrap().steps, 1);
    assert_eq!(best(&shape, 400, 0.001, 3 << 20), None, "two windows of three planes each are needed");
    assert_eq!(best(&Shape { whole: all, ..heat(1000) }, 400, 0.001, all), None);
}

#[test]
fn steps_come_out_even() {
    for steps in 1..200 {
        let at_once = best(&heat(64), steps, 1e-4, 60 << 20).unwrap().steps;
        let passes = steps.div_ceil(at_once);
        assert_eq!(steps.div_ceil(passes), at_once, "{steps}");
    }
}

#[test]
fn short_launches_count() {
    // a plane has fewer points than the device has threads
    let pace = Pace { seconds: 0.001, points: 1000.0 * 2048.0 };
    let absent = Absent::new(String::new());
    let each = |width| heat(1000).seconds((64, width), (64, pace), (&absent, &RATES));
    assert!(each(8) > 1.5 * each(64), "{} {}", each(8), each(64));
}
