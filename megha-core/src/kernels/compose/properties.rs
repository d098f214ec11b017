//! Random graphs against a slow reading of the definitions that shares no code with the algorithm.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::*;

/// What the definitions say of a clustering, given by the cluster of each node.
struct Oracle<'a> {
    graph: &'a Graph,
    params: &'a Params,
}

impl Oracle<'_> {
    fn references(&self, node: usize, array: usize) -> (usize, usize) {
        let count = |arrays: &[Array]| arrays.iter().filter(|a| a.0 as usize == array).count();
        let statement = &self.graph.statements[node];
        (count(&statement.defs), count(&statement.uses))
    }

    fn nodes(&self) -> std::ops::Range<usize> {
        0..self.graph.statements.len()
    }

    /// The statements that define and use a scalarizable variable.
    fn scalarization(&self, array: usize) -> Option<(usize, usize)> {
        let defs: Vec<usize> = self.nodes().filter(|&n| self.references(n, array).0 > 0).collect();
        let uses: Vec<usize> = self.nodes().filter(|&n| self.references(n, array).1 > 0).collect();
        let lone = defs.len() == 1 && uses.len() == 1 && !self.graph.arrays[array].live_out;
        (lone && defs[0] < uses[0]).then(|| (defs[0], uses[0]))
    }

    fn depends(&self, a: usize, b: usize) -> bool {
        let through_array = (0..self.graph.arrays.len()).any(|array| {
            let (a, b) = (self.references(a, array), self.references(b, array));
            a.0 * (b.0 + b.1) > 0 || a.1 * b.0 > 0
        });
        a < b && (through_array || self.graph.dependences.contains(&(Node(a as u32), Node(b as u32))))
    }

    fn edge_benefit(&self, a: usize, b: usize) -> f64 {
        let arrays = 0..self.graph.arrays.len();
        let given = self.graph.siblings.iter().find(|s| (s.0.0 as usize, s.1.0 as usize) == (a, b));
        let loc = if self.depends(a, b) {
            let refs = |n, array| self.references(n, array).0 + self.references(n, array).1;
            arrays.clone().map(|array| refs(a, array) * refs(b, array)).sum::<usize>()
        } else if let Some(sibling) = given {
            sibling.2 as usize
        } else {
            return 0.0;
        };
        let eliminated = arrays.filter(|&array| self.scalarization(array) == Some((a, b)));
        let mem: u64 = eliminated.map(|array| self.graph.arrays[array].size).sum();
        self.params.alpha * mem as f64 + self.params.beta * loc as f64 + self.params.gamma
    }

    fn benefit(&self, of: &[usize], cluster: usize) -> f64 {
        let pairs = self.nodes().flat_map(|b| (0..b).map(move |a| (a, b)));
        pairs.filter(|&(a, b)| of[a] == cluster && of[b] == cluster).map(|(a, b)| self.edge_benefit(a, b)).sum()
    }

    fn is_eliminated(&self, of: &[usize], cluster: usize, array: usize) -> bool {
        self.scalarization(array).is_some_and(|(d, u)| of[d] == cluster && of[u] == cluster)
    }

    fn regs(&self, of: &[usize], cluster: usize) -> u64 {
        let scalars: u32 = self.nodes().filter(|&n| of[n] == cluster).map(|n| self.graph.statements[n].reg).sum();
        let arrays = (0..self.graph.arrays.len()).filter(|&a| self.is_eliminated(of, cluster, a));
        u64::from(scalars) + arrays.count() as u64
    }

    fn memory(&self, of: &[usize], cluster: usize) -> u128 {
        let held = |array: usize| {
            self.nodes().any(|n| of[n] == cluster && self.references(n, array) != (0, 0))
                && !self.is_eliminated(of, cluster, array)
        };
        (0..self.graph.arrays.len()).filter(|&a| held(a)).map(|a| u128::from(self.graph.arrays[a].size)).sum()
    }

    fn may_share(&self, a: usize, b: usize) -> bool {
        let (x, y) = (&self.graph.statements[a], &self.graph.statements[b]);
        let isolated = |n: usize| self.graph.isolated.contains_key(&Node(n as u32));
        let prevented = self.graph.prevented.contains_key(&(Node(a as u32), Node(b as u32)));
        x.friendly && y.friendly && x.space == y.space && !isolated(a) && !isolated(b) && !prevented
    }

    /// Whether clusters depend on each other in a cycle: removes clusters without a predecessor until none is left.
    fn is_cyclic(&self, of: &[usize]) -> bool {
        let mut left: Vec<usize> = of.to_vec();
        left.sort();
        left.dedup();
        let waits_for =
            |c: usize, d: usize| self.nodes().any(|b| of[b] == c && (0..b).any(|a| of[a] == d && self.depends(a, b)));
        while let Some(at) = left.iter().position(|&c| left.iter().all(|&d| c == d || !waits_for(c, d))) {
            left.remove(at);
        }
        !left.is_empty()
    }

    fn is_legal(&self, of: &[usize]) -> bool {
        let apart = self.nodes().any(|b| (0..b).any(|a| of[a] == of[b] && !self.may_share(a, b)));
        let over = self.nodes().any(|n| {
            let size = of.iter().filter(|&&c| c == of[n]).count();
            size > 1 && (self.regs(of, of[n]) > self.params.reg_max || self.memory(of, of[n]) > self.params.mem_max)
        });
        !apart && !over && !self.is_cyclic(of)
    }

    /// The greatest benefit of any legal clustering, from all partitions of the statements.
    fn optimum(&self) -> f64 {
        fn partitions(n: usize, of: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize])) {
            if of.len() == n {
                return visit(of);
            }
            for cluster in 0..=of.iter().max().map_or(0, |m| m + 1) {
                of.push(cluster);
                partitions(n, of, visit);
                of.pop();
            }
        }
        let mut best = 0.0_f64;
        partitions(self.nodes().len(), &mut Vec::new(), &mut |of| {
            let benefit: f64 = self.nodes().map(|c| self.benefit(of, c)).sum();
            if benefit > best && self.is_legal(of) {
                best = benefit;
            }
        });
        best
    }
}

