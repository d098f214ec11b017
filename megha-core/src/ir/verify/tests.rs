use super::*;
use crate::ir::parse::parse;
use crate::ir::{FuncId, Op, Pipelined, Sym, Terminator};

fn rules(module: &Module) -> Vec<Rule> {
    match verify(module) {
        Ok(_) => Vec::new(),
        Err(found) => found.iter().map(|v| v.rule).collect(),
    }
}

/// `body` in a function of `%a: f64`, `%k: index`, `%c: bool`, `%x: f64[n, m]`, `%v: f64[n, 1]`, `%r: f64[1, m]`, without results.
fn in_func(body: &str) -> String {
    format!(
        "func @f(%a: f64, %k: index, %c: bool, %x: f64[n, m], %v: f64[n, 1], %r: f64[1, m]) -> () {{
           sym n = dim 3 0  sym m = dim 3 1
           {body}
         }}"
    )
}

fn in_kernel(body: &str) -> String {
    in_func(&format!("%y: f64[n, m] = kernel 0 over [n, m] into (fresh) |%i, %j| {{ {body} put out0[%i, %j] = 0.0 }}"))
}

#[track_caller]
fn valid(text: &str) {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    if let Err(found) = verify(&module) {
        panic!("{text}\n{}", found.iter().map(Violation::to_string).collect::<Vec<_>>().join("\n"));
    }
}

/// The text breaks exactly this kind of invariant.
#[track_caller]
fn breaks(rule: Rule, text: &str) {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut found = rules(&module);
    found.dedup();
    assert_eq!(found, [rule], "{text}\n{:?}", verify(&module).err());
}

