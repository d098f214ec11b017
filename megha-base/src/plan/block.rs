//! MATLAB basic blocks with kernels, as the run-time system sees them when it decides where the kernels run (MEGHA, section 3.2.3).

use super::encode::{element, element_word, list, numbers, size, size_word};
use super::{Element, SizeExpr};
use std::fmt::Write;

/// Multiplications that a Fourier transform is taken to make for each number of its result.
pub const FOURIER: u64 = 20;

/// A run of statements between control, from its first kernel on. Sizes are over the block's own symbols.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// The arrays that it touches. Those that exist before it come with every execution, in order.
    pub data: Vec<Data>,
    /// Its kernels and the other statements that touch arrays, in program order.
    pub nodes: Vec<Node>,
    /// The block that comes next, in loops that begin behind this one.
    pub following: Option<Following>,
}

/// A block that runs next, as often as the loops say that begin between the two.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Following {
    /// Its number.
    pub block: usize,
    /// For each of its symbols that of the block before it.
    pub sizes: Vec<usize>,
    /// For each array that exists before it, in order, that of the block before it.
    pub arrays: Vec<usize>,
}

/// An array of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Data {
    /// Its class.
    pub element: Element,
    /// Whether it exists before the block.
    pub before: bool,
    /// Whether the host may need it after the block.
    pub after: bool,
    /// Whether a variable has it when the block ends: else its memory is free from its last use on.
    pub lives: bool,
    /// What happens to it next after the block.
    pub next: Next,
    /// Of one that exists before the block, the array that is in its variable when the block ends, if one is: that is what the next round finds there.
    pub again: Option<usize>,
    /// Its sizes.
    pub dims: Vec<SizeExpr>,
}

/// What happens to an array after a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Next {
    /// Anything.
    #[default]
    Unknown,
    /// The host reads it.
    Read,
    /// The function returns it.
    Returned,
}

impl Next {
    const WORDS: [(Next, &'static str); 3] = [(Next::Unknown, "-"), (Next::Read, "read"), (Next::Returned, "returned")];

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(next, _)| *next == self).map_or("-", |(_, word)| word)
    }

    fn parse(word: &str) -> Option<Next> {
        Self::WORDS.iter().find(|(_, w)| *w == word).map(|(next, _)| *next)
    }
}

/// How the threads of a device share a kernel's points.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Form {
    /// A thread takes a point.
    #[default]
    Points,
    /// It reduces: a thread takes a lane of a chunk, and a second kernel combines chunks.
    Reduction,
    /// A point is a line of at most so many elements, which many threads read and write and one combines in order.
    Lines(SizeExpr),
}

fn form_word(form: &Form) -> String {
    match form {
        Form::Points => "points".into(),
        Form::Reduction => "reduction".into(),
        Form::Lines(longest) => format!("lines:{}", size_word(longest)),
    }
}

fn form(word: &str) -> Option<Form> {
    match word {
        "points" => Some(Form::Points),
        "reduction" => Some(Form::Reduction),
        _ => Some(Form::Lines(size(word.strip_prefix("lines:")?)?)),
    }
}

/// Who can do a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Task {
    /// Only the host.
    #[default]
    Host,
    /// Copies of arrays and fills, which either side makes in its own memory.
    Memory,
    /// A kernel, which a device can run: the number of its plan.
    Kernel(usize),
    /// A matrix product, which a device's library can make: its number in the module.
    Product(usize),
}

impl Task {
    /// Whether the host offers it to a device when it comes to it.
    pub fn is_offered(self) -> bool {
        match self {
            Task::Host | Task::Memory => false,
            Task::Kernel(_) | Task::Product(_) => true,
        }
    }

    /// As a word.
    pub fn word(self) -> String {
        match self {
            Task::Host => "host".to_owned(),
            Task::Memory => "memory".to_owned(),
            Task::Kernel(number) => format!("kernel{number}"),
            Task::Product(number) => format!("product{number}"),
        }
    }

    /// The task of a word.
    pub fn parse(word: &str) -> Option<Task> {
        let number = |name: &str| word.strip_prefix(name)?.parse().ok();
        match word {
            "host" => Some(Task::Host),
            "memory" => Some(Task::Memory),
            _ => number("kernel").map(Task::Kernel).or_else(|| number("product").map(Task::Product)),
        }
    }
}

/// A statement of a block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Node {
    /// Who can do it.
    pub task: Task,
    /// Its points; of a product, the elements.
    pub points: SizeExpr,
    /// Simple operations of all its points; of a product and of an operation of a library on the host, multiplications.
    pub work: SizeExpr,
    /// Bytes that a kernel's points read and write one by one, as they come through a device's caches: less for what neighbouring points share.
    pub traffic: SizeExpr,
    /// How the threads of a device share its points.
    pub form: Form,
    /// The arrays that it reads.
    pub reads: Vec<usize>,
    /// The arrays that it writes; an update is in both.
    pub writes: Vec<usize>,
    /// Whether the call may end here, so that nothing after it may begin before it.
    pub guards: bool,
    /// For each of the plan's arrays the array of the block, of a product for the product and its factors; none if some are not known.
    pub arrays: Vec<usize>,
    /// What else a launch passes, if that is known when the block begins and the launch need not wait for all that is before it.
    pub passed: Option<Passed>,
}

