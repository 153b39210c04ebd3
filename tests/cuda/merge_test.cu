// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges and merge sorts against std::merge and std::stable_sort, and errors of wrong calls.
#include "sort_check.h"

#include <upsweep/cuda/merge.cuh>

namespace upsweep::test {

namespace {

// A type without a default constructor, ordered by one member.
template <std::size_t kBytes>
struct Record {
  explicit Record(std::size_t key, std::size_t number) : first(static_cast<std::uint16_t>(key)) {
    for (std::size_t i = 0; i < sizeof rest; ++i) {
      rest[i] = static_cast<unsigned char>(number >> (8 * (i % 4)) ^ i);
    }
  }
  std::uint16_t first;
  unsigned char rest[kBytes - 2];
};
struct ByFirst {
  template <class R>
  __host__ __device__ bool operator()(const R &a, const R &b) const {
    return a.first < b.first;
  }
};
struct IsGreater {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a > b; }
};

template <class R>
std::vector<R> records(std::size_t n, std::size_t values) {
  std::vector<R> all;
  for (std::size_t i = 0; i < n; ++i) {
    all.emplace_back(generator()() % values, i);
  }
  return all;
}

template <class R>
void check_records(std::size_t n) {
  const std::string what = std::to_string(sizeof(R)) + " bytes, " + std::to_string(n);
  for (const std::size_t values : {std::size_t(7), std::size_t(60000)}) {
    std::vector<R> all = records<R>(n, values);
    DeviceArray<R> in(all), out(n);
    const SortSpaceOf space(cuda::merge_sort_workspace_bytes<R>(n));
    UPSWEEP_CUDA(cuda::merge_sort(space.space, static_cast<const R *>(in.data()), out.data(), n, ByFirst{}));
    std::stable_sort(all.begin(), all.end(), ByFirst{});
    check_sorted(out, all, what);
    UPSWEEP_CUDA(cuda::merge_sort(static_cast<const R *>(in.data()), in.data(), n, ByFirst{}, cudaStream_t(nullptr)));
    check_sorted(in, all, what + " in place");
  }
}

std::vector<std::size_t> merge_sizes() { return {1, 2, 14, 15, 16, 255, 256, 3839, 3840, 3841, 11520, 50000, 300001}; }

}  // namespace

UPSWEEP_TEST(GivenAComparison_WhenSorted_ThenAsOnTheHost) {
  for (const std::size_t n : merge_sizes()) {
    check_records<Record<6>>(n);
    check_records<Record<64>>(n);
  }
}

UPSWEEP_TEST(GivenPairs_WhenSortedByMerges_ThenTheyMoveWithTheirKeys) {
  struct Value {
    std::uint32_t words[3];
  };
  for (const std::size_t n : merge_sizes()) {
    for (const Spread spread : kSpreads) {
      const auto keys = sort_keys_of<std::uint32_t>(n, spread);
      std::vector<Value> values(n);
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = {{static_cast<std::uint32_t>(i), ~static_cast<std::uint32_t>(i), 7}};
      }
      const auto places = sorted_places(keys, [](std::uint32_t a, std::uint32_t b) { return a > b; });
      DeviceArray<std::uint32_t> in(keys), out(n);
      DeviceArray<Value> values_in(values), values_out(n);
      const SortSpaceOf space(cuda::merge_sort_workspace_bytes<std::uint32_t, Value>(n));
      UPSWEEP_CUDA(cuda::merge_sort_pairs(space.space, static_cast<const std::uint32_t *>(in.data()), out.data(),
                                          static_cast<const Value *>(values_in.data()), values_out.data(), n, IsGreater{}));
      check_sorted(out, taken_from(keys, places), "keys of " + std::to_string(n));
      check_sorted(values_out, taken_from(values, places), "values of " + std::to_string(n));
      UPSWEEP_CUDA(cuda::merge_sort_pairs(space.space, static_cast<const std::uint32_t *>(in.data()), in.data(),
                                          static_cast<const Value *>(values_in.data()), values_in.data(), n, IsGreater{}));
      check_sorted(in, taken_from(keys, places), "keys in place of " + std::to_string(n));
      check_sorted(values_in, taken_from(values, places), "values in place of " + std::to_string(n));
    }
  }
}

UPSWEEP_TEST(GivenTwoRanges_WhenMerged_ThenAsOnTheHost) {
  const std::vector<std::pair<std::size_t, std::size_t>> counts{
      {0, 1}, {1, 0}, {1, 1}, {3839, 1}, {1, 3839}, {3840, 3840}, {100000, 77}, {123457, 99991}, {0, 300000}, {300000, 0}};
  for (const auto &[a_count, b_count] : counts) {
    for (const Spread spread : {Spread::kRandom, Spread::kFewValues, Spread::kEqual}) {
      auto a = sort_keys_of<std::uint32_t>(a_count, spread), b = sort_keys_of<std::uint32_t>(b_count, spread);
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      std::vector<std::uint64_t> a_values(a_count), b_values(b_count);
      std::iota(a_values.begin(), a_values.end(), std::uint64_t(0));
      std::iota(b_values.begin(), b_values.end(), std::uint64_t(1) << 40);
      // Keys of `a` come first, so that a stable sort equals the merge.
      std::vector<std::uint32_t> keys = a;
      std::vector<std::uint64_t> values = a_values;
      keys.insert(keys.end(), b.begin(), b.end());
      values.insert(values.end(), b_values.begin(), b_values.end());
      const auto places = sorted_places(keys, [](std::uint32_t x, std::uint32_t y) { return x < y; });
      DeviceArray<std::uint32_t> a_in(a), b_in(b), out(keys.size());
      DeviceArray<std::uint64_t> a_values_in(a_values), b_values_in(b_values), values_out(keys.size());
      const std::string what = std::to_string(a_count) + " and " + std::to_string(b_count);
      UPSWEEP_CUDA(cuda::merge(a_in.data(), b_in.data(), out.data(), a_count, b_count));
      check_sorted(out, taken_from(keys, places), what);
      out.poison();
      UPSWEEP_CUDA(cuda::merge_pairs(a_in.data(), a_values_in.data(), b_in.data(), b_values_in.data(), out.data(),
                                     values_out.data(), a_count, b_count, cudaStream_t(nullptr)));
      check_sorted(out, taken_from(keys, places), what + " with values");
      check_sorted(values_out, taken_from(values, places), what + " values");
    }
  }
}

