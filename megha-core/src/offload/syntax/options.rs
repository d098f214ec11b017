//! What stands in the brackets of `#[offload(..)]`: `parallel`, `explain`, `contract`, `reassociate`, and the instances of type parameters, `T = f32, f64`.

use super::Converter;
use super::instances::Instance;
use crate::diag::Code;
use crate::offload::ast::{Rounding, Scalar};
use crate::offload::{LoopNote, Problem};
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, Token};

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// A loop that is not parallel is an error.
    pub parallel: bool,
    /// What became of each loop is said.
    pub explain: bool,
    /// What results may differ in.
    pub rounding: Rounding,
    /// The type parameters with the types that each is compiled for.
    types: Vec<(Ident, Vec<Scalar>)>,
}

/// A word, or `T = word`.
struct Item {
    of: Option<Ident>,
    word: Ident,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let word: Ident = input.parse()?;
        match input.parse::<Option<Token![=]>>()? {
            Some(_) => Ok(Self { of: Some(word), word: input.parse()? }),
            None => Ok(Self { of: None, word }),
        }
    }
}

/// More instances than this are likely a mistake, and take long to compile.
const MOST: usize = 16;

impl Options {
    /// Those of an attribute.
    pub fn of(attribute: TokenStream) -> syn::Result<Self> {
        let mut options = Self::default();
        for Item { of, word } in Punctuated::<Item, Token![,]>::parse_terminated.parse2(attribute)? {
            let text = word.to_string();
            let scalar = Scalar::from_name(&text);
            match (of, &text[..], scalar, options.types.last_mut()) {
                (Some(of), _, Some(scalar), _) => options.types.push((of, vec![scalar])),
                (None, _, Some(scalar), Some((_, types))) => types.push(scalar),
                (None, "parallel", ..) => options.parallel = true,
                (None, "explain", ..) => options.explain = true,
                (None, "contract", ..) => options.rounding.contract = true,
                (None, "reassociate", ..) => options.rounding.reassociate = true,
                _ => {
                    let message = format!(
                        "`#[offload]` takes `parallel`, `explain`, `contract`, `reassociate` and types of numbers for type parameters, as in `T = f32, f64`, not `{text}`"
                    );
                    return Err(syn::Error::new(word.span(), message));
                }
            }
        }
        if let Some((name, _)) = options.types.first().filter(|_| options.instances().len() > MOST) {
            let message = format!("these are more than {MOST} instances; name fewer types");
            return Err(syn::Error::new(name.span(), message));
        }
        Ok(options)
    }

    /// The instances that are compiled: each choice of one type for each parameter.
    pub fn instances(&self) -> Vec<Instance> {
        let mut all = vec![Instance::default()];
        for (name, types) in &self.types {
            let with = |instance: &Instance| types.iter().map(|ty| instance.with(name, *ty)).collect::<Vec<_>>();
            all = all.iter().flat_map(with).collect();
        }
        all
    }
}

/// Each loop that is not parallel as a mistake.
pub fn not_parallel(loops: &[LoopNote]) -> Vec<Problem> {
    let problem = |note: &LoopNote| Problem {
        code: Code::NotParallel,
        span: note.span,
        message: note.to_string(),
        help: Some("make its iterations independent, or leave `parallel` out".to_owned()),
    };
    loops.iter().filter(|note| !note.is_parallel()).map(problem).collect()
}

impl Converter {
    /// What became of each loop, as uses of something deprecated: the one kind of warning that a macro can give.
    pub fn notes(&self, loops: &[LoopNote]) -> Vec<TokenStream> {
        let note = |note: &LoopNote| {
            let (text, (place, _)) = (note.to_string(), self.ends(note.span));
            quote_spanned!(place =>
                const _: () = {
                    #[deprecated(note = #text)]
                    struct Loop;
                    let _ = Loop;
                };
            )
        };
        loops.iter().map(note).collect()
    }
}
