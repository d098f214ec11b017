% What fzero, fminbnd and fminsearch say of their search; grids of more than three vectors.
[x,f,e,o]=fminsearch(@(x)(x(1)-1)^2+x(2)^2,[0 0]);
o.iterations, o.funcCount, o.algorithm
[x,f,e,o]=fminsearch(@(x)(x(1)-1)^2+3*x(2)^4+x(1)*x(2),[3;2]);
o.iterations, o.funcCount
[x,f,e,o]=fminsearch(@(x)(x(1)-1)^2+3*x(2)^4+x(1)*x(2),[3;2],optimset('MaxIter',10,'Display','off'));
o.iterations, o.funcCount
[x,f,e,o]=fminsearch(@(x)(x(1)-1)^2+3*x(2)^4+x(1)*x(2),[3;2],optimset('MaxFunEvals',20,'Display','off'));
o.iterations, o.funcCount
[x,f,e,o]=fzero(@cos,[1 2]); o.iterations, o.funcCount, o.bracketx, o.brackety
[x,f,e,o]=fzero(@(x) x^3-2,0.3); o.iterations, o.funcCount, o.bracketx, o.brackety
[x,f,e,o]=fminbnd(@(x) (x-0.3)^2+cos(x),-1,4); o.iterations, o.bracket
[x,f,e,o]=fminbnd(@(x) (x-0.3)^2+cos(x),-1,4,optimset('MaxIter',3,'Display','off')); o.iterations, o.funcCount
[a,b,c,d]=ndgrid(1:2,[5 6],3,[7 8 9]); size(d), sum(a(:).*b(:).*c(:).*d(:))
