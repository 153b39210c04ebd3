// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the elements that are sorted: keys alone, or keys with an index or an element.
#include "cli/files/sort_external.h"

#include "cli/files/streams.h"

#include <cstring>
#include <type_traits>
#include <upsweep/external/sort.h>

namespace upsweep::cli {
namespace {

void sort_keys_alone(const KeyCodec &codec, const Array &array, Sink &sink, const external::settings &settings) {
  codec.with_type([&](auto key) {
    using T = decltype(key);
    KeySource<T> source(array, codec);
    const auto store = [&codec](const T *from, size_t n, std::byte *to) {
      codec.store(reinterpret_cast<const std::byte *>(from), n, to);
    };
    ResultSink<T, decltype(store)> result(sink, store);
    if constexpr (std::is_floating_point_v<T>)
      if (codec.is_reversed()) return external::sort<T>(source, result, settings, cpu::descending);
    external::sort<T>(source, result, settings);
  });
}

void sort_pairs(const KeyCodec &codec, const Array *array, const Array &by, Sink &sink, const external::settings &settings) {
  PairSource source(array, by, codec);
  const size_t bytes = sink.type().bytes();
  const auto store = [bytes](const KeyAndValue *from, size_t n, std::byte *to) {
    for (size_t i = 0; i < n; ++i) std::memcpy(to + i * bytes, &from[i].value, bytes);
  };
  ResultSink<KeyAndValue, decltype(store)> result(sink, store);
  external::sort<KeyAndValue>(source, result, settings, cpu::by_members<&KeyAndValue::key>{});
}

}  // namespace

bool exceeds_memory(const SortOptions &options, const Array &array, const Array &by) {
  const bool has_pairs = options.wants_indices || !options.keys.empty();
  // The keys, what the library allocates at most (cpu/sort.h), and indices; elements stay in the mapped file.
  const uint64_t bytes = has_pairs ? by.bytes() * 4 + by.count * 16 + array.bytes() : array.bytes() * 4;
  return bytes > memory_for_arrays();
}

Result<void> sort_externally(const SortOptions &options, const Array &array, const Array &by, Sink &sink, Progress &progress) {
  const KeyCodec codec(by.type, options.is_descending);
  const external::settings settings = external_settings(options.out, by.count, progress);
  sink.write_directly();
  if (options.wants_indices)
    sort_pairs(codec, nullptr, by, sink, settings);
  else if (!options.keys.empty())
    sort_pairs(codec, &array, by, sink, settings);
  else
    sort_keys_alone(codec, array, sink, settings);
  return {};
}

}  // namespace upsweep::cli
