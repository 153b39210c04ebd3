// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures libraries of tune_cases.cu alternately, compares their results, and prints JSON. tune.py builds the libraries, and
// finds the best numbers in the output.
//
//   bench_cuda_tune [--bits 12,20,28] [--repeats 11] LIBRARY...      the first library has the current numbers
#include "timing.h"
#include "tune_cases.h"
#include "turns.h"

#include <dlfcn.h>

#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace upsweep::bench;

struct Library {
  std::string name;
  const TuneCase *cases;
};

Library open_library(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  auto *cases = handle != nullptr ? reinterpret_cast<TuneCases *>(dlsym(handle, "upsweep_tune_cases")) : nullptr;
  if (cases == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  std::string name = path;
  name = name.substr(name.rfind('/') + 1);
  return {name.substr(0, name.rfind('.')), cases()};
}

__global__ void count_differences(const uint4 *a, const uint4 *b, std::size_t vectors, unsigned long long *differences) {
  unsigned long long count = 0;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < vectors;
       i += std::size_t(gridDim.x) * blockDim.x) {
    const uint4 x = a[i], y = b[i];
    count += x.x != y.x || x.y != y.y || x.z != y.z || x.w != y.w;
  }
  if (count > 0) {
    atomicAdd(differences, count);
  }
}

class Tuner {
public:
  Tuner(std::vector<Library> libraries, int repeats) : libraries_(std::move(libraries)), repeats_(repeats) {
    require(cudaMemset(space_.data(), 0, space_.bytes()));
    arrays_ = {in_.data(), out_.data(), space_.data(), space_.bytes(), timer_.stream};
  }

  void measure(int index, int bits, bool &is_first) {
    const TuneCase &of = libraries_[0].cases[index];
    const std::size_t n = std::size_t(1) << bits;
    std::vector<std::function<cudaError_t()>> calls;
    std::vector<bool> are_same;
    for (const Library &library : libraries_) {
      const auto call = [=] { return library.cases[index].call(arrays_, n); };
      are_same.push_back(has_same_results(call, calls.empty(), n * of.element_bytes));
      calls.push_back(call);
    }
    const auto bytes = static_cast<std::size_t>(of.moved_bytes * static_cast<double>(n) / 2);
    calls.push_back([=] { return cudaMemcpyAsync(out_.data(), in_.data(), bytes, cudaMemcpyDeviceToDevice, timer_.stream); });
    const std::vector<double> times = medians_us(timer_, calls, repeats_);
    for (std::size_t i = 0; i < libraries_.size(); ++i) {
      std::printf("%s\n  {\"case\": \"%s\", \"n\": %zu, \"library\": \"%s\", \"median_us\": %.2f, \"copy_us\": %.2f, "
                  "\"is_right\": %s}",
                  is_first ? "" : ",", of.name, n, libraries_[i].name.c_str(), times[i], times.back(),
                  are_same[i] ? "true" : "false");
      is_first = false;
    }
  }
  void fill(int index) { require(libraries_[0].cases[index].fill(arrays_)); }
  const TuneCase *cases() const { return libraries_[0].cases; }

private:
  // The results of the first library are kept for comparison.
  template <class Call>
  bool has_same_results(const Call &call, bool is_first, std::size_t bytes) {
    require(cudaMemsetAsync(out_.data(), 0xa5, kTuneBytes, timer_.stream));
    require(call());
    if (is_first) {
      require(cudaMemcpyAsync(expected_.data(), out_.data(), kTuneBytes, cudaMemcpyDeviceToDevice, timer_.stream));
      return true;
    }
    unsigned long long differences = 0;
    require(cudaMemsetAsync(differences_.data(), 0, sizeof(differences), timer_.stream));
    count_differences<<<1024, 256, 0, timer_.stream>>>(static_cast<const uint4 *>(out_.data()),
                                                       static_cast<const uint4 *>(expected_.data()), bytes / 16,
                                                       static_cast<unsigned long long *>(differences_.data()));
    require(cudaMemcpyAsync(&differences, differences_.data(), sizeof(differences), cudaMemcpyDeviceToHost, timer_.stream));
    require(cudaStreamSynchronize(timer_.stream));
    return differences == 0;
  }

  std::vector<Library> libraries_;
  int repeats_;
  Timer timer_;
  DeviceBuffer in_{kTuneBytes}, out_{kTuneBytes}, expected_{kTuneBytes}, space_{kTuneSpaceBytes}, differences_{16};
  TuneArrays arrays_;
};

}  // namespace

int main(int argc, char **argv) {
  std::vector<int> all_bits;
  std::vector<Library> libraries;
  int repeats = 11;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--bits") == 0 && i + 1 < argc) {
      std::stringstream list(argv[++i]);
      for (std::string bits; std::getline(list, bits, ',');) {
        all_bits.push_back(std::atoi(bits.c_str()));
      }
    } else if (std::strcmp(argv[i], "--repeats") == 0 && i + 1 < argc) {
      repeats = std::max(std::atoi(argv[++i]), 1);
    } else {
      libraries.push_back(open_library(argv[i]));
    }
  }
  if (libraries.empty()) {
    std::fprintf(stderr, "usage: %s [--bits 12,20,28] [--repeats 11] LIBRARY...\n", argv[0]);
    return 1;
  }
  Tuner tuner(libraries, repeats);
  print_origin("Numbers of device/tuning_*.cuh", argc, argv);
  std::printf(", \"rows\": [");
  bool is_first = true;
  for (int index = 0; tuner.cases()[index].name != nullptr; ++index) {
    const TuneCase &of = tuner.cases()[index];
    tuner.fill(index);
    for (int bits = of.fewest_bits; bits <= of.most_bits; ++bits) {
      if (all_bits.empty() || std::find(all_bits.begin(), all_bits.end(), bits) != all_bits.end()) {
        tuner.measure(index, bits, is_first);
      }
    }
  }
  std::printf("\n]}\n");
}
