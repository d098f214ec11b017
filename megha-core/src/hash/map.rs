//! The table of keys and values.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;
use std::ops::Index;

use super::words::hash;

/// The slots of the smallest table that has some.
const FEWEST: usize = 8;

/// A key with its hash and value.
#[derive(Clone)]
pub struct Held<K, V> {
    hash: u32,
    key: K,
    value: V,
}

/// A table of values by keys.
#[derive(Clone)]
pub struct HashMap<K, V> {
    /// For each slot 0 or 1 + the number of an entry; none or a power of two, at least half of them 0. A boxed slice and not a list: to
    /// subscript it takes no call.
    slots: Box<[u32]>,
    entries: Vec<Held<K, V>>,
}

impl<K, V> Default for HashMap<K, V> {
    fn default() -> Self {
        Self { slots: Box::default(), entries: Vec::new() }
    }
}

impl<K, V> HashMap<K, V> {
    /// The number of keys.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no key.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Forgets all keys.
    pub fn clear(&mut self) {
        self.slots = Box::default();
        self.entries.clear();
    }

    /// The keys with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> + Clone {
        self.entries.iter().map(|e| (&e.key, &e.value))
    }

    /// The keys with their values, which may be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.entries.iter_mut().map(|e| (&e.key, &mut e.value))
    }

    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = &K> + Clone {
        self.entries.iter().map(|e| &e.key)
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = &V> + Clone {
        self.entries.iter().map(|e| &e.value)
    }

    /// The values, which may be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|e| &mut e.value)
    }

    /// The values alone.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|e| e.value)
    }

    /// Takes all keys with their values out.
    pub fn drain(&mut self) -> impl Iterator<Item = (K, V)> {
        self.slots = Box::default();
        self.entries.drain(..).map(|e| (e.key, e.value))
    }

    /// Forgets the keys for which the test does not hold.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        let before = self.entries.len();
        self.entries.retain_mut(|e| keep(&e.key, &mut e.value));
        if self.entries.len() < before {
            self.number(self.slots.len());
        }
    }

    /// Makes the slots anew.
    fn number(&mut self, slots: usize) {
        self.slots = vec![0; slots].into_boxed_slice();
        let (slots, entries) = (&mut *self.slots, self.entries.as_slice());
        let mut at = 0;
        while at < entries.len() {
            let free = first_free(slots, entries[at].hash);
            at += 1;
            slots[free] = at as u32;
        }
    }

    /// Appends an entry whose key is not there.
    fn push(&mut self, hash: u32, key: K, value: V) {
        self.entries.push(Held { hash, key, value });
        let (slots, entries) = (self.slots.len(), self.entries.len());
        if entries * 2 > slots {
            self.number(if slots == 0 { FEWEST } else { slots * 4 });
        } else {
            let free = first_free(&self.slots, hash);
            self.slots[free] = entries as u32;
        }
    }

    /// Takes an entry out; the last one takes its number.
    fn take(&mut self, number: usize) -> Held<K, V> {
        let slots = &mut *self.slots;
        let last = self.entries.len() - 1;
        let moved = slot_of(slots, self.entries[last].hash, last);
        let mut free = slot_of(slots, self.entries[number].hash, number);
        slots[moved] = number as u32 + 1;
        let taken = self.entries.swap_remove(number);
        // No search may end at the free slot before its entry: those that come later and started no later move up.
        let mask = slots.len() - 1;
        let mut at = free;
        loop {
            at = (at + 1) & mask;
            if slots[at] == 0 {
                slots[free] = 0;
                return taken;
            }
            let home = self.entries[slots[at] as usize - 1].hash as usize & mask;
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(free) & mask) {
                slots[free] = slots[at];
                free = at;
            }
        }
    }
}

/// The first free slot for a hash.
fn first_free(slots: &[u32], hash: u32) -> usize {
    let mask = slots.len() - 1;
    let mut at = hash as usize & mask;
    while slots[at] != 0 {
        at = (at + 1) & mask;
    }
    at
}

/// The slot of the entry with this number.
fn slot_of(slots: &[u32], hash: u32, number: usize) -> usize {
    let mask = slots.len() - 1;
    let mut at = hash as usize & mask;
    while slots[at] as usize != number + 1 {
        at = (at + 1) & mask;
    }
    at
}

impl<K: Hash + Eq, V> HashMap<K, V> {
    /// The number of a key's entry among those of a table that has slots.
    fn find<Q: Hash + Eq + ?Sized>(&self, hash: u32, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        let slots = &*self.slots;
        let mask = slots.len() - 1;
        let mut at = hash as usize & mask;
        if slots[at] == 0 {
            return None;
        }
        let entries = self.entries.as_slice();
        loop {
            let slot = slots[at] as usize;
            if slot == 0 {
                return None;
            }
            let entry = &entries[slot - 1];
            if entry.hash == hash && entry.key.borrow() == key {
                return Some(slot - 1);
            }
            at = (at + 1) & mask;
        }
    }