#[test]
fn valid_programs() {
    for body in [
        "%y = add %v, %r  %z = mul %y, %x",
        "%y = select %c, %x, %a  %z = lt %y, 0.0  %w = not %z",
        "%e = index %x[%k, :]  %g = index %x[vector %v, %k step 2 len 3] checked  %h: f64[n*m, 1] = index %x[:]",
        "%s = store %x[%k, :] = %r  %t = store %s[:] = %x checked",
        "%t = transpose %x  %p: f64[n, n] = lib matmul %x, %t  %w = transpose %v  %s: f64 = lib matmul %w, %v",
        "%t = concat %x, %v, %v along 1  %u = reduce sum %t along [0, 1]  %q = add %u, %a",
        "%y: f64[m, n] = reshape %x  %e: f64[3, 3] = eye  %l: f64[1, 7] = linspace %a, 2.0  %g: f64[1, 7] = range %k, 1",
        "if %c { return } raise \"no\" unreachable",
        "if %c { raise \"no\" unreachable } else { return } unreachable",
        "%b = bits %a  %d: f64 = from_bits %b  %f: i8 = convert %d  %g: i8 = const -128  %h: u8 = const 255",
        "%w = for 3 with %v |%i, %s| { %t = for %i with %s |%j, %u| { if %c { break #1 %u } continue %u } yield %t }",
        "%w = while with %a |%s| { %p = lt %s, 9.0 yield %p } do |%t| { if %c { break %t } %u = add %t, 1 yield %u }",
    ] {
        valid(&in_func(body));
    }
    valid(&in_func("%y: f64[n, m], %s: f64[1, m], %b: bool, %z: f64[n, 1] = kernel 4 over [n, m] into (fresh, reduce max along [0], reduce any along [0, 1], update %v) |%i, %j| {
        %e = load %x[%i, %j] %l = load %v[%i] %q: f64 = load out3[%i, 0] %big = gt %e, %l
        if %big { put out0[%i, %j] = %a } else { put out0[%i, %j] = %q }
        %t = for %j with %e |%p, %s2| { %h = lt %s2, 0.0 if %h { break %s2 } yield %l }
        put out3[%i, 0] = %t
        accumulate out1, %e accumulate out2, %big
        assert %big, \"positive\"
    }"));
    valid("func @twice(%z: f64) -> f64 { %y = add %z, %z return %y } func @f(%v: f64[n, 1]) { sym n = dim 0 0
        %y: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| { %e = load %v[%i] %t = call @twice(%e) put out0[%i] = %t } }");
}

#[test]
fn tables() {
    let module = parse(&in_func("%y = neg %a  %z: f64 = call @f(%y)")).unwrap();
    let broken: [fn(&mut Func); 7] = [
        |f| f.names.truncate(3),
        |f| f.result_names.push("y".into()),
        |f| f.body.params.truncate(2),
        |f| f.body.stmts[0].results[0] = Value::new(99),
        |f| f.body.term = Terminator::Return(vec![Value::new(99)]),
        |f| f.types[0].dims = vec![Size::sym(Sym::new(7)); 2],
        |f| f.body.stmts[1].op = Op::Call(FuncId::new(1), Vec::new()),
    ];
    for change in broken {
        let mut module = module.clone();
        change(&mut module.funcs[0]);
        assert!(rules(&module).iter().all(|r| *r == Rule::Table) && !rules(&module).is_empty(), "{:?}", rules(&module));
        assert!(!module.to_string().is_empty());
    }
}

#[test]
fn symbols() {
    breaks(Rule::Symbol, "func @f(%x: f64) { sym n = dim 0 0 }");
    breaks(Rule::Symbol, "func @f(%x: f64) { sym n = dim 1 0 }");
    breaks(Rule::Symbol, "func @f(%x: f64) { sym n = value %x }");
    breaks(Rule::Symbol, "func @f(%x: f64[n, 1]) { sym p = max(n, 0) sym n = dim 0 0 }");
    breaks(Rule::Symbol, "func @f(%x: f64[n, 1]) { sym p = max(p, 0) sym n = dim 0 0 }");
    let mut module = parse("func @f(%x: f64[n, m]) { sym n = dim 0 0 sym m = dim 0 1 }").unwrap();
    module.funcs[0].symbols.get_mut(Sym::new(1)).name = "n".into();
    assert_eq!(rules(&module), [Rule::Symbol]);
}

#[test]
fn malformed_types() {
    for ty in ["f64[1, 1]", "f64[3]", "f64[2, 2, 1]", "f64[-1, 2]", "char[1, 4]"] {
        breaks(Rule::Type, &format!("func @f(%x: {ty}) {{}}"));
        breaks(Rule::Type, &format!("func @f() -> {ty} {{ raise \"\" unreachable }}"));
    }
}

#[test]
fn definitions() {
    breaks(Rule::Definition, &in_func("%y = neg %a  %y = neg %a"));
    breaks(Rule::Definition, &in_func("%a = neg 1.0"));
    breaks(Rule::Definition, "func @f(%0: f64, %0: f64) {}");
}

#[test]
fn dominance() {
    breaks(Rule::Dominance, &in_func("%z: f64 = neg %y  %y = neg %a"));
    breaks(Rule::Dominance, &in_func("%y: f64 = neg %y"));
    breaks(Rule::Dominance, &in_func("if %c { %y = neg %a }  %z = neg %y"));
    breaks(Rule::Dominance, &in_func("if %c { %y = neg %a } else { %z = neg %y }"));
    breaks(Rule::Dominance, &in_func("for %k |%i| {}  %z = neg %i"));
    breaks(Rule::Dominance, &in_func("%z: f64 = neg %y  unused %y: f64"));
    breaks(Rule::Dominance, &in_func("%w: f64 = if %c { yield %w } else { yield %a }"));
}

#[test]
fn sizes_do_not_leave_their_scope() {
    let text = "func @f(%c: bool, %a: f64) { sym k = value %n  sym p = max(k - 1, 0)  BODY }";
    let with = |body: &str| text.replace("BODY", body);
    valid(&with("%n = to_index %a  %x: f64[p, 1] = fill %a  %s = size p"));
    valid(&with("if %c { %n = to_index %a  %x: f64[p, 2] = fill %a }"));
    breaks(Rule::SizeScope, &with("%x: f64[p, 1] = fill %a  %n = to_index %a"));
    breaks(Rule::SizeScope, &with("%s = size 2*p  %n = to_index %a"));
    breaks(Rule::SizeScope, &with("%x: f64[9, 1] = fill %a around [0, 0] len [p, 1]  %n = to_index %a"));
    breaks(
        Rule::SizeScope,
        &with(
            "%y: f64[k, 3] = if %c { %n = to_index %a  %x: f64[k, 3] = fill %a  yield %x } else { raise \"\" unreachable }",
        ),
    );
    breaks(Rule::SizeScope, &with("for 3 |%i| { %n = to_index %a }  same_size k, 1, \"text\""));
    breaks(
        Rule::SizeScope,
        &with("for 3 |%i| { %n = to_index %a  %x: f64[k, 2] = fill %a  if %c { %y = neg %x } }  %z = size k"),
    );
}

#[test]
fn arity() {
    breaks(Rule::Arity, &in_func("%y: f64, %z: f64 = neg %a"));
    breaks(Rule::Arity, &in_func("neg %a"));
    breaks(Rule::Arity, &in_func("%y: f64 = assert %c, \"text\""));
    breaks(Rule::Arity, &in_func("%y: f64 = if %c { yield %a, %a } else { yield %a }"));
    breaks(Rule::Arity, &in_func("%y: f64 = if %c { yield %a }"));
    breaks(Rule::Arity, &in_func("for %k {}"));
    breaks(Rule::Arity, &in_func("%w = for %k with %a |%i| { yield %a }"));
    breaks(Rule::Arity, &in_func("while { yield %c, %c } do {}"));
    breaks(Rule::Arity, &in_func("%e: f64 = index %x[%k, %k, %k]"));
    breaks(Rule::Arity, &in_func("return %a"));
    breaks(Rule::Arity, &in_func("%y: f64 = lib matmul %x"));
    breaks(Rule::Arity, &in_func("call @f(%a)"));
}

#[test]
fn classes() {
    breaks(Rule::Class, &in_func("%y = add %a, %k"));
    breaks(Rule::Class, &in_func("%y = neg %c"));
    breaks(Rule::Class, &in_func("%y = sqrt %k"));
    breaks(Rule::Class, &in_func("%y = and %a, %a"));
    breaks(Rule::Class, &in_func("%y = shl %a, %a"));
    breaks(Rule::Class, &in_func("%y: f32 = neg %a"));
    breaks(Rule::Class, &in_func("%y: f64 = lt %a, %a"));
    breaks(Rule::Class, &in_func("%y = select %a, %a, %a"));
    breaks(Rule::Class, &in_func("%y: i8 = const 128"));
    breaks(Rule::Class, &in_func("%y: u16 = const -1"));
    breaks(Rule::Class, &in_func("%y: i8 = const 1.0"));
    breaks(Rule::Class, &in_func("%y: f64 = const true"));
    breaks(Rule::Class, &in_func("if %a {}"));
    breaks(Rule::Class, &in_func("for %a |%i| {}"));
    breaks(Rule::Class, &in_func("while { yield %a } do {}"));
    breaks(Rule::Class, &in_func("%y = to_index %k"));
    breaks(Rule::Class, &in_func("%e = index %x[%a, :]"));
    breaks(Rule::Class, &in_func("%w: f64 = for 3 with %a |%i, %s| { yield %i }"));
    breaks(Rule::Class, &in_func("%u = reduce any %x along [0]"));
    breaks(Rule::Class, &in_func("%s = store %x[%k] = %c"));
    breaks(Rule::Class, &in_func("%t = concat %a, %k along 0"));
    let mut module = parse(&in_func("%y: f32 = const 0.5")).unwrap();
    module.funcs[0].body.stmts[0].op = Op::Const(crate::ir::Const::Float(0.1));
    assert_eq!(rules(&module), [Rule::Class]);
}

#[test]
fn shapes() {
    breaks(Rule::Shape, &in_func("%t = transpose %x  %y: f64[n, m] = add %x, %t"));
    breaks(Rule::Shape, &in_func("%y: f64[n, 1] = add %v, %r"));
    breaks(Rule::Shape, &in_func("%y: f64 = neg %v"));
    breaks(Rule::Shape, &in_func("%y: f64 = fma %v, %v, %v"));
    breaks(Rule::Shape, &in_func("%y: f64[n, 1] = fma %v, %r, %v"));
    breaks(Rule::Shape, &in_func("%b = gt %x, 0.0  if %b {}"));
    breaks(Rule::Shape, &in_func("%y: f64[m, 1] = index %x[:, %k]"));
    breaks(Rule::Shape, &in_func("%y: f64[n, m] = index %v[:]"));
    breaks(Rule::Shape, &in_func("%y: f64 = index %a[%k]"));
    breaks(Rule::Shape, &in_func("%y = store %x[:, %k] = %r"));
    breaks(Rule::Shape, &in_func("%y = store %x[:] = %r"));
    breaks(Rule::Shape, &in_func("%e: f64[2, 1] = index %v[%k step 0 len 2]"));
    breaks(Rule::Shape, &in_func("%y: f64 = fill %a"));
    breaks(Rule::Shape, &in_func("%y: f64[n, m] = fill %a around [0] len [n]"));
    breaks(Rule::Shape, &in_func("%y: f64[n, m] = fill %v around [0, 0] len [n, m]"));
    breaks(Rule::Class, &in_func("%b = const true  %y: bool[n, m] = fill %b around [0, 0] len [n, m]"));
    breaks(Rule::Shape, &in_func("%y: f64[n, 1] = range %k, %k"));
    breaks(Rule::Shape, &in_func("%y: f64[n, m, 2] = eye"));
    breaks(Rule::Shape, &in_func("%w: f64[3, 3] = eye  %y: f64[2, 2] = reshape %w"));
    breaks(Rule::Shape, &in_func("%y: f64[1, m] = reshape %a"));
    breaks(Rule::Shape, &in_func("%y: f64[n, m] = concat %x, %r along 1"));
    breaks(Rule::Shape, &in_func("%y = reduce sum %x along [1, 0]"));
    breaks(Rule::Shape, &in_func("%y: f64[n, m] = lib matmul %x, %x"));
    breaks(Rule::Shape, &in_func("%y: f64[m, n] = convert %x"));
    breaks(Rule::Shape, &in_func("%w: f64[n, 1] = for 3 with %v |%i, %s| { yield %r }"));
    breaks(Rule::Shape, &in_func("call @f(%a, %k, %c, %x, %r, %r)"));
    breaks(
        Rule::Shape,
        "func @g(%x: f64[n, 1]) -> (y: f64[2*n, 1]) { sym n = dim 0 0 raise \"\" unreachable }
        func @f(%v: f64[k, 1]) { sym k = dim 0 0 %y: f64[k, 1] = call @g(%v) }",
    );
}

#[test]
fn terminators() {
    breaks(Rule::Terminator, &in_func("yield"));
    breaks(Rule::Terminator, &in_func("unreachable"));
    breaks(Rule::Terminator, &in_func("if %c { break }"));
    breaks(Rule::Terminator, &in_func("for %k |%i| { if %c { continue #1 } }"));
    breaks(Rule::Terminator, &in_func("for %k |%i| { while { break } do {} }"));
    breaks(Rule::Terminator, &in_func("for %k |%i| { if %c { raise \"\" unreachable } unreachable }"));
    breaks(Rule::Terminator, &in_kernel("").replace("= 0.0", "= 0.0 yield %a"));
    breaks(
        Rule::Terminator,
        &in_func(
            "for %k |%l| { %y: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| { put out0[%i] = %a if %c { break } } }",
        ),
    );
}

#[test]
fn kernel_bodies() {
    valid(&in_kernel("%t = mul %a, %a"));
    for statement in [
        "%t = neg %v",
        "%t = index %x[%i, %j]",
        "%t: f64[2, 2] = eye",
        "print \"text\"",
        "raise \"text\"",
        "if %c { return }",
        "same_size n, m, \"text\"",
        "%z: f64[n, 1] = kernel 1 over [n] into (fresh) |%p| { put out0[%p] = 0.0 }",
        "call @f(%a, %k, %c, %x, %v, %r)",
    ] {
        breaks(Rule::KernelOp, &in_kernel(statement));
    }
    breaks(Rule::KernelOp, &in_func("%e = load %x[%k, %k]"));
    breaks(Rule::KernelOp, &in_func("put out0[%k] = %a"));
    breaks(Rule::KernelOp, "func @say(%z: f64) -> () { print \"%g\", %z } func @g(%z: f64) -> () { call @say(%z) }
        func @f(%v: f64[n, 1]) { sym n = dim 0 0 %y: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| { call @g(0.0) put out0[%i] = 1.0 } }");
}

#[test]
fn kernel_outs() {
    let kernel = |head: &str, body: &str| in_func(&format!("{head} |%i, %j| {{ {body} }}"));
    let fresh = "%y: f64[n, m] = kernel 0 over [n, m] into (fresh)";
    let sum = "%y: f64[n, 1] = kernel 0 over [n, m] into (reduce sum along [1])";
    valid(&kernel(sum, "accumulate out0, %a"));
    breaks(Rule::Kernel, &kernel(fresh, ""));
    breaks(Rule::Kernel, &kernel(fresh, "put out0[%i, %j] = %a put out1[%i, %j] = %a"));
    breaks(Rule::Kernel, &kernel(fresh, "put out0[%i, %j] = %a accumulate out0, %a"));
    breaks(Rule::Kernel, &kernel(sum, ""));
    breaks(Rule::Kernel, &kernel(sum, "accumulate out0, %a accumulate out0, %a"));
    breaks(Rule::Kernel, &kernel(sum, "if %c { accumulate out0, %a }"));
    breaks(Rule::Kernel, &kernel(sum, "accumulate out0, %a put out0[%i] = %a"));
    breaks(Rule::Kernel, &kernel(sum, "accumulate out0, %a %e: f64 = load out0[%i]"));
    breaks(
        Rule::Kernel,
        &kernel("%y: f64[1, m] = kernel 0 over [n, m] into (reduce sum along [1])", "accumulate out0, %a"),
    );
    breaks(Rule::Kernel, &kernel("%y: f64[n, m] = kernel 0 over [n, m] into (update %v)", "put out0[%i, %j] = %a"));
    breaks(Rule::Kernel, &kernel("%y: f64 = kernel 0 over [n, m] into (fresh)", "put out0[%i] = %a"));
    breaks(
        Rule::Kernel,
        &kernel("%y: f64[n, m] = kernel 0 over [n] into (fresh)", "put out0[%i] = %a")
            .replace("|%i, %j|", "|%i, %j: index|"),
    );
    breaks(Rule::Kernel, &kernel(fresh, "put out0[%i, %j] = %a %e = load %a[%i]"));
    breaks(Rule::Arity, &kernel(fresh, "put out0[%i, %j, %i] = %a"));
    breaks(Rule::Class, &kernel(fresh, "put out0[%i, %j] = %i"));
    breaks(Rule::Class, &kernel(sum, "accumulate out0, %i"));
    let one = format!("{fresh} |%i, %j| {{ put out0[%i, %j] = %a }}");
    breaks(
        Rule::Kernel,
        &in_func(&format!("{one} {}", one.replace("%y", "%z").replace("%i", "%p").replace("%j", "%q"))),
    );
}

#[test]
fn violations_show_the_statement() {
    let module = parse("func @f(%a: f64) { if %a !3 { print \"text\" } }").unwrap();
    let found = verify(&module).unwrap_err();
    assert_eq!(found[0].to_string(), "Class in @f: the condition is f64, not a scalar bool\n  if %0 !3 {");
    assert_eq!(found[0].loc, Loc::new(3));
}

/// A loop that carries a row and its length, in a function of `%a: f64, %c: bool, %n: index`; `GIVEN` is what an iteration
/// gives the next one, `START` what the first one gets.
fn growing_row(start: &str, body: &str) -> String {
    format!(
        "func @f(%a: f64, %c: bool, %n: index) -> () {{
           sym n = value %n  sym K = value %k, >= 0  sym R = value %r, >= 0  sym L = value %l
           %zero = size 0  %none: f64[1, 0] = fill 0.0  %some: f64[1, n] = fill %a  %len = size n + 1
           %r: index, %y: f64[1, R] = for %n with {start} |%i, %k, %x: f64[1, K]| {{
             %l = add %k, 1
             {body}
           }}
           %sum = reduce sum %y along [1]
         }}"
    )
}

