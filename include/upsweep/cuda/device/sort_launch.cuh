// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a checked radix sort.
#pragma once

#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/sort_few_kernel.cuh>
#include <upsweep/cuda/device/sort_fill_kernel.cuh>
#include <upsweep/cuda/device/sort_pass_kernel.cuh>
#include <upsweep/cuda/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace upsweep::cuda::detail {

// The arrays that the passes alternate between. The first pass reads `in`. The last pass writes `out`, or `other` if it may
// (kEither).
template <class Bits, class Value>
struct SortArrays {
  const Bits *keys_in;
  Bits *keys_out, *keys_other;
  const Value *values_in;
  Value *values_out, *values_other;
};
enum class SortEnd { kOut, kEither };

// Measured on an H100 (docs/decisions/cuda-sort.md): two blocks on a multiprocessor, with all elements that registers hold.
inline constexpr int kSortThreads = 512;
inline constexpr std::size_t kSortRoom = 96 * 1024;  // of shared memory, at most
constexpr int sort_items(std::size_t bytes) {
  return bytes <= 4 ? 24 : bytes <= 8 ? 16 : bytes <= 12 ? 11 : bytes <= 16 ? 9 : bytes <= 32 ? 4 : bytes <= 48 ? 3 : 1;
}
template <class Bits, class Value>
inline constexpr int sort_tile_items =
    kSortThreads * sort_items(sizeof(Bits) + (std::is_same_v<Value, NoValue> ? 0 : sizeof(Value)));
template <class Pass>
struct SortTuning {
  static constexpr int kItems = sort_tile_items<typename Pass::Bits, typename Pass::Value> / kSortThreads;
  using Geometry = SortGeometry<Pass, kSortThreads, kItems, 2>;
  // In the 64 KiB that every GPU has.
  using SmallGeometry = SortGeometry<Pass, kSortThreads, std::max(kItems / 2, 1), 1>;
};
template <class Bits, class Value>
inline constexpr int fewest_tile_items = std::max(sort_tile_items<Bits, Value> / kSortThreads / 2, 1) * kSortThreads;

// Some code is for GPUs whose blocks have less than 96 KiB of shared memory (sm_75), or may be.
#ifdef __CUDA_ARCH_LIST__
inline constexpr bool may_have_small_blocks = [] {
  for (const int architecture : {__CUDA_ARCH_LIST__}) {
    if (architecture < 800) {
      return true;
    }
  }
  return false;
}();
#else
inline constexpr bool may_have_small_blocks = true;
#endif
// run(geometry), with an instance of the largest geometry that the GPU has room for.
template <class Pass, class Run>
cudaError_t with_sort_geometry(const DeviceLimits &limits, const Run &run) {
  using Tuning = SortTuning<Pass>;
  if constexpr (may_have_small_blocks) {
    if (static_cast<std::size_t>(limits.shared_bytes) < kSortRoom) {
      return run(typename Tuning::SmallGeometry{});
    }
  }
  return run(typename Tuning::Geometry{});
}
// A sort in place takes an even number of passes.
template <class Bits>
inline constexpr int most_places = std::max(2, static_cast<int>(sizeof(Bits)));

// The contents of a workspace from kOwnDataAt on, in this order.
struct SortSpace {
  std::size_t counts, tickets, rows, bytes;

  SortSpace(std::uint64_t tiles, int places)
      : counts(std::size_t(places) * kDigits * sizeof(unsigned long long)),
        tickets((std::size_t(places) * 4 + 127) / 128 * 128), rows(DigitRows::bytes(tiles)),
        bytes(kOwnDataAt + counts + tickets + 2 * rows) {}
};

template <class Counting, int kPlaces>
cudaError_t launch_counting(const Counting &counting, const DeviceLimits &limits, std::uint64_t most, cudaStream_t stream) {
  const auto kernel = count_digits_kernel<Counting, kPlaces>;
  const cudaError_t error = allow_shared_memory<std::pair<Counting, std::integral_constant<int, kPlaces>>>(kernel, limits);
  if (error != cudaSuccess) {
    return error;
  }
  constexpr std::uint64_t kTile = kCountingThreads * kCountingItems;
  const std::uint64_t blocks = std::clamp<std::uint64_t>((most + kTile - 1) / kTile, 1, 2 * limits.multiprocessors);
  constexpr std::size_t kShared = sizeof(std::uint32_t) * kPlaces * kDigits * kCountingColumns<kPlaces>;
  return launch(kernel, static_cast<unsigned>(blocks), kCountingThreads, kShared, stream, counting);
}

