//! The programs, compiled.
//!
//! Each is compiled with the signature in its file. A program's entry says how its arguments are passed.

use ndarray::{Array, ArrayD, ArrayView2, ArrayView3, ArrayViewD, Dimension};

/// A compiled program for arguments that are arrays; a single number is a 1-by-1 array.
pub type Call = fn(&[ArrayViewD<f64>]) -> megha::Result<Vec<ArrayD<f64>>>;

/// Compiles programs and lists them: `name(kind, ..) in "folder"`, where a kind is one of the functions below.
macro_rules! programs {
    ($($name:ident($($kind:ident),*) in $file:tt;)*) => {
        $(megha::matlab!(file $file);)*

        /// All compiled programs, by name.
        pub const COMPILED: &[(&str, Call)] = &[$((stringify!($name), |arguments| {
            let mut arguments = arguments.iter();
            let mut next = || arguments.next().expect("as many arguments as parameters");
            $name($($kind(next())),*).map(Results::arrays)
        })),*];
    };
}

programs! {
    adapt_simpson(number, number, number) in "../../examples/matlab/gallery/adapt_simpson.m";
    autocorr_biased(matrix, count) in "../../examples/matlab/gallery/autocorr_biased.m";
    bank_switch(matrix) in "../../examples/matlab/gallery/bank_switch.m";
    bilateral(matrix, count, number, number) in "../../examples/matlab/gallery/bilateral.m";
    bilinear_resize(matrix, count, count) in "../../examples/matlab/gallery/bilinear_resize.m";
    binary_search(matrix, matrix) in "../../examples/matlab/gallery/binary_search.m";
    bisection(number, number, number) in "../../examples/matlab/gallery/bisection.m";
    blend_uint8(matrix, matrix, number) in "../../examples/matlab/gallery/blend_uint8.m";
    bubble_sort(matrix) in "../../examples/matlab/gallery/bubble_sort.m";
    burgers_lax(count, count) in "../../examples/matlab/gallery/burgers_lax.m";
    caesar(matrix, number) in "../../examples/matlab/gallery/caesar.m";
    capr(number, number, number, number, count, number, number) in "../../examples/matlab/capr.m";
    cheb_interp(count, count) in "../../examples/matlab/gallery/cheb_interp.m";
    chol_loops(matrix) in "../../examples/matlab/gallery/chol_loops.m";
    cn_backslash(count, count, number) in "../../examples/matlab/gallery/cn_backslash.m";
    coin_change(matrix, count) in "../../examples/matlab/gallery/coin_change.m";
    collatz_max(count) in "../../examples/matlab/gallery/collatz_max.m";
    components(matrix) in "../../examples/matlab/gallery/components.m";
    conj_grad(matrix, matrix, number) in "../../examples/matlab/gallery/conj_grad.m";
    conv2_valid(matrix, matrix) in "../../examples/matlab/gallery/conv2_valid.m";
    convex_hull(matrix) in "../../examples/matlab/gallery/convex_hull.m";
    crc8(matrix) in "../../examples/matlab/gallery/crc8.m";
    crni(number, number, number, count, count) in "../../examples/matlab/crni.m";
    dft_complex(matrix) in "../../examples/matlab/gallery/dft_complex.m";
    dft_power(matrix, number) in "../../examples/matlab/gallery/dft_power.m";
    dich(number, number, number, number, count) in "../../examples/matlab/dich.m";
    dijkstra(matrix, count) in "../../examples/matlab/gallery/dijkstra.m";
    edit(matrix, matrix) in "../../examples/matlab/edit.m";
    exp_series(matrix) in "../../examples/matlab/gallery/exp_series.m";
    fem1d(count) in "../../examples/matlab/gallery/fem1d.m";
    fft_radix2(matrix) in "../../examples/matlab/gallery/fft_radix2.m";
    fib_matrix(count) in "../../examples/matlab/gallery/fib_matrix.m";
    fib_seq(count) in "../../examples/matlab/gallery/fib_seq.m";
    fiff(number, number, number, count, count) in "../../examples/matlab/fiff.m";
    fir_direct(matrix, matrix) in "../../examples/matlab/gallery/fir_direct.m";
    floyd_warshall(matrix) in "../../examples/matlab/gallery/floyd_warshall.m";
    gauss_elim(matrix, matrix) in "../../examples/matlab/gallery/gauss_elim.m";
    gauss_seidel(matrix, matrix, number, count) in "../../examples/matlab/gallery/gauss_seidel.m";
    gcd_table(count) in "../../examples/matlab/gallery/gcd_table.m";
    golden_section(number, number, number) in "../../examples/matlab/gallery/golden_section.m";
    gray_code(count) in "../../examples/matlab/gallery/gray_code.m";
    hanoi_moves(count) in "../../examples/matlab/gallery/hanoi_moves.m";
    heap_sort(matrix) in "../../examples/matlab/gallery/heap_sort.m";
    heat1d(count, count, number) in "../../examples/matlab/gallery/heat1d.m";
    heat2d_steady(count, count, number) in "../../examples/matlab/gallery/heat2d_steady.m";
    hex_digits(matrix) in "../../examples/matlab/gallery/hex_digits.m";
    hist_bins(matrix, count) in "../../examples/matlab/gallery/hist_bins.m";
    histeq_img(matrix) in "../../examples/matlab/gallery/histeq_img.m";
    horner_eval(matrix, matrix) in "../../examples/matlab/gallery/horner_eval.m";
    householder_qr(matrix) in "../../examples/matlab/gallery/householder_qr.m";
    insertion_sort(matrix) in "../../examples/matlab/gallery/insertion_sort.m";
    is_prime_rec(count) in "../../examples/matlab/gallery/is_prime_rec.m";
    jacobi_eig(matrix, number) in "../../examples/matlab/gallery/jacobi_eig.m";
    josephus(count, count) in "../../examples/matlab/gallery/josephus.m";
    julia_set(count, number, number, count) in "../../examples/matlab/gallery/julia_set.m";
    kalman1d(matrix, number, number) in "../../examples/matlab/gallery/kalman1d.m";
    kmeans_lloyd(matrix, count, count) in "../../examples/matlab/gallery/kmeans_lloyd.m";
    knapsack01(matrix, matrix, count) in "../../examples/matlab/gallery/knapsack01.m";
    lagrange_eval(matrix, matrix, matrix) in "../../examples/matlab/gallery/lagrange_eval.m";
    lbm_d2q9(count, count, count, number) in "../../examples/matlab/gallery/lbm_d2q9.m";
    lcs_length(matrix, matrix) in "../../examples/matlab/gallery/lcs_length.m";
    legendre_p(count, matrix) in "../../examples/matlab/gallery/legendre_p.m";
    lfsr_seq(matrix) in "../../examples/matlab/gallery/lfsr_seq.m";
    life(matrix, count) in "../../examples/matlab/gallery/life.m";
    linreg(matrix, matrix) in "../../examples/matlab/gallery/linreg.m";
    logistic_bif(number, number, count, count) in "../../examples/matlab/gallery/logistic_bif.m";
    lorenz_euler(count, number) in "../../examples/matlab/gallery/lorenz_euler.m";
    lu_pivot(matrix) in "../../examples/matlab/gallery/lu_pivot.m";
    magic_sq(count) in "../../examples/matlab/gallery/magic_sq.m";
    make_change(count, matrix) in "../../examples/matlab/gallery/make_change.m";
    mandel_real(count, count, count) in "../../examples/matlab/gallery/mandel_real.m";
    markov_steady(matrix) in "../../examples/matlab/gallery/markov_steady.m";
    matrix_chain(matrix) in "../../examples/matlab/gallery/matrix_chain.m";
    mc_pi(count, number) in "../../examples/matlab/gallery/mc_pi.m";
    median3x3(matrix) in "../../examples/matlab/gallery/median3x3.m";
    merge_sort(matrix) in "../../examples/matlab/gallery/merge_sort.m";
    mgs_qr(matrix) in "../../examples/matlab/gallery/mgs_qr.m";
    mlp_step(matrix, matrix, matrix, matrix, number, count) in "../../examples/matlab/gallery/mlp_step.m";
    moving_avg(matrix) in "../../examples/matlab/gallery/moving_avg.m";
    multigrid1d(count, count) in "../../examples/matlab/gallery/multigrid1d.m";
    nat_spline(matrix, matrix, matrix) in "../../examples/matlab/gallery/nat_spline.m";
    nb1d(matrix, matrix, matrix, number, number) in "../../examples/matlab/nb1d.m";
    nbody_pairs(matrix, matrix, matrix, number, count) in "../../examples/matlab/gallery/nbody_pairs.m";
    newton_root(number, number) in "../../examples/matlab/gallery/newton_root.m";
    newton_system(matrix, number) in "../../examples/matlab/gallery/newton_system.m";
    normalize_cols(matrix) in "../../examples/matlab/gallery/normalize_cols.m";
    nqueens(count) in "../../examples/matlab/gallery/nqueens.m";
    page_sums(count, count, count) in "../../examples/matlab/gallery/page_sums.m";
    pagerank(matrix, number) in "../../examples/matlab/gallery/pagerank.m";
    palindrome(matrix) in "../../examples/matlab/gallery/palindrome.m";
    pascal_tri(count) in "../../examples/matlab/gallery/pascal_tri.m";
    peaks_grid(count) in "../../examples/matlab/gallery/peaks_grid.m";
    perceptron(matrix, matrix, number, count) in "../../examples/matlab/gallery/perceptron.m";
    perfect_numbers(count) in "../../examples/matlab/gallery/perfect_numbers.m";
    poly_area(matrix, matrix, number, number) in "../../examples/matlab/gallery/poly_area.m";
    power_iter(matrix, number, count) in "../../examples/matlab/gallery/power_iter.m";
    qmr_solve(matrix, matrix, count, number) in "../../examples/matlab/gallery/qmr_solve.m";
    quick_sort(matrix) in "../../examples/matlab/gallery/quick_sort.m";
    rand_walk(count, count) in "../../examples/matlab/gallery/rand_walk.m";
    rgb_to_hsv(block) in "../../examples/matlab/gallery/rgb_to_hsv.m";
    rk4_pendulum(matrix, number, count) in "../../examples/matlab/gallery/rk4_pendulum.m";
    romberg(number, number, count) in "../../examples/matlab/gallery/romberg.m";
    rule_ca(count, count, number) in "../../examples/matlab/gallery/rule_ca.m";
    run_length(matrix) in "../../examples/matlab/gallery/run_length.m";
    savings_plan(number, number, number) in "../../examples/matlab/gallery/savings_plan.m";
    sieve(count) in "../../examples/matlab/gallery/sieve.m";
    simplex_max(matrix, matrix, matrix) in "../../examples/matlab/gallery/simplex_max.m";
    simpson_comp(number, number, count) in "../../examples/matlab/gallery/simpson_comp.m";
    size_vectors(matrix) in "../../examples/matlab/gallery/size_vectors.m";
    smooth3d(count, count, count, count) in "../../examples/matlab/gallery/smooth3d.m";
    sobel_edges(matrix, number) in "../../examples/matlab/gallery/sobel_edges.m";
    sor_poisson(count, number, number) in "../../examples/matlab/gallery/sor_poisson.m";
    spiral_matrix(count) in "../../examples/matlab/gallery/spiral_matrix.m";
    stats_summary(matrix) in "../../examples/matlab/gallery/stats_summary.m";
    sudoku_check(matrix) in "../../examples/matlab/gallery/sudoku_check.m";
    trap_columns_first(matrix) in "../../tests/matlab/traps/trap_columns_first.m";
    trap_conditions(matrix, matrix) in "../../tests/matlab/traps/trap_conditions.m";
    trap_empty(matrix) in "../../tests/matlab/traps/trap_empty.m";
    trap_fill(matrix, number) in "../../tests/matlab/traps/trap_fill.m";
    trap_for_columns(matrix) in "../../tests/matlab/traps/trap_for_columns.m";
    trap_imaginary_unit(number) in "../../tests/matlab/traps/trap_imaginary_unit.m";
    trap_integers(matrix, number) in "../../tests/matlab/traps/trap_integers.m";
    trap_nan(matrix) in "../../tests/matlab/traps/trap_nan.m";
    trap_nested(matrix) in "../../tests/matlab/traps/trap_nested.m";
    trap_old_elements(matrix, count, count) in "../../tests/matlab/traps/trap_old_elements.m";
    trap_ranges(count) in "../../tests/matlab/traps/trap_ranges.m";
    trap_remainder_reads(matrix, matrix) in "../../tests/matlab/traps/trap_remainder_reads.m";
    trap_remainder_stores(matrix, count) in "../../tests/matlab/traps/trap_remainder_stores.m";
    trap_remainders(matrix, number) in "../../tests/matlab/traps/trap_remainders.m";
    trap_shadowed_builtins(matrix, number) in "../../tests/matlab/traps/trap_shadowed_builtins.m";
    trap_subscripts(matrix, matrix) in "../../tests/matlab/traps/trap_subscripts.m";
    trap_third_dimension(matrix) in "../../tests/matlab/traps/trap_third_dimension.m";
    trap_sizes_of_one(matrix, matrix) in "../../tests/matlab/traps/trap_sizes_of_one.m";
    tri_solve_multi(matrix, matrix) in "../../examples/matlab/gallery/tri_solve_multi.m";
    turtle_walk(matrix) in "../../examples/matlab/gallery/turtle_walk.m";
    upwind_advect(count, number, number) in "../../examples/matlab/gallery/upwind_advect.m";
    wave2d(count, count) in "../../examples/matlab/gallery/wave2d.m";
    word_stats(matrix) in "../../examples/matlab/gallery/word_stats.m";
}