impl Node {
    /// Whether it can run again for what it has made, as far as is known without its plan: it updates, reduces and checks nothing.
    pub fn can_be_repeated(&self) -> bool {
        let updates = self.writes.iter().any(|data| self.reads.contains(data));
        matches!(self.task, Task::Kernel(_)) && self.form != Form::Reduction && !self.guards && !updates
    }
}

/// What a launch passes beside arrays, by the numbers of what comes with every execution of the block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Passed {
    /// The values of the plan's symbols.
    pub sizes: Vec<usize>,
    /// The plan's scalars.
    pub scalars: Vec<usize>,
}

fn flag(word: &str) -> Option<bool> {
    match word {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

fn data(text: &str) -> Option<Data> {
    let mut words = text.split_ascii_whitespace();
    Some(Data {
        element: element(words.next()?)?,
        before: flag(words.next()?)?,
        after: flag(words.next()?)?,
        lives: flag(words.next()?)?,
        next: Next::parse(words.next()?)?,
        again: match words.next()? {
            "-" => None,
            number => Some(number.parse().ok()?),
        },
        dims: words.map(size).collect::<Option<_>>()?,
    })
}

fn following(text: &str) -> Option<Following> {
    let mut words = text.split_ascii_whitespace();
    let found = Following {
        block: words.next()?.parse().ok()?,
        sizes: numbers(words.next()?)?,
        arrays: numbers(words.next()?)?,
    };
    words.next().is_none().then_some(found)
}

fn node(text: &str) -> Option<Node> {
    let mut words = text.split_ascii_whitespace();
    Some(Node {
        task: Task::parse(words.next()?)?,
        points: size(words.next()?)?,
        work: size(words.next()?)?,
        traffic: size(words.next()?)?,
        form: form(words.next()?)?,
        reads: numbers(words.next()?)?,
        writes: numbers(words.next()?)?,
        guards: flag(words.next()?)?,
        arrays: numbers(words.next()?)?,
        passed: match (words.next(), words.next()) {
            (Some(sizes), Some(scalars)) => Some(Passed { sizes: numbers(sizes)?, scalars: numbers(scalars)? }),
            (None, _) => None,
            _ => return None,
        },
    })
}

impl Node {
    fn words(&self) -> String {
        let [points, work, traffic] = [&self.points, &self.work, &self.traffic].map(size_word);
        let form = form_word(&self.form);
        let (reads, writes, arrays) = (list(&self.reads), list(&self.writes), list(&self.arrays));
        let passed = self.passed.as_ref().map(|p| format!(" {} {}", list(&p.sizes), list(&p.scalars)));
        let (guards, passed) = (u8::from(self.guards), passed.unwrap_or_default());
        format!("node {} {points} {work} {traffic} {form} {reads} {writes} {guards} {arrays}{passed}", self.task.word())
    }
}

impl Block {
    /// The block as text: `block`, a line for each array, a line for each statement, a line for the block that follows.
    pub fn encode(&self) -> String {
        let mut text = "block\n".to_owned();
        for d in &self.data {
            let dims: String = d.dims.iter().map(|d| format!(" {}", size_word(d))).collect();
            let element = element_word(d.element);
            let [before, after, lives] = [d.before, d.after, d.lives].map(u8::from);
            let again = d.again.map_or("-".to_owned(), |again| again.to_string());
            let _ = writeln!(text, "data {element} {before} {after} {lives} {} {again}{dims}", d.next.word());
        }
        for n in &self.nodes {
            text += &n.words();
            text.push('\n');
        }
        if let Some(Following { block, sizes, arrays }) = &self.following {
            let _ = writeln!(text, "following {block} {} {}", list(sizes), list(arrays));
        }
        text
    }

    /// The blocks of a text; `None` if it is not one of blocks.
    pub fn decode_all(text: &str) -> Option<Vec<Block>> {
        let mut blocks: Vec<Block> = Vec::new();
        for line in text.lines() {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("block", _) => blocks.push(Block::default()),
                ("data", rest) => blocks.last_mut()?.data.push(data(rest)?),
                ("node", rest) => blocks.last_mut()?.nodes.push(node(rest)?),
                ("following", rest) => blocks.last_mut()?.following = Some(following(rest)?),
                _ => return None,
            }
        }
        let known = |block: &Block| {
            let touched = block.nodes.iter().flat_map(|n| n.reads.iter().chain(&n.writes).chain(&n.arrays));
            let handed_on = block.following.iter().flat_map(|next| &next.arrays);
            let again = block.data.iter().flat_map(|data| &data.again);
            touched.chain(handed_on).chain(again).all(|d| *d < block.data.len())
        };
        let continued = |block: &Block| {
            let Some(next) = &block.following else { return true };
            let needs = |block: &Block| block.data.iter().filter(|data| data.before).count();
            blocks.get(next.block).is_some_and(|found| needs(found) == next.arrays.len())
        };
        blocks.iter().all(|block| known(block) && continued(block)).then_some(blocks)
    }

    /// For each node the earlier ones that must be done before it: those that make what it reads, that use what it overwrites, at which
    /// the call may end, and what these wait for.
    pub fn before(&self) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = Vec::with_capacity(self.nodes.len());
        for (number, node) in self.nodes.iter().enumerate() {
            let uses = |list: &[usize], of: &[usize]| list.iter().any(|d| of.contains(d));
            let waits = |earlier: &&usize| {
                let Node { reads, writes, guards, .. } = &self.nodes[**earlier];
                *guards || uses(&node.reads, writes) || uses(&node.writes, writes) || uses(&node.writes, reads)
            };
            let earlier: Vec<usize> = (0..number).collect();
            let direct = earlier.iter().filter(waits);
            let mut list: Vec<usize> = direct.flat_map(|e| all[*e].iter().copied().chain([*e])).collect();
            list.sort_unstable();
            list.dedup();
            all.push(list);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_survive() {
        let sym = |s| SizeExpr { terms: vec![(1, vec![s])] };
        let x = Data {
            element: Element::F64,
            before: true,
            after: false,
            lives: true,
            next: Next::Read,
            again: Some(1),
            dims: vec![sym(0), sym(1)],
        };
        let y = Data {
            element: Element::Bool,
            before: false,
            after: true,
            lives: false,
            next: Next::Unknown,
            again: None,
            dims: vec![],
        };
        let work = SizeExpr { terms: vec![(20, vec![0, 1])] };
        let kernel = Node {
            task: Task::Kernel(3),
            points: sym(1),
            work: work.clone(),
            traffic: work,
            form: Form::Reduction,
            reads: vec![0],
            writes: vec![1],
            guards: true,
            arrays: vec![1, 0],
            passed: None,
        };
        let passed = Some(Passed { sizes: vec![], scalars: vec![2, 0] });
        let form = Form::Lines(SizeExpr::constant(1000));
        let early = Node { passed, guards: false, form, ..kernel.clone() };
        let product = Node { task: Task::Product(2), arrays: vec![1, 0, 0], ..early.clone() };
        let host = Node { reads: vec![1, 0], ..Node::default() };
        let block = Block { data: vec![x, y], nodes: vec![kernel, early, product, host], following: None };
        let following = Some(Following { block: 0, sizes: vec![2, 0], arrays: vec![1] });
        let before = Block { following, ..block.clone() };
        let text = block.encode() + &before.encode() + &Block::default().encode();
        assert_eq!(Block::decode_all(&text), Some(vec![block, before.clone(), Block::default()]));
        // a block that follows is there, and gets the arrays that exist before it
        assert_eq!(
            ["0 [] [0,0]", "2 [] [0]", "0 [] [7]", "0 []", "0 [] [0] 1"]
                .map(|words| { Block::decode_all(&(before.encode() + "following " + words)) }),
            [const { None }; 5]
        );
        let node = |words: &str| format!("block\ndata f64 0 0 1 returned -\nnode host 0 0 0 points {words}");
        assert!(Block::decode_all(&node("[0] [] 0 []")).is_some());
        assert_eq!(["host", "memory", "kernel1", "product0"].map(Task::parse).map(|t| t.is_some()), [true; 4]);
        assert_eq!(["3", "kernel", "product-1", ""].map(Task::parse), [None; 4]);
        let bad = ["[1] [] 0 []", "0 [] 0 []", "[0] [] 2 []", "[0] [] 0 [1]", "[0] [] 0", "[0] [] 0 [] []"].map(node);
        for text in bad.iter().map(String::as_str).chain([
            "data f64 0 0 0 - -",
            "block\ndata f64 0 0 0 -",
            "block\ndata f64 0 0 0 - 1",
            "blok",
        ]) {
            assert_eq!(Block::decode_all(text), None, "{text}");
        }
    }

    #[test]
    fn what_nodes_wait_for() {
        let node =
            |reads: &[usize], writes: &[usize]| Node { reads: reads.into(), writes: writes.into(), ..Node::default() };
        // a; b of a; c alone; d overwrites what b made; e reads that
        let mut nodes = vec![node(&[], &[0]), node(&[0], &[1]), node(&[2], &[3]), node(&[], &[1]), node(&[1], &[4])];
        let block = |nodes: &[Node]| Block { nodes: nodes.into(), ..Block::default() };
        assert_eq!(block(&nodes).before(), [vec![], vec![0], vec![], vec![0, 1], vec![0, 1, 3]]);
        nodes[2].guards = true;
        assert_eq!(block(&nodes).before(), [vec![], vec![0], vec![], vec![0, 1, 2], vec![0, 1, 2, 3]]);
        // an update waits for those that read the old elements
        assert_eq!(block(&[node(&[0], &[1]), node(&[0], &[0])]).before(), [vec![], vec![0]]);
    }
}
