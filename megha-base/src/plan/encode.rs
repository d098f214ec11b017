//! Plans as text, so that a compiled program holds them as one string: a line for each part, words separated by blanks.
//!
//! ```text
//! kernel 3 0 f              number, number of the function, its name
//! symbols n m
//! array f64 fresh 12 x 1*0 1*1      class, role, value, name, sizes
//! domain 1*0 1*1
//! access read 1 must ; .. ; ..      see `access`
//! columns f_k3 256 lanes 1 0,2 4 640,40000:0:16000:0,0:0:0:0,1,0 ; a0 t1 s1*0*1 o1 n0,2 c k v7:f64 f     name, shared bytes, grid, perhaps its cost ; parameters ; sizes of a stride ; ..
//! rows ..
//! variant ..                another way to run it, columns first
//! variant-rows ..           where it is another entry
//! steps ..                  some steps of the loop over time around it at once, columns first
//! steps-rows ..             where it is another entry
//! combine ..
//! combine-rows ..           where it is another entry
//! finish ..                 for each way to run it, columns first
//! finish-rows ..            where it is another entry
//! in-row 0 3 [0,2] [0]      its place among kernels that run row by row, how many, its arrays' numbers, which change
//! in-columns 1 43008 [0,3]  8:1*0 | f_k3_rows_c ..   loop over rows, bytes of shared memory, places of parameters, buffers, an entry
//! in-rows ..
//! host 1 0 - 1              for processors, columns first and rows first: outer loops, inner one
//! check 17 the text
//! ```
//! A size is a sum of products, `2*0*1+-1`: a coefficient and the numbers of symbols. Loops of the domain are their numbers, or `-`.

use super::{
    AccessMap, Array, Bound, Check, Computation, Cost, Element, Entry, Grid, InRow, KernelPlan, Nest, Param, Role,
    Share, SizeExpr, Stride, THREADS,
};
use std::fmt::Write;

const ELEMENTS: [(Element, &str); 12] = [
    (Element::F64, "f64"),
    (Element::F32, "f32"),
    (Element::I8, "i8"),
    (Element::I16, "i16"),
    (Element::I32, "i32"),
    (Element::I64, "i64"),
    (Element::U8, "u8"),
    (Element::U16, "u16"),
    (Element::U32, "u32"),
    (Element::U64, "u64"),
    (Element::Bool, "bool"),
    (Element::Index, "index"),
];

pub(super) fn element_word(element: Element) -> &'static str {
    ELEMENTS.iter().find(|(e, _)| *e == element).map_or("?", |(_, word)| word)
}

pub(super) fn element(word: &str) -> Option<Element> {
    ELEMENTS.iter().find(|(_, w)| *w == word).map(|(e, _)| *e)
}

pub(crate) fn size_word(size: &SizeExpr) -> String {
    let term = |(c, symbols): &(i64, Vec<usize>)| symbols.iter().fold(c.to_string(), |text, s| format!("{text}*{s}"));
    let terms: Vec<String> = size.terms.iter().map(term).collect();
    if terms.is_empty() { "0".into() } else { terms.join("+") }
}

pub(crate) fn size(word: &str) -> Option<SizeExpr> {
    let term = |text: &str| {
        let mut factors = text.split('*');
        let coefficient = factors.next()?.parse().ok()?;
        Some((coefficient, factors.map(|f| f.parse().ok()).collect::<Option<Vec<usize>>>()?))
    };
    let terms = word.split('+').map(term).collect::<Option<Vec<_>>>()?;
    Some(SizeExpr { terms: terms.into_iter().filter(|(c, _)| *c != 0).collect() })
}

fn role_word(role: &Role) -> String {
    match role {
        Role::In => "in".into(),
        Role::Fresh => "fresh".into(),
        Role::Update(from) => format!("update:{from}"),
        Role::Reduced => "reduced".into(),
        Role::Flag(start) => format!("flag:{}", u8::from(*start)),
    }
}

fn role(word: &str) -> Option<Role> {
    Some(match word {
        "in" => Role::In,
        "fresh" => Role::Fresh,
        "reduced" => Role::Reduced,
        "flag:0" => Role::Flag(false),
        "flag:1" => Role::Flag(true),
        _ => Role::Update(word.strip_prefix("update:")?.parse().ok()?),
    })
}

