// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of the GPU for calls that take turns.
#pragma once

#include "timing.h"

#include <cstdint>
#include <functional>

namespace upsweep::bench {

static __global__ void delay_kernel(std::uint64_t ns) {
  std::uint64_t start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - start < ns);
}

static __global__ void empty_kernel() {}

struct Timer {
  cudaEvent_t start, end;
  cudaStream_t stream;

  Timer() {
    require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    require(cudaEventCreate(&start));
    require(cudaEventCreate(&end));
  }
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;
  ~Timer() {
    cudaEventDestroy(end);
    cudaEventDestroy(start);
    cudaStreamDestroy(stream);
  }
};

// The first kernel spins while the host submits the others, so that no work between the events waits for the host. Submission
// takes longer than a short scan does, and an application can overlap it.
inline float once_us(const Timer &timer, const std::function<cudaError_t()> &call) {
  constexpr std::uint64_t kDelayNs = 40000;
  float ms = 0;
  delay_kernel<<<1, 1, 0, timer.stream>>>(kDelayNs);
  require(cudaEventRecord(timer.start, timer.stream));
  require(call());
  require(cudaEventRecord(timer.end, timer.stream));
  require(cudaEventSynchronize(timer.end));
  require(cudaEventElapsedTime(&ms, timer.start, timer.end));
  return 1000 * ms;
}

// The medians of all calls, which take turns so that a disturbance affects all of them. 0 for missing calls.
inline std::vector<double> medians_us(const Timer &timer, const std::vector<std::function<cudaError_t()>> &calls, int repeats) {
  std::vector<std::vector<float>> times(calls.size());
  for (int run = -2; run < repeats; ++run) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const float us = calls[i] ? once_us(timer, calls[i]) : 0;
      if (run >= 0) {
        times[i].push_back(us);
      }
    }
  }
  std::vector<double> medians;
  for (std::vector<float> &of_call : times) {
    std::nth_element(of_call.begin(), of_call.begin() + repeats / 2, of_call.end());
    medians.push_back(of_call[repeats / 2]);
  }
  return medians;
}

}  // namespace upsweep::bench
