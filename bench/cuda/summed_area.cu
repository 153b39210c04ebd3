// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of summed-area tables, as JSON, with a copy of the same bytes and two scans in the same run.
//
//     bench_cuda_summed_area > summed_area.json     # All cases.
//     bench_cuda_summed_area u8 8192       # the types with "u8" in their names, images of 8192 x 8192.
//
// NPP is measured too if CMake finds it (UPSWEEP_NPP). Times are medians of the GPU's time; all take turns. The first of the
// two scans is along the rows, the second in place along the columns of the result. Results are compared, bit by bit for
// integers.
#include "turns.h"

#include <upsweep/cuda/axis.cuh>
#include <upsweep/cuda/summed_area.cuh>

#include <cuda_fp16.h>
#ifdef UPSWEEP_NPP
#include <nppi_statistics_functions.h>
#endif

#include <cstdint>
#include <cstring>
#include <string>

namespace upsweep::bench {

namespace {

__global__ void fill_kernel(std::uint8_t *bytes, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    bytes[i] = static_cast<std::uint8_t>(x >> 40);
  }
}
template <class T>
__global__ void fill_floats_kernel(T *elements, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    elements[i] = static_cast<T>(static_cast<float>(x >> 40) * 0x1p-24f);
  }
}

// The largest difference, as a share of the sum.
template <class T>
__global__ void differ_kernel(const T *a, const T *b, std::size_t n, unsigned *worst) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    const double difference = x == y ? 0.0 : std::is_integral_v<T> ? 1.0 : fabs(x - y) / fmax(fabs(x), fabs(y));
    if (difference != 0) {
      atomicMax(worst, __float_as_uint(static_cast<float>(difference)));
    }
  }
}

class Bench {
public:
  Bench(std::vector<std::uint64_t> sizes, std::string part) : sizes_(std::move(sizes)), part_(std::move(part)) {}

  // kScans: also against two scans, which take a minute to compile for each type.
  template <class In, class Sum, bool kScans = false>
  void run(const char *in_type, const char *sum_type, std::uint64_t channels, std::uint64_t down = 1) {
    const std::string name = std::string(in_type) + (channels > 1 ? " x " + std::to_string(channels) : "") + " to " + sum_type;
    for (const std::uint64_t size : sizes_) {
      const std::uint64_t height = size / down, width = size * down;
      const std::size_t n = height * width * channels;
      if (n * sizeof(Sum) + (size << 8) > kMostBytes || n * sizeof(In) > kMostBytes || name.find(part_) == std::string::npos) {
        continue;
      }
      const In *const in = static_cast<const In *>(in_.data());
      if constexpr (std::is_integral_v<In>) {
        fill_kernel<<<4096, 256>>>(static_cast<std::uint8_t *>(in_.data()), n * sizeof(In));
      } else {
        fill_floats_kernel<<<4096, 256>>>(static_cast<In *>(in_.data()), n);
      }
      require(cudaDeviceSynchronize());
      measure<In, Sum, kScans>(name, in, {height, width, channels});
    }
  }

private:
  static constexpr std::size_t kMostBytes = std::size_t(4) << 30;

