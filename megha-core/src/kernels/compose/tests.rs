//! The thesis's example, and one hand-made graph for each rule.

use super::*;

/// Statements over one space that reference no scalars; arrays of one size.
#[derive(Default)]
struct Block {
    graph: Graph,
}

impl Block {
    fn array(&mut self, label: &str, size: u64) -> Array {
        self.graph.add_array(ArrayInfo { label: label.into(), size, live_out: false })
    }

    fn result(&mut self, label: &str, size: u64) -> Array {
        self.graph.add_array(ArrayInfo { label: label.into(), size, live_out: true })
    }

    fn statement(&mut self, label: &str, defs: &[Array], uses: &[Array]) -> Node {
        self.add(label, 0, defs, uses)
    }

    fn add(&mut self, label: &str, space: u32, defs: &[Array], uses: &[Array]) -> Node {
        self.graph.add_statement(Statement {
            label: label.into(),
            space: Space(space),
            friendly: true,
            reg: 0,
            defs: defs.to_vec(),
            uses: uses.to_vec(),
        })
    }
}

fn node_lists(clusters: &Clusters) -> Vec<Vec<u32>> {
    clusters.clusters.iter().map(|c| c.nodes.iter().map(|n| n.0).collect()).collect()
}

fn stop_of(clusters: &Clusters, from: Node, to: Node) -> &Stop {
    &clusters.stopped.iter().find(|s| (s.from, s.to) == (from, to)).expect("the edge is reported").stop
}

fn thesis_params() -> Params {
    Params { alpha: 1.0, beta: 0.0, gamma: 100.0, ..Params::default() }
}

/// Figure 3.3(b). Node 0 is the thesis's statement 1. All variables are 100-by-100 matrices.
fn figure_3_3() -> (Graph, [Array; 7]) {
    let mut block = Block::default();
    let [a, b, c] = ["A", "B", "C"].map(|name| block.array(name, 10_000));
    let [t0, t1] = ["tempVar0", "tempVar1"].map(|name| block.array(name, 10_000));
    let [a1, c1] = ["A_1", "C_1"].map(|name| block.result(name, 10_000));
    block.statement("tempVar0 = B + C", &[t0], &[b, c]);
    block.statement("tempVar1 = A + C", &[t1], &[a, c]);
    block.statement("A_1 = tempVar0 + tempVar1", &[a1], &[t0, t1]);
    block.statement("C_1 = A_1 * C", &[c1], &[a1, c]);
    block.graph.prevent_fusion(Node(2), Node(3), "a matrix product is not element-wise");
    (block.graph, [a, b, c, t0, t1, a1, c1])
}

#[test]
fn figure_3_4_weights() {
    let (graph, [a, b, c, t0, t1, a1, c1]) = figure_3_3();
    let weights = Weights::of(&graph, &thesis_params()).unwrap();
    let node = |mem, used: &[Array]| NodeWeight { reg: 0, mem, used: used.to_vec() };
    assert_eq!(
        weights.nodes,
        [node(10_000, &[b, c]), node(10_000, &[a, c]), node(20_000, &[a1]), node(0, &[c, a1, c1])]
    );
    let edge = |from, to, scalarized: &[Array], mem, loc, benefit| EdgeWeight {
        from: Node(from),
        to: Node(to),
        kind: EdgeKind::Dependence,
        scalarized: scalarized.to_vec(),
        mem,
        loc,
        benefit,
    };
    // Figure 3.5's benefits with α = 1, β = 0, γ = 100.
    assert_eq!(
        weights.edges,
        [
            edge(0, 2, &[t0], -20_000, 1, 10_100.0),
            edge(1, 2, &[t1], -20_000, 1, 10_100.0),
            edge(2, 3, &[], 0, 1, 100.0)
        ]
    );
    assert_eq!(weights.scalarizable, [false, false, false, true, true, false, false]);
}

#[test]
fn figure_3_5_clusters() {
    let (graph, [.., t0, t1, _, _]) = figure_3_3();
    let clusters = compose(&graph, &thesis_params()).unwrap();
    let first = Cluster {
        nodes: vec![Node(0), Node(1), Node(2)],
        eliminated: vec![t0, t1],
        regs: 2,
        mem_scal: 0,
        mem_nonscal: 40_000,
        benefit: 20_200.0,
    };
    let second =
        Cluster { nodes: vec![Node(3)], eliminated: vec![], regs: 0, mem_scal: 0, mem_nonscal: 30_000, benefit: 0.0 };
    assert_eq!(clusters.clusters, [first, second]);
    assert_eq!(clusters.cluster_of, [0, 0, 0, 1]);
    assert_eq!(clusters.benefit(), 20_200.0);
    let [stopped] = &clusters.stopped[..] else { panic!("one edge is left: {:?}", clusters.stopped) };
    assert_eq!(
        stopped.describe(&graph),
        "`A_1 = tempVar0 + tempVar1` and `C_1 = A_1 * C` stay apart: a matrix product is not element-wise"
    );
}