template <class Pass, class Geometry>
cudaError_t launch_pass(const Pass &pass, const DeviceLimits &limits, std::uint64_t tiles, cudaStream_t stream) {
  const auto kernel = sort_pass_kernel<Pass, Geometry>;
  const cudaError_t error = allow_shared_memory<std::pair<Pass, Geometry>>(kernel, limits);
  if (error != cudaSuccess) {
    return error;
  }
  return launch_with(limits.major >= 9 ? early() : cudaLaunchAttribute{}, kernel, static_cast<unsigned>(tiles),
                     Geometry::kThreads, sizeof(typename Geometry::Shared), stream, pass);
}

// Keys of one digit without values: writes each key by its count.
template <class Order>
cudaError_t launch_fill(unsigned char *space, const std::uint8_t *in, std::uint8_t *out, Count count, cudaStream_t stream) {
  DeviceLimits limits;
  cudaError_t error = DeviceLimits::of_current(limits);
  auto *const counts = reinterpret_cast<unsigned long long *>(space + kOwnDataAt);
  if (error == cudaSuccess) {
    error = cudaMemsetAsync(counts, 0, kDigits * sizeof *counts, stream);
  }
  const CountDigitsProblem<std::uint8_t, Order> counting{in, {count.most, count.pointer},         counts, {0, 8, 1}, nullptr,
                                                         0,  reinterpret_cast<ScanState *>(space)};
  if (error == cudaSuccess) {
    error = launch_counting<CountDigitsProblem<std::uint8_t, Order>, 1>(counting, limits, count.most, stream);
  }
  if (error != cudaSuccess) {
    return error;
  }
  constexpr std::uint64_t kTile = kFillThreads * 16;
  const auto blocks =
      static_cast<unsigned>(std::min<std::uint64_t>((count.most + 15 + kTile - 1) / kTile, 16 * limits.multiprocessors));
  return launch(fill_digits_kernel<Order>, blocks, kFillThreads, 0, stream, counts,
                Later<std::uint64_t>{count.most, count.pointer}, out);
}

// A pass for each digit. Sets `is_in_other` to where the sorted elements are.
template <class Pass, class Geometry>
cudaError_t launch_passes(unsigned char *space, const SortArrays<typename Pass::Bits, typename Pass::Value> &arrays,
                          Count count, SortBits bits, SortEnd end, bool &is_in_other, const DeviceLimits &limits,
                          cudaStream_t stream) {
  using Bits = typename Pass::Bits;
  using Order = typename Pass::Order;
  const int places = bits.places;
  const std::uint64_t tiles = (count.most + Geometry::kTileItems - 1) / Geometry::kTileItems;
  const SortSpace layout(tiles, places);
  unsigned char *const own = space + kOwnDataAt;
  cudaError_t error = cudaMemsetAsync(own, 0, layout.counts + layout.tickets, stream);
  auto *const counts = reinterpret_cast<unsigned long long *>(own);
  auto *const tickets = reinterpret_cast<unsigned *>(own + layout.counts);
  unsigned char *const row_bytes = own + layout.counts + layout.tickets;
  const DigitRows rows[2] = {DigitRows::at(row_bytes, tiles), DigitRows::at(row_bytes + layout.rows, tiles)};
  const CountDigitsProblem<Bits, Order> counting{
      arrays.keys_in,  {count.most, count.pointer},         counts, bits, reinterpret_cast<std::uint32_t *>(row_bytes),
      layout.rows / 4, reinterpret_cast<ScanState *>(space)};
  if (error == cudaSuccess) {
    error = launch_counting<CountDigitsProblem<Bits, Order>, most_places<Bits>>(counting, limits, count.most, stream);
  }
  bool from_other = false;
  is_in_other = end == SortEnd::kEither && places % 2 == 0;
  for (int i = 0; i < places && error == cudaSuccess; ++i) {
    const bool to_other = ((places - 1 - i) % 2 == 1) != is_in_other;
    const Pass pass{i == 0       ? arrays.keys_in
                    : from_other ? arrays.keys_other
                                 : arrays.keys_out,
                    to_other ? arrays.keys_other : arrays.keys_out,
                    i == 0       ? arrays.values_in
                    : from_other ? arrays.values_other
                                 : arrays.values_out,
                    to_other ? arrays.values_other : arrays.values_out,
                    {count.most, count.pointer},
                    bits.place(i),
                    i == 0,
                    i == places - 1,
                    counts + i * kDigits,
                    tickets + i,
                    rows[i % 2],
                    rows[(i + 1) % 2]};
    error = launch_pass<Pass, Geometry>(pass, limits, tiles, stream);
    from_other = to_other;
  }
  return error;
}

