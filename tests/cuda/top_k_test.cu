// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections by rank against std::stable_sort, with the number of elements on the host and on the device; wrong calls.
#include "sort_check.h"

#include <upsweep/cuda/top_k.cuh>

#include <set>

namespace upsweep::test {

namespace {

template <class Key, class IsBefore, class... Options>
void check_ranks(const std::string &type, std::size_t n, Spread spread, const IsBefore &before, Options... options) {
  const std::vector<Key> keys = sort_keys_of<Key>(n, spread);
  const auto places = sorted_places(keys, before);
  const auto sorted = taken_from(keys, places);
  const DeviceArray<Key> in(keys);
  const Key *const from = const_cast<DeviceArray<Key> &>(in).data();
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 0.5);
  DeviceArray<double> values_in(values);
  const std::string what = type + " " + std::to_string(n) + " spread " + std::to_string(static_cast<int>(spread)) + " ";
  for (const std::size_t k : std::set<std::size_t>{1, std::min<std::size_t>(n, 100), n / 100 + 1, n / 2 + 1, n}) {
    const auto length = static_cast<std::ptrdiff_t>(k);
    const std::vector<Key> first(sorted.begin(), sorted.begin() + length);
    const std::vector<std::uint32_t> first_places(places.begin(), places.begin() + length);
    DeviceArray<Key> out(k), key(1);
    DeviceArray<std::uint32_t> indices(k), index(1);
    DeviceArray<double> values_out(k);
    const SortSpaceOf space(cuda::top_k_workspace_bytes<Key>(n, k));
    UPSWEEP_CUDA(cuda::arg_top_k(space.space, from, out.data(), indices.data(), n, k, options...));
    check_sorted(out, first, what + "first " + std::to_string(k));
    check_sorted(indices, first_places, what + "indices of the first " + std::to_string(k));
    out.poison();
    UPSWEEP_CUDA(cuda::top_k_keys(from, out.data(), n, k, options...));
    check_sorted(out, first, what + "keys of the first " + std::to_string(k));
    UPSWEEP_CUDA(cuda::top_k_pairs(space.space, from, out.data(), static_cast<const double *>(values_in.data()),
                                   values_out.data(), n, k, options...));
    check_sorted(values_out, taken_from(values, first_places), what + "values of the first " + std::to_string(k));
    const std::size_t rank = k - 1;
    const SortSpaceOf of_rank(cuda::nth_element_workspace_bytes<Key>(n, rank));
    UPSWEEP_CUDA(cuda::arg_nth_element(of_rank.space, from, key.data(), index.data(), n, rank, options...));
    check_sorted(key, {sorted[rank]}, what + "rank " + std::to_string(rank));
    check_sorted(index, {places[rank]}, what + "index of rank " + std::to_string(rank));
    key.poison();
    UPSWEEP_CUDA(cuda::nth_element(from, key.data(), n, rank, options...));
    check_sorted(key, {sorted[rank]}, what + "key of rank " + std::to_string(rank));
  }
  check_sorted(in, keys, what + "input");
}

template <class Key, class IsBefore, class... Options>
void check_all_ranks(const std::string &type, const IsBefore &before, Options... options) {
  for (const std::size_t n : {1, 2, 33, 4097, 65536, 65537, 300007}) {
    check_ranks<Key>(type, n, Spread::kRandom, before, options...);
  }
  for (const Spread spread : kSpreads) {
    check_ranks<Key>(type, 1000003, spread, before, options...);
  }
}

struct Wide {
  std::uint64_t name;
  std::int32_t value;
  std::uint32_t more;
  explicit operator float() const { return static_cast<float>(value); }
};

// Elements behind the expected ones must be unchanged.
template <class T>
void check_begin(const DeviceArray<T> &array, std::vector<T> expected, const std::string &what) {
  const std::vector<T> poisoned = DeviceArray<T>(array.bytes() / sizeof(T)).download();
  expected.insert(expected.end(), poisoned.begin() + static_cast<std::ptrdiff_t>(expected.size()), poisoned.end());
  check_sorted(array, expected, what);
}

// Device memory holds `count`; at most n elements are possible.
template <class Key, class... Options>
void check_counted(std::size_t n, std::size_t count, std::size_t k, Spread spread, Options... options) {
  const std::vector<Key> keys = sort_keys_of<Key>(n, spread);
  const std::vector<Key> there(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count));
  constexpr bool kDescending = sizeof...(Options) > 0;
  const auto places =
      sorted_places(there, [](const Key &a, const Key &b) { return kDescending ? is_before(b, a) : is_before(a, b); });
  const std::vector<std::uint32_t> first(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(std::min(k, count)));
  const std::size_t rank = k - 1;
  const auto of_rank = rank < count ? std::vector<std::uint32_t>{places[rank]} : std::vector<std::uint32_t>{};
  const std::string what = std::to_string(count) + " of " + std::to_string(n) + " spread " +
                           std::to_string(static_cast<int>(spread)) + " k " + std::to_string(k) + " ";
  DeviceArray<Key> in(keys), out(k), key(1);
  const Key *const from = in.data();
  DeviceArray<std::uint64_t> number(std::vector<std::uint64_t>{count});
  const cuda::count_at at(number.data(), n);
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 0.5);
  DeviceArray<double> values_in(values), values_out(k);
  DeviceArray<std::uint32_t> indices(k), index(1);
  const SortSpaceOf space(cuda::top_k_workspace_bytes<Key>(n, k));
  UPSWEEP_CUDA(cuda::arg_top_k(space.space, from, out.data(), indices.data(), at, k, options...));
  check_begin(out, taken_from(keys, first), what + "keys and indices");
  check_begin(indices, first, what + "indices");
  out.poison();
  UPSWEEP_CUDA(cuda::top_k_keys(from, out.data(), at, k, options...));
  check_begin(out, taken_from(keys, first), what + "keys");
  out.poison();
  UPSWEEP_CUDA(cuda::top_k_pairs(space.space, from, out.data(), static_cast<const double *>(values_in.data()),
                                 values_out.data(), at, k, options...));
  check_begin(values_out, taken_from(values, first), what + "values");
  const SortSpaceOf space_of_rank(cuda::nth_element_workspace_bytes<Key>(n, rank));
  UPSWEEP_CUDA(cuda::arg_nth_element(space_of_rank.space, from, key.data(), index.data(), at, rank, options...));
  check_begin(key, taken_from(keys, of_rank), what + "key of the rank before");
  check_begin(index, of_rank, what + "index of the rank before");
  key.poison();
  UPSWEEP_CUDA(cuda::nth_element(from, key.data(), at, rank, options...));
  check_begin(key, taken_from(keys, of_rank), what + "key alone of the rank before");
}

}  // namespace