#[test]
fn definition_4_wants_one_definition_one_use_and_no_use_afterwards() {
    let mut block = Block::default();
    let once = block.array("once", 1);
    let twice_in_one = block.array("twice_in_one", 1);
    let twice = block.array("twice", 1);
    let redefined = block.array("redefined", 1);
    let input = block.array("input", 1);
    let inside = block.array("inside", 1);
    let result = block.result("result", 1);
    block.statement("before", &[], &[redefined]);
    block.statement("defs", &[once, twice_in_one, twice, redefined, result, inside], &[input, inside]);
    block.statement("use 1", &[], &[once, twice_in_one, twice, twice_in_one, result]);
    block.statement("use 2", &[], &[twice]);
    let weights = Weights::of(&block.graph, &Params::default()).unwrap();
    assert_eq!(weights.scalarizable, [true, true, false, false, false, false, false]);
    // once, twice, result: one pair of references each; twice_in_one: two.
    let edges: Vec<_> = weights.edges.iter().map(|e| (e.from.0, e.to.0, e.loc, e.mem)).collect();
    assert_eq!(edges, [(0, 1, 1, 0), (1, 2, 5, -4), (1, 3, 1, 0)]);
}

#[test]
fn a_path_that_leaves_and_returns_prevents_a_merge() {
    let mut block = Block::default();
    let [t, u, v] = ["t", "u", "v"].map(|name| block.array(name, 10));
    let a = block.statement("a", &[t, u], &[]);
    let x = block.add("x", 1, &[v], &[u]);
    let b = block.statement("b", &[], &[t, v]);
    let clusters = compose(&block.graph, &Params::default()).unwrap();
    assert_eq!(node_lists(&clusters), [[0], [1], [2]]);
    assert_eq!(*stop_of(&clusters, a, b), Stop::Cycle(x));
    assert_eq!(*stop_of(&clusters, a, x), Stop::Spaces(a, x));
    assert_eq!(
        clusters.stopped.iter().find(|s| s.to == b).unwrap().describe(&block.graph),
        "`a` and `b` stay apart: `x` runs between them and is in neither kernel, so they would wait for each other"
    );
}

#[test]
fn a_cycle_is_absorbed_together_with_the_node_it_goes_through() {
    let mut block = Block::default();
    let [t, u, v] = ["t", "u", "v"].map(|name| block.array(name, 10));
    block.statement("a", &[t, u], &[]);
    block.statement("x", &[v], &[u]);
    block.statement("b", &[], &[t, v]);
    let clusters = compose(&block.graph, &Params::default()).unwrap();
    assert_eq!(node_lists(&clusters), [[0, 1, 2]]);
    assert_eq!(clusters.clusters[0].eliminated, [t, u, v]);
    assert!(clusters.stopped.is_empty());
}

#[test]
fn a_cycle_between_grown_clusters_prevents_a_merge() {
    // a → b in space 0 and c → d in space 1, tied by a → d and c → b: only one pair can merge.
    let mut block = Block::default();
    let [t, u] = ["t", "u"].map(|name| block.array(name, 10));
    let a = block.statement("a", &[t], &[]);
    let c = block.add("c", 1, &[u], &[]);
    let b = block.statement("b", &[], &[t]);
    let d = block.add("d", 1, &[], &[u]);
    block.graph.add_dependence(a, d);
    block.graph.add_dependence(c, b);
    let clusters = compose(&block.graph, &Params::default()).unwrap();
    assert_eq!(node_lists(&clusters), [vec![1], vec![0, 2], vec![3]]);
    assert_eq!(*stop_of(&clusters, c, d), Stop::Cycle(a));
}

