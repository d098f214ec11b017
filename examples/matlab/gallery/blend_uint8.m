function [out, bright, dark] = blend_uint8(a, b, alpha)
% blends two images of bytes; integer arithmetic rounds and saturates
% megha: fn blend_uint8(a: f64[m, n], b: f64[m, n], alpha: f64) -> (out, bright, dark)
A = uint8(a);
B = uint8(b);
mix = uint8(alpha*double(A) + (1-alpha)*double(B));
bright = double(A + B);
dark = double(A - B);
out = double(mix/2) + double(idivide_(B, 3));
end

function q = idivide_(x, k)
% integer division of the language rounds
q = x / k;
end
