// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Radix sorts of all types of keys against std::stable_sort.
#include "sort_check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace upsweep::test {

namespace {

// kAll: also descending and with indices; other types share that code.
template <class Key, bool kAll>
void check_keys(const char *type, std::size_t n, Spread spread) {
  const std::vector<Key> keys = sort_keys_of<Key>(n, spread);
  const std::string what = std::string(type) + " " + std::to_string(n) + " spread " + std::to_string(static_cast<int>(spread));
  const std::vector<std::uint32_t> up = sorted_places(keys, is_before<Key>);
  const DeviceArray<Key> in(keys);
  DeviceArray<Key> out(n);
  const SortSpaceOf space(cuda::sort_workspace_bytes<Key, std::uint32_t>(n));
  const auto *const source = const_cast<DeviceArray<Key> &>(in).data();

  UPSWEEP_CUDA(cuda::sort_keys(space.space, source, out.data(), n));
  check_sorted(out, taken_from(keys, up), what);
  if constexpr (kAll) {
    const std::vector<std::uint32_t> down = sorted_places(keys, [](const Key &a, const Key &b) { return is_before(b, a); });
    out.poison();
    UPSWEEP_CUDA(cuda::sort_keys(space.space, source, out.data(), n, cuda::descending));
    check_sorted(out, taken_from(keys, down), what + " descending");

    DeviceArray<std::uint32_t> places(n);
    UPSWEEP_CUDA(cuda::arg_sort(space.space, source, out.data(), places.data(), n));
    check_sorted(out, taken_from(keys, up), what + " arg_sort");
    check_sorted(places, up, what + " places");
    UPSWEEP_CUDA(cuda::arg_sort(space.space, source, out.data(), places.data(), n, cuda::descending));
    check_sorted(places, down, what + " places descending");
    DeviceArray<std::uint64_t> far_places(n);  // of a type that no number of elements exceeds
    UPSWEEP_CUDA(cuda::arg_sort(cuda::stream_pool, source, out.data(), far_places.data(), n));
    check_sorted(far_places, std::vector<std::uint64_t>(up.begin(), up.end()), what + " places of 64 bits");
  }

  // In place, and with the pool.
  out.upload(keys);
  UPSWEEP_CUDA(cuda::sort_keys(cuda::stream_pool, static_cast<const Key *>(out.data()), out.data(), n));
  check_sorted(out, taken_from(keys, up), what + " in place");
  check_sorted(in, keys, what + " input");
}

template <class Key, bool kAll = false>
void check_type(const char *type) {
  for (const std::size_t n : sort_sizes()) {
    check_keys<Key, kAll>(type, n, Spread::kRandom);
  }
  for (const Spread spread : kSpreads) {
    check_keys<Key, kAll>(type, 5000, spread);
    check_keys<Key, kAll>(type, 300007, spread);
  }
}

}  // namespace

UPSWEEP_TEST(GivenUnsigned_WhenSorted_ThenAsOnTheHost) {
  check_type<std::uint8_t, true>("u8");
  check_type<std::uint16_t>("u16");
  check_type<std::uint32_t, true>("u32");
  check_type<std::uint64_t>("u64");
  check_type<unsigned __int128>("u128");
}
UPSWEEP_TEST(GivenSigned_WhenSorted_ThenAsOnTheHost) {
  check_type<std::int8_t>("i8");
  check_type<std::int16_t>("i16");
  check_type<std::int32_t>("i32");
  check_type<std::int64_t, true>("i64");
  check_type<__int128>("i128");
}
UPSWEEP_TEST(GivenFloats_WhenSorted_ThenAsOnTheHost) {
  check_type<float, true>("float");
  check_type<double>("double");
  check_type<__half, true>("half");
  check_type<__nv_bfloat16>("bfloat16");
}

UPSWEEP_TEST(GivenManySpansOfTiles_WhenSorted_ThenAsOnTheHost) {
  check_keys<std::uint32_t, true>("u32", 12288 * 256 + 7, Spread::kRandom);
  check_keys<std::uint64_t, false>("u64", 8192 * 256 * 3, Spread::kOneHotDigit);
}

}  // namespace upsweep::test
