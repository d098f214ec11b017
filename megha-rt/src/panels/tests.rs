//! Blocks, panels and numbers hold what they should.

use super::*;
use crate::launch::Domain;
use crate::wide::{Lane, tiles::BaselineDoubles};

/// Panels and what is beside them are all points once.
#[test]
fn panels_and_the_rest_are_the_chunk() {
    for (outer, inner, width) in [(9, 70, 32), (3, 40, 32), (8, 39, 32), (5, 7, 8), (4, 1, 8), (12, 64, 4), (4, 0, 8)] {
        let extents = [2, outer, inner];
        let chunk = Chunk { outer: 1..2 * outer, ..Domain::nest(extents).whole() };
        let mut seen = vec![0; 2 * outer * inner];
        let mut see = |row: Row<3>| {
            let first = (row.at[0] * outer + row.at[1]) * inner + row.at[2];
            seen[first..first + row.len].iter_mut().for_each(|count| *count += 1);
        };
        for part in chunk.parts(width, 2 * width) {
            assert!(part.inner.len() <= 2 * width);
            for slab in part.slabs(extents).flat_map(|slab| slab.pieces(5)) {
                assert!(slab.rows <= 5);
                for (number, panel) in part.panels(width) {
                    assert_eq!(part.inner.start + number * width, panel.start);
                    assert!(panel.len() <= width && panel.len() * 4 >= width);
                    slab.at(&panel).pieces(2).flat_map(Slab::each).for_each(&mut see);
                }
            }
        }
        chunk.beside_panels(extents, width).for_each(&mut see);
        let want = (0..2 * outer * inner).map(|at| usize::from(at / inner.max(1) > 0));
        assert!(seen.iter().copied().eq(want), "{outer} {inner} {width}: {seen:?}");
    }
}

/// Blocks cover the iterations once, and are as small as a test asks for, but never less than a tile.
#[test]
fn blocks_are_all_iterations() {
    type Registers = BaselineDoubles;
    for all in [0, 1, 255, 256, 1000] {
        for parted in [false, true] {
            let blocks = Blocks::of::<f64, Registers>(all, 6, parted);
            let steps: Vec<Steps> = blocks.steps().collect();
            assert_eq!(steps.iter().map(|block| block.len).sum::<usize>(), all);
            assert!(steps[0].begins && steps[steps.len() - 1].ends && (parted || steps.len() == 1));
            assert!(blocks.rows.is_multiple_of(6) && blocks.points.is_multiple_of(4));
        }
    }
    within([3, 1, 1], || {
        let blocks = Blocks::of::<f64, Registers>(7, 6, true);
        assert_eq!((blocks.rows, blocks.points), (6, 4));
        assert_eq!(blocks.steps().map(|block| (block.first, block.len)).collect::<Vec<_>>(), [(0, 3), (3, 3), (6, 1)]);
    });
}

#[test]
fn panels_hold_elements_iteration_by_iteration_and_zeros() {
    type Registers = BaselineDoubles;
    for (turned, all) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut panels = Panels::<f64>::new();
        panels.begin::<Registers>(7, 11);
        while let Some(points) = (0..2).find_map(|panel| panels.wanted::<Registers>(panel, all)) {
            let first = points.start;
            panels.pack::<Registers>(points, turned, |step, l| (10 * step + first + l) as f64);
        }
        for (panel, step) in (0..2).flat_map(|panel| (0..11).map(move |step| (panel, step))) {
            // SAFETY: the panel has the iteration, and every machine the baseline.
            let mut row = [unsafe { Lane::<Registers, f64>::clear() }];
            // SAFETY: as above.
            Lane::set(&mut row, [unsafe { panels.of(panel).at::<Registers>(step) }]);
            let element = |l: usize| if 4 * panel + l < 7 { (10 * step + 4 * panel + l) as f64 } else { 0.0 };
            assert_eq!(row[0][..], [0, 1, 2, 3].map(element));
        }
    }
}

#[test]
fn numbers_of_a_band_lie_side_by_side() {
    for turned in [false, true] {
        let mut numbers = Numbers::<f64, 2, 3>::new();
        numbers.begin(5, 11);
        numbers.pack(1, 2, turned, |step, row| [(100 * step + row) as f64, -1.0]);
        assert!(numbers.lacks(0) && !numbers.lacks(1));
        for (step, row) in (0..11).flat_map(|step| (0..3).map(move |row| (step, row))) {
            // SAFETY: packed above.
            let found = [0, 1].map(|which| unsafe { numbers.of(1).at(step, which, row) });
            assert_eq!(found, if row < 2 { [(100 * step + row) as f64, -1.0] } else { [0.0; 2] });
        }
    }
}
