// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common part of the CUDA benchmarks: device memory, medians of event times, and the JSON table.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

namespace upsweep::bench {

// A benchmark ends at any error.
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

// The median time of call(), which returns a cudaError_t, on the default stream, after two calls to warm up.
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

// The driver's version, such as "580.159.04".
inline std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    if (std::isdigit(static_cast<unsigned char>(word[0])) && word.find('.') != std::string::npos) {
      return word;
    }
  }
  return "unknown";
}

// Begins the object of the results with the command, the date and the machine; fields and the rows follow.
inline void print_origin(const char *title, int argc, char **argv) {
  cudaDeviceProp device;
  require(cudaGetDeviceProperties(&device, 0));
  const std::string program = argv[0];
  std::string command = program.substr(program.rfind('/') + 1);
  for (int i = 1; i < argc; ++i) {
    command += std::string(" ") + argv[i];
  }
  char date[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  std::printf("{\"title\": \"%s\", \"command\": \"%s\", \"date\": \"%s\", \"device\": \"%s\", \"driver\": \"%s\", "
              "\"cuda\": \"%d.%d\"",
              title, command.c_str(), date, device.name, driver_version().c_str(), __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__);
}

// The rows behind print_origin(). The first is the copy, of which the others have a share.
inline void print_rows(const std::vector<Row> &rows) {
  const auto rate = [](const Row &row) { return row.bytes / row.median_us / 1000.0; };
  std::printf(", \"rows\": [\n");
  for (const Row &row : rows) {
    std::printf("  {\"name\": \"%s\", \"n\": %zu, \"chunk\": %zu, \"median_us\": %.2f, \"gb_per_s\": %.1f, "
                "\"share_of_copy\": %.3f}%s\n",
                row.name.c_str(), row.n, row.chunk, row.median_us, rate(row), rate(row) / rate(rows.front()),
                &row == &rows.back() ? "" : ",");
  }
  std::printf("]}\n");
}

}  // namespace upsweep::bench
