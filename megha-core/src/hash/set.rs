//! The table of keys alone.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;

use super::map::HashMap;

/// A set of keys.
#[derive(Clone)]
pub struct HashSet<K>(HashMap<K, ()>);

impl<K> Default for HashSet<K> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<K> HashSet<K> {
    /// The number of keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has no key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all keys.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The keys.
    pub fn iter(&self) -> impl Iterator<Item = &K> + Clone {
        self.0.keys()
    }

    /// Takes all keys out.
    pub fn drain(&mut self) -> impl Iterator<Item = K> {
        self.0.drain().map(|(key, ())| key)
    }

    /// Forgets the keys for which the test does not hold.
    pub fn retain(&mut self, mut keep: impl FnMut(&K) -> bool) {
        self.0.retain(|key, ()| keep(key));
    }
}

impl<K: Hash + Eq> HashSet<K> {
    /// Whether it has the key.
    pub fn contains<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }

    /// Adds a key; whether it was not there.
    pub fn insert(&mut self, key: K) -> bool {
        self.0.insert(key, ()).is_none()
    }

    /// Forgets a key; whether it was there.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.remove(key).is_some()
    }

    /// The keys that the other set has not.
    pub fn difference(&self, other: &Self) -> impl Iterator<Item = &K> {
        self.iter().filter(|key| !other.contains(*key))
    }

    /// The keys that the other set has too.
    pub fn intersection(&self, other: &Self) -> impl Iterator<Item = &K> {
        self.iter().filter(|key| other.contains(*key))
    }
}

impl<K: Hash + Eq> Extend<K> for HashSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<'a, K: Hash + Eq + Copy + 'a> Extend<&'a K> for HashSet<K> {
    fn extend<I: IntoIterator<Item = &'a K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(*key);
        }
    }
}

impl<K: Hash + Eq> FromIterator<K> for HashSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = Self::default();
        set.extend(keys);
        set
    }
}

impl<K> IntoIterator for HashSet<K> {
    type Item = K;
    type IntoIter = std::iter::Map<<HashMap<K, ()> as IntoIterator>::IntoIter, fn((K, ())) -> K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|(key, ())| key)
    }
}

impl<'a, K> IntoIterator for &'a HashSet<K> {
    type Item = &'a K;
    type IntoIter = std::iter::Map<<&'a HashMap<K, ()> as IntoIterator>::IntoIter, fn((&'a K, &'a ())) -> &'a K>;

    fn into_iter(self) -> Self::IntoIter {
        (&self.0).into_iter().map(|(key, ())| key)
    }
}

impl<K: Hash + Eq> PartialEq for HashSet<K> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K: Hash + Eq> Eq for HashSet<K> {}

impl<K: fmt::Debug> fmt::Debug for HashSet<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::HashSet;

    #[test]
    fn sets_are_compared_whatever_their_order() {
        let (a, b) = (HashSet::from_iter([1, 2, 3]), HashSet::from_iter([3, 2, 1, 2]));
        assert_eq!((a.len(), b.len()), (3, 3));
        assert!(a == b && a != HashSet::from_iter([1, 2]));
        let two = HashSet::from_iter([2, 4]);
        assert_eq!(a.difference(&two).collect::<Vec<_>>(), [&1, &3]);
        assert_eq!(b.intersection(&two).collect::<Vec<_>>(), [&2]);
        assert_eq!((two.contains(&4), two.contains(&1)), (true, false));
    }
}
