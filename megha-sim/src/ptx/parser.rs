//! Modules: directives, variables and the heads of functions.

use super::SyntaxError;
use super::lexer::{Token, tokens};
use super::syntax::{Formal, Function, Module, Space, Variable};
use super::types::Type;

type Result<T> = std::result::Result<T, SyntaxError>;

/// The newest PTX version that the simulator has been held against.
const NEWEST_VERSION: f64 = 9.0;

/// Parses a module.
pub(crate) fn module(text: &str) -> Result<Module> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0 };
    let mut module = Module { target: 0, variables: Vec::new(), functions: Vec::new() };
    parser.version()?;
    module.target = parser.target()?;
    while parser.at < parser.tokens.len() {
        parser.item(&mut module)?;
    }
    Ok(module)
}

/// The tokens with a position.
pub(super) struct Parser {
    tokens: Vec<(Token, u32)>,
    at: usize,
}

impl Parser {
    pub(super) fn line(&self) -> u32 {
        let at = self.at.min(self.tokens.len().saturating_sub(1));
        self.tokens.get(at).map_or(1, |(_, line)| *line)
    }

    pub(super) fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.line(), message)
    }

    pub(super) fn unexpected(&self, wanted: &str) -> SyntaxError {
        match self.tokens.get(self.at) {
            Some((token, _)) => self.error(format!("expected {wanted}, found {token}")),
            None => self.error(format!("expected {wanted}, found the end of the text")),
        }
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    pub(super) fn next_is_mark(&self, mark: char) -> bool {
        self.tokens.get(self.at + 1).is_some_and(|(token, _)| *token == Token::Mark(mark))
    }

    pub(super) fn take_mark(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(&Token::Mark(mark));
        self.at += usize::from(found);
        found
    }

    pub(super) fn mark(&mut self, mark: char) -> Result<()> {
        if self.take_mark(mark) { Ok(()) } else { Err(self.unexpected(&format!("`{mark}`"))) }
    }

    pub(super) fn take_dotted(&mut self) -> Option<String> {
        let Some(Token::Dotted(word)) = self.peek() else { return None };
        let word = word.clone();
        self.at += 1;
        Some(word)
    }

    fn take_directive(&mut self, wanted: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Dotted(word)) if word == wanted);
        self.at += usize::from(found);
        found
    }

    pub(super) fn word(&mut self, wanted: &str) -> Result<String> {
        let Some(Token::Word(word)) = self.peek() else { return Err(self.unexpected(wanted)) };
        let word = word.clone();
        self.at += 1;
        Ok(word)
    }

    pub(super) fn take_number(&mut self) -> Option<Token> {
        let token = self.peek()?;
        if !matches!(token, Token::Int(_) | Token::Float(_) | Token::Single(_)) {
            return None;
        }
        let token = token.clone();
        self.at += 1;
        Some(token)
    }

    pub(super) fn int(&mut self, what: &str) -> Result<u64> {
        let Some(&Token::Int(value)) = self.peek() else { return Err(self.unexpected(what)) };
        self.at += 1;
        Ok(value)
    }

    pub(super) fn text(&mut self) -> Result<()> {
        if self.peek() != Some(&Token::Text) {
            return Err(self.unexpected("a string"));
        }
        self.at += 1;
        Ok(())
    }

    /// Skips to the next token on another line: debugging directives have no end mark.
    pub(super) fn skip_line(&mut self) {
        let line = self.line();
        while self.at < self.tokens.len() && self.line() == line {
            self.at += 1;
        }
    }

    fn version(&mut self) -> Result<()> {
        if !self.take_directive("version") {
            return Err(self.unexpected("`.version`, which opens every module"));
        }
        match self.peek() {
            Some(&Token::Float(version)) if (3.0..=NEWEST_VERSION).contains(&version) => {}
            _ => return Err(self.unexpected("a PTX version from 3.0 to 9.0")),
        }
        self.at += 1;
        Ok(())
    }

    fn target(&mut self) -> Result<u32> {
        if !self.take_directive("target") {
            return Err(self.unexpected("`.target`"));
        }
        let name = self.word("a target as `sm_70`")?;
        let digits = name.strip_prefix("sm_").map(|digits| digits.trim_end_matches(['a', 'f']));
        let Some(target) = digits.and_then(|digits| digits.parse().ok()) else {
            return Err(self.error(format!("`{name}` is not a target as `sm_70`")));
        };
        while self.take_mark(',') {
            self.word("a target option")?;
        }
        if self.take_directive("address_size") && self.int("64")? != 64 {
            return Err(self.error("only 64-bit addresses are simulated"));
        }
        Ok(target)
    }

    fn item(&mut self, module: &mut Module) -> Result<()> {
        let mut external = false;
        let line = self.line();
        loop {
            let Some(word) = self.take_dotted() else {
                return Err(self.unexpected("a function or a variable"));
            };
            match word.as_str() {
                "visible" | "weak" => {}
                "extern" => external = true,
                "entry" => return self.function(module, true),
                "func" => return self.function(module, false),
                "global" | "const" | "shared" => {
                    let space = Space::named(&word).expect("one of the three");
                    let variables = self.variables(space, external)?;
                    module.variables.extend(variables);
                    return Ok(());
                }
                "file" | "loc" => {
                    self.skip_line();
                    return Ok(());
                }
                _ => return Err(SyntaxError::new(line, format!("the directive `.{word}` is not simulated"))),
            }
        }
    }

    fn function(&mut self, module: &mut Module, entry: bool) -> Result<()> {
        let line = self.line();
        let results = if !entry && self.peek() == Some(&Token::Mark('(')) { self.formals()? } else { Vec::new() };
        let name = self.word("the name of the function")?;
        let params = if self.peek() == Some(&Token::Mark('(')) { self.formals()? } else { Vec::new() };
        let mut function =
            Function { name, entry, results, params, required_block: None, max_threads: None, body: None, line };
        while let Some(directive) = self.take_dotted() {
            self.performance_directive(&directive, &mut function)?;
        }
        if !self.take_mark(';') {
            self.mark('{')?;
            function.body = Some(self.body()?);
        }
        module.functions.push(function);
        Ok(())
    }

    fn performance_directive(&mut self, directive: &str, function: &mut Function) -> Result<()> {
        match directive {
            "reqntid" => function.required_block = Some(self.extents()?),
            "maxntid" => {
                let extents = self.extents()?;
                function.max_threads = Some(extents.iter().product());
            }
            "minnctapersm" | "maxnreg" => {
                self.int("a number")?;
            }
            "noreturn" => {}
            "pragma" => {
                self.text()?;
                self.mark(';')?;
            }
            _ => return Err(self.error(format!("the directive `.{directive}` is not simulated"))),
        }
        Ok(())
    }

    fn extents(&mut self) -> Result<[u32; 3]> {
        let mut extents = [1; 3];
        for (i, extent) in extents.iter_mut().enumerate() {
            if i > 0 && !self.take_mark(',') {
                break;
            }
            *extent = self.int("a number of threads")? as u32;
        }
        Ok(extents)
    }

    fn formals(&mut self) -> Result<Vec<Formal>> {
        self.mark('(')?;
        let mut formals = Vec::new();
        if self.take_mark(')') {
            return Ok(formals);
        }
        loop {
            formals.push(self.formal()?);
            if self.take_mark(')') {
                return Ok(formals);
            }
            self.mark(',')?;
        }
    }

    fn formal(&mut self) -> Result<Formal> {
        match self.take_dotted().as_deref() {
            Some("param") => Ok(Formal::Memory(self.variable(Space::Param, false)?)),
            Some("reg") => {
                let ty = self.value_type()?;
                Ok(Formal::Register { name: self.word("the name of the register")?, ty })
            }
            _ => Err(self.unexpected("`.param` or `.reg`")),
        }
    }

    pub(super) fn value_type(&mut self) -> Result<Type> {
        let word = self.take_dotted().ok_or_else(|| self.unexpected("a type"))?;
        Type::named(&word).ok_or_else(|| self.error(format!("the type `.{word}` is not simulated")))
    }

    /// Declarations of one type up to the semicolon.
    pub(super) fn variables(&mut self, space: Space, external: bool) -> Result<Vec<Variable>> {
        let mut all = vec![self.variable(space, external)?];
        while self.take_mark(',') {
            let (align, ty) = (all[0].align, all[0].ty);
            all.push(self.declarator(space, ty, align, external)?);
        }
        self.mark(';')?;
        Ok(all)
    }

    fn variable(&mut self, space: Space, external: bool) -> Result<Variable> {
        let mut align = None;
        loop {
            if self.take_directive("align") {
                let value = self.int("an alignment")? as usize;
                if !value.is_power_of_two() || value > 256 {
                    return Err(self.error(format!("an alignment of {value} is not a power of two up to 256")));
                }
                align = Some(value);
            } else if let Some(Token::Dotted(word)) = self.peek()
                && Type::named(word).is_some()
            {
                let ty = self.value_type()?;
                if self.take_directive("ptr") {
                    self.pointer_attributes()?;
                }
                return self.declarator(space, ty, align.unwrap_or(ty.bytes()), external);
            } else {
                return match self.take_dotted() {
                    Some(word) => Err(self.error(format!("the type or attribute `.{word}` is not simulated"))),
                    None => Err(self.unexpected("a type")),
                };
            }
        }
    }

    /// What follows `.ptr` in a parameter: a space and an alignment, which bind nothing here.
    fn pointer_attributes(&mut self) -> Result<()> {
        while let Some(word) = self.take_dotted() {
            match word.as_str() {
                "align" => {
                    self.int("an alignment")?;
                }
                _ if Space::named(&word).is_some() => {}
                _ => return Err(self.error(format!("`.{word}` does not follow `.ptr`"))),
            }
        }
        Ok(())
    }

    fn declarator(&mut self, space: Space, ty: Type, align: usize, external: bool) -> Result<Variable> {
        let line = self.line();
        let name = self.word("the name of the variable")?;
        let mut elements = 1usize;
        let mut open = false;
        while self.take_mark('[') {
            if self.take_mark(']') {
                open = true;
                continue;
            }
            let extent = self.int("a number of elements")? as usize;
            elements = elements
                .checked_mul(extent)
                .filter(|count| count.checked_mul(8).is_some())
                .ok_or_else(|| self.error("this array is larger than an address space"))?;
            self.mark(']')?;
        }
        let mut data = Vec::new();
        if self.take_mark('=') {
            if !matches!(space, Space::Global | Space::Const) {
                return Err(self.error(format!("a .{} variable has no initial value", space.name())));
            }
            self.initial(ty, &mut data)?;
        }
        let mut bytes = elements * ty.bytes();
        if open {
            if data.is_empty() && !(external && space == Space::Shared) {
                return Err(SyntaxError::new(line, format!("the array `{name}` has no size")));
            }
            bytes = data.len();
        } else if external {
            return Err(SyntaxError::new(line, format!("`{name}` is external, and modules are not linked")));
        }
        if data.len() > bytes {
            return Err(SyntaxError::new(line, format!("`{name}` has more initial values than elements")));
        }
        Ok(Variable { name, space, ty, align, bytes, data, line })
    }

    fn initial(&mut self, ty: Type, data: &mut Vec<u8>) -> Result<()> {
        if self.take_mark('{') {
            loop {
                self.initial(ty, data)?;
                if self.take_mark('}') {
                    return Ok(());
                }
                self.mark(',')?;
            }
        }
        let negative = self.take_mark('-');
        let Some(number) = self.take_number() else {
            return Err(self.unexpected("a number as initial value"));
        };
        let bits = match (number, ty) {
            (Token::Int(value), _) if !ty.is_float() => {
                if negative {
                    value.wrapping_neg()
                } else {
                    value
                }
            }
            (Token::Float(value), Type::F64) => (if negative { -value } else { value }).to_bits(),
            (Token::Float(value), Type::F32) => u64::from((if negative { -value } else { value } as f32).to_bits()),
            (Token::Single(value), Type::F32) => u64::from((if negative { -value } else { value }).to_bits()),
            (number, _) => return Err(self.error(format!("{number} is not a value of type .{}", ty.name()))),
        };
        data.extend_from_slice(&bits.to_le_bytes()[..ty.bytes()]);
        Ok(())
    }
}
