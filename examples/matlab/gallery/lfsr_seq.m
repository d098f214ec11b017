function [bits, period] = lfsr_seq(state)
% maximal sequence of a shift register with feedback; state is a row of bits
% megha: fn lfsr_seq(state: f64[1, n]) -> (bits, period)
start = state;
n = length(state);
bits = [];
period = 0;
while true
    bits = [bits state(n)];
    fb = xor(state(n), state(n-1));
    state = [fb state(1:n-1)];
    period = period + 1;
    if all(state == start) || period >= 2^n
        break
    end
end
