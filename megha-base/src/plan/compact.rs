//! What a launch passes beside arrays: the symbols and scalars that a plan mentions, in an order that compiler and run-time system agree on.

use super::{AccessMap, Element, Entry, KernelPlan, Param, STRIDES, Share, SizeExpr};

impl Entry {
    fn sizes_mut(&mut self) -> Vec<&mut SizeExpr> {
        let params = self.params.iter_mut().filter_map(|p| if let Param::Size(size) = p { Some(size) } else { None });
        params.chain(self.strides.iter_mut().flat_map(|stride| &mut stride.faster)).collect()
    }
}

impl KernelPlan {
    /// The plan with only those symbols that it mentions, and their former numbers: `symbols[k]` was number `list[k]`.
    pub fn compact(mut self) -> (KernelPlan, Vec<usize>) {
        let mut list: Vec<usize> = Vec::new();
        let dims = self.arrays.iter_mut().flat_map(|a| &mut a.dims);
        let entries = self
            .entries
            .iter_mut()
            .chain(self.variants.iter_mut().flatten())
            .chain(self.steps.iter_mut().flatten())
            .chain(self.combine.iter_mut().flatten())
            .chain(self.finish.iter_mut().flatten())
            .flat_map(Entry::sizes_mut);
        let shares = self.in_row.iter_mut().flat_map(|in_row| in_row.orders.iter_mut().flatten());
        let shares = shares.flat_map(|Share { entry, buffers, .. }| {
            entry.sizes_mut().into_iter().chain(buffers.iter_mut().map(|(_, size)| size))
        });
        let maps = self.domain.iter_mut().chain(self.accesses.iter_mut().flat_map(AccessMap::sizes_mut));
        let symbols = dims
            .chain(entries)
            .chain(shares)
            .chain(maps)
            .flat_map(|size| &mut size.terms)
            .flat_map(|(_, symbols)| symbols);
        for symbol in symbols.filter(|symbol| **symbol < STRIDES) {
            let at = list.iter().position(|s| s == symbol).unwrap_or_else(|| {
                list.push(*symbol);
                list.len() - 1
            });
            *symbol = at;
        }
        self.symbols = list.iter().map(|s| self.symbols.get(*s).cloned().unwrap_or_default()).collect();
        (self, list)
    }

    /// The scalars that entries take and access maps mention, each once, in the order in which a launch passes them.
    pub fn scalars(&self) -> Vec<(usize, Element)> {
        let mut list = Vec::new();
        for param in self.all_entries().chain(self.shares().map(|share| &share.entry)).flat_map(|e| &e.params) {
            if let Param::Scalar(value, element) = param
                && !list.contains(&(*value, *element))
            {
                list.push((*value, *element));
            }
        }
        for scalar in self.accesses.iter().flat_map(AccessMap::scalars).map(|value| (value, Element::Index)) {
            if !list.contains(&scalar) {
                list.push(scalar);
            }
        }
        list
    }
}
