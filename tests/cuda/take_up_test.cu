// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that users of CUB and Thrust pass: iterators of device_vector and of libcu++, fancy iterators, functors, stream
// references, memory resources, and no workspace.
#include "check.h"

#include <upsweep/cuda/adjacent.cuh>
#include <upsweep/cuda/axis.cuh>
#include <upsweep/cuda/compensated.cuh>
#include <upsweep/cuda/partition.cuh>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/run_length.cuh>
#include <upsweep/cuda/scan.cuh>

#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/std/span>
#include <cuda/stream_ref>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <array>
#include <cstdint>
#include <functional>

using namespace upsweep::test;
namespace up = upsweep::cuda;

namespace {

using Word = std::uint32_t;
using Vector = thrust::device_vector<Word>;
template <class Iterator>
using Unwrapped = up::detail::Unwrapped<Iterator>;
template <class Op, class T>
using Known = typename up::detail::KnownOperator<Op, T>::type;

// Iterators to memory become pointers; others do not change.
static_assert(std::is_same_v<Unwrapped<Vector::iterator>, Word *>);
static_assert(std::is_same_v<Unwrapped<Vector::const_iterator>, const Word *>);
static_assert(std::is_same_v<Unwrapped<thrust::device_ptr<Word>>, Word *>);
static_assert(std::is_same_v<Unwrapped<std::vector<Word>::const_iterator>, const Word *>);
static_assert(std::is_same_v<Unwrapped<cuda::std::span<Word>>, Word *>);
static_assert(std::is_same_v<Unwrapped<cuda::std::span<const Word>::iterator>, const Word *>);
static_assert(!std::is_pointer_v<Unwrapped<thrust::counting_iterator<int>>>);
static_assert(!std::is_pointer_v<Unwrapped<thrust::reverse_iterator<Vector::iterator>>>);
static_assert(!std::is_pointer_v<Unwrapped<std::reverse_iterator<Word *>>>);
static_assert(std::is_same_v<Unwrapped<std::array<Word, 4>>, std::array<Word, 4>>);  // a copy, whose address is useless

// Functors are recognised if they do not convert.
static_assert(std::is_same_v<Known<cuda::std::plus<>, float>, up::plus>);
static_assert(std::is_same_v<Known<std::multiplies<int>, int>, up::multiplies>);
static_assert(std::is_same_v<Known<cuda::maximum<>, float>, up::maximum>);
static_assert(std::is_same_v<Known<thrust::minimum<Word>, Word>, up::minimum>);
static_assert(std::is_same_v<Known<std::bit_and<>, Word>, up::bit_and>);
static_assert(std::is_same_v<Known<cuda::std::bit_or<>, Word>, up::bit_or>);
static_assert(std::is_same_v<Known<thrust::bit_xor<Word>, Word>, up::bit_xor>);
static_assert(std::is_same_v<Known<std::equal_to<>, Word>, up::equal_to>);
static_assert(std::is_same_v<Known<cuda::std::minus<>, Word>, up::minus>);
static_assert(std::is_same_v<Known<std::plus<int>, float>, std::plus<int>>);
static_assert(std::is_same_v<Known<std::less<>, Word>, std::less<>>);

struct Tens {
  __host__ __device__ Word operator()(Word x) const { return x / 10; }
};
struct IsOdd {
  __host__ __device__ bool operator()(Word x) const { return x % 2 != 0; }
};
struct Twice {
  __host__ __device__ Word operator()(Word x) const { return 2 * x; }
};

constexpr std::size_t kSizes[] = {1, 1000, 100001, 3000000};

std::vector<Word> values_of(std::size_t n) {
  std::vector<Word> values(n);
  for (Word &value : values) {
    value = static_cast<Word>(generator()() % 1000);
  }
  return values;
}

std::vector<Word> host(const Vector &vector) {
  std::vector<Word> values(vector.size());
  UPSWEEP_CUDA(
      cudaMemcpy(values.data(), thrust::raw_pointer_cast(vector.data()), values.size() * sizeof(Word), cudaMemcpyDeviceToHost));
  return values;
}

std::vector<Word> sums_by_tens(const std::vector<Word> &keys, const std::vector<Word> &values) {
  std::vector<Word> sums = values;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    sums[i] += keys[i] / 10 == keys[i - 1] / 10 ? sums[i - 1] : 0;
  }
  return sums;
}

// A memory resource that counts allocations, in the form of RMM and libcu++.
struct Resource {
  int given = 0;
  void *allocate(cudaStream_t stream, std::size_t bytes, std::size_t) {
    ++given;
    void *data = nullptr;
    UPSWEEP_CUDA(cudaMallocAsync(&data, bytes, stream));
    return data;
  }
  void deallocate(cudaStream_t stream, void *data, std::size_t, std::size_t) noexcept {
    given += 100;
    UPSWEEP_CUDA(cudaFreeAsync(data, stream));
  }
};
struct OlderResource {
  int given = 0;
  void *allocate_async(std::size_t bytes, std::size_t alignment, cudaStream_t stream) {
    return Resource{}.allocate(stream, bytes, alignment);
  }
  void deallocate_async(void *data, std::size_t bytes, std::size_t alignment, cudaStream_t stream) {
    ++given;
    Resource{}.deallocate(stream, data, bytes, alignment);
  }
};

}  // namespace

