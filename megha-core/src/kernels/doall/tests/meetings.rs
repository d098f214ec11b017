//! Random nests in which triangles, splits, strided subscripts and conditions meet, as front ends write them: subscripts and numbers of
//! iterations are sizes over counters, their extremes, and values.

use super::{array, of};
use crate::interp::{Datum, Scalar};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.roll(of.len())]
    }
}

/// A polynomial over symbols.
#[derive(Clone, PartialEq, Eq, Default)]
struct Sum(BTreeMap<Vec<String>, i64>);

impl Sum {
    fn plus(mut self, by: i64, other: &Self) -> Self {
        for (product, c) in &other.0 {
            *self.0.entry(product.clone()).or_default() += by * c;
        }
        self.0.retain(|_, c| *c != 0);
        self
    }

    fn times(&self, other: &Self) -> Self {
        let mut all = Self::default();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut product = [a.as_slice(), b.as_slice()].concat();
                product.sort();
                all = all.plus(1, &Self([(product, x * y)].into()));
            }
        }
        all
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (product, c) in self.0.iter().rev() {
            let sign = if *c < 0 { "-" } else { "+" };
            let mut factors = product.clone();
            if c.abs() != 1 || product.is_empty() {
                factors.insert(0, c.abs().to_string());
            }
            let space = if text.is_empty() { "" } else { " " };
            let sign = if text.is_empty() && *c > 0 { "" } else { sign };
            write!(text, "{space}{sign}{space}{}", factors.join("*")).unwrap();
        }
        if text.is_empty() { "0".into() } else { text }
    }
}

/// The function in the making.
struct Maker {
    dice: Dice,
    symbols: String,
    count: usize,
    pads: [i64; 2],
    /// Loop variables: counter, value.
    around: Vec<(String, Sum)>,
}

/// What is in a loop.
enum Node {
    Loop(Vec<Node>),
    Store(bool),
}

impl Node {
    fn stores(&self, which: bool) -> bool {
        match self {
            Self::Loop(body) => body.iter().any(|n| n.stores(which)),
            Self::Store(array) => *array == which,
        }
    }
}

fn number(c: i64) -> Sum {
    Sum::default().plus(c, &Sum([(Vec::new(), 1)].into()))
}

fn name(of: &str) -> Sum {
    Sum([(vec![of.to_owned()], 1)].into())
}

impl Maker {
    fn fresh(&mut self) -> String {
        self.count += 1;
        format!("w{}", self.count)
    }

    fn tree(&mut self, depth: usize) -> Node {
        let mut body = Vec::new();
        let mut loops = 0;
        for _ in 0..1 + self.dice.roll(3) {
            if depth > 1 && loops < 2 && self.dice.roll(4) > 0 {
                body.push(self.tree(depth - 1));
                loops += 1;
            } else if depth == 1 || self.dice.roll(3) == 0 {
                body.push(Node::Store(self.dice.roll(3) == 0));
            }
        }
        if body.is_empty() {
            body.push(if depth > 1 { self.tree(depth - 1) } else { Node::Store(false) });
        }
        Node::Loop(body)
    }

    /// A polynomial from words: `a`, `b` are loop variables.
    fn poly(&mut self, of: &[&str]) -> Sum {
        let which = self.dice.one(of).to_owned();
        let pick = |this: &mut Self| {
            if this.around.is_empty() {
                return name("e");
            }
            let at = this.dice.roll(this.around.len());
            this.around[at].1.clone()
        };
        let (a, b) = (pick(self), pick(self));
        let mut all = Sum::default();
        for term in which.split(' ') {
            let (by, term) = term.strip_prefix('-').map_or((1, term), |t| (-1, t));
            let mut product = number(1);
            for factor in term.split('*') {
                let factor = match factor {
                    "a" => a.clone(),
                    "b" => b.clone(),
                    word => word.parse().map(number).unwrap_or_else(|_| name(word)),
                };
                product = product.times(&factor);
            }
            all = all.plus(by, &product);
        }
        all
    }

    fn size(&mut self, out: &mut String, of: &Sum) -> String {
        if of.0.len() == 1 && self.dice.roll(2) == 0 {
            for (counter, _) in &self.around {
                if *of == name(&format!("s{counter}")) {
                    return counter.clone();
                }
            }
        }
        let value = self.fresh();
        writeln!(out, "%{value}: index = size {}", of.text()).unwrap();
        value
    }

