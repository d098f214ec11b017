//! Who calls whom.

use super::{FuncId, Module, Op, Region};

impl Region {
    /// The functions that statements in it call, each as often as it is called.
    pub fn callees(&self) -> Vec<FuncId> {
        let mut found = Vec::new();
        self.walk(&mut |stmt| found.extend(if let Op::Call(id, _) = stmt.op { Some(id) } else { None }));
        found
    }
}

impl Module {
    /// The functions that a function calls, directly or through others, in the order in which they are met.
    pub fn reached(&self, from: FuncId) -> Vec<FuncId> {
        let mut found: Vec<FuncId> = Vec::new();
        let mut open = vec![from];
        while let Some(next) = open.pop() {
            for callee in self.funcs.get(next.index()).iter().flat_map(|f| f.body.callees()) {
                if !found.contains(&callee) {
                    found.push(callee);
                    open.push(callee);
                }
            }
        }
        found
    }

    /// Whether a call of this function may lead to a function that calls itself.
    pub fn may_recurse(&self, from: FuncId) -> bool {
        let mut reached = self.reached(from);
        reached.push(from);
        reached.into_iter().any(|id| self.reached(id).contains(&id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_from_everywhere_before_them() {
        let text = "func @main() { call @a() return }
            func @a() { call @b() return }
            func @b() { %c = const true  if %c { call @c() yield } return }
            func @c() { call @b() return }
            func @leaf() { return }";
        let module = crate::ir::parse::parse(text).unwrap();
        let reached: Vec<usize> = module.reached(FuncId::new(0)).into_iter().map(FuncId::index).collect();
        assert_eq!(reached, [1, 2, 3]);
        let recursive: Vec<bool> = (0..5).map(|f| module.may_recurse(FuncId::new(f))).collect();
        assert_eq!(recursive, [true, true, true, true, false]);
    }
}
