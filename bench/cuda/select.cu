// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of compactions and reductions, as JSON, with CUB and a copy of as many bytes in the same run.
//
//     bench_cuda_select quick > select.json       # 2^16, 2^20, 2^24 and 2^28 elements.
//     bench_cuda_select 28 partition              # 2^28 elements, the cases with "partition" in their names.
//
// Times are medians of the GPU's time; copy, Upsweep and CUB take turns. Both results are compared first, bit by bit, except
// sums of doubles, whose last bits differ. For another CUB, compile with its headers before the toolkit's.
#include "compact_cases.h"

#include <upsweep/cuda/select.cuh>

#include <algorithm>
#include <cstring>

namespace upsweep::bench {

namespace {

constexpr std::size_t kMost = std::size_t(1) << 28;
constexpr std::size_t kMostBytes = kMost * 8;

__global__ void fill_kernel(std::uint64_t *words, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    words[i] = x ^ x >> 31;
  }
}
__global__ void flag_kernel(unsigned char *flags, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    flags[i] &= 1;
  }
}
__global__ void hash_kernel(const unsigned char *bytes, std::size_t n, unsigned long long *hash) {
  unsigned long long sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    sum += (bytes[i] + 1ull) * ((i + 1) * 0x9e3779b97f4a7c15u | 1);
  }
  atomicAdd(hash, sum);
}

class Bench {
public:
  void run(const std::vector<int> &log2_sizes, const std::string &part, const std::vector<CompactCase> &cases) {
    fill();
    for (const CompactCase &request : cases) {
      for (const int log2_n : log2_sizes) {
        const std::size_t n = std::size_t(1) << log2_n;
        if (n * request.element_bytes <= kMostBytes && (request.operation + request.type).find(part) != std::string::npos) {
          measure(request, n);
        }
      }
    }
  }

private:
  void fill() {
    arrays_.in = in_.data();
    arrays_.out = out_.data();
    arrays_.more = more_.data();
    arrays_.flags = static_cast<unsigned char *>(flags_.data());
    arrays_.kept = static_cast<std::uint64_t *>(kept_.data());
    arrays_.space.data = space_.data();
    arrays_.space.bytes = space_.bytes();
    arrays_.cub_space = cub_space_.data();
    arrays_.cub_bytes = cub_space_.bytes();
    fill_kernel<<<4096, 256>>>(static_cast<std::uint64_t *>(in_.data()), in_.bytes() / 8);
    fill_kernel<<<4096, 256>>>(static_cast<std::uint64_t *>(flags_.data()), flags_.bytes() / 8);
    flag_kernel<<<4096, 256>>>(arrays_.flags, kMost);
    require(cuda::initialise(arrays_.space));
    require(cudaDeviceSynchronize());
  }

  struct Result {
    std::uint64_t kept;
    unsigned long long hash;
  };
  Result result_of(const CompactCall &call, const CompactCase &request, std::size_t n) {
    Result result{};
    require(cudaMemset(out_.data(), 0, out_.bytes()));
    require(cudaMemset(kept_.data(), 0, 32));
    require(cudaDeviceSynchronize());  // the timer's stream does not wait for the default one
    require(call(arrays_, n, timer_.stream));
    require(cudaStreamSynchronize(timer_.stream));
    auto *hash = reinterpret_cast<unsigned long long *>(arrays_.kept + 2);
    hash_kernel<<<4096, 256>>>(static_cast<unsigned char *>(out_.data()), n * request.element_bytes, hash);
    require(cudaMemcpy(&result.kept, arrays_.kept, 8, cudaMemcpyDeviceToHost));
    require(cudaMemcpy(&result.hash, hash, 8, cudaMemcpyDeviceToHost));
    return result;
  }

  void measure(const CompactCase &request, std::size_t n) {
    if (request.prepare) {
      request.prepare(arrays_, n);
    }
    const Result ours = result_of(request.upsweep, request, n);
    const Result theirs = request.cub ? result_of(request.cub, request, n) : ours;
    const double elements = static_cast<double>(n), kept = static_cast<double>(ours.kept);
    const double bytes = elements * request.read_bytes + kept * request.written_bytes + (elements - kept) * request.other_bytes;
    const auto half = static_cast<std::size_t>(bytes / 2);
    const auto copy = [&] { return cudaMemcpyAsync(out_.data(), in_.data(), half, cudaMemcpyDeviceToDevice, timer_.stream); };
    const auto upsweep = [&] { return request.upsweep(arrays_, n, timer_.stream); };
    std::function<cudaError_t()> cub;
    if (request.cub) {
      cub = [&] { return request.cub(arrays_, n, timer_.stream); };
    }
    const std::vector<double> us = medians_us(timer_, {copy, upsweep, cub}, n >= std::size_t(1) << 26 ? 11 : 31);
    std::printf(
        "%s  {\"operation\": \"%s\", \"type\": \"%s\", \"n\": %zu, \"kept\": %llu, \"copy_us\": %.2f, \"upsweep_us\": %.2f, "
        "\"share_of_copy\": %.3f",
        is_first_ ? "" : ",\n", request.operation.c_str(), request.type.c_str(), n, static_cast<unsigned long long>(ours.kept),
        us[0], us[1], us[0] / us[1]);
    if (request.cub) {
      std::printf(", \"cub_us\": %.2f, \"times_cub\": %.2f, \"cub_share_of_copy\": %.3f, \"is_equal\": %s", us[2],
                  us[2] / us[1], us[0] / us[2], ours.kept == theirs.kept && ours.hash == theirs.hash ? "true" : "false");
    }
    std::printf("}");
    std::fflush(stdout);
    is_first_ = false;
  }

  DeviceBuffer in_{kMostBytes + 256}, out_{kMostBytes + 256}, more_{kMostBytes + 256}, flags_{kMost + 256}, kept_{256};
  DeviceBuffer space_{cuda::select_workspace_bytes<std::uint64_t>(kMost) * 2}, cub_space_{std::size_t(256) << 20};
  CompactArrays arrays_;
  Timer timer_;
  bool is_first_ = true;
};

void run(const std::vector<int> &log2_sizes, const std::string &part, int argc, char **argv) {
  print_origin("compactions and reductions", argc, argv);
  std::printf(", \"cub\": \"%s\", \"rows\": [\n", compact_cub_version().c_str());
  std::vector<CompactCase> cases = select_cases();
  for (const std::vector<CompactCase> &more : {run_cases(), reduce_cases()}) {
    cases.insert(cases.end(), more.begin(), more.end());
  }
  Bench().run(log2_sizes, part, cases);
  std::printf("\n]}\n");
}

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_cuda_select quick|LOG2_N [PART OF A NAME]\n");
    return 2;
  }
  const bool is_quick = std::strcmp(argv[1], "quick") == 0;
  upsweep::bench::run(is_quick ? std::vector<int>{16, 20, 24, 28} : std::vector<int>{std::atoi(argv[1])},
                      argc > 2 ? argv[2] : "", argc, argv);
  return 0;
}