#[test]
fn a_path_through_several_merged_pairs_prevents_a_merge() {
    // p → a1, b1 → a2, b2 → a3, b3 → z: the path from p to z exists only once the three pairs are merged, which the sizes
    // make happen last pair first and first pair first.
    for [one, two, three] in [[30, 20, 10], [10, 20, 30]] {
        let mut block = Block::default();
        let sizes = [("outer", 900), ("pair 1", one), ("pair 2", two), ("pair 3", three)];
        let [x, y1, y2, y3] = sizes.map(|(name, size)| block.array(name, size));
        let spaces = [(0, x), (1, y1), (1, y1), (2, y2), (2, y2), (3, y3), (3, y3), (0, x)];
        let nodes = spaces.map(|(space, array)| block.add("", space, &[], &[array]));
        [0, 2, 4, 6].into_iter().for_each(|i| block.graph.add_dependence(nodes[i], nodes[i + 1]));
        [(1, 2), (3, 4), (5, 6), (0, 7)].into_iter().for_each(|(i, j)| block.graph.add_sibling(nodes[i], nodes[j], 1));
        let clusters = compose(&block.graph, &Params::default()).unwrap();
        assert_eq!(node_lists(&clusters), [vec![0], vec![1, 2], vec![3, 4], vec![5, 6], vec![7]]);
        assert_eq!(*stop_of(&clusters, nodes[0], nodes[7]), Stop::Cycle(nodes[1]));
    }
}

#[test]
fn equal_benefits_are_decided_by_program_order() {
    let mut block = Block::default();
    let [t, u] = ["t", "u"].map(|name| block.array(name, 10));
    let large = block.array("large", 1000); // so that the search starts at s
    block.statement("s", &[t, u], &[]);
    block.statement("p", &[], &[t, large]);
    block.statement("q", &[], &[u, large]);
    let clusters = compose(&block.graph, &Params { reg_max: 1, ..Params::default() }).unwrap();
    assert_eq!(node_lists(&clusters), [vec![0, 1], vec![2]]);
}

#[test]
fn clusters_run_in_dependence_order_even_against_program_order() {
    // The reduction s (space 1) comes after a in the program; a merges with b, which needs s.
    let mut block = Block::default();
    let t = block.array("t", 10);
    let a = block.statement("a", &[t], &[]);
    let s = block.add("s", 1, &[], &[]);
    let b = block.statement("b", &[], &[t]);
    block.graph.add_dependence(s, b);
    let clusters = compose(&block.graph, &Params::default()).unwrap();
    assert_eq!(node_lists(&clusters), [vec![s.0], vec![a.0, b.0]]);
    assert_eq!(clusters.cluster_of, [1, 0, 1]);
}

#[test]
fn registers_are_limited() {
    let mut block = Block::default();
    let [t, u] = ["t", "u"].map(|name| block.array(name, 10));
    let a = block.statement("a", &[t], &[]);
    let b = block.statement("b", &[u], &[t]);
    let c = block.statement("c", &[], &[u]);
    block.graph.statements.iter_mut().for_each(|s| s.reg = 2);
    let params = |reg_max| Params { reg_max, ..Params::default() };
    // Three statements of 2 and two arrays that became scalars.
    assert_eq!(compose(&block.graph, &params(8)).unwrap().clusters[0].regs, 8);
    let clusters = compose(&block.graph, &params(7)).unwrap();
    assert_eq!(node_lists(&clusters), [vec![0, 1], vec![2]]);
    assert_eq!(*stop_of(&clusters, b, c), Stop::Registers { needed: 8, limit: 7 });
    assert_eq!(*stop_of(&compose(&block.graph, &params(1)).unwrap(), a, b), Stop::Registers { needed: 5, limit: 1 });
}

#[test]
fn memory_is_limited_and_counts_an_array_once() {
    let mut block = Block::default();
    let [x, y, t, u] = ["x", "y", "t", "u"].map(|name| block.array(name, 10));
    let a = block.statement("a", &[t], &[x]);
    let b = block.statement("b", &[u], &[t, x]);
    let c = block.statement("c", &[], &[u, y]);
    let params = |mem_max| Params { mem_max, ..Params::default() };
    let all = compose(&block.graph, &params(20)).unwrap();
    assert_eq!((node_lists(&all), all.clusters[0].memory()), (vec![vec![0, 1, 2]], 20));
    let clusters = compose(&block.graph, &params(19)).unwrap();
    assert_eq!(*stop_of(&clusters, a, b), Stop::Memory { needed: 20, limit: 19 });
    // {b, c} keeps t, whose definition is outside.
    assert_eq!(*stop_of(&clusters, b, c), Stop::Memory { needed: 30, limit: 19 });
}