    /// The number of iterations.
    fn trip(&mut self, out: &mut String, from: &Sum) -> (String, Option<Sum>) {
        const FREE: &[&str] = &["n", "n", "n", "n", "5", "m", "e", "n -1", "n -e"];
        const BOUND: &[&str] = &[
            "n", "a", "a 1", "n -a", "n -a", "e -a", "a e", "2*a", "n -a -1", "n -2*a", "a -b 2", "3", "a b", "n -a e",
        ];
        let of: &[&str] = if self.around.is_empty() { FREE } else { BOUND };
        let (first, second) = (self.poly(of), self.poly(of));
        let first = if self.dice.roll(3) == 0 { first.plus(-1, from) } else { first };
        match self.dice.roll(8) {
            0 => {
                let sym = self.fresh();
                let text = first.text();
                writeln!(self.symbols, "sym {sym} = max(0, {text}), >= 0, >= {text}").unwrap();
                (self.size(out, &name(&sym)), None)
            }
            1 if first != second => {
                let sym = self.fresh();
                let (a, b) = (first.text(), second.text());
                writeln!(self.symbols, "sym {sym} = min({a}, {b}), <= {a}, <= {b}").unwrap();
                (self.size(out, &name(&sym)), None)
            }
            2 => {
                let (a, b) = (self.size(out, &first), self.size(out, &second));
                let least = self.fresh();
                writeln!(out, "%{least}: index = min %{a}, %{b}").unwrap();
                (least, None)
            }
            3 => {
                let (a, b) = (self.size(out, &first), self.size(out, &second));
                let (cond, chosen) = (self.fresh(), self.fresh());
                writeln!(out, "%{cond}: bool = lt %{a}, %{b}\n%{chosen}: index = select %{cond}, %{a}, %{b}").unwrap();
                (chosen, None)
            }
            _ => (self.size(out, &first), Some(first)),
        }
    }

    fn nodes(&mut self, out: &mut String, body: &[Node], states: &mut [String; 2]) {
        for node in body {
            match node {
                Node::Store(which) => self.store(out, usize::from(*which), states),
                Node::Loop(inner) => {
                    let from = match self.dice.roll(3) {
                        0 if self.around.is_empty() => self.poly(&["0", "e", "1"]),
                        0 => self.poly(&["a", "a 1", "e", "e -a", "a b"]),
                        _ => number(0),
                    };
                    let (trip, size) = self.trip(out, &from);
                    let counter = self.fresh();
                    let most = size.filter(|_| self.dice.roll(2) == 0);
                    let most = most.map(|t| format!(", <= {}", t.plus(-1, &number(1)).text())).unwrap_or_default();
                    writeln!(self.symbols, "sym s{counter} = value %{counter}, >= 0{most}").unwrap();
                    let used: Vec<usize> =
                        [false, true].iter().enumerate().filter(|(_, w)| node.stores(**w)).map(|(at, _)| at).collect();
                    let results: Vec<String> = used.iter().map(|_| self.fresh()).collect();
                    let mut inside = states.clone();
                    for at in &used {
                        inside[*at] = self.fresh();
                    }
                    let typed = |values: &mut dyn Iterator<Item = (String, usize)>| {
                        values.map(|(v, at)| format!("%{v}: {}", TYPES[at])).collect::<Vec<_>>().join(", ")
                    };
                    let init: Vec<String> = used.iter().map(|at| format!("%{}", states[*at])).collect();
                    writeln!(
                        out,
                        "{} = for %{trip} with {} |%{counter}: index, {}| {{",
                        typed(&mut results.iter().cloned().zip(used.iter().copied())),
                        init.join(", "),
                        typed(&mut used.iter().map(|at| (inside[*at].clone(), *at)))
                    )
                    .unwrap();
                    let value = from.plus(1, &name(&format!("s{counter}")));
                    self.around.push((counter, value));
                    self.nodes(out, inner, &mut inside);
                    self.around.pop();
                    let next: Vec<String> = used.iter().map(|at| format!("%{}", inside[*at])).collect();
                    writeln!(out, "yield {}\n}}", next.join(", ")).unwrap();
                    used.iter().zip(results).for_each(|(at, result)| states[*at] = result);
                }
            }
        }
    }