/// A statement's space, whether it is friendly, registers; an array's size, definition, uses and life.
type StatementSeed = (u32, bool, u32, bool);
type ArraySeed = (u64, Option<usize>, Vec<usize>, bool);

/// Graphs of 1 to `max` statements: mostly one space, mostly mergeable, arrays as temporaries, inputs and results.
fn graphs(max: usize) -> impl Strategy<Value = Graph> {
    let space = prop_oneof![5 => Just(0_u32), 1 => Just(1)];
    let statement = (space, prop::bool::weighted(0.95), 0..3_u32, prop::bool::weighted(0.03));
    (1..=max).prop_flat_map(move |n| {
        let array = (1..50_u64, prop::option::weighted(0.8, 0..n), vec(0..n, 0..4), prop::bool::weighted(0.2));
        let pairs = |size: usize| vec((0..n, 0..n, 0..3_u32), 0..=size);
        (vec(statement.clone(), n), vec(array, 0..=2 * n), pairs(n / 3), pairs(n), pairs(n / 4)).prop_map(
            |(statements, arrays, dependences, siblings, prevented)| {
                graph(&statements, &arrays, &dependences, &siblings, &prevented)
            },
        )
    })
}

type Pairs = [(usize, usize, u32)];

fn graph(s: &[StatementSeed], a: &[ArraySeed], dependences: &Pairs, siblings: &Pairs, prevented: &Pairs) -> Graph {
    let mut g = Graph::new();
    for &(space, friendly, reg, isolated) in s {
        let label = format!("s{}", g.statements.len());
        let node = g.add_statement(Statement {
            label,
            space: Space(space),
            friendly,
            reg,
            defs: Vec::new(),
            uses: Vec::new(),
        });
        if isolated {
            g.isolate(node, "isolated");
        }
    }
    for (size, def, uses, live_out) in a {
        let array = g.add_array(ArrayInfo { label: String::new(), size: *size, live_out: *live_out });
        def.iter().for_each(|&d| g.statements[d].defs.push(array));
        uses.iter().for_each(|&u| g.statements[u].uses.push(array));
    }
    let forward = |pairs: &Pairs| -> Vec<(Node, Node, u32)> {
        let distinct = pairs.iter().filter(|(a, b, _)| a != b);
        distinct.map(|&(a, b, loc)| (Node(a.min(b) as u32), Node(a.max(b) as u32), loc)).collect()
    };
    forward(dependences).into_iter().for_each(|(a, b, _)| g.add_dependence(a, b));
    forward(siblings).into_iter().for_each(|(a, b, loc)| g.add_sibling(b, a, loc));
    forward(prevented).into_iter().for_each(|(a, b, _)| g.prevent_fusion(a, b, "prevented"));
    g
}

/// Limits from tight to none; whole benefits, so that sums are exact.
fn params() -> impl Strategy<Value = Params> {
    let reg_max = prop_oneof![3..12_u64, Just(255)];
    let mem_max = prop_oneof![20..200_u128, Just(u128::MAX)];
    (0..3_u32, 0..20_u32, 0..20_u32, 1..=4_usize, 1..=8_usize, reg_max, mem_max).prop_map(
        |(alpha, beta, gamma, look_ahead, breadth, reg_max, mem_max)| {
            let [alpha, beta, gamma] = [alpha, beta, gamma].map(f64::from);
            Params { alpha, beta, gamma, look_ahead, breadth, reg_max, mem_max }
        },
    )
}