UPSWEEP_TEST(GivenACountOnTheDevice_WhenSortedByMerges_ThenTheRestIsLeft) {
  constexpr std::size_t kMost = 50000;
  const auto keys = sort_keys_of<std::uint32_t>(kMost, Spread::kRandom);
  DeviceArray<std::uint32_t> in(keys), out(kMost);
  DeviceArray<std::uint64_t> number(1);
  const SortSpaceOf space(cuda::merge_sort_workspace_bytes<std::uint32_t>(kMost));
  for (const std::uint64_t n : {0, 1, 4000, 31111, 50000}) {
    number.upload({n});
    out.poison();
    UPSWEEP_CUDA(cuda::merge_sort(space.space, static_cast<const std::uint32_t *>(in.data()), out.data(),
                                  cuda::count_at(number.data(), kMost), IsGreater{}));
    std::vector<std::uint32_t> expected(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(n));
    std::sort(expected.begin(), expected.end(), IsGreater{});
    expected.resize(kMost, 0xa5a5a5a5u);
    check_sorted(out, expected, std::to_string(n));
  }
}

UPSWEEP_TEST(GivenNaNs_WhenSortedByMerges_ThenNothingButTheirElementsIsRead) {
  constexpr std::size_t kCount = 50000;
  std::vector<float> keys(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    keys[i] = generator()() % 3 == 0 ? NAN : static_cast<float>(generator()() % kCount);
  }
  DeviceArray<float> in(keys), out(kCount), merged(kCount);
  DeviceArray<std::uint32_t> values(kCount), values_out(kCount);
  std::vector<std::uint32_t> places(kCount);
  std::iota(places.begin(), places.end(), 0u);
  values.upload(places);
  const auto check = [&](const DeviceArray<float> &found, const char *what) {
    const std::vector<float> all = found.download();
    const std::vector<std::uint32_t> from = values_out.download();
    for (std::size_t i = 0; i < kCount; ++i) {
      if (from[i] >= kCount || !same(all[i], keys[from[i]])) {
        report(__FILE__, __LINE__, what);
      }
    }
    UPSWEEP_CHECK(found.end_is_intact() && values_out.end_is_intact());
  };
  UPSWEEP_CUDA(cuda::merge_sort_pairs(in.data(), out.data(), values.data(), values_out.data(), kCount));
  check(out, "sorted");
  values_out.poison();
  for (const std::size_t half : {std::size_t(1), kCount / 2, kCount - 1}) {
    UPSWEEP_CUDA(cuda::merge_pairs(in.data(), values.data(), in.data() + half, values.data() + half, merged.data(),
                                   values_out.data(), half, kCount - half));
    check(merged, "merged");
  }
}

UPSWEEP_TEST(GivenWrongArguments_WhenMerged_ThenAnError) {
  DeviceArray<std::uint32_t> in(1000), out(1000);
  const auto *const source = static_cast<const std::uint32_t *>(in.data());
  const std::uint32_t *const none = nullptr;
  std::uint32_t *const nowhere = nullptr;
  const SortSpaceOf space(cuda::merge_sort_workspace_bytes<std::uint32_t>(1000));
  const auto is_refused = [](cudaError_t error) { return error == cudaErrorInvalidValue; };
  UPSWEEP_CHECK(is_refused(cuda::merge(none, source, out.data(), 10, 10)));
  UPSWEEP_CHECK(is_refused(cuda::merge(source, source, nowhere, 10, 10)));
  UPSWEEP_CHECK(is_refused(cuda::merge(source, source, in.data(), 10, 10)));
  UPSWEEP_CHECK(is_refused(cuda::merge(source, source, out.data(), std::uint64_t(1) << 40, 1)));
  UPSWEEP_CHECK(is_refused(cuda::merge_pairs(source, source, source + 10, source, out.data(), out.data(), 10, 10)));
  UPSWEEP_CHECK(is_refused(cuda::merge_pairs(source, out.data() + 19, source, source, out.data(), in.data() + 500, 10, 10)));
  UPSWEEP_CHECK(is_refused(cuda::merge_sort_pairs(source, out.data(), source, out.data(), 500)));
  UPSWEEP_CHECK(cuda::merge(none, none, nowhere, 0, 0) == cudaSuccess);
  UPSWEEP_CHECK(is_refused(cuda::merge_sort(space.space, none, out.data(), 1000)));
  UPSWEEP_CHECK(is_refused(cuda::merge_sort(space.space, source, in.data() + 1, 999)));
  UPSWEEP_CHECK(is_refused(cuda::merge_sort(cuda::workspace{space.space.data, 8}, source, out.data(), 1000)));
  UPSWEEP_CHECK(is_refused(cuda::merge_sort(space.space, source, out.data(), std::uint64_t(1) << 41)));
  UPSWEEP_CHECK(cuda::merge_sort(space.space, none, nowhere, 0) == cudaSuccess);
  UPSWEEP_CHECK(cudaGetLastError() == cudaSuccess);
}

}  // namespace upsweep::test
