// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmark of device-wide scans: options, to be compared with the plain scan of the same type.
#include "scan_cases.h"

#include <cuda/std/iterator>
#include <thrust/iterator/transform_iterator.h>

namespace upsweep::bench {

namespace {

using Word = std::uint32_t;

struct Scaled {
  __host__ __device__ Word operator()(Word x) const { return 3 * x + 1; }
};

template <class T>
const T *input(const ScanArrays &a) {
  return static_cast<const T *>(a.in);
}
template <class T>
T *output(const ScanArrays &a) {
  return static_cast<T *>(a.out);
}

template <class T>
ScanCase compensated_case(const char *type) {
  return own_case("compensated sum", type, sizeof(T), 2.0 * sizeof(T), false,
                  [](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
                    return cuda::inclusive_compensated_sum(a.space, input<T>(a), output<T>(a), n, stream);
                  });
}

// Input and output begin some elements behind an aligned address.
template <class T>
ScanCase unaligned_case(const char *operation, const char *type, std::size_t from, std::size_t to) {
  return {operation,
          type,
          sizeof(T),
          2.0 * sizeof(T),
          false,
          false,
          [=](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::inclusive_sum(a.space, input<T>(a) + from, output<T>(a) + to, n, stream);
          },
          [=](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            return cub::DeviceScan::InclusiveSum(a.cub_space, bytes, input<T>(a) + from, output<T>(a) + to, n, stream);
          }};
}

}  // namespace

std::vector<ScanCase> option_cases() {
  return {{"backward sum", "u32", 4, 8.0, true, false,
           [](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
             return cuda::inclusive_sum(a.space, input<Word>(a), output<Word>(a), n, stream, cuda::backward);
           },
           [](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
             std::size_t bytes = a.cub_bytes;
             return cub::DeviceScan::InclusiveSum(a.cub_space, bytes, ::cuda::std::make_reverse_iterator(input<Word>(a) + n),
                                                  ::cuda::std::make_reverse_iterator(output<Word>(a) + n), n, stream);
           }},
          {"sum of transformed", "u32", 4, 8.0, false, false,
           [](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
             return cuda::inclusive_sum(a.space, input<Word>(a), output<Word>(a), n, stream, cuda::transform_input(Scaled{}));
           },
           [](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
             std::size_t bytes = a.cub_bytes;
             return cub::DeviceScan::InclusiveSum(a.cub_space, bytes, thrust::make_transform_iterator(input<Word>(a), Scaled{}),
                                                  output<Word>(a), n, stream);
           }},
          unaligned_case<Word>("sum, unaligned", "u32", 1, 1),
          unaligned_case<Word>("sum to unaligned", "u32", 0, 1),
          unaligned_case<double>("sum from unaligned", "f64", 1, 0),
          unaligned_case<unsigned char>("sum to unaligned", "u8", 0, 1),
          own_case("reproducible sum", "f32", 4, 8.0, false,
                   [](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
                     return cuda::inclusive_sum(a.space, input<float>(a), output<float>(a), n, stream, cuda::reproducible);
                   }),
          compensated_case<float>("f32"),
          compensated_case<double>("f64")};
}

}  // namespace upsweep::bench