fn loops_word(loops: &[usize]) -> String {
    let numbers: Vec<String> = loops.iter().map(usize::to_string).collect();
    if numbers.is_empty() { "-".into() } else { numbers.join(",") }
}

fn loops(word: &str) -> Option<Vec<usize>> {
    if word == "-" { Some(Vec::new()) } else { word.split(',').map(|number| number.parse().ok()).collect() }
}

fn grid_words(grid: &Grid) -> String {
    let (name, lists): (&str, Vec<String>) = match grid {
        Grid::Points(axes) => ("points", axes.iter().map(|l| loops_word(l)).collect()),
        Grid::Vectors { axes, each } => {
            let lists = axes.iter().map(|l| loops_word(l)).chain([each.to_string()]);
            ("vectors", lists.collect())
        }
        Grid::Lanes { kept, reduced, ahead } => {
            ("lanes", vec![loops_word(kept), loops_word(reduced), ahead.to_string()])
        }
        Grid::Neighbours { x, others, reduced, ahead } => {
            ("neighbours", vec![x.to_string(), loops_word(others), loops_word(reduced), ahead.to_string()])
        }
        Grid::Rows { lines } => ("rows", vec![loops_word(lines)]),
        Grid::Tiles { across, down, others, tile, threads } => {
            let numbers = [[*across, *down], tile.map(|n| n as usize), threads.map(|n| n as usize)];
            let lists = numbers.iter().map(|pair| loops_word(pair)).chain([loops_word(others)]);
            ("tiles", lists.collect())
        }
        Grid::Halos { axes, each, sides } => {
            let numbers = [each[0], each[1], *sides].map(|n| n as usize);
            ("halos", axes.iter().map(|l| loops_word(l)).chain([loops_word(&numbers)]).collect())
        }
        Grid::Steps { across, along, state, steps, threads, wide, extra } => {
            let numbers = [[*steps, *extra], *threads, *wide].map(|pair| loops_word(&pair.map(|n| n as usize)));
            let lists = [across, along].into_iter().map(|list| loops_word(list)).chain([state.to_string()]);
            ("steps", lists.chain(numbers).collect())
        }
        Grid::Combine { kept, reduced } => ("combine", vec![loops_word(kept), loops_word(reduced)]),
    };
    format!("{name} {}", lists.join(" "))
}

fn grid<'t>(words: &mut impl Iterator<Item = &'t str>) -> Option<Grid> {
    let name = words.next()?;
    let mut next = || loops(words.next()?);
    let count = |list: Vec<usize>| list.first().and_then(|n| u32::try_from(*n).ok()).filter(|n| *n > 0);
    Some(match name {
        "points" => Grid::Points([next()?, next()?, next()?]),
        "vectors" => {
            let axes = [next()?, next()?, next()?];
            Grid::Vectors { axes, each: count(next()?)? }
        }
        "lanes" => Grid::Lanes { kept: next()?, reduced: next()?, ahead: count(next()?)? },
        "neighbours" => {
            let [x] = next()?[..] else { return None };
            Grid::Neighbours { x, others: next()?, reduced: next()?, ahead: count(next()?)? }
        }
        "rows" => Grid::Rows { lines: next()? },
        "tiles" => {
            let mut pair = || <[usize; 2]>::try_from(next()?).ok();
            let ([across, down], tile, threads) = (pair()?, pair()?, pair()?);
            let counts = |[x, y]: [usize; 2]| Some([u32::try_from(x).ok()?, u32::try_from(y).ok()?]);
            let (tile, threads) = (counts(tile)?, counts(threads)?);
            let is_some = tile.iter().chain(&threads).all(|n| *n > 0);
            is_some.then_some(Grid::Tiles { across, down, others: next()?, tile, threads })?
        }
        "halos" => {
            let axes = [next()?, next()?, next()?];
            let numbers = <[usize; 3]>::try_from(next()?).ok()?.map(u32::try_from);
            let [Ok(y), Ok(z), Ok(sides)] = numbers else { return None };
            let is_some = axes[0].len() == 1 && axes[1].len() < 2 && y > 0 && z > 0 && sides <= THREADS / 16;
            is_some.then_some(Grid::Halos { axes, each: [y, z], sides })?
        }
        "steps" => {
            let (across, along) = (next()?, next()?);
            let [state] = next()?[..] else { return None };
            let mut pair = || {
                let [a, b] = <[usize; 2]>::try_from(next()?).ok()?;
                Some([u32::try_from(a).ok()?, u32::try_from(b).ok()?])
            };
            let ([steps, extra], threads, wide) = (pair()?, pair()?, pair()?);
            let is_some = [steps].iter().chain(&threads).chain(&wide).all(|n| *n > 0);
            let fits = (1..=2).contains(&across.len()) && along.len() < 2;
            (is_some && fits).then_some(Grid::Steps { across, along, state, steps, threads, wide, extra })?
        }
        "combine" => Grid::Combine { kept: next()?, reduced: next()? },
        _ => return None,
    })
}