#[test]
fn look_ahead_finds_a_set_whose_parts_break_the_memory_limit() {
    // Merging a with b alone needs x, y, z and half of u; with c too, u is gone.
    let mut block = Block::default();
    let [x, y, z] = ["x", "y", "z"].map(|name| block.array(name, 10));
    let [t, u] = ["t", "u"].map(|name| block.array(name, 100));
    block.statement("a", &[t], &[x]);
    block.statement("b", &[u], &[t, y]);
    block.statement("c", &[], &[u, z]);
    let params = |look_ahead| Params { mem_max: 30, look_ahead, ..Params::default() };
    assert_eq!(node_lists(&compose(&block.graph, &params(1)).unwrap()), [[0], [1], [2]]);
    assert_eq!(node_lists(&compose(&block.graph, &params(2)).unwrap()), [[0, 1, 2]]);
}

#[test]
fn look_ahead_prefers_the_greater_sum_to_the_greater_first_edge() {
    // Room for three registers: s joined with p gains 50, then nothing fits; s with q and r gains 30 + 30.
    let mut block = Block::default();
    let [tp, tq, tr] = [("tp", 50), ("tq", 30), ("tr", 30)].map(|(name, size)| block.array(name, size));
    let large = block.array("large", 1000); // so that the search starts at s
    block.statement("s", &[tp, tq, tr], &[]);
    block.statement("p", &[], &[tp, large]);
    block.statement("q", &[], &[tq, large]);
    block.statement("r", &[], &[tr, large]);
    block.graph.statements[1].reg = 2;
    let params = |look_ahead| Params { reg_max: 3, beta: 0.0, gamma: 0.0, look_ahead, ..Params::default() };
    assert_eq!(compose(&block.graph, &params(1)).unwrap().benefit(), 50.0);
    let clusters = compose(&block.graph, &params(2)).unwrap();
    assert_eq!((node_lists(&clusters), clusters.benefit()), (vec![vec![0, 2, 3], vec![1]], 60.0));
}

#[test]
fn absorbed_edges_combine() {
    // Once a and b are one, their edges of 30 each to c outweigh the edge of 50 to d; there is room for one of the two.
    let mut block = Block::default();
    let sizes = [("ab", 90), ("ac", 30), ("bc", 30), ("bd", 50)];
    let [ab, ac, bc, bd] = sizes.map(|(name, size)| block.array(name, size));
    let large = block.array("large", 1000); // so that the search starts at a
    block.statement("a", &[ab, ac], &[]);
    block.statement("b", &[bc, bd], &[ab]);
    block.statement("c", &[], &[ac, bc, large]);
    block.statement("d", &[], &[bd, large]);
    block.graph.statements[3].reg = 1;
    for look_ahead in 1..=3 {
        let params = Params { reg_max: 3, beta: 0.0, gamma: 0.0, look_ahead, ..Params::default() };
        let clusters = compose(&block.graph, &params).unwrap();
        assert_eq!((node_lists(&clusters), clusters.benefit()), (vec![vec![0, 1, 2], vec![3]], 150.0));
        assert_eq!(clusters.clusters[0].regs, 3);
    }
}

#[test]
fn siblings_merge_and_impose_no_order() {
    let mut block = Block::default();
    let x = block.array("x", 10);
    let [min, max, free] = [("min", [x]), ("max", [x]), ("free", [x])].map(|(l, uses)| block.statement(l, &[], &uses));
    assert_eq!(node_lists(&compose(&block.graph, &Params::default()).unwrap()), [[0], [1], [2]]);
    block.graph.add_sibling(max, min, block.graph.locality(min, max));
    block.graph.add_sibling(max, free, 0);
    let clusters = compose(&block.graph, &Params::default()).unwrap();
    assert_eq!((node_lists(&clusters), clusters.benefit()), (vec![vec![0, 1, 2]], 1200.0));
    block.graph.add_dependence(min, max);
    let weights = Weights::of(&block.graph, &Params::default()).unwrap();
    assert_eq!(weights.edges[0].kind, EdgeKind::Dependence, "a dependence stands for the sibling edge too");
}

#[test]
fn sibling_of_a_dependent_statement_needs_the_path_between() {
    let mut block = Block::default();
    let [t, u] = ["t", "u"].map(|name| block.array(name, 10));
    let a = block.statement("a", &[t], &[]);
    let x = block.add("x", 1, &[u], &[t]);
    let b = block.statement("b", &[], &[u]);
    block.graph.add_sibling(a, b, 1);
    let clusters = compose(&block.graph, &Params::default()).unwrap();
    assert_eq!(*stop_of(&clusters, a, b), Stop::Cycle(x));
    assert_eq!(clusters.stopped.iter().find(|s| s.to == b).unwrap().kind, EdgeKind::Sibling);
}

