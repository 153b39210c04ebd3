// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sort over GPUs: each sorts its part, the exact places that divide the sorted parts are found, the elements are exchanged,
// and each GPU merges.
#pragma once

#include <upsweep/cuda/merge.cuh>
#include <upsweep/cuda/sort.cuh>
#include <upsweep/distributed/cuda/detail/merge_parts.cuh>

namespace upsweep::distributed::detail {

// Whether a key comes before another one in a radix sort, by some of its bits.
template <class Key, class Order>
struct LessInOrder {
  int begin, end;

  __host__ __device__ bool operator()(const Key &x, const Key &y) const { return part(x) < part(y); }

private:
  using Bits = gpu::UnsignedOf<sizeof(Key)>;
  __host__ __device__ Bits part(const Key &key) const {
    Bits bits;
    memcpy(&bits, static_cast<const void *>(&key), sizeof bits);
    bits = Order::encode(bits);
    constexpr int kBits = 8 * static_cast<int>(sizeof(Key));
    return begin == end ? Bits(0) : static_cast<Bits>(static_cast<Bits>(bits << (kBits - end)) >> (kBits - end + begin));
  }
};

// part_of is no option of one GPU.
inline std::uint64_t wanted_of(std::uint64_t otherwise) { return otherwise; }
template <class First, class... Rest>
std::uint64_t wanted_of(std::uint64_t otherwise, const First &first, const Rest &...rest) {
  if constexpr (std::is_same_v<First, part_of>) {
    return first.elements;
  } else {
    return wanted_of(otherwise, rest...);
  }
}
template <class Call>
auto with_options_of_one(const Call &call) {
  return call();
}
template <class Call, class First, class... Rest>
auto with_options_of_one(const Call &call, const First &first, const Rest &...rest) {
  if constexpr (std::is_same_v<First, part_of>) {
    return with_options_of_one(call, rest...);
  } else {
    return with_options_of_one([&](const auto &...others) { return call(first, others...); }, rest...);
  }
}

// sort(keys out, values out) sorts n elements on this GPU, by `less`.
template <class C, class Key, class Value, class Less, class Sort>
void sort_on_devices(DeviceCall<C> &call, Key *keys_out, Value *values_out, bool are_arguments_right, std::uint64_t n,
                     std::uint64_t wanted, const Less &less, const Sort &sort) {
  constexpr bool kHasValues = !std::is_same_v<Value, gpu::NoValue>;
  C &ranks = call.ranks();
  call.local([&] {
    const bool are_outputs_right = wanted == 0 || (keys_out != nullptr && (!kHasValues || values_out != nullptr));
    return are_arguments_right && are_outputs_right ? cudaSuccess : cudaErrorInvalidValue;
  });
  const auto parts = call.gather_on_host(PartSides{n, wanted});
  const Division division(parts);
  DeviceArrays<Key, Value> sorted(ranks);
  call.local([&] { return sorted.allocate(n); });
  call.local([&] { return n > 0 ? sort(sorted.keys(), sorted.values()) : cudaSuccess; });
  merge_divided(call, sorted, division, keys_out, values_out, less);
}

template <class C, class Key, class Value, class... Options>
void radix_sort_on_devices(C &ranks, const char *name, const Key *keys_in, Key *keys_out, const Value *values_in,
                           Value *values_out, std::uint64_t n, const Options &...options) {
  constexpr bool kHasValues = !std::is_same_v<Value, gpu::NoValue>;
  with_options_of_one(
      [&](const auto &...own) {
        using Call = gpu::SortCall<Key, Value, std::decay_t<decltype(own)>...>;
        const Call sort_call(gpu::count_of(n), own...);
        const LessInOrder<Key, typename Call::Order> less{sort_call.range.begin, sort_call.range.end};
        DeviceCall<C> call(
            ranks, name,
            mix(types_hash<Key, Value, typename Call::Order>(), static_cast<std::uint64_t>(less.begin * 256 + less.end)));
        const bool are_right =
            sort_call.is_valid() && (n == 0 || (keys_in != nullptr && (!kHasValues || values_in != nullptr)));
        sort_on_devices(call, keys_out, values_out, are_right, n, wanted_of(n, options...), less,
                        [&](Key *keys_to, Value *values_to) {
                          return with_memory(ranks, upsweep::cuda::sort_workspace_bytes<Key, Value>(n), [&](const auto &space) {
                            return gpu::sort<Key, Value>(space, keys_in, keys_to, values_in, values_to, gpu::count_of(n),
                                                         own..., ranks.stream());
                          });
                        });
      },
      options...);
}

template <class C, class Key, class Value, class... Options>
void merge_sort_on_devices(C &ranks, const char *name, const Key *keys_in, Key *keys_out, const Value *values_in,
                           Value *values_out, std::uint64_t n, const Options &...options) {
  constexpr bool kHasValues = !std::is_same_v<Value, gpu::NoValue>;
  with_options_of_one(
      [&](const auto &...own) {
        const auto less = gpu::operator_among<Key>(gpu::IsLess{}, own...);
        DeviceCall<C> call(ranks, name, types_hash<Key, Value, std::decay_t<decltype(less)>>());
        const bool are_right = n == 0 || (keys_in != nullptr && (!kHasValues || values_in != nullptr));
        sort_on_devices(
            call, keys_out, values_out, are_right, n, wanted_of(n, options...), less, [&](Key *keys_to, Value *values_to) {
              return with_memory(ranks, upsweep::cuda::merge_sort_workspace_bytes<Key, Value>(n), [&](const auto &space) {
                return gpu::merge_sort<Key, Value>(space, keys_in, keys_to, values_in, values_to, gpu::count_of(n), less,
                                                   ranks.stream());
              });
            });
      },
      options...);
}

}  // namespace upsweep::distributed::detail