fn nest<'t>(words: &mut impl Iterator<Item = &'t str>) -> Option<Nest> {
    let (outer, inner) = (loops(words.next()?)?, loops(words.next()?)?);
    (inner.len() < 2).then(|| Nest { outer, inner: inner.first().copied() })
}

fn param_word(param: &Param) -> String {
    match param {
        Param::Array(at) => format!("a{at}"),
        Param::Partials(at) => format!("t{at}"),
        Param::Size(size) => format!("s{}", size_word(size)),
        Param::Bound(Bound::First(at)) => format!("o{at}"),
        Param::Bound(Bound::Count(loops)) => format!("n{}", loops_word(loops)),
        Param::Bound(Bound::FirstChunk) => "c".into(),
        Param::Bound(Bound::Chunks) => "k".into(),
        Param::Scalar(value, element) => format!("v{value}:{}", element_word(*element)),
        Param::Fault => "f".into(),
    }
}

fn param(word: &str) -> Option<Param> {
    let rest = word.get(1..)?;
    Some(match word.as_bytes()[0] {
        b'a' => Param::Array(rest.parse().ok()?),
        b't' => Param::Partials(rest.parse().ok()?),
        b's' => Param::Size(size(rest)?),
        b'o' => Param::Bound(Bound::First(rest.parse().ok()?)),
        b'n' => Param::Bound(Bound::Count(loops(rest)?)),
        b'c' => Param::Bound(Bound::FirstChunk),
        b'k' => Param::Bound(Bound::Chunks),
        b'v' => {
            let (value, class) = rest.split_once(':')?;
            Param::Scalar(value.parse().ok()?, element(class)?)
        }
        b'f' => Param::Fault,
        _ => return None,
    })
}

fn cost_word(cost: &Cost) -> String {
    let Cost { asked, computed, begun, under_way, repeated } = cost;
    let [computed, begun] = [computed, begun].map(computation_word);
    format!("{asked},{computed},{begun},{under_way},{}", u8::from(*repeated))
}

fn computation_word(computation: &Computation) -> String {
    let Computation { instructions, doubles, singles, shared } = computation;
    format!("{instructions}:{doubles}:{singles}:{shared}")
}

fn computation(word: &str) -> Option<Computation> {
    let numbers: Vec<u64> = word.split(':').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [instructions, doubles, singles, shared] = numbers[..] else { return None };
    Some(Computation { instructions, doubles, singles, shared })
}

fn cost(word: &str) -> Option<Cost> {
    let words: Vec<&str> = word.split(',').collect();
    let [asked, computed, begun, under_way, repeated @ ("0" | "1")] = words[..] else { return None };
    let [asked, under_way] = [asked.parse().ok()?, under_way.parse().ok()?];
    Some(Cost {
        asked,
        computed: computation(computed)?,
        begun: computation(begun)?,
        under_way,
        repeated: repeated == "1",
    })
}

pub(super) fn entry_words(entry: &Entry) -> String {
    let cost = entry.cost.map_or_else(String::new, |cost| format!(" {}", cost_word(&cost)));
    let mut text = format!("{} {} {}{cost} ;", entry.name, entry.shared_bytes, grid_words(&entry.grid));
    entry.params.iter().for_each(|p| text += &format!(" {}", param_word(p)));
    for stride in &entry.strides {
        text += " ;";
        stride.faster.iter().for_each(|size| text += &format!(" {}", size_word(size)));
    }
    text
}

