use super::repack;

/// Strides of an array whose dimensions lie in this order, the first the farthest, with so many elements between neighbours of the nearest and
/// the signs that the bits say; and the place of its first element, and how much memory it takes.
fn laid(shape: &[usize], order: &[usize], gap: usize, backwards: usize) -> (Vec<isize>, usize, usize) {
    let (mut strides, mut first, mut len) = (vec![0; shape.len()], 0, gap);
    for d in order.iter().rev() {
        strides[*d] = len as isize;
        if backwards >> d & 1 == 1 {
            first += len * (shape[*d] - 1);
            strides[*d] = -strides[*d];
        }
        len *= shape[*d];
        // rows of something larger
        len += gap * (d % 2);
    }
    (strides, first, len)
}

fn orders(rank: usize) -> Vec<Vec<usize>> {
    let own: Vec<usize> = (0..rank).collect();
    let turned: Vec<usize> = (0..rank).rev().collect();
    let mixed: Vec<usize> = (0..rank).map(|d| (d + 1) % rank.max(1)).collect();
    vec![own, turned, mixed]
}

/// Every element arrives where it belongs, and nothing beside the target changes: shapes with ones, short and long rows, up to seven dimensions; both sides
/// in any order, with gaps, and backwards.
#[test]
fn elements_arrive_and_nothing_else_changes() {
    let shapes: [&[usize]; 11] = [
        &[],
        &[1],
        &[200],
        &[3, 5],
        &[40, 9],
        &[1, 70, 1],
        &[6, 33, 4],
        &[2, 1, 8, 3],
        &[4, 3, 2, 5, 2],
        &[2; 6],
        &[2; 7],
    ];
    for shape in shapes {
        let count: usize = shape.iter().product();
        for (from, to) in orders(shape.len())
            .into_iter()
            .flat_map(|from| orders(shape.len()).into_iter().map(move |to| (from.clone(), to)))
        {
            for (gap, backwards) in [(1, 0), (2, 0), (1, 1), (3, 6), (1, 127)] {
                let (source, begin, len) = laid(shape, &from, gap, backwards);
                let (target, start, room) = laid(shape, &to, 4 - gap, backwards >> 1);
                let numbers: Vec<u32> = (0..len as u32).collect();
                let mut got = vec![u32::MAX; room];
                let mut want = got.clone();
                for point in 0..count {
                    let (mut left, mut at) = (point, [begin as isize, start as isize]);
                    for d in (0..shape.len()).rev() {
                        let index = (left % shape[d]) as isize;
                        left /= shape[d];
                        at = [at[0] + index * source[d], at[1] + index * target[d]];
                    }
                    want[at[1] as usize] = numbers[at[0] as usize];
                }
                // SAFETY: both sides have the places that `laid` counts, and are two arrays.
                unsafe {
                    repack::<u32>(shape, (numbers.as_ptr().add(begin), &source), (got.as_mut_ptr().add(start), &target))
                };
                assert!(got == want, "{shape:?} from {source:?} to {target:?}");
            }
        }
    }
}
