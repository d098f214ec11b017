//! Functions: heads, values and their definitions.

use super::ParseError;
use super::cursor::{Cursor, describe};
use crate::hash::{HashMap, HashSet};
use crate::ir::lex::{Tok, class_by_name};
use crate::ir::types::{Class, Type};
use crate::ir::{Const, Func, Loc, Op, Param, Pipelined, Region, Stmt, Sym, Terminator, Value};

/// How deep regions and parentheses may nest.
const MAX_DEPTH: usize = 200;

/// Reads what follows the name of a function.
pub(super) fn func(cursor: &mut Cursor, name: String, heads: &[String], done: &[Func]) -> Result<Func, ParseError> {
    let mut parser = FuncParser::new(cursor, heads, done)?;
    let params = parser.params()?;
    let (result_names, results) = parser.results()?;
    let entry = match parser.bars(&[])? {
        values if values.is_empty() => params.iter().map(|p| p.value).collect(),
        values => values,
    };
    parser.cur.expect("{")?;
    let symbols = parser.symbols()?;
    let body = parser.region_rest(entry, Terminator::Return(Vec::new()))?;
    let types = parser.finished_types()?;
    let (names, pipelined, symbols) = (parser.names, parser.pipelined, symbols.into_iter().collect());
    Ok(Func { name, params, result_names, results, body, types, names, symbols, pipelined })
}

pub(super) struct FuncParser<'p> {
    pub cur: &'p mut Cursor,
    /// Names of all functions of the module.
    pub heads: &'p [String],
    /// The functions before this one.
    pub done: &'p [Func],
    /// Constants that stand for literal operands of the statement that is being read.
    pub pending: Vec<Stmt>,
    pub depth: usize,
    /// Its first token.
    start: usize,
    types: Vec<Option<Type>>,
    names: Vec<Option<String>>,
    words: HashMap<String, Value>,
    numbers: HashSet<u32>,
    /// How many different values the text mentions; numbers are below.
    mentioned: usize,
    next_free: usize,
    pub syms: HashMap<String, Sym>,
    /// The loops whose iterations may overlap.
    pub pipelined: HashMap<Value, Pipelined>,
}

impl<'p> FuncParser<'p> {
    fn new(cur: &'p mut Cursor, heads: &'p [String], done: &'p [Func]) -> Result<Self, ParseError> {
        let (mut words, mut numbers, mut syms) = (HashSet::default(), HashSet::default(), HashMap::default());
        let mut repeated = None;
        let rest = &cur.tokens[cur.pos..];
        for (i, token) in rest.iter().enumerate() {
            let ahead = |n: usize| rest.get(i + n).map(|t| &t.tok);
            match (&token.tok, ahead(1), ahead(2)) {
                (Tok::Number(n), ..) => {
                    numbers.insert(*n);
                }
                (Tok::Name(name), ..) => {
                    words.insert(name.clone());
                }
                (Tok::Word(func), Some(Tok::Func(_)), _) if func == "func" => break,
                (Tok::Word(sym), Some(Tok::Word(name) | Tok::Text(name)), Some(Tok::Punct("="))) if sym == "sym" => {
                    let number = Sym::new(syms.len());
                    repeated = repeated.or(syms.insert(name.clone(), number).map(|_| (token, name)));
                }
                _ => {}
            }
        }
        if let Some((token, name)) = repeated {
            let message = format!("the symbol `{name}` is defined twice");
            return Err(ParseError { line: token.line, column: token.column, message });
        }
        let mentioned = words.len() + numbers.len();
        let (types, names, words, pending) = (Vec::new(), Vec::new(), HashMap::default(), Vec::new());
        let start = cur.pos;
        Ok(Self {
            cur,
            heads,
            done,
            pending,
            depth: 0,
            start,
            types,
            names,
            words,
            numbers,
            mentioned,
            next_free: 0,
            syms,
            pipelined: HashMap::default(),
        })
    }