#[test]
fn dependent_tuples() {
    let grow = "%z: f64[1, L] = resize %x  yield %l, %z";
    valid(&growing_row("%zero, %none", grow));
    valid(&growing_row("%n, %some", "yield %k, %x"));
    valid(&growing_row("%zero, %none", "%m = size K + 1  %z: f64[1, K + 1] = resize %x  yield %m, %z"));
    valid(&growing_row("%zero, %none", "%z: f64[1, L] = resize %x  if %c { break %l, %z } continue %k, %x"));
    // What the index tells is not the array's size.
    breaks(Rule::Shape, &growing_row("%n, %none", "yield %k, %x"));
    breaks(Rule::Shape, &growing_row("%len, %some", "yield %k, %x"));
    breaks(Rule::Shape, &growing_row("%zero, %none", "yield %l, %x"));
    breaks(Rule::Shape, &growing_row("%zero, %none", "%z: f64[1, L] = resize %x  yield %k, %z"));
    breaks(Rule::Shape, &growing_row("%zero, %none", "if %c { break %l, %x } yield %k, %x"));
    // The index stands after the array.
    let swapped =
        growing_row("%zero, %none", "yield %k, %x").replace("%i, %k, %x: f64[1, K]", "%i, %x: f64[1, K], %k: index");
    assert!(rules(&parse(&swapped).unwrap()).contains(&Rule::SizeScope));
}

