// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options, checks and workspace of a call of a radix sort.
#pragma once

#include <upsweep/cuda/device/call.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/sort_launch.cuh>
#include <upsweep/cuda/device/sort_members.cuh>

namespace upsweep::cuda {

namespace detail {

template <class... Options>
cudaStream_t sort_stream(const Options &...options) {
  cudaStream_t stream = nullptr;
  [[maybe_unused]] const auto take = [&](const auto &option) {
    using Option = std::decay_t<decltype(option)>;
    if constexpr (is_stream<Option>) {
      stream = as_stream(option);
    } else {
      static_assert(std::is_same_v<Option, descending_t> || std::is_same_v<Option, key_bits> || common::has_members<Option>,
                    "upsweep: the options of a sort are a stream, descending, key_bits and by_members");
    }
  };
  (take(options), ...);
  return stream;
}

constexpr std::size_t rounded_up(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

template <class Key, class Value>
std::size_t sort_bytes(std::uint64_t n) {
  constexpr int kTile = fewest_tile_items<UnsignedOf<sizeof(Key)>, Value>;
  return rounded_up(SortSpace((n + kTile - 1) / kTile, most_places<UnsignedOf<sizeof(Key)>>).bytes);
}
template <class T>
std::size_t other_bytes(std::uint64_t n) {
  return std::is_same_v<T, NoValue> ? 0 : rounded_up(n * sizeof(T));
}

// Whether keys can be read as words; structs may have other alignments.
template <class Bits>
bool are_words(const void *keys) {
  return keys != nullptr && reinterpret_cast<std::uintptr_t>(keys) % alignof(Bits) == 0;
}

// Whether two arrays have no element in common. Null: there is no array.
template <class A, class B>
bool are_apart(const A *a, std::uint64_t a_count, const B *b, std::uint64_t b_count) {
  const auto a_begin = reinterpret_cast<std::uintptr_t>(a), b_begin = reinterpret_cast<std::uintptr_t>(b);
  return a == nullptr || b == nullptr || a_count == 0 || b_count == 0 || a_begin + a_count * sizeof(A) <= b_begin ||
         b_begin + b_count * sizeof(B) <= a_begin;
}

// Whether the written keys share no byte with the values, and the written values none with the keys.
template <class Key, class Value>
bool are_pairs_apart(const Key *keys_in, const Key *keys_out, const Value *values_in, const Value *values_out, std::uint64_t in,
                     std::uint64_t out) {
  return are_apart(keys_out, out, values_out, out) && are_apart(keys_out, out, values_in, in) &&
         are_apart(keys_in, in, values_out, out);
}

// Stands for all values of a size and an alignment, so that they share kernels, and need no default constructor.
template <std::size_t kBytes, std::size_t kAlignment>
struct OpaqueValue {
  using Word = UnsignedOf<kAlignment <= 8 ? kAlignment : 8>;
  alignas(kAlignment) Word words[kBytes / sizeof(Word)];
};
template <class Value>
using OpaqueOf = std::conditional_t<std::is_same_v<Value, NoValue>, NoValue,
                                    std::conditional_t<sizeof(Value) <= 8 && sizeof(Value) == alignof(Value),
                                                       UnsignedOf<sizeof(Value)>, OpaqueValue<sizeof(Value), alignof(Value)>>>;

// The bits of keys that count, as kernels take them; a bit beyond an int becomes negative.
struct KeyRange {
  int begin, end;
  explicit KeyRange(const key_bits &bits) : begin(static_cast<int>(bits.begin)), end(static_cast<int>(bits.end)) {}
};

// The resources of a sort beside its arrays; `needed` bytes of a workspace, or of the stream's pool.
template <class Key, class Value, class... Options>
struct SortCall {
  static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= 64,
                "upsweep: values are trivially copyable and of at most 64 bytes");
  static_assert(!has_option<key_bits, Options...> || (!common::is_float<Key> && !common::has_members<Options...>),
                "key_bits are for keys that are integers");
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;
  using Bits = UnsignedOf<sizeof(Key)>;
  using Order = typename OrderByOption<Key, has_option<descending_t, Options...>, common::members_of<Options...>>::type;
  static constexpr bool kIsPartial = has_option<key_bits, Options...> || Order::kOtherBits > 0;
  using Opaque = OpaqueOf<Value>;
  using Arrays = SortArrays<Bits, Opaque>;

  Count count;
  KeyRange range;
  cudaStream_t stream;

  SortCall(Count number, Options... options)
      : count(number), range(option_of<key_bits>(key_bits(Order::kOtherBits, 8 * sizeof(Key)), options...)),
        stream(sort_stream(options...)) {}

  bool is_valid() const {
    return count.most <= kMostElements && !count.is_null && range.begin >= 0 && range.begin <= range.end &&
           range.end <= 8 * static_cast<int>(sizeof(Key));
  }

  // Calls run(workspace) if the call and its arrays are valid, and there is anything to sort.
  template <class Run>
  cudaError_t check_and_run(const workspace &space, std::size_t needed, bool are_arrays_right, const Run &run) const {
    if (!is_valid()) {
      return cudaErrorInvalidValue;
    }
    if (count.most == 0) {
      return cudaSuccess;
    }
    if (!are_arrays_right) {
      return cudaErrorInvalidValue;
    }
    return with_workspace<false>(space, needed, stream, run);
  }

  // Launches passes that end in `out`: an even number if the first pass must not write there.
  cudaError_t launch(unsigned char *space, const Arrays &arrays, SortEnd end, bool is_in_place, bool &is_in_other) const {
    SortBits bits{range.begin, range.end, std::max(1, (range.end - range.begin + kDigitBits - 1) / kDigitBits)};
    bits.places += is_in_place && bits.places % 2 == 1 ? 1 : 0;
    is_in_other = false;
    const SortFewProblem<Order, Opaque> few{
        arrays.keys_in, arrays.keys_out, arrays.values_in, arrays.values_out, {count.most, count.pointer}, bits};
    const cudaError_t launched = launch_few_sorted(few, count.most, stream);
    if (launched != kNotThisWay) {
      return launched;
    }
    if constexpr (sizeof(Bits) == 1 && !kHasValues) {
      if (range.end - range.begin == 8) {
        return launch_fill<Order>(space, arrays.keys_in, arrays.keys_out, count, stream);
      }
    }
    return count.most >> 32 == 0
               ? launch_passes<Order, Opaque, std::uint32_t>(space, arrays, count, bits, end, is_in_other, stream)
               : launch_passes<Order, Opaque, unsigned long long>(space, arrays, count, bits, end, is_in_other, stream);
  }
};

template <class Key, class Value, class... Options>
cudaError_t sort(const workspace &space, const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out,
                 Count count, Options... options) {
  using Call = SortCall<Key, Value, Options...>;
  using Bits = typename Call::Bits;
  using Opaque = typename Call::Opaque;
  const Call call(count, options...);
  const bool are_arrays_right =
      are_words<Bits>(keys_in) && are_words<Bits>(keys_out) && may_be_together(keys_in, keys_out, count.known()) &&
      are_pairs_apart(keys_in, keys_out, values_in, values_out, count.known(), count.known()) &&
      (!Call::kHasValues || values_in == nullptr || may_be_together(values_in, values_out, count.known()));
  const std::size_t own = sort_bytes<Key, Value>(count.most), keys = other_bytes<Key>(count.most);
  const std::size_t needed = own + keys + other_bytes<Value>(count.most);
  const auto run = [&](const workspace &memory) {
    auto *const bytes = static_cast<unsigned char *>(memory.data);
    const typename Call::Arrays arrays{reinterpret_cast<const Bits *>(keys_in), reinterpret_cast<Bits *>(keys_out),
                                       reinterpret_cast<Bits *>(bytes + own),   reinterpret_cast<const Opaque *>(values_in),
                                       reinterpret_cast<Opaque *>(values_out),  reinterpret_cast<Opaque *>(bytes + own + keys)};
    const bool is_in_place = keys_in == keys_out || (Call::kHasValues && values_in == values_out);
    bool is_in_other;
    return call.launch(bytes, arrays, SortEnd::kOut, is_in_place, is_in_other);
  };
  return call.check_and_run(space, needed, are_arrays_right, run);
}

template <class Key, class Value, class... Options>
cudaError_t sort_buffers(const workspace &space, double_buffer<Key> &keys, double_buffer<Value> &values, Count count,
                         Options... options) {
  using Call = SortCall<Key, Value, Options...>;
  using Bits = typename Call::Bits;
  using Opaque = typename Call::Opaque;
  const Call call(count, options...);
  const bool are_arrays_right =
      are_words<Bits>(keys.current) && are_words<Bits>(keys.other) && keys.current != keys.other &&
      may_be_together(keys.current, keys.other, count.known()) &&
      are_pairs_apart(keys.current, keys.other, values.current, values.other, count.known(), count.known()) &&
      are_apart(keys.current, count.known(), values.current, count.known()) &&
      (!Call::kHasValues || (values.current != values.other && may_be_together(values.current, values.other, count.known())));
  const std::size_t needed = sort_bytes<Key, Value>(count.most);
  const auto run = [&](const workspace &memory) {
    const typename Call::Arrays arrays{
        reinterpret_cast<const Bits *>(keys.current), reinterpret_cast<Bits *>(keys.other),
        reinterpret_cast<Bits *>(keys.current),       reinterpret_cast<const Opaque *>(values.current),
        reinterpret_cast<Opaque *>(values.other),     reinterpret_cast<Opaque *>(values.current)};
    bool is_in_other;
    const cudaError_t error =
        call.launch(static_cast<unsigned char *>(memory.data), arrays, SortEnd::kEither, false, is_in_other);
    if (error == cudaSuccess && !is_in_other) {
      std::swap(keys.current, keys.other);
      std::swap(values.current, values.other);
    }
    return error;
  };
  return call.check_and_run(space, needed, are_arrays_right, run);
}

}  // namespace detail

}  // namespace upsweep::cuda