UPSWEEP_TEST(GivenWords_WhenSelectedByRank_ThenAsOnTheHost) { check_all_ranks<std::uint32_t>("u32", is_before<std::uint32_t>); }
UPSWEEP_TEST(GivenFloats_WhenSelectedByRank_ThenAsOnTheHost) {
  check_all_ranks<float>("float descending", [](float a, float b) { return is_before(b, a); }, cuda::descending);
}
UPSWEEP_TEST(GivenBytesAndLongWords_WhenSelectedByRank_ThenAsOnTheHost) {
  check_all_ranks<std::int8_t>("i8", is_before<std::int8_t>);
  check_all_ranks<std::uint64_t>("u64", is_before<std::uint64_t>);
}

UPSWEEP_TEST(GivenLongKeys_WhenSelectedByRank_ThenAsOnTheHost) {
  constexpr cuda::by_members<&Wide::value> kByValue{};
  for (const std::size_t n : {1, 33, 4097, 65537, 150007}) {
    check_ranks<unsigned __int128>("u128", n, Spread::kRandom, is_before<unsigned __int128>);
  }
  for (const Spread spread : kSpreads) {
    check_ranks<__int128>("i128 descending", 100003, spread, [](__int128 a, __int128 b) { return b < a; }, cuda::descending);
  }
  for (const Spread spread : {Spread::kRandom, Spread::kFewValues}) {
    check_ranks<Wide>("struct", 100003, spread, [](const Wide &a, const Wide &b) { return a.value < b.value; }, kByValue);
  }
}

