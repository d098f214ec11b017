function c = crc8(bytes)
% CRC-8 with the polynomial x^8 + x^2 + x + 1
% megha: fn crc8(bytes: f64[1, n]) -> c
poly = 7;
c = 0;
for b = bytes
    c = bitxor(c, b);
    for k = 1:8
        if bitand(c, 128)
            c = bitand(bitxor(bitshift(c, 1), poly), 255);
        else
            c = bitand(bitshift(c, 1), 255);
        end
    end
end
