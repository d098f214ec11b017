//! What stands in the brackets of `#[offload(..)]`: `parallel`, `explain`.

use super::Converter;
use megha_core::diag::Code;
use megha_core::offload::{LoopNote, Problem};
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Ident, Token};

/// What is asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// A loop that is not parallel is an error.
    pub parallel: bool,
    /// What became of each loop is said.
    pub explain: bool,
}

impl Options {
    /// Those of an attribute.
    pub fn of(attribute: TokenStream) -> syn::Result<Self> {
        let mut options = Self::default();
        for word in Punctuated::<Ident, Token![,]>::parse_terminated.parse2(attribute)? {
            match &word.to_string()[..] {
                "parallel" => options.parallel = true,
                "explain" => options.explain = true,
                other => {
                    let message = format!("`#[offload]` takes `parallel` and `explain`, not `{other}`");
                    return Err(syn::Error::new(word.span(), message));
                }
            }
        }
        Ok(options)
    }
}

impl Converter {
    /// Makes each loop that is not parallel a mistake.
    pub fn demand_parallel(&mut self, loops: &[LoopNote]) {
        let problem = |note: &LoopNote| Problem {
            code: Code::NotParallel,
            span: note.span,
            message: note.text.clone(),
            help: Some("make its iterations independent, or leave `parallel` out".to_owned()),
        };
        self.problems.extend(loops.iter().filter(|note| !note.parallel).map(problem));
    }

    /// Says what became of each loop, as uses of something deprecated: the one kind of warning that a macro can give.
    pub fn explain(&mut self, loops: &[LoopNote]) {
        for note in loops {
            let (text, (place, _)) = (&note.text, self.ends(note.span));
            self.checks.push(quote_spanned!(place =>
                const _: () = {
                    #[deprecated(note = #text)]
                    struct Loop;
                    let _ = Loop;
                };
            ));
        }
    }
}
