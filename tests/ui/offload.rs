#[megha::offload]
fn nothing() {}

fn main() {
    nothing();
}
