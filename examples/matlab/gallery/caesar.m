function out = caesar(text, key)
% shifts the letters in a row of character codes, leaves the rest
% megha: fn caesar(text: f64[1, n], key: f64) -> out
out = text;
upper_ = text >= 65 & text <= 90;
lower_ = text >= 97 & text <= 122;
out(upper_) = mod(text(upper_) - 65 + key, 26) + 65;
out(lower_) = mod(text(lower_) - 97 + key, 26) + 97;
