// What tensor cores do with doubles: whether mma adds products as a chain of fused multiply-adds does, to the bit, and how fast it is.
//
//     nvcc -O2 -arch=sm_90 -o tensor benches/gpu/tensor.cu && ./tensor
//
// For each shape of mma and each kind of numbers: how many of 4000 tiles' elements, 64 terms each, differ from std::fma in the order of the inner index.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

static void check(cudaError_t error, int line) {
    if (error == cudaSuccess) return;
    std::printf("line %d: %s\n", line, cudaGetErrorString(error));
    std::exit(1);
}
#define CHECK(call) check(call, __LINE__)

// ROWS by 8 sums and TERMS terms of the inner index.
template <int ROWS, int TERMS> __device__ void mma(double *c, const double *a, const double *b);

template <> __device__ void mma<8, 4>(double *c, const double *a, const double *b) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(c[0]), "+d"(c[1]) : "d"(a[0]), "d"(b[0]));
}

template <> __device__ void mma<16, 4>(double *c, const double *a, const double *b) {
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3]) : "d"(a[0]), "d"(a[1]), "d"(b[0]));
}

template <> __device__ void mma<16, 8>(double *c, const double *a, const double *b) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

template <> __device__ void mma<16, 16>(double *c, const double *a, const double *b) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
                 "{%12,%13,%14,%15}, {%0,%1,%2,%3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
                   "d"(b[1]), "d"(b[2]), "d"(b[3]));
}

// A warp for each tile: c += a * b, with all three by rows. The fragments are the manual's: row or column lane / 4, term or pair of columns lane % 4.
template <int ROWS, int TERMS> __global__ void tiles(const double *a, const double *b, double *c, int terms) {
    const int outer = threadIdx.x / 4, inner = threadIdx.x % 4, blocks = ROWS / 8;
    a += static_cast<size_t>(blockIdx.x) * ROWS * terms;
    b += static_cast<size_t>(blockIdx.x) * terms * 8;
    c += static_cast<size_t>(blockIdx.x) * ROWS * 8;
    double sums[4], left[8], right[4];
    for (int i = 0; i < 2 * blocks; i++) sums[i] = c[(outer + i / 2 * 8) * 8 + inner * 2 + i % 2];
    for (int k = 0; k < terms; k += TERMS) {
        for (int step = 0; step < TERMS / 4; step++) {
            for (int i = 0; i < blocks; i++) left[step * blocks + i] = a[(outer + i * 8) * terms + k + step * 4 + inner];
            right[step] = b[(k + step * 4 + inner) * 8 + outer];
        }
        mma<ROWS, TERMS>(sums, left, right);
    }
    for (int i = 0; i < 2 * blocks; i++) c[(outer + i / 2 * 8) * 8 + inner * 2 + i % 2] = sums[i];
}

static const char *const KINDS[] = {"uniform", "of wide range", "tiny, terms below the normal ones", "zeros, infinities, NaN, extremes"};

static double number(std::mt19937_64 &random, int kind) {
    const double uniform = static_cast<double>(static_cast<int64_t>(random())) / 9.3e18;
    const int lot = static_cast<int>(random() % 120);
    if (kind == 1) return std::ldexp(uniform, lot - 60);
    if (kind == 2) return std::ldexp(uniform, -530 - lot % 20);
    if (kind < 3) return uniform;
    switch (lot % 40) {
    case 0: return 0.0;
    case 1: return -0.0;
    case 2: return random() % 50 == 0 ? INFINITY : uniform;
    case 3: return random() % 200 == 0 ? NAN : uniform;
    case 4: return 1e-310 * uniform;
    case 5: return 1e308;
    default: return uniform;
    }
}

template <int ROWS, int TERMS> void compare(int kind) {
    const int terms = 64, count = 4000;
    std::mt19937_64 random(kind + 5);
    std::vector<double> a(static_cast<size_t>(count) * ROWS * terms), b(static_cast<size_t>(count) * terms * 8);
    std::vector<double> c(static_cast<size_t>(count) * ROWS * 8, kind == 3 ? -0.0 : 0.0), made(c);
    for (double &x : a) x = number(random, kind);
    for (double &x : b) x = number(random, kind);
    double *on_device[3];
    const std::vector<double> *const arrays[] = {&a, &b, &c};
    for (int i = 0; i < 3; i++) {
        CHECK(cudaMalloc(&on_device[i], arrays[i]->size() * sizeof(double)));
        CHECK(cudaMemcpy(on_device[i], arrays[i]->data(), arrays[i]->size() * sizeof(double), cudaMemcpyHostToDevice));
    }
    tiles<ROWS, TERMS><<<count, 32>>>(on_device[0], on_device[1], on_device[2], terms);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(made.data(), on_device[2], made.size() * sizeof(double), cudaMemcpyDeviceToHost));
    for (double *array : on_device) CHECK(cudaFree(array));
    size_t differ = 0, subnormal = 0;
    for (size_t at = 0; at < c.size(); at++) {
        const size_t tile = at / (ROWS * 8), row = at / 8 % ROWS, column = at % 8;
        double sum = c[at];
        for (int k = 0; k < terms; k++) sum = std::fma(a[(tile * ROWS + row) * terms + k], b[(tile * terms + k) * 8 + column], sum);
        subnormal += std::fpclassify(sum) == FP_SUBNORMAL;
        differ += std::memcmp(&sum, &made[at], sizeof sum) != 0 && !(std::isnan(sum) && std::isnan(made[at]));
    }
    std::printf("m%dn8k%d, %s: %zu of %zu differ (%zu are subnormal)\n", ROWS, TERMS, KINDS[kind], differ, c.size(), subnormal);
}

template <int ROWS, int TERMS> __global__ void multiply(double *out, int times) {
    double sums[8][4] = {}, left[8], right[4];
    for (int i = 0; i < 8; i++) left[i] = 1e-3 * threadIdx.x + i;
    for (int i = 0; i < 4; i++) right[i] = 1e-4 * threadIdx.x;
    for (int time = 0; time < times; time++)
#pragma unroll
        for (int i = 0; i < 8; i++) mma<ROWS, TERMS>(sums[i], left, right);
    double all = 0;
    for (auto &four : sums) for (double sum : four) all += sum;
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

template <int ROWS, int TERMS> void rate(double *out, int processors) {
    const int times = 4000, blocks = processors * 8, threads = 256;
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> taken;
    for (int run = 0; run < 7; run++) {
        float milliseconds;
        CHECK(cudaEventRecord(begin));
        multiply<ROWS, TERMS><<<blocks, threads>>>(out, times);
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        taken.push_back(milliseconds);
    }
    std::sort(taken.begin(), taken.end());
    const double operations = 2.0 * ROWS * 8 * TERMS * 8 * times * blocks * (threads / 32);
    std::printf("m%dn8k%d: %.1f Tflop/s\n", ROWS, TERMS, operations / taken[3] / 1e9);
}

int main() {
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    std::printf("%s\n", device.name);
    for (int kind = 0; kind < 4; kind++) {
        compare<8, 4>(kind);
        compare<16, 4>(kind);
        compare<16, 8>(kind);
        compare<16, 16>(kind);
    }
    double *out;
    CHECK(cudaMalloc(&out, sizeof(double) * device.multiProcessorCount * 8 * 256));
    rate<8, 4>(out, device.multiProcessorCount);
    rate<16, 4>(out, device.multiProcessorCount);
    rate<16, 8>(out, device.multiProcessorCount);
    rate<16, 16>(out, device.multiProcessorCount);
}
