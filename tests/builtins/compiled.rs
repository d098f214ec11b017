//! The functions in `tests/matlab/builtins`, compiled: the results are those of the interpreter to the bit, in both memory orders.

use ndarray::{Array1, Array2, Array3, ShapeBuilder};

use super::table::{Case, Input, Table};

megha::matlab!(file "../matlab/builtins/masks.m", fn masks(r: f64[1, n], c: f64[n, 1], A: f64[m, m]) -> y: f64[:, 1]);
megha::matlab!(file "../matlab/builtins/orders.m", fn orders(r: f64[1, n], c: f64[n, 1], B: f64[m, k]) -> y: f64[:, 1]);
megha::matlab!(file "../matlab/builtins/samples.m", fn samples(r: f64[1, n], c: f64[n, 1], A: f64[m, k]) -> y: f64[:, 1]);
megha::matlab!(
    file "../matlab/builtins/chosen.m",
    fn chosen(r: f64[1, n], c: f64[n, 1], A: f64[m, m], B: f64[m, k]) -> y: f64[:, 1]
);
megha::matlab!(
    file "../matlab/builtins/rearranged.m",
    fn rearranged(r: f64[1, n], c: f64[n, 1], B: f64[m, k], T: f64[p, q, t]) -> y: f64[:, 1]
);
megha::matlab!(file "../matlab/builtins/integers.m", fn integers(w: f64[1, n], s: f64, u8: u8[m, k]) -> y: f64[:, 1]);
megha::matlab!(file "../matlab/builtins/decompositions.m", fn decompositions(A: f64[m, m], B: f64[p, q]) -> y: f64[:, 1]);
megha::matlab!(file "../matlab/builtins/solved.m", fn solved(P: f64[m, m], B: f64[p, q]) -> y: f64[:, 1]);
megha::matlab!(file "../matlab/builtins/signals.m", fn signals(r: f64[1, n], e: f64[1, n], A: f64[m, k]) -> y: f64[:, 1]);
megha::matlab!(
    file "../matlab/builtins/signs.m",
    fn signs(z: f64[1, n], M: f64[m, k], s: f64, p: f64[1, q]) -> y: f64[:, 1]
);

/// Inputs of the table as arrays.
struct Inputs<'t> {
    table: &'t Table,
    rows_first: bool,
}

impl Inputs<'_> {
    fn input(&self, name: &str) -> &Input {
        self.table.inputs.iter().find(|i| i.name == name).unwrap()
    }

    fn vector(&self, name: &str) -> Array1<f64> {
        Array1::from_vec(self.input(name).value.elements.clone())
    }

    fn matrix(&self, name: &str) -> Array2<f64> {
        let value = &self.input(name).value;
        let columns_first =
            Array2::from_shape_vec((value.sizes[0], value.sizes[1]).f(), value.elements.clone()).unwrap();
        if self.rows_first { columns_first.as_standard_layout().into_owned() } else { columns_first }
    }

    fn cube(&self, name: &str) -> Array3<f64> {
        let value = &self.input(name).value;
        let shape = (value.sizes[0], value.sizes[1], value.sizes[2]);
        let columns_first = Array3::from_shape_vec(shape.f(), value.elements.clone()).unwrap();
        if self.rows_first { columns_first.as_standard_layout().into_owned() } else { columns_first }
    }

    fn call(&self, name: &str) -> Vec<f64> {
        let [r, c, e, w] = ["r", "c", "e", "w"].map(|n| self.vector(n));
        let [a, b, p] = ["A", "B", "P"].map(|n| self.matrix(n));
        match name {
            "chosen" => chosen(&r, &c, &a, &b),
            "masks" => masks(&r, &c, &a),
            "orders" => orders(&r, &c, &b),
            "samples" => samples(&r, &c, &a),
            "rearranged" => rearranged(&r, &c, &b, self.cube("T")),
            "integers" => integers(&w, 5.0, self.matrix("u8").mapv(|x| x as u8)),
            "signs" => signs(self.vector("zs"), self.matrix("zm"), -0.0, self.vector("order")),
            "solved" => solved(&p, &b),
            "decompositions" => decompositions(&a, &b),
            _ => signals(&r, &e, &a),
        }
        .unwrap()
        .into_iter()
        .collect()
    }
}

fn interpreted(case: &Case, table: &Table) -> Vec<f64> {
    let inputs: Vec<&Input> = table.inputs.iter().filter(|i| case.mentions(&i.name)).collect();
    let outcome = super::compiled(case, &inputs);
    super::run(&outcome.module, &inputs, &mut |_| {}).unwrap()[0].to_doubles().unwrap()
}

#[test]
fn compiled_functions_give_what_the_interpreter_gives() {
    let table = Table::load();
    let functions = ["masks", "orders", "samples", "rearranged", "integers", "chosen", "decompositions", "signs"];
    for name in functions {
        let case = table.cases.iter().find(|c| c.call.split('(').next() == Some(name)).unwrap();
        let wanted = interpreted(case, &table);
        for rows_first in [false, true] {
            let found = Inputs { table: &table, rows_first }.call(name);
            let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&found), bits(&wanted), "{name}: {found:?} where the interpreter has {wanted:?}");
        }
    }
}

/// Solvers of the run-time system add in another order.
#[test]
fn compiled_solvers_are_close() {
    let table = Table::load();
    for name in ["solved", "signals"] {
        let case = table.cases.iter().find(|c| c.call.split('(').next() == Some(name)).unwrap();
        let wanted = interpreted(case, &table);
        let found = Inputs { table: &table, rows_first: false }.call(name);
        let worst = found.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(found.len() == wanted.len() && worst < 1e-12, "{name}: {worst:e}");
    }
}
