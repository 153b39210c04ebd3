// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gated state-space layer. Each channel of each sequence has a state h[t] = a[t] h[t - 1] + (1 - a[t]) u[t], with a gate
// a[t] between 0 and 1. Gates and inputs are arrays batch x time x channel, and one recurrence along time computes all states.
// A sequence may come in two parts: the last states of the first part begin the second, and the results are the same.
//
//     nvcc -std=c++17 -arch=native -I include examples/cuda/state_space.cu -o state_space && ./state_space
#include <upsweep/cuda/recurrence.cuh>

#include <cmath>
#include <cstdio>
#include <vector>

namespace up = upsweep::cuda;

constexpr std::size_t kBatch = 8, kTime = 512, kChannels = 96;

// The recurrence's second term, from a gate and an input.
__global__ void gate_inputs(const float *a, float *u, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < n) {
    u[i] *= 1 - a[i];
  }
}

int main() {
  const std::size_t n = kBatch * kTime * kChannels, states = kBatch * kChannels;
  std::vector<float> gates(n), inputs(n);
  for (std::size_t i = 0; i < n; ++i) {
    gates[i] = 1 / (1 + std::exp(-static_cast<float>(i * 2654435761u % 8001) / 1000 + 2));
    inputs[i] = static_cast<float>(i * 40503u % 2001) / 1000 - 1;
  }
  float *a = nullptr, *u = nullptr, *h = nullptr, *after = nullptr;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&h, n * sizeof(float));
  cudaMalloc(&after, states * sizeof(float));
  cudaMemcpy(a, gates.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(u, inputs.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  gate_inputs<<<static_cast<unsigned>((n + 255) / 256), 256>>>(a, u, n);

  // The first half of the times, then the other half from the resulting states; strides tell that a batch contains all times.
  up::axis half{kBatch, kTime / 2, kChannels};
  half.in = half.out = {kTime * kChannels, kChannels};
  up::workspace space;
  space.bytes = up::linear_recurrence_workspace_bytes<float>(half);
  cudaMalloc(&space.data, space.bytes);
  up::initialise(space);
  const std::size_t second = kTime / 2 * kChannels;
  cudaError_t error = up::linear_recurrence_of_axis(space, a, u, h, half, nullptr, up::states<float>(nullptr, after));
  if (error == cudaSuccess) {
    error = up::linear_recurrence_of_axis(space, a + second, u + second, h + second, half, nullptr,
                                          up::states<float>(after, nullptr));
  }
  std::vector<float> results(n);
  cudaMemcpy(results.data(), h, n * sizeof(float), cudaMemcpyDeviceToHost);
  if (error == cudaSuccess) {
    error = cudaDeviceSynchronize();
  }
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
  }

  double worst = 0;
  for (std::size_t column = 0; column < states; ++column) {
    double state = 0;
    for (std::size_t t = 0; t < kTime; ++t) {
      const std::size_t i = (column / kChannels * kTime + t) * kChannels + column % kChannels;
      state = gates[i] * state + (1.0 - gates[i]) * inputs[i];
      worst = std::fmax(worst, std::fabs(state - results[i]));
    }
  }
  std::printf("%zu states, the largest difference to doubles is %.2g\n", states, worst);
  return worst < 1e-5 ? 0 : 1;
}
