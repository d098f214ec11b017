//! MATLAB basic blocks with kernels, as the run-time system sees them when it decides where the kernels run (MEGHA, section 3.2.3).

use super::encode::{element, element_word, size, size_word};
use super::{Element, SizeExpr};
use std::fmt::Write;

/// A run of statements between control, from its first kernel on. Sizes are over the block's own symbols.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// The arrays that it touches. Those that exist before it come with every execution, in order.
    pub data: Vec<Data>,
    /// Its kernels and the other statements that touch arrays, in program order.
    pub nodes: Vec<Node>,
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
    /// Its sizes.
    pub dims: Vec<SizeExpr>,
}

/// A statement of a block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Node {
    /// The number of its plan; `None` for a statement of the host.
    pub kernel: Option<usize>,
    /// Its points.
    pub points: SizeExpr,
    /// Simple operations of all its points.
    pub work: SizeExpr,
    /// Whether it reduces: a thread of a device then takes a lane of a chunk, not a point.
    pub reduces: bool,
    /// The arrays that it reads.
    pub reads: Vec<usize>,
    /// The arrays that it writes; an update is in both.
    pub writes: Vec<usize>,
}

fn list(numbers: &[usize]) -> String {
    let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("[{}]", texts.join(","))
}

fn numbers(word: &str) -> Option<Vec<usize>> {
    let inner = word.strip_prefix('[')?.strip_suffix(']')?;
    inner.split(',').filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect()
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
        dims: words.map(size).collect::<Option<_>>()?,
    })
}

fn node(text: &str) -> Option<Node> {
    let mut words = text.split_ascii_whitespace();
    let kernel = words.next()?;
    let kernel = if kernel == "host" { None } else { Some(kernel.parse().ok()?) };
    Some(Node {
        kernel,
        points: size(words.next()?)?,
        work: size(words.next()?)?,
        reduces: flag(words.next()?)?,
        reads: numbers(words.next()?)?,
        writes: numbers(words.next()?)?,
    })
}

impl Block {
    /// The block as text: `block`, a line for each array, a line for each statement.
    pub fn encode(&self) -> String {
        let mut text = "block\n".to_owned();
        for d in &self.data {
            let dims: String = d.dims.iter().map(|d| format!(" {}", size_word(d))).collect();
            let _ =
                writeln!(text, "data {} {} {}{dims}", element_word(d.element), u8::from(d.before), u8::from(d.after));
        }
        for n in &self.nodes {
            let kernel = n.kernel.map_or_else(|| "host".to_owned(), |k| k.to_string());
            let (points, work, reduces) = (size_word(&n.points), size_word(&n.work), u8::from(n.reduces));
            let _ = writeln!(text, "node {kernel} {points} {work} {reduces} {} {}", list(&n.reads), list(&n.writes));
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
                _ => return None,
            }
        }
        let known = |block: &Block| {
            block.nodes.iter().flat_map(|n| n.reads.iter().chain(&n.writes)).all(|d| *d < block.data.len())
        };
        blocks.iter().all(known).then_some(blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_survive() {
        let sym = |s| SizeExpr { terms: vec![(1, vec![s])] };
        let x = Data { element: Element::F64, before: true, after: false, dims: vec![sym(0), sym(1)] };
        let y = Data { element: Element::Bool, before: false, after: true, dims: vec![] };
        let work = SizeExpr { terms: vec![(20, vec![0, 1])] };
        let kernel = Node { kernel: Some(3), points: sym(1), work, reduces: true, reads: vec![0], writes: vec![1] };
        let host =
            Node { kernel: None, work: SizeExpr::default(), reads: vec![1, 0], writes: vec![], ..Node::default() };
        let block = Block { data: vec![x, y], nodes: vec![kernel, host] };
        let text = block.encode() + &Block::default().encode();
        assert_eq!(Block::decode_all(&text), Some(vec![block, Block::default()]));
        for text in ["data f64 0 0", "block\nnode host 0 0 0 [1] []", "block\nnode host 0 0 0 1 []", "blok"] {
            assert_eq!(Block::decode_all(text), None, "{text}");
        }
    }
}