#[test]
fn statements_that_stay_alone_say_why() {
    let mut block = Block::default();
    let [t, u] = ["t", "u"].map(|name| block.array(name, 10));
    let a = block.statement("a", &[t], &[]);
    let b = block.statement("b", &[u], &[t]);
    let c = block.statement("c", &[], &[u]);
    block.graph.statements[0].friendly = false;
    block.graph.isolate(c, "a product calls a library");
    let clusters = compose(&block.graph, &Params::default()).unwrap();
    assert_eq!(node_lists(&clusters), [[0], [1], [2]]);
    assert_eq!(*stop_of(&clusters, a, b), Stop::NotFriendly(a));
    assert_eq!(*stop_of(&clusters, b, c), Stop::Prevented(b, c, "a product calls a library".into()));
}

#[test]
fn a_fusion_preventing_edge_reaches_through_a_cluster() {
    let mut block = Block::default();
    let [t, u] = ["t", "u"].map(|name| block.array(name, 10));
    let a = block.statement("a", &[t], &[]);
    let b = block.statement("b", &[u], &[t]);
    let c = block.statement("c", &[], &[u]);
    block.graph.prevent_fusion(c, a, "c reads a neighbour");
    block.graph.prevent_fusion(a, c, "a later reason");
    let clusters = compose(&block.graph, &Params::default()).unwrap();
    assert_eq!(node_lists(&clusters), [vec![0, 1], vec![2]]);
    assert_eq!(*stop_of(&clusters, b, c), Stop::Prevented(a, c, "c reads a neighbour".into()));
    assert_eq!(
        clusters.stopped[0].describe(&block.graph),
        "`b` and `c` stay apart: that would put `a` and `c` in one kernel, and c reads a neighbour"
    );
}

#[test]
fn edges_without_benefit_stay() {
    let mut block = Block::default();
    let [a, b] = ["a", "b"].map(|label| block.statement(label, &[], &[]));
    block.graph.add_dependence(a, b);
    let clusters = compose(&block.graph, &Params { gamma: 0.0, ..Params::default() }).unwrap();
    assert_eq!(*stop_of(&clusters, a, b), Stop::NoBenefit(0.0));
}

#[test]
fn malformed_graphs_are_errors() {
    let mut block = Block::default();
    let [a, b] = ["a", "b"].map(|label| block.statement(label, &[], &[]));
    let with = |change: &dyn Fn(&mut Graph)| {
        let mut graph = block.graph.clone();
        change(&mut graph);
        compose(&graph, &Params::default()).unwrap_err()
    };
    assert_eq!(with(&|g| g.add_dependence(a, Node(7))), GraphError::UnknownNode(Node(7)));
    assert_eq!(with(&|g| g.add_sibling(a, Node(7), 0)), GraphError::UnknownNode(Node(7)));
    assert_eq!(with(&|g| g.isolate(Node(7), "")), GraphError::UnknownNode(Node(7)));
    assert_eq!(with(&|g| g.add_dependence(b, a)), GraphError::NotForward(b, a));
    assert_eq!(with(&|g| g.prevent_fusion(a, a, "")), GraphError::NotForward(a, a));
    let error = with(&|g| g.statements[1].uses.push(Array(3)));
    assert_eq!(error, GraphError::UnknownArray(b, Array(3)));
    assert_eq!(
        error.to_string(),
        "kernel composition was given a malformed graph: stmt1 references array3, which is not in the graph"
    );
}

#[test]
fn an_empty_graph_has_no_clusters() {
    let clusters = compose(&Graph::new(), &Params::default()).unwrap();
    assert_eq!(clusters, Clusters { clusters: vec![], cluster_of: vec![], stopped: vec![] });
}

/// 300 updates over one space, each a sibling of all others: the look-ahead must not try all triples, nor the
/// explanations all pairs of members for every edge. One cluster, and many that the limits keep apart.
#[test]
fn a_dense_block_takes_no_time() {
    let mut block = Block::default();
    let x = block.array("x", 10_000);
    let nodes: Vec<Node> = (0..300).map(|i| block.statement(&format!("s{i}"), &[], &[x])).collect();
    for (i, &a) in nodes.iter().enumerate() {
        nodes[i + 1..].iter().for_each(|&b| block.graph.add_sibling(a, b, 1));
    }
    for (reg, clusters) in [(0, 1), (10, 12)] {
        block.graph.statements.iter_mut().for_each(|s| s.reg = reg);
        let start = std::time::Instant::now();
        let result = compose(&block.graph, &Params::default()).unwrap();
        let time = start.elapsed();
        assert_eq!(result.clusters.len(), clusters);
        assert!(time.as_secs() < 2, "took {time:?}, which is no small multiple of the usual 30 ms");
    }
}