pub(super) fn entry(text: &str) -> Option<Entry> {
    let (head, rest) = text.split_once(';')?;
    let mut lists = rest.split(';');
    let params = lists.next()?;
    let stride = |text: &str| Some(Stride { faster: text.split_ascii_whitespace().map(size).collect::<Option<_>>()? });
    let mut words = head.split_ascii_whitespace();
    let (name, shared) = (words.next()?.to_owned(), words.next()?);
    Some(Entry {
        name,
        shared_bytes: shared.parse().ok()?,
        grid: grid(&mut words)?,
        cost: match words.next() {
            Some(word) => Some(cost(word)?),
            None => None,
        },
        params: params.split_ascii_whitespace().map(param).collect::<Option<_>>()?,
        strides: lists.map(stride).collect::<Option<_>>()?,
    })
}

fn array(text: &str) -> Option<Array> {
    let mut words = text.split_ascii_whitespace();
    let (class, role_text, value, name) = (words.next()?, words.next()?, words.next()?, words.next()?);
    Some(Array {
        value: value.parse().ok()?,
        name: name.to_owned(),
        element: element(class)?,
        dims: words.map(size).collect::<Option<_>>()?,
        role: role(role_text)?,
    })
}

impl KernelPlan {
    /// The plan as text, from which [`KernelPlan::decode_all`] makes it again.
    pub fn encode(&self) -> String {
        let mut text = format!(
            "kernel {} {} {}\nsymbols {}\n",
            self.number,
            self.function_number,
            self.function,
            self.symbols.join(" ")
        );
        for a in &self.arrays {
            let (class, role) = (element_word(a.element), role_word(&a.role));
            let dims: String = a.dims.iter().map(|d| format!(" {}", size_word(d))).collect();
            let _ = writeln!(text, "array {class} {role} {} {}{dims}", a.value, a.name);
        }
        let domain: String = self.domain.iter().map(|d| format!(" {}", size_word(d))).collect();
        let _ = writeln!(text, "domain{domain}");
        for map in &self.accesses {
            let _ = writeln!(text, "access {}", map.encode());
        }
        let own = [(["columns", "rows"], &self.entries)];
        let variants = self.variants.iter().map(|entries| (["variant", "variant-rows"], entries));
        let steps = self.steps.iter().map(|entries| (["steps", "steps-rows"], entries));
        let combine = self.combine.iter().map(|entries| (["combine", "combine-rows"], entries));
        let finish = self.finish.iter().map(|entries| (["finish", "finish-rows"], entries));
        for (words, [columns, rows]) in own.into_iter().chain(variants).chain(steps).chain(combine).chain(finish) {
            let _ = writeln!(text, "{} {}", words[0], entry_words(columns));
            if columns != rows {
                let _ = writeln!(text, "{} {}", words[1], entry_words(rows));
            }
        }
        self.in_row.iter().for_each(|in_row| text += &in_row.encode());
        let nest = |nest: &Nest| format!("{} {}", loops_word(&nest.outer), loops_word(nest.inner.as_slice()));
        if let Some(host) = &self.host {
            let _ = writeln!(text, "host {}", host.each_ref().map(nest).join(" "));
        }
        for check in &self.checks {
            let _ = writeln!(text, "check {} {}", check.place, check.text.replace('\n', " "));
        }
        text
    }

