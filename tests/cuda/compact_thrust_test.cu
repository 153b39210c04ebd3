// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random compactions and reductions, compared with Thrust's.
#include "compact_check.h"

#include <upsweep/cuda/partition.cuh>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/run_length.cuh>

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/unique.h>

// No using directive: Thrust has another namespace named cuda.
namespace upsweep::test {

namespace up = upsweep::cuda;

namespace {

constexpr std::size_t kMost = std::size_t(1) << 22;
constexpr int kCalls = 1000;

// Runs of equal elements, with lengths of every magnitude up to 2^magnitude.
template <class T>
__global__ void fill_kernel(T *to, std::size_t n, std::uint32_t seed, int magnitude) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    const std::uint64_t block = i >> magnitude;
    const std::uint64_t hash = (block + seed) * 0x9e3779b97f4a7c15u;
    const std::uint64_t run = i >> (hash >> 40) % (magnitude + 1);
    to[i] = static_cast<T>((run + block * 77 + seed) * 0xd6e8feb86659fd93u >> 29);
  }
}

template <class T>
class Calls {
public:
  void call_any() {
    const std::size_t magnitude = std::size_t(2) << generator()() % 21;
    n_ = 1 + generator()() % std::min(std::min(kMost - 3, most_elements()), magnitude);
    in_ = all_in_.data() + generator()() % 3;
    out_ = all_out_.data() + generator()() % 3;
    keep_ = {kShares[generator()() % 5]};
    fill_kernel<<<1024, 256>>>(in_, n_, generator()(), static_cast<int>(generator()() % 12));
    all_out_.poison();
    all_expected_.poison();
    switch (generator()() % 5) {
    case 0: select(); break;
    case 1: partition(); break;
    case 2: unique(); break;
    case 3: by_key(); break;
    default: reduce();
    }
  }

private:
  // The first `count` elements.
  template <class Element>
  void expect(const char *what, const Element *got, const Element *expected, std::size_t count, std::uint64_t kept) {
    const bool is_same = thrust::equal(thrust::device, got, got + count, expected);
    if (!is_same || kept_.download().front() != kept) {
      report(
          __FILE__, __LINE__,
          (std::string(what) + " of " + std::to_string(n_) + " elements of " + std::to_string(sizeof(T)) + " bytes").c_str());
    }
  }
  void select() {
    UPSWEEP_CUDA(up::select_if(shared_space(), in_, out_, kept_.data(), n_, keep_));
    T *const end = thrust::copy_if(thrust::device, in_, in_ + n_, all_expected_.data(), keep_);
    expect("select", out_, all_expected_.data(), end - all_expected_.data(), end - all_expected_.data());
  }
  void partition() {
    UPSWEEP_CUDA(up::partition_if(shared_space(), in_, out_, kept_.data(), n_, keep_));
    T *const expected = all_expected_.data();
    const auto ends =
        thrust::partition_copy(thrust::device, in_, in_ + n_, expected, thrust::make_reverse_iterator(expected + n_), keep_);
    expect("partition", out_, expected, n_, ends.first - expected);
  }
  void unique() {
    UPSWEEP_CUDA(up::unique(shared_space(), in_, out_, kept_.data(), n_));
    T *const end = thrust::unique_copy(thrust::device, in_, in_ + n_, all_expected_.data());
    expect("unique", out_, all_expected_.data(), end - all_expected_.data(), end - all_expected_.data());
  }
  void by_key() {
    const std::uint32_t *const values = values_.data();
    fill_kernel<<<1024, 256>>>(values_.data(), n_, generator()(), 0);
    UPSWEEP_CUDA(up::reduce_by_key(shared_space(), in_, values, out_, totals_.data(), kept_.data(), n_, up::plus{}));
    const auto ends =
        thrust::reduce_by_key(thrust::device, in_, in_ + n_, values, all_expected_.data(), expected_totals_.data());
    const std::size_t runs = ends.first - all_expected_.data();
    expect("reduce by key, keys", out_, all_expected_.data(), runs, runs);
    expect("reduce by key, totals", totals_.data(), expected_totals_.data(), runs, runs);
  }
  void reduce() {
    UPSWEEP_CUDA(up::reduce(shared_space(), in_, kept_.data(), n_, up::plus{}, std::uint64_t(3)));
    UPSWEEP_CHECK(kept_.download().front() == thrust::reduce(thrust::device, in_, in_ + n_, std::uint64_t(3)));
  }

  DeviceArray<T> all_in_{kMost}, all_out_{kMost}, all_expected_{kMost};
  DeviceArray<std::uint32_t> values_{kMost}, totals_{kMost}, expected_totals_{kMost};
  DeviceArray<std::uint64_t> kept_{1};
  std::size_t n_ = 0;
  T *in_ = nullptr, *out_ = nullptr;
  KeepShare keep_{0};
};

}  // namespace

UPSWEEP_TEST(GivenRandomCalls_WhenComparedWithThrust_ThenResultsAreTheSame) {
  Calls<std::uint8_t> bytes;
  Calls<std::uint32_t> words;
  Calls<std::uint64_t> longs;
  for (int i = 0; i < (is_short_run() ? 10 : kCalls / 3); ++i) {
    bytes.call_any();
    words.call_any();
    longs.call_any();
  }
}

}  // namespace upsweep::test
