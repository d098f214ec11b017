//! Who calls whom.

use super::{Func, FuncId, Module, Op, Region, Version};

impl Region {
    /// The functions that statements in it call, each as often as it is called.
    pub fn callees(&self) -> Vec<FuncId> {
        let mut found = Vec::new();
        self.walk(&mut |stmt| found.extend(if let Op::Call(id, _) = stmt.op { Some(id) } else { None }));
        found
    }
}

impl Module {
    /// These functions.
    pub fn of(funcs: Vec<Func>) -> Self {
        Self { funcs, versions: Vec::new() }
    }

    /// The functions that a function calls, directly or through others, its general form included, in the order in which they are met.
    pub fn reached(&self, from: FuncId) -> Vec<FuncId> {
        let mut found: Vec<FuncId> = Vec::new();
        let mut open = vec![from];
        while let Some(next) = open.pop() {
            let called = self.funcs.get(next.index()).into_iter().flat_map(|f| f.body.callees());
            for callee in called.chain(self.version(next).map(|version| version.general)) {
                if !found.contains(&callee) {
                    found.push(callee);
                    open.push(callee);
                }
            }
        }
        found
    }

    /// The more general form of a function, if it has one.
    pub fn version(&self, func: FuncId) -> Option<&Version> {
        self.versions.iter().find(|version| version.func == func)
    }

    /// Whether a function is the general form of another.
    pub fn is_general(&self, func: FuncId) -> bool {
        self.versions.iter().any(|version| version.general == func)
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
