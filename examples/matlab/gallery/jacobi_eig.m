function [lam, sweeps] = jacobi_eig(A, tol)
% Eigenvalues of a symmetric matrix by cyclic Jacobi rotations, ascending
% megha: fn jacobi_eig(A: f64[n, n], tol: f64) -> (lam, sweeps)
n = size(A,1);
sweeps = 0;
off = sqrt(sum(sum((A - diag(diag(A))).^2)));
while off > tol && sweeps < 50
    for p = 1:n-1
        for q = p+1:n
            if abs(A(p,q)) > eps
                theta = (A(q,q) - A(p,p))/(2*A(p,q));
                if theta >= 0
                    t = 1/(theta + sqrt(1+theta^2));
                else
                    t = -1/(-theta + sqrt(1+theta^2));
                end
                c = 1/sqrt(1+t^2);
                s = t*c;
                colp = A(:,p); colq = A(:,q);
                A(:,p) = c*colp - s*colq;
                A(:,q) = s*colp + c*colq;
                rowp = A(p,:); rowq = A(q,:);
                A(p,:) = c*rowp - s*rowq;
                A(q,:) = s*rowp + c*rowq;
            end
        end
    end
    off = sqrt(sum(sum((A - diag(diag(A))).^2)));
    sweeps = sweeps + 1;
end
lam = sort(diag(A));
