function [re, im] = both_parts(z)
  re = real(z);
  im = imag(z);
end