    /// Reads items separated by commas up to a closing bracket, which is consumed.
    pub fn until<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut items = Vec::new();
        while !self.cur.eat(close) {
            if !items.is_empty() {
                self.cur.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Counts one more level of nesting; the caller takes it back.
    pub fn deeper(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.cur.error("this is nested too deeply")) } else { Ok(()) }
    }

    fn params(&mut self) -> Result<Vec<Param>, ParseError> {
        self.cur.expect("(")?;
        self.until(")", |p| {
            let value = p.def(None)?;
            let name = match p.cur.eat_word("named") {
                true => p.cur.text()?,
                false => p.names[value.index()].clone().unwrap_or_else(|| value.index().to_string()),
            };
            let mut param = Param { value, name, facts: Default::default() };
            if p.cur.eat("(") {
                p.until(")", |p| p.fact(&mut param))?;
            }
            Ok(param)
        })
    }

    fn fact(&mut self, param: &mut Param) -> Result<(), ParseError> {
        if self.cur.eat_word("integer") {
            param.facts.integer = true;
        } else if self.cur.eat(">=") {
            param.facts.at_least = Some(self.cur.signed()?);
        } else if self.cur.eat("<=") {
            param.facts.at_most = Some(self.cur.signed()?);
        } else {
            return Err(self.cur.expected("`integer`, `>= bound` or `<= bound`"));
        }
        Ok(())
    }

    /// `-> (y: type, ..)`, `-> type` or nothing.
    fn results(&mut self) -> Result<(Vec<String>, Vec<Type>), ParseError> {
        if !self.cur.eat("->") {
            return Ok((Vec::new(), Vec::new()));
        }
        if !self.cur.eat("(") {
            return Ok((vec![String::new()], vec![self.ty()?]));
        }
        let pairs = self.until(")", |p| {
            let named = matches!((p.cur.peek(), p.cur.peek_at(1)), (Tok::Word(_) | Tok::Text(_), Tok::Punct(":")));
            let name = if named { p.cur.name("a name")? } else { String::new() };
            if named {
                p.cur.expect(":")?;
            }
            Ok((name, p.ty()?))
        })?;
        Ok(pairs.into_iter().unzip())
    }

    /// Whether a value stands here.
    pub fn at_value(&self) -> bool {
        matches!(self.cur.peek(), Tok::Number(_) | Tok::Name(_))
    }

    /// A value by number or word.
    pub fn value(&mut self) -> Result<Value, ParseError> {
        let value = match self.cur.peek().clone() {
            Tok::Number(n) if (n as usize) < self.mentioned => Value::new(n as usize),
            Tok::Number(n) => {
                let message = format!("there are {} values, numbered from 0: `%{n}` leaves a gap", self.mentioned);
                return Err(self.cur.error(message));
            }
            Tok::Name(name) => match self.words.get(&name) {
                Some(value) => *value,
                None => {
                    let value = self.free();
                    self.words.insert(name, value);
                    value
                }
            },
            _ => return Err(self.cur.expected("a value, `%name`,")),
        };
        self.cur.bump();
        self.reserve(value);
        Ok(value)
    }

    fn reserve(&mut self, value: Value) {
        let len = self.types.len().max(value.index() + 1);
        self.types.resize(len, None);
        self.names.resize(len, None);
    }

    fn free(&mut self) -> Value {
        while u32::try_from(self.next_free).is_ok_and(|n| self.numbers.contains(&n)) {
            self.next_free += 1;
        }
        self.next_free += 1;
        Value::new(self.next_free - 1)
    }

    /// A definition; `default` is its type if none is written.
    fn def(&mut self, default: Option<&Type>) -> Result<Value, ParseError> {
        let (value, ty) = self.def_untyped()?;
        match ty.or(default.cloned()) {
            Some(ty) => self.set_type(value, ty)?,
            None => return Err(self.cur.error(format!("write the type here: `{value}: f64`"))),
        }
        Ok(value)
    }

