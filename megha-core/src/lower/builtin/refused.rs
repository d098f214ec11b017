//! Functions that exist in MATLAB and cannot be compiled, each with the reason and the way out.

use crate::diag::{Code, Diagnostic};
use crate::source::Span;

/// The diagnostic for a call of such a function.
pub(super) fn explain(name: &str, span: Span) -> Option<Diagnostic> {
    let (code, why, help) = reason(name)?;
    Some(Diagnostic::error(code, span, format!("`{name}` cannot be compiled: {why}")).help(help))
}

fn reason(name: &str) -> Option<(Code, &'static str, &'static str)> {
    Some(match name {
        "eval" | "evalin" | "evalc" | "assignin" => (
            Code::Eval,
            "it runs text that is not known when compiling",
            "write the statements themselves, or pass a function @name",
        ),
        "fopen" | "fclose" | "fread" | "fwrite" | "fscanf" | "fgetl" | "fgets" | "load" | "save" | "csvread"
        | "dlmread" | "input" | "importdata" | "textscan" | "csvwrite" | "dlmwrite" | "imread" | "imwrite"
        | "audioread" => (
            Code::Files,
            "compiled functions do not read or write files",
            "read the data in Rust and pass it as an argument",
        ),
        "plot" | "figure" | "axis" | "title" | "xlabel" | "ylabel" | "legend" | "surf" | "mesh" | "contour" | "bar"
        | "imagesc" | "imshow" | "subplot" | "pause" | "drawnow" | "line" | "plot3" | "semilogy" | "loglog"
        | "colorbar" | "print" => {
            (Code::Graphics, "compiled functions do not draw", "return the data and draw it in Rust or in MATLAB")
        }
        "cellslices" | "cell2struct" | "struct2cell" | "mat2cell" | "cellindexmat" => {
            (Code::Cell, "cell arrays are not supported", "use numeric arrays, for example the columns of a matrix")
        }
        "inputname" | "isargout" => (
            Code::Variadic,
            "how a call is written is not passed on to the function that is called",
            "use nargin and nargout, or pass what decides as an argument",
        ),
        "structfun" | "orderfields" | "substruct" => {
            (Code::Struct, "this function of structs is not supported", "name the fields one by one, p.a")
        }
        "who" | "whos" | "isvarname" | "which" => (
            Code::Exist,
            "which variables exist is decided when compiling",
            "use nargin to find out which arguments were given",
        ),
        "sparse" | "speye" | "spdiags" | "spones" => {
            (Code::Sparse, "sparse matrices are not supported", "use full matrices, or store the diagonals as vectors")
        }
        "rande" | "randg" | "randp" | "random" | "normrnd" => {
            (Code::Random, "this distribution is not supported", "use rand, randn or randi")
        }
        "regexp" | "regexprep" | "strfind" | "findstr" | "strtok" | "strjust" | "substr" | "regexpi" | "index"
        | "strmatch" => (
            Code::TextValue,
            "texts are not searched, split or matched when the program runs",
            "compare the characters in a loop, or compute with their codes double('text')",
        ),
        "keyboard" | "menu" | "beep" | "more" | "exit" | "quit" | "rethrow" | "lasterr" | "lasterror"
        | "MException" => (
            Code::Interactive,
            "it concerns the interpreter that runs a program",
            "return from the function, or raise an error with error(..)",
        ),
        "validateattributes" | "inputParser" | "validatestring" => (
            Code::Unsupported,
            "arguments are checked when compiling, by their declared types",
            "declare what the arguments must be in an arguments block, x (1,:) double {mustBePositive}, or test them with if and error(..)",
        ),
        "datestr" | "date" | "ctime" | "asctime" | "strftime" | "localtime" | "gmtime" | "weekday" | "calendar" => {
            (Code::Clock, "dates are not written as texts", "use clock, time or tic and toc, or make the text in Rust")
        }
        _ => return None,
    })
}