UPSWEEP_TEST(GivenACountOnTheDevice_WhenSelectedByRank_ThenOnlySoManyElementsCount) {
  for (const std::size_t n : {1, 65536, 65537, 200003}) {
    for (const std::size_t count : {0, 1, 99, 255, 256, 5000, 65536, 100001, 200003}) {
      for (const std::size_t k : {1, 100, 256, 6000}) {
        if (count <= n && k <= n) {
          check_counted<std::uint32_t>(n, count, k, Spread::kRandom);
        }
      }
    }
  }
  for (const std::size_t count : {0, 300, 70000}) {
    check_counted<float>(100003, count, 400, Spread::kEqual, cuda::descending);
    check_counted<std::int8_t>(100003, count, 2000, Spread::kRandom);
    check_counted<std::uint64_t>(100003, count, 2000, Spread::kFewValues);
    check_counted<unsigned __int128>(100003, count, 400, Spread::kFewValues);
  }
}

UPSWEEP_TEST(GivenWrongArguments_WhenSelectedByRank_ThenAnError) {
  DeviceArray<std::uint32_t> in(1000), out(1000);
  const auto *const source = static_cast<const std::uint32_t *>(in.data());
  const std::uint32_t *const none = nullptr;
  std::uint32_t *const nowhere = nullptr;
  const SortSpaceOf space(cuda::top_k_workspace_bytes<std::uint32_t>(1000, 10));
  const auto is_refused = [](cudaError_t error) { return error == cudaErrorInvalidValue; };
  UPSWEEP_CHECK(is_refused(cuda::top_k_keys(space.space, none, out.data(), 1000, 10)));
  UPSWEEP_CHECK(is_refused(cuda::top_k_keys(space.space, source, nowhere, 1000, 10)));
  UPSWEEP_CHECK(is_refused(cuda::top_k_keys(space.space, source, in.data(), 1000, 10)));
  UPSWEEP_CHECK(is_refused(cuda::top_k_keys(space.space, source, out.data(), 1000, 1001)));
  UPSWEEP_CHECK(is_refused(cuda::top_k_keys(space.space, source, out.data(), (std::uint64_t(1) << 32) + 1, 10)));
  UPSWEEP_CHECK(is_refused(cuda::top_k_keys(cuda::workspace{space.space.data, 64}, source, out.data(), 1000, 10)));
  UPSWEEP_CHECK(is_refused(cuda::nth_element(space.space, source, out.data(), 1000, 1000)));
  UPSWEEP_CHECK(is_refused(cuda::nth_element(space.space, source, nowhere, 1000, 0)));
  UPSWEEP_CHECK(is_refused(cuda::top_k_keys(space.space, source, out.data(), cuda::count_at(nullptr, 1000), 10)));
  DeviceArray<std::uint64_t> number(std::vector<std::uint64_t>{1000});
  UPSWEEP_CHECK(is_refused(cuda::top_k_keys(space.space, source, out.data(), cuda::count_at(number.data(), 9), 10)));
  UPSWEEP_CHECK(is_refused(cuda::nth_element(space.space, source, out.data(), cuda::count_at(number.data(), 1000), 1000)));
  UPSWEEP_CHECK(is_refused(cuda::arg_top_k(space.space, source, out.data(), out.data() + 9, 1000, 10)));
  UPSWEEP_CHECK(is_refused(cuda::arg_top_k(space.space, source, nowhere, in.data() + 990, 1000, 10)));
  UPSWEEP_CHECK(cuda::top_k_keys(space.space, none, nowhere, 0, 0) == cudaSuccess);
  UPSWEEP_CHECK(cudaGetLastError() == cudaSuccess);
}

}  // namespace upsweep::test
