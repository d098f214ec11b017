//! The weights of the graph (Figure 3.4) and the benefit of each edge (Figure 3.5).

use super::graph::{Array, EdgeKind, Graph, GraphError, Node};

/// The parameters of kernel composition. Memory is in the unit of [`ArrayInfo::size`](super::ArrayInfo::size).
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// α: the benefit of each unit of array that a merge eliminates.
    pub alpha: f64,
    /// β: the benefit of each pair of overlapping references, which costs one load less.
    pub beta: f64,
    /// γ: the benefit of each edge collapsed, for the kernel call or pass that is saved.
    pub gamma: f64,
    /// `k`: how many edges one step of the look-ahead collapses together, at most; 0 counts as 1.
    pub look_ahead: usize,
    /// How many edges the look-ahead follows further at each level, best first. A level that has no more than this is
    /// searched exhaustively, as in the thesis. The first level always tries every edge as a merge by itself.
    pub breadth: usize,
    /// `R_max`: the limit on the registers of one kernel (Equation 3.2.1).
    pub reg_max: u64,
    /// `M_max`: the limit on the memory of one kernel (Equation 3.2.4).
    pub mem_max: u128,
}

impl Default for Params {
    /// Ranks what a merge can gain: an eliminated array of nominal size (10,000 or more) before a shared reference before
    /// a bare call saved. `k` = 3 and γ = 100 are the thesis's. Equation 3.2.1 adds up registers whose lifetimes need not
    /// overlap, so its limit is that of the largest register file a GPU thread can address. Memory is unlimited: a CPU
    /// runs a kernel of any footprint, and whoever compiles for a device sets its size.
    fn default() -> Self {
        Params { alpha: 1.0, beta: 1000.0, gamma: 100.0, look_ahead: 3, breadth: 6, reg_max: 255, mem_max: u128::MAX }
    }
}

/// The weights of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeWeight {
    /// `reg_n`: the number of scalars it uses.
    pub reg: u32,
    /// `mem_n`: the sum of the sizes of the scalarizable variables it references.
    pub mem: u128,
    /// The non-scalarizable variables for which `used_n` is 1, in ascending order.
    pub used: Vec<Array>,
}

/// The weights of a dependence or sibling edge.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeWeight {
    /// The end that comes first in program order.
    pub from: Node,
    /// The other end.
    pub to: Node,
    /// What makes the two neighbours.
    pub kind: EdgeKind,
    /// The scalarizable variables that collapsing the edge eliminates; their number is `reg_e`.
    pub scalarized: Vec<Array>,
    /// `mem_e`: minus twice the sum of the sizes of `scalarized`.
    pub mem: i128,
    /// Loc: pairs of overlapping references.
    pub loc: u32,
    /// `benefit_e` = α·Mem + β·Loc + γ, where Mem is half of −`mem_e`.
    pub benefit: f64,
}

/// All weights of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// By node number.
    pub nodes: Vec<NodeWeight>,
    /// By ends; at most one edge for a pair of nodes.
    pub edges: Vec<EdgeWeight>,
    /// By array number: whether the array is scalarizable (Definition 4).
    pub scalarizable: Vec<bool>,
}

impl Weights {
    /// Weighs `graph` as section 3.2.1.2 of the thesis says.
    ///
    /// # Errors
    /// [`GraphError`] if the graph names what it does not hold or has an edge against program order.
    pub fn of(graph: &Graph, params: &Params) -> Result<Weights, GraphError> {
        graph.check()?;
        let references = References::of(graph);
        let scalarizable: Vec<bool> =
            (0..graph.arrays.len()).map(|a| references.scalarization(graph, a).is_some()).collect();
        let nodes = (0..graph.statements.len()).map(|n| node_weight(graph, n, &scalarizable)).collect();
        let mut edges = bare_edges(graph, &references);
        for array in 0..graph.arrays.len() {
            let ends = references.scalarization(graph, array);
            let edge = ends.and_then(|ends| edges.binary_search_by_key(&ends, |e| (e.from, e.to)).ok());
            if let Some(edge) = edge.map(|at| &mut edges[at]) {
                edge.scalarized.push(Array(array as u32));
                edge.mem -= 2 * i128::from(graph.arrays[array].size);
            }
        }
        for e in &mut edges {
            let eliminated = (-e.mem / 2) as f64;
            e.benefit = params.alpha * eliminated + params.beta * f64::from(e.loc) + params.gamma;
        }
        Ok(Weights { nodes, edges, scalarizable })
    }
}