  template <class In, class Sum, bool kScans>
  void measure(const std::string &name, const In *in, const cuda::image_shape &of) {
    const std::size_t n = of.height * of.width * of.channels;
    const std::size_t half = n * (sizeof(In) + sizeof(Sum)) / 2;  // a copy reads and writes as many bytes together
    auto *const out = static_cast<Sum *>(out_.data());
    auto *const other = static_cast<Sum *>(other_.data());
    const cuda::workspace space{space_.data(), space_.bytes()};
    require(cuda::initialise(space, timer_.stream));
    const auto copy = [&] {
      return cudaMemcpyAsync(out_.data(), other_.data(), half, cudaMemcpyDeviceToDevice, timer_.stream);
    };
    const auto upsweep = [&] { return cuda::summed_area_table(space, in, out, of, timer_.stream); };
    const auto exclusive = [&] { return cuda::exclusive_summed_area_table(space, in, out, of, timer_.stream); };
    std::function<cudaError_t()> two_scans;
    if constexpr (kScans) {
      two_scans = [&] {
        const cuda::axis rows{of.height, of.width, of.channels}, columns{1, of.height, of.width * of.channels};
        const cudaError_t error = cuda::inclusive_sum_of_axis(space, in, other, rows, cuda::accumulator<Sum>, timer_.stream);
        return error != cudaSuccess ? error : cuda::inclusive_sum_of_axis(space, other, other, columns, timer_.stream);
      };
    }
    std::function<cudaError_t()> npp;
#ifdef UPSWEEP_NPP
    if constexpr (sizeof(In) == 1) {
      if (of.channels == 1) {
        npp = [&] { return npp_integral(in, reinterpret_cast<Npp32s *>(other), of); };
      }
    }
#endif
    const std::vector<double> us = medians_us(timer_, {copy, upsweep, exclusive, two_scans, npp}, n >= (1 << 26) ? 9 : 25);
    require(upsweep());
    if (two_scans) {
      require(two_scans());
    }
    print<Sum>(name, of, us, two_scans ? difference(out, other, n) : -1);
  }

#ifdef UPSWEEP_NPP
  // An exclusive table.
  cudaError_t npp_integral(const std::uint8_t *in, Npp32s *out, const cuda::image_shape &of) const {
    static const cudaError_t asked = cudaGetDeviceProperties(&device_, 0);
    const cudaDeviceProp &device = device_;
    NppStreamContext context{};
    context.hStream = timer_.stream;
    context.nMultiProcessorCount = device.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = device.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = device.maxThreadsPerBlock;
    context.nSharedMemPerBlock = device.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = device.major;
    context.nCudaDevAttrComputeCapabilityMinor = device.minor;
    const auto width = static_cast<int>(of.width), height = static_cast<int>(of.height);
    const NppStatus status = nppiIntegral_8u32s_C1R_Ctx(in, width, out, (width + 1) * 4, {width, height}, 0, context);
    return asked != cudaSuccess ? asked : status == NPP_SUCCESS ? cudaSuccess : cudaErrorUnknown;
  }
  static inline cudaDeviceProp device_;
#endif

  template <class Sum>
  float difference(const Sum *a, const Sum *b, std::size_t n) {
    auto *const worst = static_cast<unsigned *>(count_.data());
    require(cudaMemsetAsync(worst, 0, sizeof *worst, timer_.stream));
    differ_kernel<<<4096, 256, 0, timer_.stream>>>(a, b, n, worst);
    float found;
    require(cudaMemcpyAsync(&found, worst, sizeof found, cudaMemcpyDeviceToHost, timer_.stream));
    require(cudaStreamSynchronize(timer_.stream));
    return found;
  }

  template <class Sum>
  void print(const std::string &name, const cuda::image_shape &of, const std::vector<double> &us, float difference) {
    std::printf("%s  {\"type\": \"%s\", \"height\": %zu, \"width\": %zu, \"copy_us\": %.2f, \"upsweep_us\": %.2f, "
                "\"exclusive_us\": %.2f, \"two_scans_us\": %.2f, \"npp_us\": %.2f, \"share_of_copy\": %.3f",
                is_first_ ? "" : ",\n", name.c_str(), std::size_t(of.height), std::size_t(of.width), us[0], us[1], us[2], us[3],
                us[4], us[0] / us[1]);
    if (difference >= 0) {  // if two scans were measured
      std::printf(", \"difference\": %.2g, \"is_equal\": %s", static_cast<double>(difference),
                  difference < (sizeof(Sum) == 4 ? 1e-4 : 1e-10) ? "true" : "false");
    }
    std::printf("}");
    std::fflush(stdout);
    is_first_ = false;
  }

  std::vector<std::uint64_t> sizes_;
  std::string part_;
  DeviceBuffer in_{kMostBytes}, out_{kMostBytes}, other_{kMostBytes}, space_{std::size_t(1) << 30}, count_{256};
  Timer timer_;
  bool is_first_ = true;
};

void run(const std::vector<std::uint64_t> &sizes, const std::string &part, int argc, char **argv) {
  print_origin("summed-area tables", argc, argv);
  std::printf(", \"rows\": [\n");
  Bench bench(sizes, part);
  bench.run<float, float, true>("f32", "f32", 1);
  bench.run<std::uint8_t, std::uint32_t, true>("u8", "u32", 1);
  bench.run<std::uint8_t, std::uint32_t, true>("u8", "u32", 3);
  bench.run<std::uint8_t, std::uint32_t>("u8", "u32", 4);
  bench.run<__half, float>("f16", "f32", 1);
  bench.run<float, double>("f32", "f64", 1);
  std::printf("\n]}\n");
}

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  const std::vector<std::uint64_t> sizes = argc > 2 ? std::vector<std::uint64_t>{std::strtoull(argv[2], nullptr, 10)}
                                                    : std::vector<std::uint64_t>{64, 256, 512, 1024, 2048, 4096, 8192, 16384};
  upsweep::bench::run(sizes, argc > 1 ? argv[1] : "", argc, argv);
  return 0;
}
