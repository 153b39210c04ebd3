// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random scans, compared with Thrust's: several kinds of bytes and of words, any alignment, in place and not, with and without
// a workspace.
#include "scan_check.h"

#include <upsweep/cuda/adjacent.cuh>

#include <thrust/adjacent_difference.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>

#include <string>

namespace upsweep::test {

namespace up = upsweep::cuda;

namespace {

constexpr std::size_t kMost = std::size_t(1) << 22;
constexpr int kCalls = 1000;

// Keys in runs with lengths of every magnitude up to 2^magnitude.
template <class T>
__global__ void fill_any_kernel(T *to, std::size_t n, std::uint32_t seed, int magnitude) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    const std::uint64_t hash = ((i >> magnitude) + seed) * 0x9e3779b97f4a7c15u;
    const std::uint64_t run = i >> (hash >> 40) % (magnitude + 1);
    to[i] = static_cast<T>((run + seed) * 0xd6e8feb86659fd93u >> 29);
  }
}

struct RowOf {
  std::uint64_t length;
  __host__ __device__ std::uint64_t operator()(std::uint64_t i) const { return i / length; }
};

template <class T>
class Scans {
  static constexpr bool kWords = sizeof(T) == 4;

public:
  void call_any() {
    const std::size_t magnitude = std::size_t(2) << generator()() % 21;
    n_ = 1 + generator()() % std::min(std::min(kMost - 3, most_elements()), magnitude);
    in_ = all_in_.data() + generator()() % 3;
    out_ = all_out_.data() + generator()() % 3;
    fill_any_kernel<<<1024, 256>>>(in_, n_, generator()(), 0);
    fill_any_kernel<<<1024, 256>>>(keys_.data(), n_, generator()(), static_cast<int>(generator()() % 16));
    all_out_.poison();
    const bool is_in_place = generator()() % 4 == 0;
    T *const expected = expected_.data();
    const T initial = static_cast<T>(generator()());
    // All kinds for words; for bytes the kinds that differ most, since each takes seconds to compile.
    const auto kind = kWords ? generator()() % 8 : generator()() % 3;
    switch (kind) {
    case 0: thrust::inclusive_scan(thrust::device, in_, in_ + n_, expected); break;
    case 1: thrust::exclusive_scan(thrust::device, in_, in_ + n_, expected, initial, thrust::maximum<T>()); break;
    case 2: thrust::inclusive_scan_by_key(thrust::device, keys_.data(), keys_.data() + n_, in_, expected); break;
    default:
      if constexpr (kWords) {
        expect_words(static_cast<int>(kind), initial);
      }
    }
    if (is_in_place && kind != 7) {
      out_ = in_;
    }
    const up::workspace &space = generator()() % 8 == 0 ? up::stream_pool : space_.as_workspace();
    UPSWEEP_CUDA(call(static_cast<int>(kind), space, initial));
    if (!thrust::equal(thrust::device, out_, out_ + n_, expected)) {
      report(__FILE__, __LINE__,
             ("kind " + std::to_string(kind) + " of " + std::to_string(n_) + " elements of " + std::to_string(sizeof(T)) +
              " bytes, rows of " + std::to_string(row_) + (is_in_place ? ", in place" : ""))
                 .c_str());
    }
  }

private:
  void expect_words(int kind, T initial) {
    T *const expected = expected_.data();
    const auto begin = thrust::make_reverse_iterator(in_ + n_);
    const auto rows = [&] {
      row_ = 1 + generator()() % (1u << generator()() % 20);
      return thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint64_t(0)), RowOf{row_});
    };
    switch (kind) {
    case 3: thrust::inclusive_scan(thrust::device, begin, begin + n_, thrust::make_reverse_iterator(expected + n_)); break;
    case 4:
      thrust::exclusive_scan_by_key(thrust::device, keys_.data(), keys_.data() + n_, in_, expected, initial,
                                    thrust::equal_to<std::uint32_t>(), thrust::bit_xor<T>());
      break;
    case 5: {
      const auto keys = rows();
      thrust::inclusive_scan_by_key(thrust::device, keys, keys + n_, in_, expected);
      break;
    }
    case 6: thrust::inclusive_scan(thrust::device, in_, in_ + n_, expected, thrust::minimum<T>()); break;
    default: thrust::adjacent_difference(thrust::device, in_, in_ + n_, expected);
    }
  }
  cudaError_t call(int kind, const up::workspace &space, T initial) {
    const std::uint32_t *const keys = keys_.data();
    switch (kind) {
    case 0: return up::inclusive_sum(space, in_, out_, n_);
    case 1: return up::exclusive_scan(space, in_, out_, n_, thrust::maximum<T>(), initial);
    case 2: return up::inclusive_scan_by_key(space, keys, in_, out_, n_, thrust::plus<T>());
    default:
      if constexpr (kWords) {
        return call_words(kind, space, initial);
      } else {
        return cudaErrorInvalidValue;
      }
    }
  }
  cudaError_t call_words(int kind, const up::workspace &space, T initial) {
    const std::uint32_t *const keys = keys_.data();
    switch (kind) {
    case 3: return up::inclusive_sum(space, in_, out_, n_, up::backward);
    case 4: return up::exclusive_scan_by_key(space, keys, in_, out_, n_, up::bit_xor{}, initial);
    case 5: return up::inclusive_scan_of_rows(space, in_, out_, n_, row_, up::plus{});
    case 6: return up::inclusive_scan(space, in_, out_, n_, thrust::minimum<T>());
    default: return up::adjacent_difference(in_, out_, n_);
    }
  }

  struct OwnSpace {
    up::workspace space;
    OwnSpace() {
      space.bytes = up::scan_workspace_bytes<T, std::uint64_t>(kMost);
      UPSWEEP_CUDA(cudaMalloc(&space.data, space.bytes));
      UPSWEEP_CUDA(up::initialise(space));
    }
    ~OwnSpace() { cudaFree(space.data); }
    const up::workspace &as_workspace() const { return space; }
  };

  DeviceArray<T> all_in_{kMost}, all_out_{kMost}, expected_{kMost};
  DeviceArray<std::uint32_t> keys_{kMost};
  OwnSpace space_;
  std::size_t n_ = 0;
  std::uint64_t row_ = 1;
  T *in_ = nullptr, *out_ = nullptr;
};

}  // namespace

UPSWEEP_TEST(GivenRandomScans_WhenComparedWithThrust_ThenResultsAreTheSame) {
  Scans<std::uint8_t> bytes;
  Scans<std::uint32_t> words;
  for (int i = 0; i < (is_short_run() ? 10 : kCalls / 2); ++i) {
    bytes.call_any();
    words.call_any();
  }
}

}  // namespace upsweep::test
