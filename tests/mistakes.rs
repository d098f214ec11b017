//! Every kind of mistake is shown by a program of `messages`.

use megha_core::diag::Code;

/// Kinds that no program there can show: a file of more than 16 MiB, a macro that stands in no file, an operation without code, a mistake of the compiler, a failure of a script that runs,
/// and what the command says of a file that rustc would not read either.
const NOT_SHOWN: [Code; 6] =
    [Code::SourceTooLarge, Code::NoFolder, Code::NoCode, Code::Internal, Code::Failed, Code::UnreadableRust];

#[test]
fn every_kind_of_mistake_is_shown() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/messages/tests/ui")).unwrap();
    let files = files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "stderr"));
    let shown: String = files.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for code in Code::ALL {
        assert_eq!(shown.contains(&format!("[{code}]")), !NOT_SHOWN.contains(code), "{code} {}", code.title());
    }
}