template <class Order, class Value, class Offset>
cudaError_t launch_passes(unsigned char *space, const SortArrays<typename Order::Bits, Value> &arrays, Count count,
                          SortBits bits, SortEnd end, bool &is_in_other, cudaStream_t stream) {
  using Pass = SortPassProblem<Order, Value, Offset>;
  DeviceLimits limits;
  const cudaError_t error = DeviceLimits::of_current(limits);
  if (error != cudaSuccess) {
    return error;
  }
  return with_sort_geometry<Pass>(limits, [&](auto geometry) {
    return launch_passes<Pass, decltype(geometry)>(space, arrays, count, bits, end, is_in_other, limits, stream);
  });
}

inline cudaLaunchAttribute cluster_of(unsigned blocks) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {blocks, 1, 1};
  return attribute;
}

inline constexpr unsigned kMostFewBlocks = 8;  // of a cluster, on every GPU that has them

// Sorts in one launch, of one block or one cluster; kNotThisWay if the array is too long.
template <class Order, class Value, int kItems>
cudaError_t launch_few_sorted(const SortFewProblem<Order, Value> &few, std::uint64_t most, const DeviceLimits &limits,
                              cudaStream_t stream) {
  using Few = SortFewProblem<Order, Value>;
  using Geometry = SortFewGeometry<Few, kItems>;
  const std::uint64_t blocks = (most + Geometry::kTileItems - 1) / Geometry::kTileItems;
  if (blocks > (limits.major >= 9 ? kMostFewBlocks : 1) ||
      sizeof(typename Geometry::Shared) > static_cast<std::size_t>(limits.shared_bytes)) {
    return kNotThisWay;
  }
  const auto kernel = sort_few_kernel<Few, Geometry>;
  const cudaError_t error = allow_shared_memory<std::pair<Few, Geometry>>(kernel, limits);
  if (error != cudaSuccess) {
    return error;
  }
  const auto count = static_cast<unsigned>(blocks);
  return launch_with(count > 1 ? cluster_of(count) : cudaLaunchAttribute{}, kernel, count, Geometry::kThreads,
                     sizeof(typename Geometry::Shared), stream, few);
}
template <class Order, class Value>
cudaError_t launch_few_sorted(const SortFewProblem<Order, Value> &few, std::uint64_t most, cudaStream_t stream) {
  // The 227 KiB of a block have room for the elements twice, and for 36 KiB of other data.
  constexpr std::size_t kBytes = sizeof(typename Order::Bits) + (std::is_same_v<Value, NoValue> ? 0 : sizeof(Value));
  constexpr std::size_t kRoom = 190 * 1024;
  DeviceLimits limits;
  const cudaError_t error = DeviceLimits::of_current(limits);
  if (error != cudaSuccess) {
    return error;
  }
  cudaError_t launched = kNotThisWay;
  if constexpr (kBytes * 2 * 4 * 1024 <= kRoom) {
    launched = launch_few_sorted<Order, Value, 4>(few, most, limits, stream);
  }
  if constexpr (kBytes * 2 * 8 * 1024 <= kRoom) {
    if (launched == kNotThisWay) {
      launched = launch_few_sorted<Order, Value, 8>(few, most, limits, stream);
    }
  }
  return launched;
}

}  // namespace upsweep::cuda::detail