    /// A definition whose type may be missing.
    pub fn def_untyped(&mut self) -> Result<(Value, Option<Type>), ParseError> {
        let mut name = match self.cur.peek() {
            Tok::Name(name) => Some(name.clone()),
            _ => None,
        };
        let value = self.value()?;
        let is_name = match (self.cur.peek(), self.cur.peek_at(1), self.cur.peek_at(2)) {
            (Tok::Punct(":"), Tok::Word(word), after) => {
                *after == Tok::Punct(":") || (name.is_none() && class_by_name(word).is_none())
            }
            (Tok::Punct(":"), Tok::Text(_), _) => true,
            _ => false,
        };
        if is_name {
            self.cur.expect(":")?;
            name = Some(self.cur.name("a name")?);
        }
        if name.is_some() {
            self.names[value.index()] = name;
        }
        let ty = if self.cur.eat(":") { Some(self.ty()?) } else { None };
        Ok((value, ty))
    }

    /// `|defs|`, if it is here; types left out are the defaults.
    pub fn bars(&mut self, defaults: &[Type]) -> Result<Vec<Value>, ParseError> {
        if !self.cur.eat("|") {
            return Ok(Vec::new());
        }
        let mut defaults = defaults.iter();
        self.until("|", |p| p.def(defaults.next()))
    }

    /// The type of a value, if known by now.
    pub fn type_of(&self, value: Value) -> Option<&Type> {
        self.types.get(value.index())?.as_ref()
    }

    pub fn set_type(&mut self, value: Value, ty: Type) -> Result<(), ParseError> {
        match &mut self.types[value.index()] {
            Some(known) if *known != ty => Err(self.cur.error(format!("the definitions of `{value}` differ in type"))),
            slot => {
                *slot = Some(ty);
                Ok(())
            }
        }
    }

    /// A constant in front of the statement that is being read.
    pub fn constant(&mut self, value: Const, class: Class) -> Value {
        let result = self.free();
        self.reserve(result);
        self.types[result.index()] = Some(Type::scalar(class));
        self.pending.push(Stmt { results: vec![result], op: Op::Const(value), loc: Loc::NONE });
        result
    }

    /// `unused` and definitions, if it is here.
    pub fn unused(&mut self) -> Result<(), ParseError> {
        if self.cur.eat_word("unused") {
            self.def(None)?;
            while self.cur.eat(",") {
                self.def(None)?;
            }
        }
        Ok(())
    }

    fn finished_types(&mut self) -> Result<Vec<Type>, ParseError> {
        let types = std::mem::take(&mut self.types);
        if let Some(missing) = types.iter().position(Option::is_none) {
            let is_missing = |tok: &Tok| match tok {
                Tok::Number(n) => *n as usize == missing,
                Tok::Name(name) => self.words.get(name).is_some_and(|v| v.index() == missing),
                _ => false,
            };
            let first = (self.start..self.cur.pos).find(|i| is_missing(&self.cur.tokens[*i].tok));
            self.cur.pos = first.unwrap_or(self.cur.pos);
            let name = describe(self.cur.peek());
            return Err(self.cur.error(format!("this function uses {name} but never defines it")));
        }
        Ok(types.into_iter().flatten().collect())
    }

    /// Statements and the end of a region after its opening brace; `end` is how it ends if nothing is written.
    pub fn region_rest(&mut self, params: Vec<Value>, end: Terminator) -> Result<Region, ParseError> {
        self.deeper()?;
        let outer = std::mem::take(&mut self.pending);
        let mut stmts = Vec::new();
        let term = loop {
            if self.cur.is("}") || self.cur.is_word("unused") {
                break end;
            }
            if let Some(term) = self.terminator()? {
                self.flush(&mut stmts, Loc::NONE);
                break term;
            }
            self.stmt(&mut stmts)?;
        };
        self.unused()?;
        self.cur.expect("}")?;
        self.pending = outer;
        self.depth -= 1;
        Ok(Region { params, stmts, term })
    }

    /// Appends the constants that literals stand for.
    pub fn flush(&mut self, stmts: &mut Vec<Stmt>, loc: Loc) {
        stmts.extend(self.pending.drain(..).map(|stmt| Stmt { loc, ..stmt }));
    }
}