fn number(argument: &ArrayViewD<f64>) -> f64 {
    argument.first().copied().expect("a number")
}

fn count(argument: &ArrayViewD<f64>) -> usize {
    number(argument) as usize
}

fn matrix<'a>(argument: &'a ArrayViewD<f64>) -> ArrayView2<'a, f64> {
    argument.view().into_dimensionality().expect("a matrix")
}

fn block<'a>(argument: &'a ArrayViewD<f64>) -> ArrayView3<'a, f64> {
    argument.view().into_dimensionality().expect("an array of three dimensions")
}

/// What a compiled function returns, as arrays.
trait Results {
    fn arrays(self) -> Vec<ArrayD<f64>>;
}

/// One result.
trait Value {
    fn array(self) -> ArrayD<f64>;
}

impl Value for f64 {
    fn array(self) -> ArrayD<f64> {
        ArrayD::from_elem(vec![1, 1], self)
    }
}

impl Value for bool {
    fn array(self) -> ArrayD<f64> {
        f64::from(self).array()
    }
}

impl<T: Copy + Into<f64>, D: Dimension> Value for Array<T, D> {
    fn array(self) -> ArrayD<f64> {
        self.mapv(Into::into).into_dyn()
    }
}

impl<V: Value> Results for V {
    fn arrays(self) -> Vec<ArrayD<f64>> {
        vec![self.array()]
    }
}

/// Several results.
macro_rules! tuples {
    ($(($($name:ident)*))*) => {
        $(impl<$($name: Value),*> Results for ($($name,)*) {
            #[allow(non_snake_case, reason = "types and values share their names")]
            fn arrays(self) -> Vec<ArrayD<f64>> {
                let ($($name,)*) = self;
                vec![$($name.array()),*]
            }
        })*
    };
}
tuples! { (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }
