function [q, s, d, h] = trap_integers(a, b)
% Integer division rounds, sums saturate, and a double operand gives an integer.
% megha: fn trap_integers(a: f64[1, n], b: f64) -> (q, s, d, h)
q = double(int32(a) / int32(b));
s = double(int8(a) * 10 + int8(100));
d = double(uint8(a) - uint8(b));
h = double(int16(a) * 0.5);
