function y = fir_conv(x, h)
y = conv(x, h, 'valid');
end
