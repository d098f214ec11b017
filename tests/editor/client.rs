//! As much of an editor as the test needs: messages of the Language Server Protocol over the server's input and output.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long the server may take to build the macros and to answer.
const PATIENCE: Duration = Duration::from_secs(400);

/// An editor with a crate open.
pub struct Editor {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    folder: PathBuf,
    requests: u64,
    versions: BTreeMap<String, u64>,
    quiescent: bool,
}

impl Editor {
    /// Starts rust-analyzer on a crate and waits until it has built its macros, in the folder `target`, and loaded them.
    pub fn start(folder: &Path, target: &Path) -> Editor {
        let mut command = Command::new("rust-analyzer");
        command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        for variable in ["CARGO_TARGET_DIR", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER"] {
            command.env_remove(variable);
        }
        let missing = "rust-analyzer does not start; `rustup component add rust-analyzer rust-src` installs it";
        let mut server = command.spawn().expect(missing);
        let input = server.stdin.take().unwrap();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let (folder, versions) = (folder.to_owned(), BTreeMap::new());
        let mut editor = Editor { server, input, messages, folder, requests: 0, versions, quiescent: false };
        let root = editor.uri("");
        editor.request(
            "initialize",
            json!({
                "processId": null,
                "rootUri": root,
                "workspaceFolders": [{ "uri": root, "name": "edited" }],
                "capabilities": {
                    "experimental": { "serverStatusNotification": true },
                    "textDocument": { "hover": { "contentFormat": ["markdown"] }, "diagnostic": {} },
                    "workspace": { "configuration": false },
                },
                "initializationOptions": {
                    "checkOnSave": false,
                    "cachePriming": { "enable": false },
                    "cargo": { "extraEnv": { "CARGO_NET_OFFLINE": "true" }, "targetDir": target },
                    "procMacro": { "enable": true },
                },
            }),
        );
        editor.notify("initialized", json!({}));
        editor.wait_until_loaded();
        editor
    }

    /// Opens a file of the crate with this text.
    pub fn open(&mut self, path: &str, text: &str) {
        self.versions.insert(path.to_owned(), 1);
        let document = json!({ "uri": self.uri(path), "languageId": "rust", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// The file's text becomes this one, which is not saved.
    pub fn change(&mut self, path: &str, text: &str) {
        let version = self.versions.get_mut(path).expect("the file is open");
        *version += 1;
        let document = json!({ "uri": self.uri(path), "version": self.versions[path] });
        let changes = json!([{ "text": text }]);
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// All errors and warnings of a file, with their lines.
    pub fn mistakes(&mut self, path: &str) -> Vec<String> {
        let answer = self.request("textDocument/diagnostic", json!({ "textDocument": { "uri": self.uri(path) } }));
        let items = answer["items"].as_array().unwrap_or_else(|| panic!("no list of mistakes: {answer}"));
        let serious = items.iter().filter(|item| item["severity"].as_u64().is_none_or(|severity| severity <= 2));
        serious
            .map(|m| format!("line {}: {}", m["range"]["start"]["line"].as_u64().unwrap_or(0) + 1, m["message"]))
            .collect()
    }

    /// What is shown at a place, both counted from 0.
    pub fn hover(&mut self, path: &str, line: usize, column: usize) -> String {
        let place = json!({ "line": line, "character": column });
        let document = json!({ "uri": self.uri(path) });
        let answer = self.request("textDocument/hover", json!({ "textDocument": document, "position": place }));
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    /// Ends the server.
    pub fn stop(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.wait().unwrap();
    }

    fn uri(&self, path: &str) -> String {
        format!("file://{}", self.folder.join(path).display())
    }

    /// Waits for the message that nothing is going on any more, and that the crate could be loaded.
    fn wait_until_loaded(&mut self) {
        let started = Instant::now();
        while !self.quiescent {
            let left = PATIENCE.saturating_sub(started.elapsed());
            let message = self.messages.recv_timeout(left).expect("rust-analyzer loads the crate");
            self.take(&message);
        }
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to {method}"));
            if message["id"] == json!(id) && message["method"].is_null() {
                // The server asks to repeat what a change has overtaken.
                let overtaken = [json!(-32801), json!(-32802), json!(-32800)].contains(&message["error"]["code"]);
                if overtaken {
                    return self.request(method, params);
                }
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.take(&message);
        }
    }

    /// Takes what the server sends by itself.
    fn take(&mut self, message: &Value) {
        if message["method"] == "experimental/serverStatus" {
            let status = &message["params"];
            assert_eq!(status["health"], "ok", "rust-analyzer could not load the crate: {status}");
            self.quiescent = status["quiescent"] == true;
        }
        if !message["method"].is_null() && !message["id"].is_null() {
            self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": null }));
        }
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }
}

/// The next message; `None` at the end.
fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
