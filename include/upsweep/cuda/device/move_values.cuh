// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that follow their sorted keys.
#pragma once

#include <upsweep/cuda/version.cuh>

#include <cstdint>
#include <type_traits>

namespace upsweep::cuda::detail {

// Values are moved in words.
template <class Value, class = void>
struct WordsOf {
  using Word = Value;
};
template <class Value>
struct WordsOf<Value, std::void_t<typename Value::Word>> {
  using Word = typename Value::Word;
};

// Moves the values of a segment from their places to the threads' own places. It moves a word of each value at a time, so that
// a sort may be in place. synchronise() waits for all threads that have values of the segment.
template <int kItems, class Value, class Synchronise>
__device__ __forceinline__ void move_values(const Value *values_in, Value *values_out, const std::uint32_t (&from)[kItems],
                                            const std::uint32_t (&to)[kItems], std::uint32_t length, Synchronise synchronise) {
  if constexpr (std::is_integral_v<Value>) {
    if (values_in == nullptr) {  // values are the places themselves
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (to[i] < length) {
          values_out[to[i]] = static_cast<Value>(from[i]);
        }
      }
      return;
    }
  }
  using Word = typename WordsOf<Value>::Word;
  constexpr int kWords = sizeof(Value) / sizeof(Word);
  const auto *const words_in = reinterpret_cast<const Word *>(values_in);
  auto *const words_out = reinterpret_cast<Word *>(values_out);
#pragma unroll 1
  for (int w = 0; w < kWords; ++w) {
    Word words[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (to[i] < length) {
        words[i] = words_in[std::uint64_t(from[i]) * kWords + w];
      }
    }
    synchronise();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (to[i] < length) {
        words_out[std::uint64_t(to[i]) * kWords + w] = words[i];
      }
    }
  }
}

}  // namespace upsweep::cuda::detail
