//! How arrays were made that can be made again: what a launch passed, and which arrays it read, in which version.
//!
//! An array has a *version* from when a recipe first mentions it until it is written or is no more; the next one has another number. A recipe is
//! good while all arrays that it read have the versions that they had then. So nothing has to be told to recipes but that an array changes.

use std::collections::HashMap;

use super::Arg;
use super::program::Program;
use super::run::Work;
use super::session::Launch;
use super::table::Place;
use crate::Order;

/// How an array was made: by a launch that wrote all of it and changed nothing that it read.
pub(super) struct Recipe {
    program: &'static Program,
    kernel: usize,
    order: Order,
    sizes: Vec<i64>,
    scalars: Vec<Arg>,
    /// The launch's arrays,
    pub(super) places: Vec<Place>,
    /// which of them this is,
    pub(super) at: usize,
    /// and those that were read, with their versions.
    pub(super) inputs: Vec<(Place, u64)>,
    /// Seconds that the launch is estimated to take.
    pub(super) seconds: f64,
    /// Whether the array was dropped: it is nowhere, and this is all that there is of it.
    dropped: bool,
}

impl Recipe {
    /// The launch, but for its arrays.
    pub(super) fn work(&self) -> Option<Work<'_>> {
        Work::new((self.program, self.kernel), self.order, (&self.sizes, &self.scalars))
    }

    /// The array.
    pub(super) fn place(&self) -> Place {
        self.places[self.at]
    }

    /// The name of the kernel.
    pub(super) fn name(&self) -> &'static str {
        self.program.kernel(self.kernel).map_or("a kernel", |plan| &plan.entries[0].name)
    }

    fn reads(&self, key: usize) -> bool {
        self.inputs.iter().any(|(place, _)| place.key() == key)
    }
}

/// The recipes of a call's arrays.
#[derive(Default)]
pub(super) struct Recipes {
    /// By where the arrays are on the host.
    known: HashMap<usize, Recipe>,
    /// Those of arrays that recipes mention.
    versions: HashMap<usize, u64>,
    /// The last version that was given.
    last: u64,
    /// How many arrays are dropped.
    dropped: usize,
    /// Whether none may be dropped now.
    pub(super) held_back: bool,
}

impl Recipes {
    /// Whether nothing is known, so that nothing need be asked.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether an array is dropped.
    pub(super) fn some_dropped(&self) -> bool {
        self.dropped > 0
    }

    /// Notes how a launch has made the arrays with these numbers from the others.
    pub(super) fn note(&mut self, launch: &Launch<'_>, made: &[usize], seconds: f64) {
        let places = launch.arrays;
        for &at in made {
            let inputs = (0..places.len()).filter(|input| !made.contains(input));
            let inputs = inputs.map(|input| (places[input], self.version(places[input].key()))).collect();
            let recipe = Recipe {
                program: launch.program,
                kernel: launch.kernel,
                order: launch.order,
                sizes: launch.sizes.to_vec(),
                scalars: launch.scalars.to_vec(),
                places: places.to_vec(),
                at,
                inputs,
                seconds,
                dropped: false,
            };
            self.known.insert(places[at].key(), recipe);
        }
    }

    /// The version of an array.
    fn version(&mut self, key: usize) -> u64 {
        *self.versions.entry(key).or_insert_with(|| {
            self.last += 1;
            self.last
        })
    }

    /// An array is written, or is no more: what was known of it is not so any more.
    pub(super) fn changed(&mut self, key: usize) {
        if self.known.is_empty() {
            return;
        }
        self.versions.remove(&key);
        if self.known.remove(&key).is_some_and(|recipe| recipe.dropped) {
            self.dropped -= 1;
        }
    }

    /// Whether what a recipe reads is what it was.
    fn is_good(&self, recipe: &Recipe) -> bool {
        recipe.inputs.iter().all(|(place, version)| self.versions.get(&place.key()) == Some(version))
    }

    /// How the array at an address, which is not dropped, can be made again.
    pub(super) fn of(&self, key: usize) -> Option<&Recipe> {
        self.known.get(&key).filter(|recipe| !recipe.dropped && self.is_good(recipe))
    }

    /// Whether a dropped array is made from that at an address.
    pub(super) fn is_awaited(&self, key: usize) -> bool {
        self.dropped > 0 && self.known.values().any(|recipe| recipe.dropped && recipe.reads(key))
    }

    /// The dropped arrays that are made from that at an address.
    pub(super) fn made_from(&self, key: usize) -> Vec<Place> {
        if self.dropped == 0 {
            return Vec::new();
        }
        self.known.values().filter(|recipe| recipe.dropped && recipe.reads(key)).map(Recipe::place).collect()
    }

    /// Whether the array at an address is dropped.
    pub(super) fn is_dropped(&self, key: usize) -> bool {
        self.dropped > 0 && self.known.get(&key).is_some_and(|recipe| recipe.dropped)
    }

    /// Whether the array at an address is dropped and cannot be made again.
    pub(super) fn is_lost(&self, key: usize) -> bool {
        self.dropped > 0 && self.known.get(&key).is_some_and(|recipe| recipe.dropped && !self.is_good(recipe))
    }

    /// The array at an address is dropped.
    pub(super) fn drop(&mut self, key: usize) {
        if let Some(recipe) = self.known.get_mut(&key).filter(|recipe| !recipe.dropped) {
            recipe.dropped = true;
            self.dropped += 1;
        }
    }

    /// The recipe of a dropped array, which is to be made again, if it is good; [`Recipes::put_back`] follows.
    pub(super) fn take(&mut self, key: usize) -> Option<Recipe> {
        let is_good = self.known.get(&key).is_some_and(|recipe| recipe.dropped && self.is_good(recipe));
        let recipe = if is_good { self.known.remove(&key) } else { None };
        self.dropped -= usize::from(recipe.is_some());
        recipe
    }

    /// Puts a recipe back that was taken, and says whether its array is still dropped.
    pub(super) fn put_back(&mut self, recipe: Recipe, dropped: bool) {
        self.dropped += usize::from(dropped);
        self.known.insert(recipe.place().key(), Recipe { dropped, ..recipe });
    }
}