    /// The plans of a text; `None` if it is not one of plans.
    pub fn decode_all(text: &str) -> Option<Vec<KernelPlan>> {
        let mut plans: Vec<KernelPlan> = Vec::new();
        for line in text.lines() {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            if word == "kernel" {
                let (number, rest) = rest.split_once(' ')?;
                let (function, name) = rest.split_once(' ')?;
                plans.push(empty(number.parse().ok()?, (function.parse().ok()?, name)));
                continue;
            }
            let plan = plans.last_mut()?;
            match word {
                "symbols" => plan.symbols = rest.split_ascii_whitespace().map(str::to_owned).collect(),
                "array" => plan.arrays.push(array(rest)?),
                "domain" => plan.domain = rest.split_ascii_whitespace().map(size).collect::<Option<_>>()?,
                "access" => plan.accesses.push(AccessMap::decode(rest)?),
                "columns" => plan.entries = [entry(rest)?, entry(rest)?],
                "rows" => plan.entries[1] = entry(rest)?,
                "variant" => plan.variants.push([entry(rest)?, entry(rest)?]),
                "variant-rows" => plan.variants.last_mut()?[1] = entry(rest)?,
                "steps" => plan.steps.push([entry(rest)?, entry(rest)?]),
                "steps-rows" => plan.steps.last_mut()?[1] = entry(rest)?,
                "combine" => plan.combine = Some([entry(rest)?, entry(rest)?]),
                "combine-rows" => plan.combine.as_mut()?[1] = entry(rest)?,
                "finish" => plan.finish.push([entry(rest)?, entry(rest)?]),
                "finish-rows" => plan.finish.last_mut()?[1] = entry(rest)?,
                "in-row" => plan.in_row = Some(InRow::decode(rest)?),
                "in-columns" => plan.in_row.as_mut()?.orders[0] = Some(Share::decode(rest)?),
                "in-rows" => plan.in_row.as_mut()?.orders[1] = Some(Share::decode(rest)?),
                "host" => {
                    let mut words = rest.split_ascii_whitespace();
                    plan.host = Some([nest(&mut words)?, nest(&mut words)?]);
                }
                "check" => {
                    let (place, text) = rest.split_once(' ')?;
                    plan.checks.push(Check { place: place.parse().ok()?, text: text.to_owned() });
                }
                _ => return None,
            }
        }
        plans.iter().all(KernelPlan::names_its_loops).then_some(plans)
    }
}

fn empty(number: u32, (function_number, function): (usize, &str)) -> KernelPlan {
    let grid = Grid::Points([const { Vec::new() }; 3]);
    let entry =
        Entry { name: String::new(), params: Vec::new(), strides: Vec::new(), grid, shared_bytes: 0, cost: None };
    KernelPlan {
        function: function.to_owned(),
        function_number,
        number,
        symbols: Vec::new(),
        domain: Vec::new(),
        accesses: Vec::new(),
        arrays: Vec::new(),
        entries: [entry.clone(), entry],
        variants: Vec::new(),
        steps: Vec::new(),
        combine: None,
        finish: Vec::new(),
        in_row: None,
        checks: Vec::new(),
        host: None,
    }
}

/// Numbers as one word.
pub(super) fn list(numbers: &[usize]) -> String {
    let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("[{}]", texts.join(","))
}

