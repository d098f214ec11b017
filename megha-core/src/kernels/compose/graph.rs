//! The augmented data flow graph of one MATLAB basic block, as the caller describes it (MEGHA thesis, section 3.2.1.2,
//! "Graph Formulation").

use std::collections::BTreeMap;
use std::fmt;

/// A statement of the basic block; numbered from 0 in program order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

/// An array variable that statements of the block reference; numbered from 0 in the order it was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Array(pub u32);

/// An iteration space: statements whose surrounding parallel loops have the same extents carry the same number, which is
/// the caller's to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Space(pub u32);

impl Node {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Array {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stmt{}", self.0)
    }
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "array{}", self.0)
    }
}

/// What composition needs to know of one statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// How explanations name the statement, usually its source text.
    pub label: String,
    /// The space of its surrounding parallel loops; of a reduction, the space it reads. Different spaces never share a
    /// kernel.
    pub space: Space,
    /// Whether the statement is GPU friendly (Definition 3). One that is not forms a cluster of its own.
    pub friendly: bool,
    /// `reg_n`: the number of scalars the statement uses.
    pub reg: u32,
    /// The arrays it defines. A store into a part of an array both uses the old version and defines the new one.
    pub defs: Vec<Array>,
    /// The arrays it uses, one entry for each reference (so `A(i-1) + A(i+1)` lists `A` twice), which is what Loc counts.
    pub uses: Vec<Array>,
}

/// What composition needs to know of one array variable.
#[derive(Clone, Debug)]
pub struct ArrayInfo {
    /// How explanations name the array.
    pub label: String,
    /// Its size in the caller's unit (elements or bytes, but one unit for the whole graph), with symbolic extents replaced
    /// by nominal values. With the default parameters it should be well above [`Params::beta`](super::Params).
    pub size: u64,
    /// Whether a value defined in the block is needed after it.
    pub live_out: bool,
}

/// What makes two statements neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// The first must run before the second.
    Dependence,
    /// Neither depends on the other, but one pass over a shared space (and perhaps shared arrays) can serve both.
    Sibling,
}

/// The augmented data flow graph: statements in program order, arrays, dependence edges, sibling edges and
/// fusion-preventing pairs. Methods only record; [`compose`](super::compose) checks the whole.
///
/// Dependences through arrays need not be added: any two statements that reference one array, at least one of them
/// defining it, are dependent in program order.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub(super) statements: Vec<Statement>,
    pub(super) arrays: Vec<ArrayInfo>,
    pub(super) dependences: Vec<(Node, Node)>,
    pub(super) siblings: Vec<(Node, Node, u32)>,
    pub(super) prevented: BTreeMap<(Node, Node), String>,
    pub(super) isolated: BTreeMap<Node, String>,
}

impl Graph {
    /// A graph without statements.
    pub fn new() -> Self {
        Graph::default()
    }

    /// Adds the next statement in program order.
    pub fn add_statement(&mut self, statement: Statement) -> Node {
        self.statements.push(statement);
        Node(self.statements.len() as u32 - 1)
    }

    /// Adds an array variable (of SSA form: one version).
    pub fn add_array(&mut self, array: ArrayInfo) -> Array {
        self.arrays.push(array);
        Array(self.arrays.len() as u32 - 1)
    }

    /// Adds a dependence that the arrays do not show: through a scalar, a side effect or a reused buffer. `first` must
    /// come before `second` in program order.
    pub fn add_dependence(&mut self, first: Node, second: Node) {
        self.dependences.push((first, second));
    }

    /// Offers a merge of two statements that do not depend on each other, with the locality it would gain: the number of
    /// pairs of overlapping references ([`Graph::locality`] counts them), 0 when only the pass over the space is shared.
    /// On a pair that is dependent too, the dependence edge stands for both.
    pub fn add_sibling(&mut self, a: Node, b: Node, loc: u32) {
        self.siblings.push((a.min(b), a.max(b), loc));
    }

    /// Adds a fusion-preventing edge; `reason` completes the sentence "a and b stay apart: …". The first reason given for
    /// a pair is kept.
    pub fn prevent_fusion(&mut self, a: Node, b: Node, reason: impl Into<String>) {
        self.prevented.entry((a.min(b), a.max(b))).or_insert_with(|| reason.into());
    }

    /// Adds a fusion-preventing edge from `node` to every other statement, as a matrix product needs; `reason` as for
    /// [`Graph::prevent_fusion`].
    pub fn isolate(&mut self, node: Node, reason: impl Into<String>) {
        self.isolated.entry(node).or_insert_with(|| reason.into());
    }

    /// Loc(a, b): the number of pairs of references, one in each statement, to a common array; 0 for an unknown node.
    pub fn locality(&self, a: Node, b: Node) -> u32 {
        let refs = |n: Node| self.statements.get(n.index()).into_iter().flat_map(|s| s.defs.iter().chain(&s.uses));
        refs(a).map(|x| refs(b).filter(|y| *y == x).count() as u32).sum()
    }

    /// How explanations name `node`; empty for an unknown node.
    pub fn label(&self, node: Node) -> &str {
        self.statements.get(node.index()).map_or("", |s| &s.label)
    }

    /// Checks what every later step relies on: that entities exist and that dependences follow program order.
    pub(super) fn check(&self) -> Result<(), GraphError> {
        let pairs = self.dependences.iter().copied();
        let pairs = pairs.chain(self.siblings.iter().map(|&(a, b, _)| (a, b))).chain(self.prevented.keys().copied());
        for (a, b) in pairs {
            if let Some(node) = [a, b].into_iter().find(|n| n.index() >= self.statements.len()) {
                return Err(GraphError::UnknownNode(node));
            }
            if a >= b {
                return Err(GraphError::NotForward(a, b));
            }
        }
        if let Some(&node) = self.isolated.keys().find(|n| n.index() >= self.statements.len()) {
            return Err(GraphError::UnknownNode(node));
        }
        for (i, s) in self.statements.iter().enumerate() {
            if let Some(&array) = s.defs.iter().chain(&s.uses).find(|a| a.index() >= self.arrays.len()) {
                return Err(GraphError::UnknownArray(Node(i as u32), array));
            }
        }
        Ok(())
    }
}

/// A graph that describes no basic block: a mistake of the pass that built it, never of the user's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// An edge names a statement that was not added.
    UnknownNode(Node),
    /// A statement references an array that was not added.
    UnknownArray(Node, Array),
    /// An edge joins a statement to itself, or a dependence runs against program order.
    NotForward(Node, Node),
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("kernel composition was given a malformed graph: ")?;
        match self {
            GraphError::UnknownNode(n) => write!(f, "an edge names {n}, which is not in the graph"),
            GraphError::UnknownArray(n, a) => write!(f, "{n} references {a}, which is not in the graph"),
            GraphError::NotForward(a, b) => write!(f, "the edge from {a} to {b} does not follow program order"),
        }
    }
}

impl std::error::Error for GraphError {}
