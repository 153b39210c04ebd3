// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Radix sorts with values, by some bits, with counts on the device and in graphs, against std::stable_sort; and wrong calls.
#include "sort_check.h"

namespace upsweep::test {

namespace {

// Values that identify their source, with a given alignment, without a default constructor.
template <std::size_t kBytes, std::size_t kAlignment = kBytes % 4 == 0 ? 4 : 1>
struct Value {
  explicit Value(std::size_t) {}
  alignas(kAlignment) unsigned char bytes[kBytes];
};

template <class Key, class V>
void check_pairs(const char *type, std::size_t n) {
  const std::vector<Key> keys = sort_keys_of<Key>(n, Spread::kFewValues);
  std::vector<V> values(n, V(0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t byte = 0; byte < sizeof(V); ++byte) {
      values[i].bytes[byte] = static_cast<unsigned char>(i >> (8 * (byte % 4)) ^ byte * 37);
    }
  }
  const std::string what = std::string(type) + " with " + std::to_string(sizeof(V)) + " bytes, " + std::to_string(n);
  const std::vector<std::uint32_t> places = sorted_places(keys, is_before<Key>);
  DeviceArray<Key> in(keys), out(n);
  DeviceArray<V> values_in(values), values_out(n);
  const SortSpaceOf space(cuda::sort_workspace_bytes<Key, V>(n));
  const auto sort = [&](DeviceArray<Key> &keys_to, DeviceArray<V> &values_to) {
    UPSWEEP_CUDA(cuda::sort_pairs(space.space, static_cast<const Key *>(in.data()), keys_to.data(),
                                  static_cast<const V *>(values_in.data()), values_to.data(), n));
    check_sorted(keys_to, taken_from(keys, places), what + " keys");
    check_sorted(values_to, taken_from(values, places), what);
  };
  sort(out, values_out);
  cuda::double_buffer<Key> key_buffers{in.data(), out.data()};
  cuda::double_buffer<V> value_buffers{values_in.data(), values_out.data()};
  const SortSpaceOf small(cuda::sort_buffers_workspace_bytes<Key, V>(n));
  UPSWEEP_CUDA(cuda::sort_pairs(small.space, key_buffers, value_buffers, n));
  check_sorted(key_buffers.current == in.data() ? in : out, taken_from(keys, places), what + " key buffer");
  check_sorted(value_buffers.current == values_in.data() ? values_in : values_out, taken_from(values, places),
               what + " value buffer");
  in.upload(keys);
  values_in.upload(values);
  sort(in, values_in);
}

}  // namespace

UPSWEEP_TEST(GivenValues_WhenSorted_ThenTheyMoveWithTheirKeys) {
  for (const std::size_t n : {std::size_t(1), std::size_t(4097), std::size_t(65537), std::size_t(300001)}) {
    check_pairs<std::uint8_t, Value<1>>("u8", n);
    check_pairs<std::uint16_t, Value<2>>("u16", n);
    check_pairs<std::uint32_t, Value<4>>("u32", n);
    check_pairs<float, Value<12>>("float", n);
    check_pairs<std::uint64_t, Value<8>>("u64", n);
    check_pairs<std::uint64_t, Value<16, 16>>("u64", n);
    check_pairs<double, Value<24, 8>>("double", n);
    check_pairs<unsigned __int128, Value<64>>("u128", n);
  }
}

UPSWEEP_TEST(GivenBits_WhenSorted_ThenTheyAloneCount) {
  for (const std::size_t n : {std::size_t(3000), std::size_t(200003)}) {
    const std::vector<std::uint64_t> keys = sort_keys_of<std::uint64_t>(n, Spread::kRandom);
    DeviceArray<std::uint64_t> in(keys), out(n);
    DeviceArray<std::uint32_t> places(n);
    const SortSpaceOf space(cuda::sort_workspace_bytes<std::uint64_t, std::uint32_t>(n));
    for (const auto [begin, end] : {std::pair(0, 0), std::pair(64, 64), std::pair(5, 6), std::pair(0, 8), std::pair(3, 20),
                                    std::pair(60, 64), std::pair(1, 64), std::pair(30, 43)}) {
      const auto part = [begin = begin, end = end](std::uint64_t key) {
        return begin == end ? 0 : key << (64 - end) >> (64 - end + begin);
      };
      const auto expected = sorted_places(keys, [&](std::uint64_t a, std::uint64_t b) { return part(a) < part(b); });
      const std::string what = "bits " + std::to_string(begin) + " to " + std::to_string(end) + " of " + std::to_string(n);
      const auto *const source = static_cast<const std::uint64_t *>(in.data());
      out.poison();
      UPSWEEP_CUDA(cuda::arg_sort(space.space, source, out.data(), places.data(), n, cuda::key_bits(begin, end)));
      check_sorted(out, taken_from(keys, expected), what);
      check_sorted(places, expected, what + " places");
      out.upload(keys);
      UPSWEEP_CUDA(cuda::sort_keys(space.space, static_cast<const std::uint64_t *>(out.data()), out.data(), n,
                                   cuda::key_bits(begin, end), cudaStream_t(nullptr)));
      check_sorted(out, taken_from(keys, expected), what + " in place");
    }
  }
}

UPSWEEP_TEST(GivenACountOnTheDevice_WhenSorted_ThenTheRestIsLeft) {
  constexpr std::size_t kMost = 150000;
  const std::vector<std::uint32_t> keys = sort_keys_of<std::uint32_t>(kMost, Spread::kRandom);
  DeviceArray<std::uint32_t> in(keys), out(kMost);
  DeviceArray<std::uint64_t> number(1);
  const SortSpaceOf space(cuda::sort_workspace_bytes<std::uint32_t>(kMost));
  for (const std::size_t most : {std::size_t(3000), kMost}) {
    for (const std::uint64_t n : {std::uint64_t(0), std::uint64_t(1), std::uint64_t(most / 3), std::uint64_t(most)}) {
      number.upload({n});
      out.poison();
      UPSWEEP_CUDA(cuda::sort_keys(space.space, static_cast<const std::uint32_t *>(in.data()), out.data(),
                                   cuda::count_at(number.data(), most)));
      std::vector<std::uint32_t> expected(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(n));
      std::sort(expected.begin(), expected.end());
      expected.resize(kMost, 0xa5a5a5a5u);
      check_sorted(out, expected, std::to_string(n) + " of at most " + std::to_string(most));
    }
  }
}

// The arrays have fewer elements than the number in device memory may be.
UPSWEEP_TEST(GivenArraysSideBySide_WhenSortedUpToALaterNumber_ThenNotRefused) {
  constexpr std::size_t kHalf = 1000, kMost = 3000;
  std::vector<std::uint32_t> keys = sort_keys_of<std::uint32_t>(kHalf, Spread::kRandom);
  DeviceArray<std::uint32_t> in(keys), both(2 * kHalf);
  DeviceArray<std::uint64_t> number(1);
  number.upload({kHalf});
  UPSWEEP_CUDA(cudaMemcpy(both.data(), in.data(), kHalf * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice));
  const SortSpaceOf space(cuda::sort_workspace_bytes<std::uint32_t>(kMost));
  UPSWEEP_CUDA(cuda::sort_keys(space.space, static_cast<const std::uint32_t *>(both.data()), both.data() + kHalf,
                               cuda::count_at(number.data(), kMost)));
  std::vector<std::uint32_t> expected = keys;
  std::sort(keys.begin(), keys.end());
  expected.insert(expected.end(), keys.begin(), keys.end());
  check_sorted(both, expected, "side by side");
}

UPSWEEP_TEST(GivenAGraph_WhenLaunchedAgain_ThenItSortsWhatIsThere) {
  for (const std::size_t n : {std::size_t(2000), std::size_t(123457)}) {
    DeviceArray<float> in(n), out(n);
    const SortSpaceOf space(cuda::sort_workspace_bytes<float>(n));
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t launchable;
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    UPSWEEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    UPSWEEP_CUDA(cuda::sort_keys(space.space, static_cast<const float *>(in.data()), out.data(), n, stream));
    UPSWEEP_CUDA(cudaStreamEndCapture(stream, &graph));
    UPSWEEP_CUDA(cudaGraphInstantiate(&launchable, graph, 0));
    for (int run = 0; run < 3; ++run) {
      const std::vector<float> keys = sort_keys_of<float>(n, Spread::kRandom);
      in.upload(keys);
      UPSWEEP_CUDA(cudaGraphLaunch(launchable, stream));
      UPSWEEP_CUDA(cudaStreamSynchronize(stream));
      check_sorted(out, taken_from(keys, sorted_places(keys, is_before<float>)), "graph");
    }
    UPSWEEP_CUDA(cudaGraphExecDestroy(launchable));
    UPSWEEP_CUDA(cudaGraphDestroy(graph));
    UPSWEEP_CUDA(cudaStreamDestroy(stream));
  }
}

UPSWEEP_TEST(GivenWrongArguments_WhenSorted_ThenAnError) {
  constexpr std::size_t kCount = 1000;
  DeviceArray<std::uint32_t> in(kCount), out(kCount);
  const SortSpaceOf space(cuda::sort_workspace_bytes<std::uint32_t, std::uint32_t>(kCount));
  const auto *const source = static_cast<const std::uint32_t *>(in.data());
  const std::uint32_t *const none = nullptr;
  std::uint32_t *const nowhere = nullptr;
  const auto is_refused = [](cudaError_t error) { return error == cudaErrorInvalidValue; };
  UPSWEEP_CHECK(is_refused(cuda::sort_keys(space.space, none, out.data(), kCount)));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys(space.space, source, nowhere, kCount)));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys(space.space, source, in.data() + 1, kCount - 1)));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys(space.space, source, out.data(), std::uint64_t(1) << 41)));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys(space.space, source, out.data(), kCount, cuda::key_bits(-1, 4))));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys(space.space, source, out.data(), kCount, cuda::key_bits(4, 33))));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys(space.space, source, out.data(), kCount, cuda::key_bits(5, 4))));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys(cuda::workspace{}, source, out.data(), kCount)));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys(cuda::workspace{space.space.data, 64}, source, out.data(), kCount)));
  UPSWEEP_CHECK(is_refused(cuda::sort_pairs(space.space, source, out.data(), none, nowhere, kCount)));
  UPSWEEP_CHECK(is_refused(cuda::arg_sort(space.space, source, out.data(), nowhere, kCount)));
  UPSWEEP_CHECK(is_refused(cuda::sort_keys(space.space, source, out.data(), cuda::count_at(nullptr, kCount))));
  // Keys and values in one place.
  DeviceArray<std::uint32_t> values(kCount), others(kCount);
  UPSWEEP_CHECK(is_refused(cuda::sort_pairs(space.space, source, out.data(), values.data(), out.data(), kCount)));
  UPSWEEP_CHECK(is_refused(cuda::sort_pairs(space.space, source, out.data(), out.data() + 999, others.data(), kCount)));
  UPSWEEP_CHECK(is_refused(cuda::sort_pairs(space.space, source, out.data(), values.data(), in.data(), kCount)));
  UPSWEEP_CHECK(is_refused(cuda::arg_sort(space.space, source, out.data(), out.data() + 1, kCount)));
  UPSWEEP_CHECK(cuda::sort_pairs(space.space, source, out.data(), source, others.data(), kCount) == cudaSuccess);
  cuda::double_buffer<std::uint32_t> keys_of{in.data(), out.data()}, values_of{values.data(), out.data()};
  UPSWEEP_CHECK(is_refused(cuda::sort_pairs(space.space, keys_of, values_of, kCount)));
  values_of = {in.data(), others.data()};
  UPSWEEP_CHECK(is_refused(cuda::sort_pairs(space.space, keys_of, values_of, kCount)));
  UPSWEEP_CHECK(cuda::sort_keys(space.space, none, nowhere, 0) == cudaSuccess);
  UPSWEEP_CHECK(cudaGetLastError() == cudaSuccess);
}

}  // namespace upsweep::test
