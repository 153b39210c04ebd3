// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Radix sorts in the form for GPUs whose blocks have 64 KiB of shared memory, compiled for the oldest of them.
#include "sort_check.h"

namespace upsweep::test {

namespace {

constexpr std::size_t kRoom = 64 * 1024;

template <class Key, class Value>
void check_small_tiles(std::size_t n) {
  using Order = cuda::detail::KeyOrder<Key, false>;
  using Bits = typename Order::Bits;
  using Pass = cuda::detail::SortPassProblem<Order, Value, std::uint32_t>;
  using Small = typename cuda::detail::SortTuning<Pass>::SmallGeometry;
  static_assert(cuda::detail::may_have_small_blocks && sizeof(typename Small::Shared) <= kRoom);
  constexpr bool kHasValues = !std::is_same_v<Value, cuda::detail::NoValue>;
  const std::vector<Key> keys = sort_keys_of<Key>(n, Spread::kFewValues);
  const auto places = sorted_places(keys, is_before<Key>);
  DeviceArray<Key> in(keys), out(n), other(n);
  DeviceArray<std::uint32_t> values(kHasValues ? n : 0), values_other(kHasValues ? n : 0);
  const SortSpaceOf space(cuda::sort_buffers_workspace_bytes<Key, Value>(n));
  cuda::detail::DeviceLimits limits{};
  UPSWEEP_CUDA(cuda::detail::DeviceLimits::of_current(limits));
  limits.shared_bytes = static_cast<int>(kRoom);
  bool is_in_other = false;
  const cudaError_t error = cuda::detail::with_sort_geometry<Pass>(limits, [&](auto geometry) {
    static_cast<void>(geometry);
    cuda::detail::SortArrays<Bits, Value> arrays{
        reinterpret_cast<const Bits *>(in.data()), reinterpret_cast<Bits *>(out.data()),
        reinterpret_cast<Bits *>(other.data()),    nullptr,
        reinterpret_cast<Value *>(values.data()),  reinterpret_cast<Value *>(values_other.data())};
    return cuda::detail::launch_passes<Pass, decltype(geometry)>(static_cast<unsigned char *>(space.space.data), arrays,
                                                                 {n, nullptr, false}, {0, 8 * sizeof(Key), sizeof(Key)},
                                                                 cuda::detail::SortEnd::kOut, is_in_other, limits, nullptr);
  });
  UPSWEEP_CHECK(error == cudaSuccess);
  check_sorted(out, taken_from(keys, places), "keys of " + std::to_string(n));
  if constexpr (kHasValues) {
    check_sorted(values, places, "places of " + std::to_string(n));
  }
}

// The variants that cannot run here must fit, too.
template <class Key, class Value>
constexpr bool fits() {
  using Pass = cuda::detail::SortPassProblem<cuda::detail::KeyOrder<Key, false>, Value, unsigned long long>;
  return sizeof(typename cuda::detail::SortTuning<Pass>::SmallGeometry::Shared) <= kRoom;
}
template <std::size_t kBytes>
using Opaque = cuda::detail::OpaqueValue<kBytes, 4>;
static_assert(fits<std::uint8_t, cuda::detail::NoValue>() && fits<std::uint64_t, std::uint32_t>() &&
              fits<unsigned __int128, cuda::detail::NoValue>() && fits<unsigned __int128, Opaque<16>>() &&
              fits<std::uint64_t, Opaque<24>>() && fits<std::uint64_t, Opaque<40>>() && fits<unsigned __int128, Opaque<64>>());

}  // namespace

UPSWEEP_TEST(GivenSmallBlocks_WhenSorted_ThenAsOnTheHost) {
  for (const std::size_t n :
       {std::size_t(1), std::size_t(6143), std::size_t(6145), std::size_t(100003), std::size_t(2000001)}) {
    check_small_tiles<std::uint32_t, cuda::detail::NoValue>(n);
    check_small_tiles<std::uint64_t, std::uint32_t>(n);
  }
}

// Compiled for that GPU, but run on any.
UPSWEEP_TEST(GivenCodeForAnOlderGpu_WhenSorted_ThenAsOnTheHost) {
  for (const std::size_t n : {std::size_t(5000), std::size_t(100003)}) {
    const auto keys = sort_keys_of<std::uint32_t>(n, Spread::kRandom);
    DeviceArray<std::uint32_t> in(keys), out(n);
    UPSWEEP_CUDA(cuda::sort_keys(static_cast<const std::uint32_t *>(in.data()), out.data(), n));
    check_sorted(out, taken_from(keys, sorted_places(keys, is_before<std::uint32_t>)), "keys");
  }
}

}  // namespace upsweep::test
