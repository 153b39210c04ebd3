// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of totals for every pair of types of elements and outputs, as each call chooses it; and sums of the largest
// elements, which any narrower total wraps.
#include "scan_check.h"

#include <upsweep/cuda/axis.cuh>
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/segmented_reduce.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <limits>
#include <memory>

using namespace upsweep::test;

namespace {

template <class T>
constexpr int kBits = std::is_same_v<T, bool> ? 1 : static_cast<int>(8 * sizeof(T));
template <class T>
constexpr bool kIsReal = std::is_floating_point_v<T> || std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;

// The rule of the page: the wider integer, or 64 bits for real outputs.
template <class In, class Out>
constexpr auto expected() {
  if constexpr (kIsReal<In>) {
    return In();
  } else if constexpr (kIsReal<Out>) {
    if constexpr (std::is_signed_v<In>) {
      return std::int64_t();
    } else {
      return std::uint64_t();
    }
  } else if constexpr (kBits<Out> > kBits<In>) {
    return Out();
  } else {
    return In();
  }
}

template <class In, class Out>
constexpr bool check_pair() {
  using Expected = decltype(expected<In, Out>());
  namespace detail = cuda::detail;
  static_assert(std::is_same_v<detail::Accumulator<In *, Out *, cuda::plus>, Expected>);
  static_assert(std::is_same_v<detail::Accumulator<const In *, Out *, cuda::multiplies>, Expected>);
  static_assert(std::is_same_v<decltype(detail::initial_for<Out *, cuda::plus>(In()).value), Expected>);
  static_assert(std::is_same_v<decltype(detail::total_initial<cuda::plus, Out *>(In()).value), Expected>);
  static_assert(std::is_same_v<detail::Accumulator<In *, Out *, cuda::maximum>, In>);
  return true;
}
template <class In, class... Outs>
constexpr bool check_outputs = (check_pair<In, Outs>() && ...);
template <class... Types>
struct Among {
  static constexpr bool kAreRight = (check_outputs<Types, Types...> && ...);
};
static_assert(Among<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                    std::uint64_t, float, double, __half, __nv_bfloat16>::kAreRight);

// std::vector<bool> has no data().
template <class T>
class Numbers {
public:
  explicit Numbers(std::size_t n) : host_(new T[n]()), n_(n) { UPSWEEP_CUDA(cudaMalloc(&device_, n * sizeof(T))); }
  Numbers(const Numbers &) = delete;
  Numbers &operator=(const Numbers &) = delete;
  ~Numbers() { cudaFree(device_); }
  T &operator[](std::size_t i) { return host_[i]; }
  T *data() { return device_; }
  void upload() { UPSWEEP_CUDA(cudaMemcpy(device_, host_.get(), n_ * sizeof(T), cudaMemcpyHostToDevice)); }
  T downloaded(std::size_t i) {
    UPSWEEP_CUDA(cudaMemcpy(host_.get(), device_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    UPSWEEP_CUDA(cudaMemset(device_, 0, n_ * sizeof(T)));
    return host_[i];
  }

private:
  std::unique_ptr<T[]> host_;
  T *device_ = nullptr;
  std::size_t n_;
};

// Sums below 2^53 are exact in doubles; floats round the sum.
template <class In, class Out>
void check_sums(const char *types) {
  for (const std::size_t n : {3, 500, 40000}) {
    Numbers<In> in(n);
    Numbers<Out> out(n);
    Numbers<std::uint8_t> keys(n), out_keys(n);
    Numbers<std::uint64_t> runs(1), offsets(2);
    std::int64_t all = 0, before = 0;
    for (std::size_t i = 0; i < n; ++i) {
      in[i] = static_cast<In>(std::numeric_limits<In>::max() - static_cast<In>(i % 7));
      before = all;
      all += static_cast<std::int64_t>(in[i]);
    }
    offsets[1] = n;
    in.upload();
    keys.upload();
    offsets.upload();
    const auto expect = [&](const char *call, std::size_t i, std::int64_t sum) {
      if (!(out.downloaded(i) == static_cast<Out>(sum))) {
        report(__FILE__, __LINE__, (std::string(call) + ", " + types + ", " + std::to_string(n) + " elements").c_str());
      }
    };
    UPSWEEP_CUDA(cuda::sum(shared_space(), in.data(), out.data(), n));
    expect("sum", 0, all);
    UPSWEEP_CUDA(cuda::reduce(shared_space(), in.data(), out.data(), n, cuda::plus{}, In(0)));
    expect("reduce", 0, all);
    UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), out.data(), n));
    expect("inclusive_sum", n - 1, all);
    UPSWEEP_CUDA(cuda::exclusive_sum(shared_space(), in.data(), out.data(), n));
    expect("exclusive_sum", n - 1, before);
    UPSWEEP_CUDA(cuda::exclusive_scan(shared_space(), in.data(), out.data(), n, cuda::plus{}, In(0)));
    expect("exclusive_scan", n - 1, before);
    UPSWEEP_CUDA(
        cuda::reduce_by_key(shared_space(), keys.data(), in.data(), out_keys.data(), out.data(), runs.data(), n, cuda::plus{}));
    expect("reduce_by_key", 0, all);
    UPSWEEP_CUDA(cuda::sum_of_segments(shared_space(), in.data(), out.data(), offsets.data(), 1));
    expect("sum_of_segments", 0, all);
    UPSWEEP_CUDA(cuda::sum_of_rows(shared_space(), in.data(), out.data(), 1, n));
    expect("sum_of_rows", 0, all);
  }
}

}  // namespace

UPSWEEP_TEST(GivenBools_WhenSummedToIntegers_ThenCounted) { check_sums<bool, std::uint32_t>("bools to words"); }
UPSWEEP_TEST(GivenBools_WhenSummedToDoubles_ThenCounted) { check_sums<bool, double>("bools to doubles"); }
UPSWEEP_TEST(GivenBytes_WhenSummedToLongs_ThenNothingWraps) { check_sums<std::uint8_t, std::int64_t>("bytes to longs"); }
UPSWEEP_TEST(GivenShorts_WhenSummedToFloats_ThenNothingWraps) { check_sums<std::int16_t, float>("shorts to floats"); }
UPSWEEP_TEST(GivenWords_WhenSummedToLongs_ThenNothingWraps) { check_sums<std::uint32_t, std::uint64_t>("words to longs"); }

UPSWEEP_TEST(GivenANamedAccumulator_WhenReducedByKey_ThenTotalsAreOfIt) {
  const std::size_t n = 5000;
  Numbers<std::uint8_t> keys(n), out_keys(n), in(n);
  Numbers<std::uint32_t> totals(n);
  Numbers<std::uint64_t> runs(1);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = 200;
  }
  in.upload();
  keys.upload();
  UPSWEEP_CUDA(cuda::reduce_by_key(shared_space(), keys.data(), in.data(), out_keys.data(), totals.data(), runs.data(), n,
                                   cuda::plus{}, nullptr, cuda::accumulator<std::uint8_t>));
  UPSWEEP_CHECK(totals.downloaded(0) == 200 * n % 256);
}
