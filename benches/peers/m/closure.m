function a = closure(a)
for i = 1:9
  a = double((a * a) > 0);
end
end
