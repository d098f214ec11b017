//! A loop AST as Rust.

use megha_core::offload::ast::{
    BinaryOp, Block, Expr, ExprKind, Function, Ident, Param, ParamType, Place, Scalar, Stmt, StmtKind,
};

const NONE: &str = "the generator makes none";

/// A function as Rust text.
pub fn function(function: &Function) -> String {
    let params: Vec<String> = function.params.iter().map(param).collect();
    let result = function.results.first().map_or(String::new(), |scalar| format!(" -> {}", scalar.name()));
    let mut text = Text { function, out: String::new(), depth: 0 };
    text.block(&function.body);
    format!("pub fn {}({}){result} {}\n", function.name.text, params.join(", "), text.out)
}

fn param(param: &Param) -> String {
    let name = &param.name.text;
    match param.ty {
        ParamType::Scalar(scalar, mutable) => format!("{}{name}: {}", prefix(mutable), scalar.name()),
        ParamType::Array { class, rank, mutable: true, .. } => {
            format!("mut {name}: ArrayViewMut{rank}<{}>", class.name())
        }
        ParamType::Array { class, rank, mutable: false, .. } => format!("{name}: ArrayView{rank}<{}>", class.name()),
        ParamType::Constant(_) => unreachable!("{NONE}"),
    }
}

fn prefix(mutable: bool) -> &'static str {
    if mutable { "mut " } else { "" }
}

/// How tightly an expression holds together; an operand that does so less than is asked for is put in parentheses.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Binding {
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Cast,
    Prefix,
    Primary,
}

fn operator(op: BinaryOp) -> (&'static str, Binding) {
    match op {
        BinaryOp::Add => ("+", Binding::Sum),
        BinaryOp::Sub => ("-", Binding::Sum),
        BinaryOp::Mul => ("*", Binding::Product),
        BinaryOp::Div => ("/", Binding::Product),
        BinaryOp::Rem => ("%", Binding::Product),
        BinaryOp::Eq => ("==", Binding::Comparison),
        BinaryOp::Ne => ("!=", Binding::Comparison),
        BinaryOp::Lt => ("<", Binding::Comparison),
        BinaryOp::Le => ("<=", Binding::Comparison),
        BinaryOp::Gt => (">", Binding::Comparison),
        BinaryOp::Ge => (">=", Binding::Comparison),
        BinaryOp::And => ("&&", Binding::And),
        BinaryOp::Or => ("||", Binding::Or),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => unreachable!("{NONE}"),
        BinaryOp::Shl | BinaryOp::Shr => unreachable!("{NONE}"),
    }
}

struct Text<'f> {
    function: &'f Function,
    out: String,
    depth: usize,
}