    /// The number of a key's entry. Many tables are asked while they are empty, and then the key needs no hash.
    fn number_of<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        if self.slots.is_empty() { None } else { self.find(hash(key), key) }
    }

    /// The value of a key.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let number = self.number_of(key)?;
        Some(&self.entries[number].value)
    }

    /// The value of a key, which may be changed.
    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let number = self.number_of(key)?;
        Some(&mut self.entries[number].value)
    }

    /// Whether it has the key.
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.number_of(key).is_some()
    }

    /// Sets the value of a key; the value that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let hash = hash(&key);
        let found = if self.slots.is_empty() { None } else { self.find(hash, &key) };
        match found {
            Some(number) => Some(std::mem::replace(&mut self.entries[number].value, value)),
            None => {
                self.push(hash, key, value);
                None
            }
        }
    }

    /// Forgets a key; the value that it had.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let number = self.number_of(key)?;
        Some(self.take(number).value)
    }

    /// The place of a key, which may not be there.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let hash = hash(&key);
        let found = if self.slots.is_empty() { None } else { self.find(hash, &key) };
        Entry { found, map: self, hash, key }
    }
}

/// The place of a key in a table.
pub struct Entry<'a, K, V> {
    map: &'a mut HashMap<K, V>,
    found: Option<usize>,
    hash: u32,
    key: K,
}

impl<'a, K, V> Entry<'a, K, V> {
    /// The value; if the key is not there, it gets this one.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value; if the key is not there, it gets that of the function.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let number = match self.found {
            Some(number) => number,
            None => {
                self.map.push(self.hash, self.key, value());
                self.map.entries.len() - 1
            }
        };
        &mut self.map.entries[number].value
    }

    /// The value; if the key is not there, it gets the default.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K: Hash + Eq + Borrow<Q>, Q: Hash + Eq + ?Sized, V> Index<&Q> for HashMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the key is in the table")
    }
}

impl<K: Hash + Eq, V> Extend<(K, V)> for HashMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Hash + Eq, V> FromIterator<(K, V)> for HashMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        map.extend(entries);
        map
    }
}

impl<K, V> IntoIterator for HashMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::iter::Map<std::vec::IntoIter<Held<K, V>>, fn(Held<K, V>) -> (K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter().map(|e| (e.key, e.value))
    }
}

impl<'a, K, V> IntoIterator for &'a HashMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = std::iter::Map<std::slice::Iter<'a, Held<K, V>>, fn(&'a Held<K, V>) -> (&'a K, &'a V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter().map(|e| (&e.key, &e.value))
    }
}

impl<K: Hash + Eq, V: PartialEq> PartialEq for HashMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: Hash + Eq, V: Eq> Eq for HashMap<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for HashMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::HashMap;

    #[test]
    fn names_are_found_by_texts() {
        let mut map: HashMap<String, usize> = ["a", "b"].into_iter().map(|name| (name.to_owned(), 1)).collect();
        *map.entry("a".to_owned()).or_default() += 1;
        assert_eq!((map["a"], map.get("b"), map.get("c")), (2, Some(&1), None));
        assert_eq!(map.drain().collect::<Vec<_>>(), [("a".to_owned(), 2), ("b".to_owned(), 1)]);
        assert!(map.is_empty() && !map.contains_key("a"));
    }

    proptest! {
        #[test]
        fn it_holds_what_a_tree_holds(steps in proptest::collection::vec((0_u8..5, 0_u32..40, 0_u32..1000), 0..300)) {
            let (mut map, mut tree) = (HashMap::default(), BTreeMap::new());
            for (what, key, value) in steps {
                match what {
                    0 | 1 => prop_assert_eq!(map.insert(key, value), tree.insert(key, value)),
                    2 => prop_assert_eq!(map.remove(&key), tree.remove(&key)),
                    3 => prop_assert_eq!(*map.entry(key).or_insert(value), *tree.entry(key).or_insert(value)),
                    _ if value < 50 => {
                        map.retain(|k, v| (*k + *v) % 3 != 0);
                        tree.retain(|k, v| (*k + *v) % 3 != 0);
                    }
                    _ => prop_assert_eq!(map.get(&key), tree.get(&key)),
                }
                prop_assert_eq!(map.len(), tree.len());
            }
            for key in 0..40 {
                prop_assert_eq!(map.get(&key), tree.get(&key));
            }
            prop_assert_eq!(map.clone().into_iter().collect::<BTreeMap<_, _>>(), tree);
        }
    }
}
