function history = rule_ca(width, steps, rule)
% elementary cellular automaton, one row of history a generation
% megha: fn rule_ca(width: usize, steps: usize, rule: f64) -> history
table = zeros(1,8);
for k = 1:8
    table(k) = mod(floor(rule/2^(k-1)), 2);
end
state = zeros(1,width);
state(ceil(width/2)) = 1;
history = state;
for s = 1:steps
    l = [state(end) state(1:end-1)];
    r = [state(2:end) state(1)];
    state = table(4*l + 2*state + r + 1);
    history = [history; state];
end
