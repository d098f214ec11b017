function [call, put] = bscholes(spot, strike, rate, volatility, time)
% BSCHOLES  Black-Scholes prices of European options, one per element.
%
%   [call, put] = bscholes(spot, strike, rate, volatility, time)
%
%   spot        (n,1)  price of the underlying, > 0
%   strike      (n,1)  exercise price, > 0, in the unit of spot
%   rate        (n,1)  risk-free rate, continuously compounded, per year
%   volatility  (n,1)  standard deviation of the log return, per sqrt(year)
%   time        (n,1)  time to expiry, in years
%   call, put   (n,1)  prices, in the unit of spot
%
%   F. Black and M. Scholes, The Pricing of Options and Corporate
%   Liabilities, Journal of Political Economy 81(3), 1973.

% megha: fn bscholes(spot: f64[n, 1], strike: f64[n, 1], rate: f64[n, 1], volatility: f64[n, 1], time: f64[n, 1]) -> (call, put)

spread = volatility .* sqrt(time);
d1 = (log(spot ./ strike) + (rate + 0.5 * volatility .^ 2) .* time) ./ spread;
d2 = d1 - spread;

% The normal distribution function by way of the error function.
nd1 = 0.5 * (1 + erf(d1 * sqrt(0.5)));
nd2 = 0.5 * (1 + erf(d2 * sqrt(0.5)));

discounted = strike .* exp(-rate .* time);
call = spot .* nd1 - discounted .* nd2;
put = discounted .* (1 - nd2) - spot .* (1 - nd1);
end