#[test]
fn results_of_an_if_are_a_dependent_tuple() {
    let text = "func @f(%c: bool, %n: index) -> () {
      sym n = value %n  sym K = value %k  sym M = max(K, 2)
      %one = const 1  %more = size n
      %k: index, %x: f64[1, SIZE] = if %c { %a: f64[1, n] = fill 1.0 yield %more, %a } else { %b: f64[1, 2] = fill 0.0 yield 2, %b }
    }";
    valid(&text.replace("SIZE", "K"));
    breaks(Rule::Shape, &text.replace("SIZE", "K").replace("yield %more", "yield %one"));
    let derived = rules(&parse(&text.replace("SIZE", "M")).unwrap());
    assert!(!derived.is_empty() && derived.iter().all(|rule| *rule == Rule::Shape));
}

#[test]
fn resizing_never_shrinks() {
    valid(&in_func("%y: f64[n + 1, m] = resize %x  %z: f64[1, 4] = resize %a  %w: f64[n, m, 3] = resize %x"));
    breaks(Rule::Shape, &in_func("%y: f64[n - 1, m] = resize %x"));
    breaks(Rule::Shape, &in_func("%w: f64[2, 3, 4] = fill %a  %y: f64[2, 3] = resize %w"));
    breaks(Rule::Class, &in_func("%y: f32[n, m] = resize %x"));
}

