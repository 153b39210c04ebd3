// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions: every edge and alignment, operators that do not commute, sums wider than the elements, places of extremes.
#include "scan_check.h"

#include <upsweep/cuda/compensated.cuh>
#include <upsweep/cuda/reduce.cuh>

#include <cmath>
#include <numeric>

using namespace upsweep::test;

namespace {

// Sizes around the edges of vectors, of tiles, of all blocks' first tiles, and large ones.
std::vector<std::size_t> reduce_sizes(std::size_t element_bytes) {
  const std::size_t tile = 512 * 4 * (element_bytes > 16 ? 1 : 16 / element_bytes);
  std::vector<std::size_t> sizes = {0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 511, 512, 513, tile - 1, tile, tile + 1, 3 * tile + 1};
  if (is_short_run()) {
    return {0, 1, 33, tile - 1, tile + 1, 3 * tile + 1};
  }
  for (int bits = 5; bits < 21; bits += 3) {
    sizes.push_back((std::size_t(1) << bits) + generator()() % (std::size_t(7) << bits));
  }
  sizes.push_back(396 * tile);
  sizes.push_back(396 * tile + 1);
  if (element_bytes <= 8) {
    sizes.push_back(1003 * tile + 77);
  }
  return sizes;
}

// call(in, out) with arrays at several placements, against the expected total.
template <class In, class T, class Call>
void check_total(const std::string &what, const std::vector<In> &values, const T &expected, const Call &call) {
  for (const std::size_t shift : {0, 1, 3}) {
    Placed<In> in(values, shift);
    Placed<T> out(1, 0);
    const cudaError_t error = call(in.data(), out.data());
    if (error != cudaSuccess) {
      report(__FILE__, __LINE__, (what + ": " + cudaGetErrorName(error)).c_str());
      return;
    }
    expect_same(what + " of " + std::to_string(values.size()) + " at " + std::to_string(shift), out.download(), {expected});
    UPSWEEP_CHECK(out.surroundings_are_intact());
  }
}

template <class In, class T, class Op>
void check_reduce(const char *name, Op op, T initial) {
  for (const std::size_t n : reduce_sizes(sizeof(In))) {
    const std::vector<In> values = scan_values<In>(n);
    T expected = initial;
    for (const In &value : values) {
      expected = op(expected, T(value));
    }
    check_total(name, values, expected,
                [&](const In *in, T *out) { return cuda::reduce(shared_space(), in, out, n, op, initial); });
  }
}

struct SquareAtOdd {
  template <class T>
  __host__ __device__ std::uint64_t operator()(const T &x, std::uint64_t index) const {
    return index % 2 == 1 ? static_cast<std::uint64_t>(x) * x : 0;
  }
};

}  // namespace

UPSWEEP_TEST(GivenWords_WhenReduced_ThenTotalsWrap) { check_reduce<std::uint32_t>("sum u32", cuda::plus{}, 7u); }
UPSWEEP_TEST(GivenBytes_WhenAddedInWords_ThenNothingIsLost) { check_reduce<std::uint8_t>("sum u8", cuda::plus{}, 0u); }
UPSWEEP_TEST(GivenSignedBytes_WhenReducedToTheLeast_ThenItIsRight) {
  check_reduce<std::int8_t>("min i8", cuda::minimum{}, std::int8_t(127));
}
UPSWEEP_TEST(GivenShorts_WhenReducedToTheLargest_ThenItIsRight) {
  check_reduce<std::uint16_t>("max u16", cuda::maximum{}, std::uint16_t(0));
}
UPSWEEP_TEST(GivenLongs_WhenReduced_ThenTotalsWrap) { check_reduce<std::int64_t>("sum i64", cuda::plus{}, std::int64_t(-3)); }
UPSWEEP_TEST(GivenWholeFloats_WhenReduced_ThenTotalsAreExact) { check_reduce<float>("sum f32", cuda::plus{}, 0.5f); }
UPSWEEP_TEST(GivenMaps_WhenComposed_ThenOperandsAreInOrder) {
  check_reduce<Affine<1>>("maps", Compose{}, Affine<1>{{3}, {5}});
  check_reduce<Affine<8>>("large maps", Compose{}, Affine<8>{{1, 1, 1, 1, 1, 1, 1, 1}, {}});
}
UPSWEEP_TEST(GivenMatrices_WhenMultiplied_ThenOperandsAreInOrder) {
  check_reduce<Heisenberg>("matrices", HeisenbergProduct{}, Heisenberg{1, 2, 3});
}
UPSWEEP_TEST(GivenTriples_WhenReduced_ThenTheLastIsTaken) { check_reduce<Triple>("triples", LastTriple{}, Triple{{1, 1, 1}}); }

UPSWEEP_TEST(GivenAnIndex_WhenTransformed_ThenItIsTheElements) {
  for (const std::size_t n : reduce_sizes(4)) {
    const std::vector<std::uint32_t> values = scan_values<std::uint32_t>(n);
    std::uint64_t expected = 9;
    for (std::size_t i = 0; i < n; ++i) {
      expected += SquareAtOdd()(values[i], i);
    }
    check_total("transformed", values, expected, [&](const std::uint32_t *in, std::uint64_t *out) {
      return cuda::transform_reduce(shared_space(), in, out, n, cuda::plus{}, SquareAtOdd{}, std::uint64_t(9));
    });
  }
}

