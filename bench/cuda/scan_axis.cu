// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmark of device-wide scans: along axes of arrays, from narrow to wide rows, whole and in batches.
#include "scan_cases.h"

#include <upsweep/cuda/axis.cuh>

namespace upsweep::bench {

namespace {

template <class T>
ScanCase axis_case(const char *type, std::size_t inner, std::size_t length, bool is_quick) {
  const std::string name =
      "sum along axis of " + (length > 0 ? std::to_string(length) + " x " : std::string()) + std::to_string(inner);
  ScanCase of = own_case(
      name.c_str(), type, sizeof(T), 2.0 * sizeof(T), false, [=](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
        cuda::axis shape;
        shape.inner = inner < n ? inner : n;
        shape.length = length > 0 && length * inner < n ? length : n / shape.inner;
        shape.batches = n / (shape.inner * shape.length);
        return cuda::inclusive_sum_of_axis(a.space, static_cast<const T *>(a.in), static_cast<T *>(a.out), shape, stream);
      });
  of.is_quick = is_quick;
  return of;
}

}  // namespace

// A length of 0: one batch.
std::vector<ScanCase> axis_cases() {
  using Word = std::uint32_t;
  std::vector<ScanCase> cases;
  for (const std::size_t inner : {3, 32, 100, 1000, 16384, 65536}) {
    cases.push_back(axis_case<Word>("u32", inner, 0, inner == 16384));
  }
  for (const std::size_t length : {8, 256, 4096}) {
    cases.push_back(axis_case<Word>("u32", 64, length, false));
  }
  cases.push_back(axis_case<Word>("u32", 1023, 1024, false));
  cases.push_back(axis_case<std::uint8_t>("u8", 4096, 0, false));
  cases.push_back(axis_case<double>("f64", 4096, 0, false));
  return cases;
}

}  // namespace upsweep::bench