/// What is said of loops whose iterations overlap.
#[test]
fn pipelines() {
    let marked = |mark: &str| {
        in_func(&format!(
            "sym t = value %j  sym u = value %p  for %k |%i| {mark} {{ %j = add %i, 1  for %j |%l| {{ yield }} %p = add %j, 1  yield }}"
        ))
    };
    valid(&marked("pipelined [0] work [n, m]"));
    valid(&marked("pipelined [t] work [n]"));
    breaks(Rule::SizeScope, &marked("pipelined [0] work [t]"));
    breaks(Rule::SizeScope, &marked("pipelined [u] work [n]"));
    breaks(Rule::SizeScope, &marked("pipelined [0] work [n, t]"));

    // The parser makes marks of counters only, and complete ones.
    let module = parse(&marked("pipelined [0] work [n]")).unwrap();
    let (counter, mark) =
        module.funcs[0].pipelined.iter().map(|(counter, mark)| (*counter, mark.clone())).next().unwrap();
    let with = |key: Value, mark: Pipelined| {
        let mut changed = module.clone();
        changed.funcs[0].pipelined.insert(key, mark);
        rules(&changed)
    };
    assert_eq!(with(counter, mark.clone()), []);
    assert_eq!(with(counter, Pipelined { starts: Vec::new(), ..mark.clone() }), [Rule::Pipeline]);
    assert_eq!(with(counter, Pipelined { work: Vec::new(), ..mark.clone() }), [Rule::Pipeline]);
    assert_eq!(with(module.funcs[0].params[1].value, mark.clone()), [Rule::Pipeline]);
    assert_eq!(with(Value::new(module.funcs[0].types.len()), mark), [Rule::Pipeline]);
}