/// Checks that the reason reported for an edge forbids the merge of the two clusters.
fn check_stop(oracle: &Oracle, of: &[usize], stopped: &Stopped) {
    let (from, to) = (stopped.from.0 as usize, stopped.to.0 as usize);
    let (kept, gone) = (of[from], of[to]);
    let merged: Vec<usize> = of.iter().map(|&c| if c == gone { kept } else { c }).collect();
    let inside = |n: Node| merged[n.0 as usize] == kept;
    assert_eq!(stopped.benefit, oracle.edge_benefit(from, to));
    match &stopped.stop {
        Stop::NotFriendly(n) => assert!(inside(*n) && !oracle.graph.statements[n.0 as usize].friendly),
        Stop::Spaces(a, b) | Stop::Prevented(a, b, _) => {
            assert!(inside(*a) && inside(*b) && !oracle.may_share(a.0 as usize, b.0 as usize));
        }
        Stop::Cycle(n) => {
            assert!(!inside(*n) && oracle.is_cyclic(&merged));
            let with_n: Vec<usize> = merged.iter().map(|&c| if c == of[n.0 as usize] { kept } else { c }).collect();
            assert_ne!(merged, with_n);
        }
        Stop::Registers { needed, limit } => {
            assert_eq!((*needed, *limit), (oracle.regs(&merged, kept), oracle.params.reg_max));
            assert!(needed > limit);
        }
        Stop::Memory { needed, limit } => {
            assert_eq!((*needed, *limit), (oracle.memory(&merged, kept), oracle.params.mem_max));
            assert!(needed > limit);
        }
        Stop::NoBenefit(benefit) => {
            let before = oracle.benefit(of, kept) + oracle.benefit(of, gone);
            assert_eq!(*benefit, oracle.benefit(&merged, kept) - before);
            assert!(*benefit <= 0.0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn clusters_obey_the_definitions(graph in graphs(20), params in params()) {
        let result = compose(&graph, &params).unwrap();
        let oracle = Oracle { graph: &graph, params: &params };
        let of = &result.cluster_of;

        let mut listed = vec![usize::MAX; graph.statements.len()];
        for (position, cluster) in result.clusters.iter().enumerate() {
            prop_assert!(!cluster.nodes.is_empty() && cluster.nodes.is_sorted());
            for n in &cluster.nodes {
                prop_assert_eq!(listed[n.0 as usize], usize::MAX, "a statement is in two clusters");
                listed[n.0 as usize] = position;
            }
        }
        prop_assert_eq!(&listed, of, "the lists and cluster_of agree and cover all statements");

        prop_assert!(oracle.is_legal(of));
        for b in oracle.nodes() {
            for a in 0..b {
                prop_assert!(!oracle.depends(a, b) || of[a] <= of[b], "{a} must run before {b}");
            }
        }
        for (position, cluster) in result.clusters.iter().enumerate() {
            prop_assert_eq!(cluster.regs, oracle.regs(of, position));
            prop_assert_eq!(cluster.memory(), oracle.memory(of, position));
            prop_assert_eq!(cluster.benefit, oracle.benefit(of, position));
            let eliminated = (0..graph.arrays.len()).filter(|&a| oracle.is_eliminated(of, position, a));
            prop_assert_eq!(&cluster.eliminated, &eliminated.map(|a| Array(a as u32)).collect::<Vec<_>>());
        }
        prop_assert_eq!(&compose(&graph, &params).unwrap(), &result, "the result is deterministic");
    }

    #[test]
    fn every_edge_left_has_a_reason_that_holds(graph in graphs(14), params in params()) {
        let result = compose(&graph, &params).unwrap();
        let oracle = Oracle { graph: &graph, params: &params };
        let weights = Weights::of(&graph, &params).unwrap();
        let of = &result.cluster_of;
        let between = weights.edges.iter().filter(|e| of[e.from.0 as usize] != of[e.to.0 as usize]);
        let reported: Vec<(Node, Node)> = result.stopped.iter().map(|s| (s.from, s.to)).collect();
        prop_assert_eq!(reported, between.map(|e| (e.from, e.to)).collect::<Vec<_>>());
        result.stopped.iter().for_each(|s| check_stop(&oracle, of, s));
    }

    #[test]
    fn no_clustering_is_better_than_the_optimum(graph in graphs(6), params in params()) {
        let optimum = Oracle { graph: &graph, params: &params }.optimum();
        prop_assert!(compose(&graph, &params).unwrap().benefit() <= optimum);
    }
}

/// How near the heuristic comes to the optimum on a fixed sample of small graphs with the default `k`.
#[test]
fn the_heuristic_is_near_the_optimum() {
    let mut runner = TestRunner::deterministic();
    let (mut ratios, mut exact) = (Vec::new(), 0);
    while ratios.len() < 300 {
        let (graph, drawn) =
            (graphs(7), params()).new_tree(&mut runner).expect("the strategy rejects nothing").current();
        let Params { look_ahead, breadth, .. } = Params::default();
        let params = Params { look_ahead, breadth, ..drawn };
        let optimum = Oracle { graph: &graph, params: &params }.optimum();
        if optimum > 0.0 {
            let ratio = compose(&graph, &params).unwrap().benefit() / optimum;
            exact += usize::from(ratio == 1.0);
            ratios.push(ratio);
        }
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let worst = ratios.iter().copied().fold(1.0, f64::min);
    // Measured: mean 0.984, worst 0.286, optimal in 284 of 300.
    let measured = format!("mean {mean}, worst {worst}, optimal in {exact} of {}", ratios.len());
    assert!(mean >= 0.98 && worst >= 0.25 && exact >= 280, "{measured}");
}
