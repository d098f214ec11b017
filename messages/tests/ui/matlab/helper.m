function y = helper(x)
y = x + undefined_name;
end
