// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts in the array itself against those on the host; counts on the device, graphs and wrong calls.
#include "sort_check.h"

#include <upsweep/cuda/sort_in_place.cuh>

namespace upsweep::test {

namespace {

// Equal keys may be in any order: values, the places that they had, must be a permutation that sorts the keys.
template <class Value, class Key, class IsBefore, class... Options>
void check_in_place(const std::string &type, std::size_t n, Spread spread, const IsBefore &before, Options... options) {
  const std::string what = type + " " + std::to_string(n) + " spread " + std::to_string(static_cast<int>(spread)) + " ";
  const std::vector<Key> keys = sort_keys_of<Key>(n, spread);
  const auto sorted = taken_from(keys, sorted_places(keys, before));
  DeviceArray<Key> array(keys);
  UPSWEEP_CUDA(cuda::sort_keys_in_place(array.data(), n, options...));
  check_sorted(array, sorted, what + "keys");
  std::vector<Value> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = static_cast<Value>(i);
  }
  array.upload(keys);
  DeviceArray<Value> moved(values);
  UPSWEEP_CUDA(cuda::sort_pairs_in_place(array.data(), moved.data(), n, options...));
  check_sorted(array, sorted, what + "keys of pairs");
  const std::vector<Value> found = moved.download();
  std::vector<char> is_taken(n);
  bool is_right = moved.end_is_intact();
  for (std::size_t i = 0; i < n && is_right; ++i) {
    const auto place = static_cast<std::size_t>(found[i]);
    is_right = place < n && is_taken[place] == 0 && std::memcmp(&keys[place], &sorted[i], sizeof(Key)) == 0;
    if (is_right) {
      is_taken[place] = 1;
    }
  }
  if (!is_right) {
    report(__FILE__, __LINE__, (what + "values").c_str());
  }
}

template <class Value, class Key, class IsBefore, class... Options>
void check_all_in_place(const std::string &type, const IsBefore &before, Options... options) {
  for (const std::size_t n : sort_sizes()) {
    check_in_place<Value, Key>(type, n, Spread::kRandom, before, options...);
  }
  for (const std::size_t n : {7, 16, 17, 511, 512, 513, 1025, 2047, 2049, 8191, 8192, 16384, 16385, 24577, 131072, 131073}) {
    check_in_place<Value, Key>(type, n, Spread::kFewValues, before, options...);
  }
  for (const Spread spread : kSpreads) {
    check_in_place<Value, Key>(type, 300007, spread, before, options...);
  }
}

// A value of many words.
struct Wide {
  std::uint64_t words[7];
  Wide() = default;
  explicit Wide(std::size_t place) {
    for (std::uint64_t &word : words) {
      word = place;
    }
  }
  explicit operator std::size_t() const {
    for (const std::uint64_t word : words) {
      if (word != words[0]) {
        return ~std::size_t(0);
      }
    }
    return words[0];
  }
};

}  // namespace

UPSWEEP_TEST(GivenWords_WhenSortedInPlace_ThenAsOnTheHost) {
  check_all_in_place<std::uint32_t, std::uint32_t>("u32", is_before<std::uint32_t>);
  check_all_in_place<std::uint64_t, std::int32_t>("i32", is_before<std::int32_t>);
}
UPSWEEP_TEST(GivenFloats_WhenSortedInPlace_ThenAsOnTheHost) {
  check_all_in_place<std::uint32_t, float>(
      "float descending", [](float a, float b) { return is_before(b, a); }, cuda::descending);
  check_all_in_place<std::uint32_t, double>("double", is_before<double>);
}
UPSWEEP_TEST(GivenShortAndLongKeys_WhenSortedInPlace_ThenAsOnTheHost) {
  check_all_in_place<std::uint32_t, std::int8_t>("i8", is_before<std::int8_t>);
  check_all_in_place<std::uint64_t, std::uint16_t>("u16", is_before<std::uint16_t>);
  check_all_in_place<Wide, std::uint64_t>("u64", is_before<std::uint64_t>);
  check_all_in_place<Wide, unsigned __int128>("u128", is_before<unsigned __int128>);
}

UPSWEEP_TEST(GivenSomeBits_WhenSortedInPlace_ThenTheOthersDoNotCount) {
  for (const std::size_t n : {100, 8193, 300007}) {
    const auto keys = sort_keys_of<std::uint32_t>(n, Spread::kRandom);
    DeviceArray<std::uint32_t> array(keys);
    UPSWEEP_CUDA(cuda::sort_keys_in_place(array.data(), n, cuda::key_bits(5, 17)));
    auto found = array.download();
    found.resize(n);
    const auto bits = [](std::uint32_t key) { return key >> 5 & 0xfff; };
    UPSWEEP_CHECK(
        std::is_sorted(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) { return bits(a) < bits(b); }));
    auto all = keys;
    std::sort(all.begin(), all.end());
    std::sort(found.begin(), found.end());
    UPSWEEP_CHECK(all == found);
  }
}

UPSWEEP_TEST(GivenACountOnTheDevice_WhenSortedInPlaceByAGraph_ThenTheRestIsLeft) {
  constexpr std::size_t kMost = 50000;
  DeviceArray<std::uint32_t> array(kMost);
  DeviceArray<std::uint64_t> number(1);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t launchable;
  UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  UPSWEEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  UPSWEEP_CUDA(cuda::sort_keys_in_place(array.data(), cuda::count_at(number.data(), kMost), stream));
  UPSWEEP_CUDA(cudaStreamEndCapture(stream, &graph));
  UPSWEEP_CUDA(cudaGraphInstantiate(&launchable, graph, 0));
  for (const std::uint64_t n : {std::uint64_t(0), std::uint64_t(1), std::uint64_t(8191), std::uint64_t(8193),
                                std::uint64_t(33333), std::uint64_t(kMost)}) {
    auto keys = sort_keys_of<std::uint32_t>(kMost, Spread::kRandom);
    array.upload(keys);
    number.upload({n});
    UPSWEEP_CUDA(cudaDeviceSynchronize());
    UPSWEEP_CUDA(cudaGraphLaunch(launchable, stream));
    UPSWEEP_CUDA(cudaStreamSynchronize(stream));
    std::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(n));
    check_sorted(array, keys, "first " + std::to_string(n));
  }
  UPSWEEP_CUDA(cudaGraphExecDestroy(launchable));
  UPSWEEP_CUDA(cudaGraphDestroy(graph));
  UPSWEEP_CUDA(cudaStreamDestroy(stream));
}

UPSWEEP_TEST(GivenWrongArguments_WhenSortedInPlace_ThenAnError) {
  DeviceArray<std::uint32_t> keys(1000), values(1000);
  std::uint32_t *const nowhere = nullptr;
  const auto is_refused = [](cudaError_t error) { return error == cudaErrorInvalidValue; };
  UPSWEEP_CHECK(is_refused(cuda::sort_keys_in_place(nowhere, 1000)));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys_in_place(keys.data(), std::uint64_t(1) << 41)));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys_in_place(keys.data(), 1000, cuda::key_bits(0, 33))));
  UPSWEEP_CHECK(is_refused(cuda::sort_pairs_in_place(keys.data(), nowhere, 1000)));
  UPSWEEP_CHECK(is_refused(cuda::sort_pairs_in_place(keys.data(), keys.data() + 500, 1000)));
  UPSWEEP_CHECK(cuda::sort_keys_in_place(nowhere, 0) == cudaSuccess);
  UPSWEEP_CHECK(cudaGetLastError() == cudaSuccess);
}

}  // namespace upsweep::test
