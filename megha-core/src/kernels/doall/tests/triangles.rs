//! Triangles around further loops, and loops that read other elements of the array that they store into.

use super::*;

/// A loop between the two of a triangle goes inside of both.
#[test]
fn triangle_with_a_loop_between() {
    let text = "function c = f(a, c)
for i = 1:size(c, 1)
  for j = 1:i
    c(i, j) = c(i, j) * 1.25;
  end
  for k = 1:size(a, 2)
    for j = 1:i
      c(i, j) = c(i, j) + a(i, k) * a(j, k);
    end
  end
end
end";
    let sizes = [(0, 0), (1, 3), (3, 1), (5, 4)];
    let inputs: Vec<Vec<Datum>> = sizes.iter().map(|(n, m)| vec![array(&[*n, *m], 2), array(&[*n, *n], 3)]).collect();
    case(text, &["n,m", "n,n"]).kernels(&[(2, &[false]), (2, &[false])]).same_results(&inputs);
}

/// What a triangle does beside its inner loop is parted from it where that makes both loops parallel.
#[test]
fn diagonal_is_parted_from_its_triangle() {
    let text = "function c = f(a, c)
n = size(a, 2);
for i = 1:n-1
  c(i, i) = 1;
  for j = i+1:n
    c(i, j) = 0;
    for k = 1:size(a, 1)
      c(i, j) = c(i, j) + a(k, i) * a(k, j);
    end
    c(j, i) = c(i, j);
  end
end
end";
    let sizes = [(0, 0), (3, 1), (2, 2), (4, 5)];
    let inputs: Vec<Vec<Datum>> = sizes.iter().map(|(m, n)| vec![array(&[*m, *n], 2), array(&[*n, *n], 3)]).collect();
    case(text, &["m,n", "n,n"]).kernels(&[(1, &[false]), (2, &[false])]).same_results(&inputs);
}

/// The sum of a row of another triangle is in a scalar; the other rows that the loop reads are those before it. Bounds are tested before the nest, up to the
/// last iteration that has an inner one.
#[test]
fn a_sum_that_reads_other_rows_is_in_a_scalar() {
    let text = "function b = f(a, b)
n = size(b, 1);
for i = 1:n
  for j = 1:size(b, 2)
    for k = i+1:n
      b(i, j) = b(i, j) + a(k, i) * b(k, j);
    end
    b(i, j) = 1.5 * b(i, j);
  end
end
end";
    let sizes =
        [([0, 0], [0, 0]), ([1, 1], [1, 4]), ([6, 5], [6, 3]), ([5, 5], [6, 3]), ([6, 4], [6, 3]), ([1, 0], [1, 2])];
    let inputs: Vec<Vec<Datum>> = sizes.iter().map(|(a, b)| vec![array(a, 2), array(b, 3)]).collect();
    let program = case(text, &["p,q", "n,m"]);
    program.kernels(&[(2, &[false])]);
    let found = program.after.to_string();
    assert_eq!(found.matches("put out0").count(), 1, "{found}");
    let (before, kernel) = found.split_once("kernel 0").expect("a kernel");
    assert!(before.contains("assert") && !kernel.contains("assert"), "{found}");
    program.same_results(&inputs);
}

/// Of an element that the loop may read by another subscript nothing is kept.
#[test]
fn a_sum_that_may_read_itself_stays_in_memory() {
    let text = "function b = f(b)
for j = 1:size(b, 2)
  for i = 1:size(b, 1)
    for k = 1:size(b, 1)
      b(i, j) = b(i, j) + 0.5 * b(k, j);
    end
  end
end
end";
    let program = case(text, &["n,m"]);
    program.kernels(&[(1, &[false])]);
    let found = program.after.to_string();
    assert_eq!(found.matches("load out0").count(), 2, "{found}");
    program.same_results(&[vec![array(&[4, 3], 2)]]);
}

/// The number of iterations of the inner loop is the counter of the outer one itself.
#[test]
fn a_bound_that_is_a_counter_stays_inside_of_its_loop() {
    let text = "function x = f(x, y)\nfor i = 1:5\nfor j = 2:i\nx(1, j + 1) = x(1, 1) + 1;\nend\nend\nend\n";
    let args = vec![array(&[30, 30], 1), array(&[30, 30], 2)];
    case(text, &["30,30", "m,m"]).same_results(&[args]);
}

/// A scalar that gathers for an element is in the element only where nothing else looks at the array: an expression of the whole array sees the
/// element as it was.
#[test]
fn whole_arrays_see_no_unfinished_sums() {
    let text = "function [a, c] = f(a, c)
n = size(a, 1);
for i = 1:n
  for j = 1:i-1
    for k = 1:j-1
      a(i, j) = a(i, j) - a(i, k) * a(k, j);
    end
    a(i, j) = a(i, j) / a(j, j);
  end
  for j = i:n
    for k = 1:i-1
      a(i, j) = a(i, j) - a(i, k) * a(k, j);
    end
  end
end
for i = 1:n
  for j = 1:n
    w = a(i, j);
    for k = 1:j-1
      w = w - a(i, k);
    end
    d = a + 1;
    a(i, j) = w;
    c(i, j) = d(i, j);
  end
end
end";
    let inputs: Vec<Vec<Datum>> = (0..6).map(|n| vec![array(&[n, n], 2), array(&[n, n], 3)]).collect();
    case(text, &["n,n", "n,n"]).same_results(&inputs);
}