UPSWEEP_TEST(GivenVectorsOfThrust_WhenScanned_ThenSumsAreRight) {
  for (const std::size_t n : kSizes) {
    const std::vector<Word> values = values_of(n);
    std::vector<Word> expected = values;
    for (std::size_t i = 1; i < n; ++i) {
      expected[i] += expected[i - 1];
    }
    Vector in(values.begin(), values.end()), out(n);
    UPSWEEP_CUDA(up::inclusive_scan(in.begin(), out.begin(), n, cuda::std::plus<>{}));
    UPSWEEP_CHECK(host(out) == expected);
    out.assign(n, 0);
    UPSWEEP_CUDA(
        up::inclusive_scan(in.cbegin(), cuda::std::span<Word>(thrust::raw_pointer_cast(out.data()), n), n, std::plus<>{}));
    UPSWEEP_CHECK(host(out) == expected);
    out.assign(n, 0);
    UPSWEEP_CUDA(
        up::inclusive_scan(in.begin(), thrust::make_transform_output_iterator(out.begin(), Twice{}), n, thrust::plus<Word>{}));
    for (Word &sum : expected) {
      sum *= 2;
    }
    UPSWEEP_CHECK(host(out) == expected);
    UPSWEEP_CUDA(up::inclusive_sum(thrust::make_transform_iterator(in.begin(), Twice{}), out.begin(), n));
    UPSWEEP_CHECK(host(out) == expected);
  }
}

UPSWEEP_TEST(GivenKeysFlagsAndStencilsByIterator_WhenCalled_ThenResultsAreRight) {
  for (const std::size_t n : kSizes) {
    std::vector<Word> keys = values_of(n);
    std::sort(keys.begin(), keys.begin() + n / 2);
    const std::vector<Word> values = values_of(n);
    Vector device_keys(keys.begin(), keys.end()), in(values.begin(), values.end()), out(n), totals(n), number(1);
    const auto tens = thrust::make_transform_iterator(device_keys.begin(), Tens{});
    const std::vector<Word> sums = sums_by_tens(keys, values);
    UPSWEEP_CUDA(up::inclusive_scan_by_key(tens, in.begin(), out.begin(), n, up::plus{}));
    UPSWEEP_CHECK(host(out) == sums);
    UPSWEEP_CUDA(up::inclusive_scan_by_flag(thrust::make_transform_iterator(device_keys.begin(), IsOdd{}), in.begin(),
                                            out.begin(), n, up::maximum{}));
    std::vector<Word> most = values, odd, first_keys, first_values, run_totals;
    for (std::size_t i = 0; i < n; ++i) {
      const bool is_odd = keys[i] % 2 != 0;
      most[i] = i > 0 && !is_odd ? std::max(most[i - 1], values[i]) : values[i];
      if (is_odd) {
        odd.push_back(values[i]);
      }
      if (i == 0 || keys[i] / 10 != keys[i - 1] / 10) {
        first_keys.push_back(keys[i] / 10);
        first_values.push_back(values[i]);
      }
      if (i + 1 == n || keys[i] / 10 != keys[i + 1] / 10) {
        run_totals.push_back(sums[i]);
      }
    }
    UPSWEEP_CHECK(host(out) == most);
    const auto check = [&](const char *what, const Vector &got, const std::vector<Word> &expected) {
      const std::vector<Word> all = host(got);
      if (host(number)[0] != expected.size() || !std::equal(expected.begin(), expected.end(), all.begin())) {
        report(__FILE__, __LINE__, what);
      }
    };
    UPSWEEP_CUDA(up::select_by_flag(in.begin(), thrust::make_transform_iterator(device_keys.begin(), IsOdd{}), out.begin(),
                                    number.begin(), n));
    check("select by flag", out, odd);
    UPSWEEP_CUDA(up::select_by_stencil(in.begin(), thrust::make_transform_iterator(device_keys.begin(), Twice{}), out.begin(),
                                       number.data(), n, IsOdd{}));
    check("select by stencil", out, {});
    UPSWEEP_CUDA(up::unique_by_key(tens, in.begin(), totals.begin(), out.begin(), number.begin(), n));
    check("unique by key, keys", totals, first_keys);
    check("unique by key", out, first_values);
    UPSWEEP_CUDA(up::reduce_by_key(tens, in.begin(), out.begin(), totals.begin(), number.begin(), n, cuda::std::plus<>{}));
    check("reduce by key, keys", out, first_keys);
    check("reduce by key", totals, run_totals);
    UPSWEEP_CUDA(
        up::run_length_encode(tens, out.begin(), thrust::make_discard_iterator(), number.begin(), n, thrust::equal_to<Word>{}));
    check("run lengths", out, first_keys);
    // The index of the first odd number, by a counting_iterator.
    UPSWEEP_CUDA(up::select_by_stencil(thrust::make_counting_iterator(Word(0)), device_keys.begin(), out.begin(),
                                       number.begin(), n, IsOdd{}));
    std::vector<Word> places;
    for (std::size_t i = 0; i < n; ++i) {
      if (keys[i] % 2 != 0) {
        places.push_back(static_cast<Word>(i));
      }
    }
    check("places", out, places);
  }
}

