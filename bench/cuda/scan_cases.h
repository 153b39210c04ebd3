// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases of the benchmark of device-wide scans. Each file of cases is a translation unit.
#pragma once

#include "timing.h"

#include <upsweep/cuda/compensated.cuh>

#include <cub/device/device_scan.cuh>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace upsweep::bench {

// Sorted offsets of segments, as arrays in device memory: of one element each, of 32 on average, and of 1 to 2^20 elements
// with every magnitude equally likely.
struct SegmentLists {
  std::uint32_t *ones, *short_ones, *mixed;
  std::vector<std::uint32_t> mixed_on_host;
};

// The data of all cases. The arrays are aligned and have room for some elements behind the scanned ones.
struct ScanArrays {
  void *in = nullptr, *out = nullptr;
  std::uint32_t *keys = nullptr;   // runs of 32 on average
  unsigned char *flags = nullptr;  // 1 where those runs begin
  const SegmentLists *lists = nullptr;
  cuda::workspace space;
  void *cub_space = nullptr;
  std::size_t cub_bytes = 0;
};

using ScanCall = std::function<cudaError_t(const ScanArrays &, std::size_t n, cudaStream_t)>;

struct ScanCase {
  std::string operation, type;
  std::size_t element_bytes;  // bytes of the larger of input and output
  double bytes;               // read and written for each element
  bool is_quick;              // part of the quick run
  bool is_marked;             // needs keys or flags, at most kMostMarks
  ScanCall upsweep, cub;      // CUB lacks some of these calls
};

std::vector<ScanCase> sum_cases();
std::vector<ScanCase> operator_cases();
std::vector<ScanCase> small_type_cases();
std::vector<ScanCase> segment_cases();
std::vector<ScanCase> axis_cases();
std::vector<ScanCase> option_cases();

std::vector<ScanCase> all_cases();
std::string cub_version();

// Another version of CUB (UPSWEEP_OTHER_CUB), with its calls in the order of all_cases().
struct OtherCub {
  std::string version;
  std::vector<ScanCall> calls;
};
OtherCub other_cub();

// The bytes of a workspace for every scan along an axis of up to `most_bytes`.
std::size_t axis_space_bytes(std::size_t most_bytes);

// A case of an exclusive scan, with CUB's exclusive scan.
template <class T, class Op, class CubOp>
ScanCase exclusive_case(const char *operation, const char *type, bool is_quick, Op op, CubOp cub_op) {
  return {operation,
          type,
          sizeof(T),
          2.0 * sizeof(T),
          is_quick,
          false,
          [=](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::exclusive_scan(a.space, static_cast<const T *>(a.in), static_cast<T *>(a.out), n, op, T{}, stream);
          },
          [=](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            return cub::DeviceScan::ExclusiveScan(a.cub_space, bytes, static_cast<const T *>(a.in), static_cast<T *>(a.out),
                                                  cub_op, T{}, n, stream);
          }};
}

// A case without a call of CUB.
template <class Call>
ScanCase own_case(const char *operation, const char *type, std::size_t element_bytes, double bytes, bool is_marked, Call call) {
  return {operation, type, element_bytes, bytes, false, is_marked, call, nullptr};
}

}  // namespace upsweep::bench
