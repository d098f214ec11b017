function [x, error, iter, flag] = qmr_solve(A, b, max_it, tol)
% Quasi-minimal residuals (after the Templates book), without preconditioner
% megha: fn qmr_solve(A: f64[n,n], b: f64[n,1], max_it: usize, tol: f64) -> (x, error, iter, flag)
x = zeros(size(b)); M = eye(size(A));
iter = 0;
flag = 0;
bnrm2 = norm( b );
if ( bnrm2 == 0.0 ), bnrm2 = 1.0; end
r = b - A*x;
error = norm( r ) / bnrm2;
if ( error < tol ) return, end
M1 = M; M2 = M;
v_tld = r;
y = M1 \ v_tld;
rho = norm( y );
w_tld = r;
z = M2' \ w_tld;
xi = norm( z );
gamma = 1.0; eta = -1.0; theta = 0.0;
for iter = 1:max_it,
   if ( rho == 0.0 | xi == 0.0 ), break, end
   v = v_tld / rho;
   y = y / rho;
   w = w_tld / xi;
   z = z / xi;
   delta = z'*y;
   if ( delta == 0.0 ), break, end
   y_tld = M2 \ y;
   z_tld = M1'\ z;
   if ( iter > 1 ),
      p = y_tld - ( xi*delta / ep )*p;
      q = z_tld - ( rho*delta / ep )*q;
   else
      p = y_tld;
      q = z_tld;
   end
   p_tld = A*p;
   ep = q'*p_tld;
   if ( ep == 0.0 ), break, end
   beta = ep / delta;
   if ( beta == 0.0 ), break, end
   v_tld = p_tld - beta*v;
   y =  M1 \ v_tld;
   rho_1 = rho;
   rho = norm( y );
   w_tld = ( A'*q ) - ( beta*w );
   z =  M2' \ w_tld;
   xi = norm( z );
   gamma_1 = gamma;
   theta_1 = theta;
   theta = rho / ( gamma_1*beta );
   gamma = 1.0 / sqrt( 1.0 + (theta*theta) );
   if ( gamma == 0.0 ), break, end
   eta = -eta*rho_1*(gamma*gamma) / ( beta*(gamma_1*gamma_1) );
   if ( iter > 1 ),
      d = eta*p + (( theta_1*gamma )*( theta_1*gamma ))*d;
      s = eta*p_tld + (( theta_1*gamma )*( theta_1*gamma ))*s;
   else
      d = eta*p;
      s = eta*p_tld;
   end
   x = x + d;
   r = r - s;
   error = norm( r ) / bnrm2;
   if ( error <= tol ), break, end
end
if ( error <= tol ),
   flag =  0;
elseif ( rho == 0.0 ),
   flag = -1;
elseif ( xi == 0.0 ),
   flag = -2;
else
   flag = 1;
end
error = error < 1e-8;