    fn element(&mut self, out: &mut String, array: usize) -> String {
        const SUBS: &[&str] = &[
            "a", "a", "a", "a", "a", "a 1", "a -1", "e", "e", "0", "n -1", "n -a -1", "a -b", "a b", "e -a", "e 1",
            "2*a",
        ];
        const STRIDED: &[&str] = &[
            "a*m b",
            "a*m b",
            "a*n b",
            "a*n b",
            "b*m a",
            "a*m",
            "a",
            "e*m a",
            "e*n a",
            "a*m e",
            "n*m -a*m b",
            "a*m -b*m b",
            "a*m a",
            "a*n*m b",
            "a*m b 1",
            "a*m b -e",
            "2*a*m b",
            "a*m m b",
            "a*m*m b*m a",
        ];
        let axes = if array == 1 { 1 } else { 2 };
        let mut subs = Vec::new();
        for _ in 0..axes {
            let sum = self.poly(if array == 1 { STRIDED } else { SUBS });
            let sum = sum.plus(self.pads[array & 1], &number(1));
            subs.push(format!("%{}", self.size(out, &sum)));
        }
        subs.join(", ")
    }

    fn store(&mut self, out: &mut String, which: usize, states: &mut [String; 2]) {
        let to = self.element(out, which);
        let mut sum = self.fresh();
        writeln!(out, "%{sum}: f64 = const 0.5").unwrap();
        let own = self.dice.roll(2) == 0;
        let mut reads = Vec::new();
        if own {
            reads.push((which, to.clone()));
        }
        for _ in 0..1 + self.dice.roll(2) {
            let from = [0, 0, 1, 2][self.dice.roll(4)];
            let at = self.element(out, from);
            reads.push((from, at));
        }
        let cond = match self.dice.roll(3) {
            0 => {
                let (a, b) = (self.poly(&["a", "a", "a b"]), self.poly(&["e", "e", "b", "m", "n -a", "3"]));
                let (a, b) = (self.size(out, &a), self.size(out, &b));
                let cond = self.fresh();
                let op = self.dice.one(&["lt", "ne", "ne", "eq", "ge", "gt", "le"]);
                writeln!(out, "%{cond}: bool = {op} %{a}, %{b}").unwrap();
                Some(cond)
            }
            _ => None,
        };
        let result = self.fresh();
        if let Some(cond) = &cond {
            writeln!(out, "%{result}: {} = if %{cond} {{", TYPES[which]).unwrap();
        }
        for (from, at) in reads {
            let (read, next) = (self.fresh(), self.fresh());
            let array = if from == 2 { "y" } else { &states[from] };
            writeln!(out, "%{read}: f64 = index %{array}[{at}] checked\n%{next}: f64 = add %{sum}, %{read}").unwrap();
            sum = next;
        }
        let stored = if cond.is_some() { self.fresh() } else { result.clone() };
        writeln!(out, "%{stored}: {} = store %{}[{to}] = %{sum} checked", TYPES[which], states[which]).unwrap();
        if cond.is_some() {
            writeln!(out, "yield %{stored}\n}} else {{\nyield %{}\n}}", states[which]).unwrap();
        }
        states[which] = result;
    }
}

const TYPES: [&str; 2] = ["f64[40, 40]", "f64[400, 1]"];

fn text(seed: u64) -> String {
    let mut maker = Maker {
        dice: Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        symbols: String::new(),
        count: 0,
        pads: [0, 0],
        around: Vec::new(),
    };
    maker.dice.roll(2);
    if maker.dice.roll(4) > 0 {
        maker.pads = [14, 120];
    }
    let depth = 2 + maker.dice.roll(3) / 2;
    let nest = maker.tree(depth);
    let mut body = String::new();
    let mut states = ["x".to_owned(), "v".to_owned()];
    maker.nodes(&mut body, &[nest], &mut states);
    format!(
        "func @f(%x: f64[40, 40], %v: f64[400, 1], %y: f64[40, 40], %e: index, %m: index, %n: index) -> (z: f64[40, 40], w: f64[400, 1]) {{
sym e = value %e
sym m = value %m
sym n = value %n, >= 0
{}{body}return %{}, %{}
}}",
        maker.symbols, states[0], states[1]
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn results_are_the_same(seed in any::<u64>()) {
        let text = text(seed);
        let index = |x| Datum::Scalar(Scalar::Index(x));
        let args = |n: i64, e: i64, m: i64| {
            vec![array(&[40, 40], 3), array(&[400, 1], 4), array(&[40, 40], 5), index(e), index(m), index(n)]
        };
        let sizes = [(6, 3, 6), (7, 0, 3), (5, 1, 8), (6, 9, 4), (1, 1, 1), (0, 0, 0), (6, -2, 9), (4, 4, 0), (5, 2, -3)];
        let all = sizes.map(|(n, e, m)| args(n, e, m));
        of(crate::ir::parse::parse_func(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))).same_results(&all);
    }
}
