% Other programs, with products that are rounded with the sums that need them.
%
% megha: contract
function u = heat3_contracted(u, steps)
    u = heat3(u, steps);
end
function k = mandelbrot_loops_contracted(cr, ci)
    k = mandelbrot_loops(cr, ci);
end
function y = fir_loops_contracted(x, h)
    y = fir_loops(x, h);
end
function u = sor_contracted(u, sweeps)
    u = sor(u, sweeps);
end
function f = lattice_contracted(f, steps)
    f = lattice(f, steps);
end