UPSWEEP_TEST(GivenBytesAndAFunctorOfPromotedResult_WhenScanned_ThenTotalsArePromoted) {
  const std::vector<unsigned char> values(1000, 200);
  DeviceArray<unsigned char> in(values);
  DeviceArray<int> out(1000);
  UPSWEEP_CUDA(up::inclusive_scan(in.data(), out.data(), 1000, std::plus<>{}));
  UPSWEEP_CHECK(out.download()[999] == 200000);
  UPSWEEP_CUDA(up::reduce(in.data(), out.data(), 1000, cuda::std::plus<>{}, 5));
  UPSWEEP_CHECK(out.download()[0] == 200005);
}

UPSWEEP_TEST(GivenStreamsInEveryForm_WhenCalled_ThenOptionsFollowInAnyOrder) {
  const std::size_t n = 5000;
  const std::vector<Word> values = values_of(n);
  DeviceArray<Word> in(values), out(n), total(1);
  cudaStream_t stream = nullptr;
  UPSWEEP_CUDA(cudaStreamCreate(&stream));
  std::vector<Word> expected = values;
  for (std::size_t i = n - 1; i-- > 0;) {
    expected[i] += expected[i + 1];
  }
  const auto check = [&](cudaError_t error) {
    UPSWEEP_CUDA(error);
    UPSWEEP_CHECK(out.download() == expected && total.download()[0] == expected[0]);
    out.poison();
    total.poison();
    UPSWEEP_CUDA(cudaDeviceSynchronize());
  };
  const auto to = up::total_to(total.data());
  check(up::inclusive_sum(in.data(), out.data(), n, up::backward, to));
  check(up::inclusive_sum(in.data(), out.data(), n, to, up::backward, 0));
  check(up::inclusive_sum(in.data(), out.data(), n, NULL, to, up::backward));
  check(up::inclusive_sum(in.data(), out.data(), n, nullptr, to, up::backward));
  check(up::inclusive_sum(in.data(), out.data(), n, to, up::backward, cuda::stream_ref(stream)));
  Resource resource;
  check(up::inclusive_sum(up::memory_of(resource), in.data(), out.data(), n, to, up::backward, stream));
  UPSWEEP_CHECK(resource.given == 101);
  OlderResource older;
  check(up::inclusive_sum(up::memory_of(older), in.data(), out.data(), n, to, up::backward, stream));
  UPSWEEP_CHECK(older.given == 1);
  UPSWEEP_CUDA(cudaStreamDestroy(stream));
}

UPSWEEP_TEST(GivenNoWorkspace_WhenCapturedInAGraph_ThenEachLaunchIsRight) {
  const std::size_t n = 300000;
  const std::vector<Word> values = values_of(n);
  DeviceArray<Word> in(values), out(n);
  cudaStream_t stream = nullptr;
  UPSWEEP_CUDA(cudaStreamCreate(&stream));
  UPSWEEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  UPSWEEP_CUDA(up::inclusive_sum(in.data(), out.data(), n, stream));
  cudaGraph_t graph = nullptr;
  UPSWEEP_CUDA(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable = nullptr;
  UPSWEEP_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  Word sum = 0;
  for (const Word value : values) {
    sum += value;
  }
  for (int launch = 0; launch < 3; ++launch) {
    out.poison();
    UPSWEEP_CUDA(cudaDeviceSynchronize());
    UPSWEEP_CUDA(cudaGraphLaunch(executable, stream));
    UPSWEEP_CUDA(cudaStreamSynchronize(stream));
    UPSWEEP_CHECK(out.download()[n - 1] == sum);
  }
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

UPSWEEP_TEST(GivenHalfNumbers_WhenReduced_ThenIdentitiesAreTheirs) {
  const std::vector<__half> halves(100, __float2half(0.5f));
  DeviceArray<__half> in(halves), out(1);
  UPSWEEP_CUDA(up::sum(in.data(), out.data(), 100));
  UPSWEEP_CHECK(__half2float(out.download()[0]) == 50.0f);
  UPSWEEP_CHECK(__half2float(up::identity<up::multiplies, __half>::value()) == 1.0f);
  UPSWEEP_CHECK(__half2float(up::identity<up::maximum, __half>::value()) == -std::numeric_limits<float>::infinity());
  UPSWEEP_CHECK(__bfloat162float(up::identity<up::multiplies, __nv_bfloat16>::value()) == 1.0f);
  UPSWEEP_CHECK(__bfloat162float(up::identity<up::minimum, __nv_bfloat16>::value()) == std::numeric_limits<float>::infinity());
}
