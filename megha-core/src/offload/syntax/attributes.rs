//! Attributes inside a function: what might change its meaning is refused, since it comes to the macro before Rust has acted on it.

use super::Converter;
use syn::visit::Visit;
use syn::{Attribute, ItemFn};

/// Attributes that say nothing of what code means.
const HARMLESS: &[&str] = &[
    "allow",
    "expect",
    "warn",
    "deny",
    "forbid",
    "doc",
    "inline",
    "cold",
    "must_use",
    "track_caller",
    "deprecated",
    "offload",
    "rustfmt",
    "clippy",
];

/// The attributes of a body.
#[derive(Default)]
struct Attributes<'f>(Vec<&'f Attribute>);

impl<'f> Visit<'f> for Attributes<'f> {
    fn visit_attribute(&mut self, attribute: &'f Attribute) {
        self.0.push(attribute);
    }
}

impl Converter {
    /// Refuses what attributes in a function might change: in its body and on its parameters.
    pub fn attributes(&mut self, function: &ItemFn) {
        let mut found = Attributes::default();
        found.visit_signature(&function.sig);
        found.visit_block(&function.block);
        found.0.into_iter().for_each(|attribute| self.attribute(attribute));
    }

    /// Refuses what one might change.
    pub fn attribute(&mut self, attribute: &Attribute) {
        let path = attribute.path();
        let harmless = path.segments.iter().any(|s| HARMLESS.contains(&&s.ident.to_string()[..]));
        if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            let help = "put it on the function, or test `cfg!` before the call";
            self.refuse(attribute, "what `cfg` decides is not known in an offloaded function", help);
        } else if !harmless {
            let help = "take it off, or the code to a function of its own";
            self.refuse(attribute, "an attribute that may change the code is not taken here", help);
        }
    }
}
