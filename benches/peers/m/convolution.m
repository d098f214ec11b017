function y = convolution(a, h)
y = conv2(a, h, 'valid');
end
