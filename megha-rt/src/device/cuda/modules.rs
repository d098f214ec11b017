//! Modules and their entries, each loaded once.

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::sync::PoisonError;

use super::super::{Failure, Module, Outcome};
use super::driver::{FunctionHandle, ModuleHandle, SUCCESS};
use super::{CudaDevice, State};

/// `CU_JIT_ERROR_LOG_BUFFER`
const ERROR_LOG: i32 = 5;
/// `CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES`
const ERROR_LOG_BYTES: i32 = 6;
/// As much of the translator's complaints is shown.
const LOG_BYTES: usize = 8 << 10;

/// What is loaded.
#[derive(Default)]
pub(super) struct Modules {
    modules: Vec<ModuleHandle>,
    /// The number of the module of a text, by the address and length of the text.
    loaded: HashMap<(usize, usize), usize>,
    /// The entries of each module that were asked for.
    functions: Vec<HashMap<String, FunctionHandle>>,
}

impl Modules {
    /// The module of a text, if it was loaded.
    fn of(&self, ptx: &'static str) -> Option<Module> {
        self.loaded.get(&(ptx.as_ptr() as usize, ptx.len())).map(|number| Module(*number))
    }

    /// Notes the module of a text.
    fn add(&mut self, ptx: &'static str, module: ModuleHandle) -> Module {
        let number = self.modules.len();
        self.modules.push(module);
        self.functions.push(HashMap::new());
        self.loaded.insert((ptx.as_ptr() as usize, ptx.len()), number);
        Module(number)
    }

    pub(super) fn take_all(&mut self) -> Vec<ModuleHandle> {
        std::mem::take(&mut self.modules)
    }
}

impl CudaDevice {
    /// The module of a text. While the driver translates it, which may take a second, other threads go on, but for those that wait for a module too.
    pub(super) fn find_module(&self, ptx: &'static str) -> Outcome<Module> {
        let known = || self.state().modules.of(ptx);
        if let Some(module) = known() {
            return Ok(module);
        }
        let _alone = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = known() {
            return Ok(module);
        }
        let module = self.translate(ptx)?;
        Ok(self.state().modules.add(ptx, module))
    }

    /// Lets the driver translate PTX text.
    fn translate(&self, ptx: &str) -> Outcome<ModuleHandle> {
        let operation = "module load";
        let text = CString::new(ptx)
            .map_err(|_| Failure::Operation { operation, reason: "the PTX text has a zero byte".into() })?;
        let mut log = vec![0u8; LOG_BYTES];
        let mut options = [ERROR_LOG, ERROR_LOG_BYTES];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), std::ptr::without_provenance_mut(log.len())];
        let mut module = ModuleHandle::NULL;
        // SAFETY: reason 1; the text ends with a zero; options and values have two elements each, of which the first is a buffer and the
        // second its length; `module` can be written.
        let code = unsafe {
            (self.driver.load_module)(
                &raw mut module,
                text.as_ptr().cast(),
                2,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        if code == SUCCESS {
            return Ok(module);
        }
        let end = log.iter().position(|byte| *byte == 0).unwrap_or(log.len());
        let log = String::from_utf8_lossy(&log[..end]).trim().to_owned();
        self.check(operation, code).map(|()| module).map_err(|failure| match failure {
            Failure::Operation { operation, reason } if !log.is_empty() => {
                Failure::Operation { operation, reason: format!("{reason}\n{log}") }
            }
            other => other,
        })
    }

    /// An entry of a module.
    pub(super) fn find_function(&self, state: &mut State, module: Module, entry: &str) -> Outcome<FunctionHandle> {
        let operation = "launch";
        let wrong = |reason: String| Failure::Operation { operation, reason };
        let Modules { modules, functions, .. } = &mut state.modules;
        let (Some(handle), Some(known)) = (modules.get(module.0), functions.get_mut(module.0)) else {
            return Err(wrong(format!("there is no module {}", module.0)));
        };
        if let Some(function) = known.get(entry) {
            return Ok(*function);
        }
        let name = CString::new(entry).map_err(|_| wrong("the entry's name has a zero byte".into()))?;
        let mut function = FunctionHandle::NULL;
        // SAFETY: reasons 1 and 2; the name ends with a zero; `function` can be written.
        self.check(operation, unsafe { (self.driver.function)(&raw mut function, *handle, name.as_ptr()) })?;
        known.insert(entry.to_owned(), function);
        Ok(function)
    }
}
