// Mistakes of syntax in a string: the message shows the line and its number itself.

megha::matlab!(
    r#"
function y = strings(x)
    arguments
        x (1,1) double
    end
    disp('it's);
    y = 1.2.3 + “x”;
    z = [1, 2;
    y = 1);
    t = 'open;
    y = "\q";
    // not a comment
    %{
    no end
end
"#
);

megha::matlab!(r"function y = unended(x)
    if x
        y = 1;
");

megha::matlab!("x = 1;\ny = x + ;\n");

megha::matlab!("classdef point\nend");

fn main() {}
