// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CUDA benchmarks share: device memory, medians of event times, and the JSON table.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace upsweep::bench {

// A benchmark has no use for an error but to end with it.
inline void require(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    std::exit(1);
  }
}

class DeviceBuffer {
public:
  explicit DeviceBuffer(std::size_t bytes) : bytes_(bytes) { require(cudaMalloc(&data_, bytes)); }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  ~DeviceBuffer() { cudaFree(data_); }

  void *data() { return data_; }
  std::size_t bytes() const { return bytes_; }

private:
  std::size_t bytes_;
  void *data_ = nullptr;
};

// The median time of call(), which returns a cudaError_t, on the default stream; two calls first to warm up.
template <class Call>
double median_us(const Call &call, int repeats) {
  cudaEvent_t start, end;
  require(cudaEventCreate(&start));
  require(cudaEventCreate(&end));
  std::vector<float> times(repeats);
  for (int run = -2; run < repeats; ++run) {
    float ms = 0;
    require(cudaEventRecord(start));
    require(call());
    require(cudaEventRecord(end));
    require(cudaEventSynchronize(end));
    require(cudaEventElapsedTime(&ms, start, end));
    if (run >= 0) {
      times[run] = ms;
    }
  }
  require(cudaEventDestroy(start));
  require(cudaEventDestroy(end));
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return 1000.0 * times[repeats / 2];
}

struct Row {
  std::string name;
  std::size_t n;
  std::size_t chunk;
  double median_us;
  double bytes;
};

// The first row is the copy that the others are a share of.
inline void print_json(const char *title, const std::vector<Row> &rows) {
  cudaDeviceProp device;
  require(cudaGetDeviceProperties(&device, 0));
  const auto rate = [](const Row &row) { return row.bytes / row.median_us / 1000.0; };
  std::printf("{\"title\": \"%s\", \"device\": \"%s\", \"rows\": [\n", title, device.name);
  for (const Row &row : rows) {
    std::printf("  {\"name\": \"%s\", \"n\": %zu, \"chunk\": %zu, \"median_us\": %.2f, \"gb_per_s\": %.1f, "
                "\"share_of_copy\": %.3f}%s\n",
                row.name.c_str(), row.n, row.chunk, row.median_us, rate(row), rate(row) / rate(rows.front()),
                &row == &rows.back() ? "" : ",");
  }
  std::printf("]}\n");
}

}  // namespace upsweep::bench
