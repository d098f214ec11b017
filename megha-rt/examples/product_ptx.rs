//! Writes the PTX of the kernels that multiply matrices on devices: `product_ptx DIRECTORY`. The files are named by the oldest target that takes them.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(directory) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: product_ptx DIRECTORY");
        return ExitCode::from(2);
    };
    for (needs, text) in megha_rt::device::product_texts() {
        let path = directory.join(format!("product.sm_{}.ptx", needs.target));
        if let Err(why) = std::fs::write(&path, text) {
            eprintln!("error: {}: {why}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
