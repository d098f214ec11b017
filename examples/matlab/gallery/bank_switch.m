function [state, log_] = bank_switch(codes)
% a small machine: codes choose operations on an accumulator
% megha: fn bank_switch(codes: f64[1, n]) -> (state, log_)
state = 0;
log_ = zeros(1, length(codes));
for k = 1:length(codes)
    switch codes(k)
        case 0
            continue
        case 1
            state = state + 1;
        case {2, 3}
            state = state * codes(k);
        case -1
            state = -state;
        otherwise
            state = state - codes(k)/2;
    end
    log_(k) = state;
end
