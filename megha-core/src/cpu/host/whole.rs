//! Operations on whole arrays: calls of the run-time system.

use super::super::body::Body;
use super::super::expr::rust_type;
use super::super::message::borrowed;
use super::{Host, is_zero, number, reducer};
use crate::ir::{Lib, Op, ReduceOp, Size, Stmt, Sub, Type, Value, Written};
use megha_base::plan::block::Task;

impl Host<'_> {
    /// The expression for an operation that makes an array, or a number from arrays.
    pub(super) fn whole(&mut self, body: &mut Body<'_>, stmt: &Stmt) -> Option<String> {
        let result = stmt.results[0];
        let ty = body.func.ty(result).clone();
        let shape = body.shape(&ty.dims);
        let view = |host: &Self, body: &Body<'_>, v: Value| host.view(body, v);
        let site = self.shared.site(stmt.loc);
        Some(match &stmt.op {
            Op::Fill(value) => {
                let of = format!("L, {}, {}", rust_type(ty.class), ty.dims.len());
                let [zeros, filled] = ["zeros", "filled"].map(|make| match self.asks {
                    true => format!("rt::device::{make}::<{of}>"),
                    false => format!("rt::Array::<{of}>::{make}"),
                });
                match is_zero(body, *value) {
                    true => format!("{zeros}({shape}, {site})?"),
                    false => format!("{filled}({shape}, {}, {site})?", body.text(*value)),
                }
            }
            Op::FillAround { a, boxes } => {
                let of = format!("L, {}, {}", rust_type(ty.class), ty.dims.len());
                let make = match self.asks {
                    true => format!("rt::device::filled_around::<{of}>"),
                    false => format!("rt::Array::<{of}>::filled_around"),
                };
                let boxes: Vec<String> = boxes.iter().map(|b| written(body, b)).collect();
                format!("unsafe {{ {make}({shape}, {}, &[{}], {site}) }}?", self.typed(body, *a), boxes.join(", "))
            }
            Op::Range { start, step } => {
                let [start, step] = [start, step].map(|v| self.typed(body, *v));
                format!("rt::whole::range::<L, _>({shape}, {start}, {step}, {site})?")
            }
            Op::Linspace(a, b) => {
                format!("rt::whole::linspace::<L>({shape}, {}, {}, {site})?", body.text(*a), body.text(*b))
            }
            Op::Eye => {
                let [zero, one] = [0.0, 1.0].map(|x| number(x, ty.class));
                format!("rt::whole::eye::<L, _>({shape}, {zero}, {one}, {site})?")
            }
            Op::Transpose(a) => format!("{}.strided().permuted([1, 0]).copy::<L>()", view(self, body, *a)),
            Op::Reshape(a) if ty.is_scalar() => format!("{}.as_slice()[0]", view(self, body, *a)),
            Op::Reshape(a) if body.storage.takes_over(result) => {
                format!("{}.reshaped({shape}, {site})?", body.text(*a))
            }
            Op::Reshape(a) if body.storage.is_borrowed(result) => {
                let lent = body.names.fresh("lent");
                let text = format!("let {lent} = {}.reshape({shape}, {site})?.apart();", view(self, body, *a));
                body.code.line(text);
                self.views.insert(result);
                format!("{lent}.view()")
            }
            Op::Reshape(a) => format!("{}.reshape({shape}, {site})?.into_owned()", view(self, body, *a)),
            Op::Concat(axis, parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.part(body, *p, ty.ndims())).collect();
                let zero = number(0.0, ty.class);
                format!(
                    "rt::whole::concat::<L, _, {}>({shape}, {axis}, {zero}, &[{}], {site})?",
                    ty.dims.len(),
                    parts.join(", ")
                )
            }
            Op::Resize(a) => {
                let ranks = (body.func.ty(*a).ndims(), ty.dims.len());
                let (part, zero) = (self.part(body, *a, ranks.0), number(0.0, ty.class));
                format!("rt::enlarged::<L, _, {}, {}>({part}, {shape}, {zero}, {site})?", ranks.0, ranks.1)
            }
            Op::Reduce(op, a, axes) => self.reduction(body, *op, *a, axes, &ty, &site),
            Op::Lib(Lib::MatMul, factors) if factors.iter().any(|factor| self.lent.contains_key(factor)) => {
                self.lent_product(body, stmt, factors, &site)?
            }
            Op::Lib(lib, operands) => {
                if let Task::Product(number) = self.shared.device.task(self.func, stmt) {
                    let [a, b] = [operands[0], operands[1]].map(|v| view(self, body, v));
                    let to = if *lib == Lib::MatMulToCompare { "_to_compare" } else { "" };
                    return Some(format!("rt::device::product{to}((&DEVICE, {number}), ({a}, {b}), {site})?"));
                }
                return self.library(body, *lib, operands, &ty, &site);
            }
            Op::Index { array, subs, .. } => {
                let (view, picks) = (view(self, body, *array), self.picks(body, subs, *array));
                let zero = number(0.0, ty.class);
                let call = format!("rt::whole::gather({view}, {zero}, {shape}, [{picks}], {site})?");
                if ty.is_scalar() { format!("{call}.as_slice()[0]") } else { call }
            }
            _ => return None,
        })
    }

    /// A product that reads a factor where it lies, as long as no device is at work.
    fn lent_product(&mut self, body: &mut Body<'_>, stmt: &Stmt, factors: &[Value], site: &str) -> Option<String> {
        let (at, lent) = factors.iter().enumerate().find_map(|(at, factor)| Some((at, self.lent.remove(factor)?)))?;
        let copied = self.whole(body, stmt)?;
        let parts: Vec<String> = factors
            .iter()
            .enumerate()
            .map(|(number, factor)| match number == at {
                true => lent.part(self, body, &body.shape(&body.func.ty(*factor).dims)),
                false => format!("{}.strided()", self.view(body, *factor)),
            })
            .collect();
        let class = rust_type(body.func.ty(stmt.results[0]).class);
        let product = format!("rt::linalg::product::<L, {class}>({}, {site})?", parts.join(", "));
        Some(format!("if {} {{ {product} }} else {{ {copied} }}", lent.when))
    }

    pub(super) fn picks(&self, body: &Body<'_>, subs: &[Sub], array: Value) -> String {
        let dims = &body.func.ty(array).dims;
        let pick = |(axis, sub): (usize, &Sub)| match sub {
            Sub::All if subs.len() == 1 => {
                format!("rt::whole::Pick::All({})", body.extent(&body.func.ty(array).numel()))
            }
            Sub::All => format!("rt::whole::Pick::All({})", body.extent(&dims[axis])),
            Sub::At(v) => format!("rt::whole::Pick::One({})", body.text(*v)),
            Sub::Range { start, step, len } => {
                format!("rt::whole::Pick::Range({}, {step}, {})", body.text(*start), body.extent(len))
            }
            Sub::Vector(v) if body.func.ty(*v).is_scalar() => {
                format!("rt::whole::Pick::number({})", body.text(*v))
            }
            Sub::Vector(v) => format!("rt::whole::Pick::vector({})", self.view(body, *v)),
        };
        subs.iter().enumerate().map(pick).collect::<Vec<_>>().join(", ")
    }

    fn reduction(
        &mut self,
        body: &mut Body<'_>,
        op: ReduceOp,
        a: Value,
        axes: &[usize],
        ty: &Type,
        site: &str,
    ) -> String {
        let view = self.view(body, a);
        let axes: Vec<String> = axes.iter().map(usize::to_string).collect();
        let axes = axes.join(", ");
        let call = format!("rt::whole::reduce::<rt::reduce::{}, L, _, _>({view}, &[{axes}], {site})?", reducer(op));
        if ty.is_scalar() { format!("{call}.as_slice()[0]") } else { call }
    }

    fn library(&self, body: &Body<'_>, lib: Lib, operands: &[Value], ty: &Type, site: &str) -> Option<String> {
        let one = |v: &Value| if body.func.ty(*v).is_scalar() { body.text(*v) } else { self.view(body, *v) };
        let views: Vec<String> = operands.iter().map(one).collect();
        let class = rust_type(ty.class);
        let call = match lib {
            Lib::MatMul if ty.is_scalar() => {
                return Some(format!("rt::linalg::dot::<L, {class}>({}, {site})?", views.join(", ")));
            }
            Lib::MatMul => format!("rt::linalg::matmul::<L, {class}>({}, {site})?", views.join(", ")),
            Lib::MatMulToCompare => {
                format!("rt::linalg::matmul_to_compare::<L, {class}>({}, {site})?", views.join(", "))
            }
            Lib::LeftDivide => format!("rt::linalg::solve({}, {site})?", views.join(", ")),
            Lib::RightDivide => format!("rt::linalg::solve_right({}, {site})?", views.join(", ")),
            Lib::RandPerm => {
                let n = if ty.is_scalar() { "1".to_owned() } else { body.size(&ty.dims[1]).text() };
                format!("rt::random::order::<L>({}, {n}, {site})?", body.text(operands[0]))
            }
            Lib::TextLength => return Some(format!("rt::text::length({})", borrowed(body, operands[0]))),
            Lib::TextCodes => return Some(format!("rt::text::codes::<L>({}, {site})?", borrowed(body, operands[0]))),
            Lib::DateVector => return Some(format!("rt::clock::vector::<L>({}, {site})?", body.text(operands[0]))),
            Lib::DateSeconds => return Some(format!("rt::clock::seconds({})", self.view(body, operands[0]))),
            Lib::RangeLen => {
                return Some(format!("rt::whole::range_len({}, {site})?", views.join(", ")));
            }
            Lib::Find => {
                let shape = body.shape(&ty.dims);
                format!("rt::order::find({}, {shape}, {site})?", views[0])
            }
            Lib::Lu => format!("rt::linalg::lu({}, {site})?", views[0]),
            Lib::Cholesky => format!("rt::linalg::cholesky({}, {site})?", views[0]),
            Lib::Qr => format!("rt::linalg::qr({}, {}, {site})?", views[0], body.shape(&ty.dims)),
            Lib::Inverse => format!("rt::linalg::inverse({}, {site})?", views[0]),
            Lib::Eigenvalues => format!("rt::linalg::eigenvalues({}, {site})?", eigen_operands(&views)),
            Lib::Eigenvectors => format!("rt::linalg::eigenvectors({}, {site})?", eigen_operands(&views)),
            Lib::SingularValues => {
                format!("rt::linalg::singular_values({}, {}, {site})?", views[0], body.shape(&ty.dims))
            }
            Lib::Fourier => {
                let shape = body.shape(&ty.dims);
                format!("rt::fourier::transform({}, {shape}, {site})?", views.join(", "))
            }
            Lib::Middle => format!("rt::order::middle({}, {site})?", views.join(", ")),
            Lib::SumsAt => {
                let [places, values] = [0, 1].map(|k| views[k].as_str());
                let one = body.func.ty(operands[1]).is_scalar();
                let values = if one { format!("One({values})") } else { format!("Each({values}.as_slice())") };
                let shape = body.shape(&ty.dims);
                format!("rt::sums_at::sums_at({places}, rt::sums_at::Values::{values}, {shape}, {site})?")
            }
            Lib::CountsAt => format!("rt::sums_at::counts_at({}, {}, {site})?", views[0], body.shape(&ty.dims)),
            Lib::Lookup => format!("rt::order::lookup({}, {site})?", views.join(", ")),
            Lib::Sort => format!("rt::order::sort({}, {site})?", views.join(", ")),
            Lib::SortIndex => format!("rt::order::sort_index({}, {site})?", views.join(", ")),
        };
        Some(if ty.is_scalar() { format!("{call}.as_slice()[0]") } else { call })
    }
}

/// A box of elements as an expression.
fn written(body: &Body<'_>, Written { first, count, rounds }: &Written) -> String {
    let list = |sizes: &[Size]| sizes.iter().map(|size| body.exact_size(size).text()).collect::<Vec<_>>().join(", ");
    let rounds = if rounds.is_empty() { String::from("[]") } else { format!("[{}]", list(rounds)) };
    format!("rt::Written {{ first: [{}], count: [{}], rounds: &{rounds} }}", list(first), list(count))
}

/// A matrix, and the second of a pair.
fn eigen_operands(views: &[String]) -> String {
    match views {
        [a, b] => format!("{a}, Some({b})"),
        _ => format!("{}, None", views[0]),
    }
}
