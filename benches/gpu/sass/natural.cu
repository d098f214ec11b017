// The kernels of this folder as one writes them in CUDA, a thread for each point.

extern "C" __global__ void saxpy(int n, float a, const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" __global__ void stencil(int n, int m, const double *__restrict__ u, double *__restrict__ v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i < n - 1 && j < m - 1) v[i + j * n] = 0.25 * (u[i - 1 + j * n] + u[i + 1 + j * n] + u[i + (j - 1) * n] + u[i + (j + 1) * n]);
}

extern "C" __global__ void nbody(int n, const double *__restrict__ x, const double *__restrict__ y, const double *__restrict__ z,
                                 const double *__restrict__ m, double soft, double *ax, double *ay, double *az) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sx = 0, sy = 0, sz = 0, xi = x[i], yi = y[i], zi = z[i];
    for (int j = 0; j < n; j++) {
        double dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
        double r = dx * dx + dy * dy + dz * dz + soft, w = m[j] / (r * sqrt(r));
        sx += w * dx, sy += w * dy, sz += w * dz;
    }
    ax[i] = sx, ay[i] = sy, az[i] = sz;
}

__device__ __forceinline__ float distribution(float d) { return 0.5f * (1.0f + erff(d * 0.70710678f)); }

extern "C" __global__ void bscholes(int n, const float *__restrict__ spot, const float *__restrict__ strike, const float *__restrict__ rate,
                                    const float *__restrict__ volatility, const float *__restrict__ time, float *call, float *put) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = spot[i], k = strike[i], v = volatility[i], t = time[i], spread = v * sqrtf(t);
    float d1 = (logf(s / k) + (rate[i] + 0.5f * v * v) * t) / spread;
    float n1 = distribution(d1), n2 = distribution(d1 - spread), discounted = k * expf(-rate[i] * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
