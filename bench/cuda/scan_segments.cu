// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmark of device-wide scans: by key, by flag, of segments by offsets, and of rows of several lengths. Keys, flags and
// offsets count as bytes read.
#include "scan_cases.h"

namespace upsweep::bench {

namespace {

using Word = std::uint32_t;

struct Equal {
  __host__ __device__ bool operator()(Word a, Word b) const { return a == b; }
};

cudaError_t rows(const ScanArrays &a, std::size_t n, std::size_t length, cudaStream_t stream) {
  return cuda::inclusive_scan_of_rows(a.space, static_cast<const Word *>(a.in), static_cast<Word *>(a.out), n, length,
                                      cuda::plus{}, stream);
}

cudaError_t segments(const ScanArrays &a, std::size_t n, const Word *offsets, std::size_t count, cudaStream_t stream) {
  return cuda::inclusive_scan_of_segments(a.space, static_cast<const Word *>(a.in), static_cast<Word *>(a.out), n, offsets,
                                          count, cuda::plus{}, stream);
}

std::vector<ScanCase> offset_cases() {
  return {own_case(
              "sum of segments of 1", "u32", 4, 12.0, true,
              [](const ScanArrays &a, std::size_t n, cudaStream_t stream) { return segments(a, n, a.lists->ones, n, stream); }),
          own_case("sum of segments of 32", "u32", 4, 8.125, true,
                   [](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
                     return segments(a, n, a.lists->short_ones, n / 32, stream);
                   }),
          own_case("sum of segments of 1 to 2^20", "u32", 4, 8.0, true,
                   [](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
                     const auto &all = a.lists->mixed_on_host;
                     const auto count = std::lower_bound(all.begin(), all.end(), static_cast<Word>(n)) - all.begin();
                     return segments(a, n, a.lists->mixed, static_cast<std::size_t>(count), stream);
                   }),
          own_case("sum of one segment", "u32", 4, 8.0, true, [](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
            return segments(a, n, a.lists->ones, 1, stream);
          })};
}

}  // namespace

std::vector<ScanCase> segment_cases() {
  std::vector<ScanCase> cases = {
      {"sum by key", "u32", 4, 12.0, true, true,
       [](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
         return cuda::inclusive_scan_by_key(a.space, a.keys, static_cast<const Word *>(a.in), static_cast<Word *>(a.out), n,
                                            cuda::plus{}, Equal{}, stream);
       },
       [](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
         std::size_t bytes = a.cub_bytes;
         return cub::DeviceScan::InclusiveSumByKey(a.cub_space, bytes, a.keys, static_cast<const Word *>(a.in),
                                                   static_cast<Word *>(a.out), static_cast<Word>(n), ::cuda::std::equal_to<>{},
                                                   stream);
       }},
      own_case("sum by flag", "u32", 4, 9.0, true, [](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
        return cuda::inclusive_scan_by_flag(a.space, a.flags, static_cast<const Word *>(a.in), static_cast<Word *>(a.out), n,
                                            cuda::plus{}, stream);
      })};
  for (const std::size_t length : {1, 32, 1000, 1 << 20}) {
    const std::string name = "sum of rows of " + std::to_string(length);
    cases.push_back(own_case(name.c_str(), "u32", 4, 8.0, false, [=](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
      return rows(a, n, length, stream);
    }));
  }
  for (const ScanCase &of_offsets : offset_cases()) {
    cases.push_back(of_offsets);
  }
  cases.push_back(own_case("sum of one row", "u32", 4, 8.0, false,
                           [](const ScanArrays &a, std::size_t n, cudaStream_t stream) { return rows(a, n, n, stream); }));
  return cases;
}

}  // namespace upsweep::bench