fn node_weight(graph: &Graph, node: usize, scalarizable: &[bool]) -> NodeWeight {
    let statement = &graph.statements[node];
    let mut arrays: Vec<Array> = statement.defs.iter().chain(&statement.uses).copied().collect();
    arrays.sort();
    arrays.dedup();
    let (scalar, used): (Vec<Array>, Vec<Array>) = arrays.into_iter().partition(|a| scalarizable[a.index()]);
    let mem = scalar.iter().map(|a| u128::from(graph.arrays[a.index()].size)).sum();
    NodeWeight { reg: statement.reg, mem, used }
}

/// The edges by ends, one for a pair of nodes, without what scalarization and the parameters add.
fn bare_edges(graph: &Graph, references: &References) -> Vec<EdgeWeight> {
    let bare = |from, to, kind, loc| EdgeWeight { from, to, kind, scalarized: Vec::new(), mem: 0, loc, benefit: 0.0 };
    let mut dependences: Vec<(Node, Node)> =
        references.dependences().chain(graph.dependences.iter().copied()).collect();
    dependences.sort();
    dependences.dedup();
    let dependences = dependences.into_iter().map(|(a, b)| bare(a, b, EdgeKind::Dependence, graph.locality(a, b)));
    let siblings = graph.siblings.iter().map(|&(a, b, loc)| bare(a, b, EdgeKind::Sibling, loc));
    let mut edges: Vec<EdgeWeight> = dependences.chain(siblings).collect();
    edges.sort_by_key(|e| (e.from, e.to, e.kind)); // dependences before siblings, which they stand for
    edges.dedup_by_key(|e| (e.from, e.to));
    edges
}

/// Which statements define and use each array, in program order and without repetition.
struct References {
    defs: Vec<Vec<Node>>,
    uses: Vec<Vec<Node>>,
}

impl References {
    fn of(graph: &Graph) -> References {
        let mut refs =
            References { defs: vec![Vec::new(); graph.arrays.len()], uses: vec![Vec::new(); graph.arrays.len()] };
        for (i, statement) in graph.statements.iter().enumerate() {
            for (arrays, table) in [(&statement.defs, &mut refs.defs), (&statement.uses, &mut refs.uses)] {
                for a in arrays {
                    let nodes = &mut table[a.index()];
                    if nodes.last() != Some(&Node(i as u32)) {
                        nodes.push(Node(i as u32));
                    }
                }
            }
        }
        refs
    }

    /// The two statements whose merge scalarizes `array`: its one definition and, later, its one use (Definition 4).
    /// Two references in one statement count once, because it is still one merge that eliminates the array.
    fn scalarization(&self, graph: &Graph, array: usize) -> Option<(Node, Node)> {
        match (&self.defs[array][..], &self.uses[array][..]) {
            (&[def], &[user]) if def < user && !graph.arrays[array].live_out => Some((def, user)),
            _ => None,
        }
    }

    /// Every pair of statements that references one array, at least one defining it: true, anti and output dependences.
    fn dependences(&self) -> impl Iterator<Item = (Node, Node)> + '_ {
        self.defs.iter().zip(&self.uses).flat_map(|(defs, uses)| {
            let others = move |d: Node| defs.iter().chain(uses).filter(move |o| **o != d);
            defs.iter().flat_map(move |&d| others(d).map(move |&o| (d.min(o), d.max(o))))
        })
    }
}