/// The numbers of such a word.
pub(super) fn numbers(word: &str) -> Option<Vec<usize>> {
    let inner = word.strip_prefix('[')?.strip_suffix(']')?;
    inner.split(',').filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> KernelPlan {
        let sym = |s| SizeExpr { terms: vec![(1, vec![s])] };
        let mixed = SizeExpr { terms: vec![(2, vec![0, 1]), (-8, vec![]), (1, vec![1])] };
        let mut plan = empty(3, (1, "step"));
        plan.symbols = vec!["n".into(), "m".into()];
        plan.arrays = vec![
            Array { value: 9, name: "y".into(), element: Element::F64, dims: vec![], role: Role::Reduced },
            Array {
                value: 10,
                name: "x".into(),
                element: Element::I32,
                dims: vec![sym(0), sym(1)],
                role: Role::Update(4),
            },
            Array { value: 4, name: "t4".into(), element: Element::Bool, dims: vec![mixed.clone()], role: Role::In },
        ];
        let params = vec![
            Param::Array(1),
            Param::Partials(0),
            Param::Size(mixed.clone()),
            Param::Bound(Bound::First(1)),
            Param::Bound(Bound::Count(vec![0, 2])),
            Param::Bound(Bound::Count(vec![])),
            Param::Bound(Bound::FirstChunk),
            Param::Bound(Bound::Chunks),
            Param::Scalar(7, Element::Index),
            Param::Fault,
        ];
        let strides = vec![Stride { faster: vec![sym(0)] }, Stride { faster: vec![sym(0), mixed.clone()] }];
        let grid = Grid::Neighbours { x: 2, others: vec![], reduced: vec![0, 1], ahead: 4 };
        plan.entries[0] = Entry { name: "step_k3_c".into(), params, strides, grid, shared_bytes: 2048, cost: None };
        let computed = Computation { instructions: 40_000, doubles: 16_000, singles: 1, shared: 8000 };
        let begun = Computation { instructions: 9000, ..Computation::default() };
        let cost = Cost { asked: 640, computed, begun, under_way: 2, repeated: true };
        plan.entries[0].cost = Some(cost);
        plan.entries[1] = Entry { grid: Grid::Points([vec![1], vec![0, 2], vec![]]), ..plan.entries[0].clone() };
        let (tile, threads) = ([64, 32], [16, 8]);
        let tiles = |others| Entry {
            grid: Grid::Tiles { across: 0, down: 2, others, tile, threads },
            ..plan.entries[0].clone()
        };
        let vectors = Grid::Vectors { axes: [vec![2], vec![1, 0], vec![]], each: 16 };
        let vectors = Entry { grid: vectors, ..plan.entries[0].clone() };
        let halos = Grid::Halos { axes: [vec![2], vec![1], vec![0]], each: [4, 2], sides: 3 };
        let halos = [halos.clone(), halos].map(|grid| Entry { grid, ..plan.entries[0].clone() });
        plan.variants = vec![[tiles(vec![1]), tiles(vec![])], [tiles(vec![]), vectors], halos];
        let steps = Grid::Steps {
            across: vec![0],
            along: vec![1],
            state: 2,
            steps: 8,
            threads: [256, 1],
            wide: [240, 1],
            extra: 16,
        };
        plan.steps =
            [8, 4].map(|_| [plan.entries[1].clone(), Entry { grid: steps.clone(), ..plan.entries[0].clone() }]).into();
        let combine = |kept| Entry { grid: Grid::Combine { kept, reduced: vec![1] }, ..plan.entries[0].clone() };
        plan.combine = Some([combine(vec![0, 2]), combine(vec![2, 0])]);
        let finish = |kept| Entry { grid: Grid::Lanes { kept, reduced: vec![1], ahead: 2 }, ..plan.entries[0].clone() };
        plan.finish = vec![[finish(vec![0, 2]), finish(vec![2, 0])], [finish(vec![0]), finish(vec![0])]];
        let share = Share {
            axis: 2,
            entry: plan.entries[0].clone(),
            slots: (0..10).rev().collect(),
            buffers: vec![(8, sym(1)), (4, SizeExpr::constant(1))],
            pool: 1000,
        };
        let (arrays, changed) = (vec![0, 1, 1], vec![1]);
        plan.in_row = Some(InRow { place: 1, of: 3, arrays, changed, orders: [None, Some(share)] });
        plan.domain = vec![sym(1), SizeExpr::constant(3), sym(0)];
        plan.accesses = AccessMap::examples();
        plan.host = Some([Nest { outer: vec![1, 0], inner: Some(2) }, Nest { outer: vec![], inner: None }]);
        plan.checks = vec![Check { place: 12, text: "index: out of bounds; value 3".into() }];
        plan
    }

    #[test]
    fn plans_survive() {
        let plan = example();
        let alike = KernelPlan { entries: [plan.entries[0].clone(), plan.entries[0].clone()], ..plan.clone() };
        let text = plan.encode() + &alike.encode();
        assert_eq!(KernelPlan::decode_all(&text), Some(vec![plan, alike]));
    }

    #[test]
    fn other_texts_are_refused() {
        assert_eq!(KernelPlan::decode_all(""), Some(vec![]));
        for text in
            ["symbols n", "kernel x f", "kernel 1 0 f\narray f65 in 1 x", "kernel 1 0 f\ncolumns a 0 lanes 1 ; a0"]
        {
            assert_eq!(KernelPlan::decode_all(text), None, "{text}");
        }
        let loops = |columns: &str, host: &str| {
            let text = format!("kernel 0 0 f\nsymbols n\ndomain 1*0 1*0\ncolumns f 0 {columns}\nhost {host} - 0\n");
            KernelPlan::decode_all(&text).is_some()
        };
        assert!(loops("points 0,1 - - ; n0,1 o1", "0 1"));
        // A loop that the domain does not have.
        assert!(loops("tiles 0,1 64,64 16,16 - ;", "0 1") && !loops("tiles 0,2 64,64 16,16 - ;", "0 1"));
        assert!(!loops("tiles 0,1 64,0 16,16 - ;", "0 1") && !loops("tiles 0,1 64 16,16 - ;", "0 1"));
        assert!(!loops("points 0,2 - - ;", "0 1") && !loops("points 0 - - ; o2", "0 1"));
        assert!(!loops("points 0 - - ; n1,2", "0 1") && !loops("points 0 - - ;", "0 2"));
    }
}
