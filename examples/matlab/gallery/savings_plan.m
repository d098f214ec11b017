function [years, balance] = savings_plan(deposit, rate, goal)
% years until the goal is reached, and the balance at each year's end
% megha: fn savings_plan(deposit: f64, rate: f64, goal: f64) -> (years, balance)
total = 0;
years = 0;
while total < goal
    total = (total + deposit)*(1 + rate/100);
    years = years + 1;
    balance(years) = total;
    fprintf('year %2d: %10.2f\n', years, total);
    if years == 100
        disp('this takes too long');
        break
    end
end