impl Text<'_> {
    fn line(&mut self, text: &str) {
        self.out += &format!("\n{}{text}", "    ".repeat(self.depth));
    }

    fn block(&mut self, block: &Block) {
        self.out.push('{');
        self.depth += 1;
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        if let Some(value) = &block.value {
            let value = self.expr(value);
            self.line(&value);
        }
        self.depth -= 1;
        self.line("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { name, ty, mutable, value } => {
                let ty = ty.map_or(String::new(), |ty| format!(": {}", ty.name()));
                let value = value.as_ref().map_or(String::new(), |value| format!(" = {}", self.expr(value)));
                self.line(&format!("let {}{}{ty}{value};", prefix(*mutable), name.text));
            }
            StmtKind::Assign { place, op, value } => {
                let place = match place {
                    Place::Variable(name) => name.text.clone(),
                    Place::Element { array, subs } => self.element(array, subs),
                };
                let op = op.map_or("", |op| operator(op).0);
                let value = self.expr(value);
                self.line(&format!("{place} {op}= {value};"));
            }
            StmtKind::For { variable, from, to, inclusive, body, .. } => {
                let dots = if *inclusive { "..=" } else { ".." };
                let (from, to) = (self.within(from, Binding::Sum), self.within(to, Binding::Sum));
                self.line(&format!("for {} in {from}{dots}{to} ", variable.text));
                self.block(body);
            }
            StmtKind::If { cond, then, els } => {
                let cond = self.expr(cond);
                self.line(&format!("if {cond} "));
                self.block(then);
                if !els.stmts.is_empty() {
                    self.out += " else ";
                    self.block(els);
                }
            }
            StmtKind::Block(block) => {
                self.line("");
                self.block(block);
            }
            StmtKind::LetArray { .. } | StmtKind::While { .. } | StmtKind::Break(_) => unreachable!("{NONE}"),
            StmtKind::Continue(_) | StmtKind::Return(_) => unreachable!("{NONE}"),
            StmtKind::Assert { .. } | StmtKind::Alike(..) | StmtKind::Swap(..) => unreachable!("{NONE}"),
        }
    }

    fn rank(&self, array: &Ident) -> usize {
        let param = self.function.params.iter().find(|p| p.name.text == array.text);
        match param.map(|p| p.ty) {
            Some(ParamType::Array { rank, .. }) => rank,
            _ => 0,
        }
    }

    fn element(&self, array: &Ident, subs: &[Expr]) -> String {
        let list: Vec<String> = subs.iter().map(|s| self.expr(s)).collect();
        let list = list.join(", ");
        if subs.len() == 1 { format!("{}[{list}]", array.text) } else { format!("{}[[{list}]]", array.text) }
    }

    fn expr(&self, expr: &Expr) -> String {
        self.within(expr, Binding::Or)
    }

    /// An expression that holds together at least so tightly.
    fn within(&self, expr: &Expr, least: Binding) -> String {
        let (text, binding) = self.kind(&expr.kind);
        if binding < least { format!("({text})") } else { text }
    }

    fn kind(&self, kind: &ExprKind) -> (String, Binding) {
        let suffix = |scalar: &Option<Scalar>| scalar.map_or("", Scalar::name);
        let text = match kind {
            ExprKind::Float(x, _, scalar) => format!("{x:?}{}", suffix(scalar)),
            ExprKind::Int(x, scalar) => format!("{x}{}", suffix(scalar)),
            ExprKind::Bool(x) => x.to_string(),
            ExprKind::Variable(name) => name.clone(),
            ExprKind::Element { array, subs } => self.element(array, subs),
            ExprKind::Extent { array, axis } => match (self.rank(array), axis) {
                (1, _) | (_, None) => format!("{}.len()", array.text),
                (2, Some(0)) => format!("{}.nrows()", array.text),
                (2, Some(_)) => format!("{}.ncols()", array.text),
                (_, Some(axis @ 0)) => format!("{}.dim().{axis}", array.text),
                (_, Some(axis)) => format!("{}.shape()[{axis}]", array.text),
            },
            ExprKind::Neg(operand) => return (format!("-{}", self.within(operand, Binding::Prefix)), Binding::Prefix),
            ExprKind::Not(operand) => return (format!("!{}", self.within(operand, Binding::Prefix)), Binding::Prefix),
            ExprKind::Binary(op, a, b) => return self.binary(*op, a, b),
            ExprKind::Method { receiver, method, args } => {
                let args: Vec<String> = args.iter().map(|a| self.expr(a)).collect();
                format!("{}.{}({})", self.within(receiver, Binding::Primary), method.text, args.join(", "))
            }
            ExprKind::Cast(operand, to) => {
                return (format!("{} as {}", self.within(operand, Binding::Prefix), to.name()), Binding::Cast);
            }
            ExprKind::If(cond, then, els) => {
                let value = |block: &Block| block.value.as_ref().map_or(String::new(), |value| self.expr(value));
                let text = format!("if {} {{ {} }} else {{ {} }}", self.expr(cond), value(then), value(els));
                return (text, Binding::Or);
            }
            ExprKind::Block(_)
            | ExprKind::Never
            | ExprKind::Neutral(_)
            | ExprKind::Typed(..)
            | ExprKind::Complex(..)
            | ExprKind::Part(..) => unreachable!("{NONE}"),
        };
        (text, Binding::Primary)
    }

    /// Operands of one kind stand on the left without parentheses, but for comparisons; a cast before `<` needs them.
    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> (String, Binding) {
        let (sign, binding) = operator(op);
        let above = match binding {
            Binding::Or => Binding::And,
            Binding::And => Binding::Comparison,
            Binding::Comparison => Binding::Sum,
            Binding::Sum => Binding::Product,
            _ => Binding::Cast,
        };
        let left = if binding == Binding::Comparison { above } else { binding };
        // An `if` or a cast may end in what the operator would be taken for a part of.
        let tight = |e: &Expr, least| match e.kind {
            ExprKind::If(..) | ExprKind::Cast(..) => Binding::Primary,
            _ => least,
        };
        let (left, right) = (self.within(a, tight(a, left)), self.within(b, tight(b, above)));
        (format!("{left} {sign} {right}"), binding)
    }
}