UPSWEEP_TEST(GivenExtremes_WhenLookedFor_ThenTheFirstOfEqualOnesIsFound) {
  for (const std::size_t n : reduce_sizes(2)) {
    if (n == 0) {
      continue;
    }
    std::vector<std::int16_t> values(n);
    for (std::int16_t &value : values) {
      value = static_cast<std::int16_t>(generator()() % 1000);  // so that extremes come often
    }
    const auto least = std::min_element(values.begin(), values.end());
    const auto largest = std::max_element(values.begin(), values.end());
    for (const std::size_t shift : {0, 1}) {
      Placed<std::int16_t> in(values, shift);
      DeviceArray<cuda::indexed<std::int16_t>> out(2);
      UPSWEEP_CUDA(cuda::arg_min(shared_space(), in.data(), out.data(), n));
      UPSWEEP_CUDA(cuda::arg_max(shared_space(), in.data(), out.data() + 1, n));
      const auto got = out.download();
      UPSWEEP_CHECK(got[0].value == *least && got[0].index == static_cast<std::uint64_t>(least - values.begin()));
      UPSWEEP_CHECK(got[1].value == *largest && got[1].index == static_cast<std::uint64_t>(largest - values.begin()));
    }
  }
}

UPSWEEP_TEST(GivenAnyFloats_WhenSummedAgain_ThenAllBitsAreTheSame) {
  const std::size_t n = std::min<std::size_t>(5000017, most_elements());
  std::vector<float> values(n);
  std::uniform_real_distribution<float> any(-1.0f, 1.0f);
  for (float &value : values) {
    value = any(generator());
  }
  const double expected = std::accumulate(values.begin(), values.end(), 0.0);
  Placed<float> in(values, 0);
  DeviceArray<float> out(1);
  std::vector<float> first;
  for (int i = 0; i < 20; ++i) {
    UPSWEEP_CUDA(cuda::sum(shared_space(), in.data(), out.data(), n));
    const std::vector<float> got = out.download();
    if (first.empty()) {
      first = got;
    }
    expect_same("the same sum again", got, first);
  }
  UPSWEEP_CHECK(std::abs(first.front() - expected) < 1.0);
}

UPSWEEP_TEST(GivenACountAndAnInitialValueOnTheDevice_WhenReduced_ThenTheyAreUsed) {
  const std::vector<std::uint32_t> values = scan_values<std::uint32_t>(100000);
  Placed<std::uint32_t> in(values, 0);
  DeviceArray<std::uint32_t> out(1), initial(std::vector<std::uint32_t>{41});
  for (const std::size_t n : {0, 1, 77, 8192, 99999, 100000}) {
    DeviceArray<std::uint64_t> count(std::vector<std::uint64_t>{n});
    UPSWEEP_CUDA(cuda::reduce(shared_space(), in.data(), out.data(), cuda::count_at(count.data(), values.size()), cuda::plus{},
                              cuda::initial_at<std::uint32_t>(initial.data())));
    expect_same("count on the device", out.download(), {std::accumulate(values.begin(), values.begin() + n, 41u)});
  }
}

UPSWEEP_TEST(GivenWrongArguments_WhenReduced_ThenErrorsSaySo) {
  DeviceArray<std::uint32_t> in(10), out(1);
  const cuda::workspace space = shared_space(), small{space.data, 64}, none;
  UPSWEEP_CHECK(cuda::sum(none, in.data(), out.data(), 10) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::sum(small, in.data(), out.data(), 10) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::sum(space, static_cast<std::uint32_t *>(nullptr), out.data(), 10) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::sum(space, in.data(), static_cast<std::uint32_t *>(nullptr), 10) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::sum(space, in.data(), out.data(), (std::uint64_t(1) << 40) + 1) == cudaErrorInvalidValue);
  UPSWEEP_CUDA(cuda::sum(cuda::stream_pool, in.data(), out.data(), 10));
  expect_same("from the pool", out.download(), {10 * 0xa5a5a5a5u});
}

UPSWEEP_TEST(GivenFloatsThatCancel_WhenAddedUpWithErrors_ThenTheSumIsRoundedOnce) {
  const std::size_t n = is_short_run() ? 10001 : 3000001;
  std::vector<float> values(n);
  double expected = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // Large numbers recur with the opposite sign.
    values[i] = i % 3 == 2 ? -values[i - 1] : static_cast<float>(generator()() % 100001) * (i % 3 == 1 ? 1e4f : 1e-6f);
    expected += i % 3 == 0 ? static_cast<double>(values[i]) : 0;
  }
  if (n % 3 == 2) {
    expected += static_cast<double>(values[n - 1]);
  }
  Placed<float> in(values, 1), out(1, 0);
  UPSWEEP_CUDA(cuda::compensated_sum(shared_space(), in.data(), out.data(), n));
  const double got = out.download().front();
  UPSWEEP_CHECK(std::abs(got - expected) <= 1e-5 * expected);
  UPSWEEP_CHECK(cuda::compensated_sum(shared_space(), in.data(), static_cast<float *>(nullptr), n) == cudaErrorInvalidValue);
}

UPSWEEP_TEST(GivenSignedBytes_WhenAddedInWords_ThenSignsCount) { check_reduce<std::int8_t>("sum i8", cuda::plus{}, -5); }
