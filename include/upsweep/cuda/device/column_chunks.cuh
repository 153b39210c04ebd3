// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns of an array with a thread each. If they are too few for a GPU, they are cut into chunks.
#pragma once

#include <upsweep/cuda/device/axis_shape.cuh>
#include <upsweep/cuda/device/tuning_columns.cuh>

#include <algorithm>
#include <cstdint>

namespace upsweep::cuda::detail {

// Neighbouring elements that are read and written as one.
template <class T, int kColumns>
struct alignas(kColumns > 1 ? sizeof(T) * kColumns : alignof(T)) Columns {
  T elements[kColumns];
};

template <class T, int kColumns>
bool lies_in_columns(const T *pointer, const axis_strides &strides) {
  return reinterpret_cast<std::uintptr_t>(pointer) % (kColumns * sizeof(T)) == 0 && strides.along % kColumns == 0 &&
         strides.batch % kColumns == 0;
}

// Columns are cut until there are about 2 * `enough` chunks.
inline std::uint64_t chunks_for(std::uint64_t columns, std::uint64_t length, std::uint64_t enough) {
  if (columns >= enough || length < 4 * TunedColumns::kFewestChunkRows) {
    return 1;
  }
  return std::min((2 * enough + columns - 1) / columns, length / TunedColumns::kFewestChunkRows);
}
constexpr std::uint64_t rounded_up(std::uint64_t n, std::uint64_t d) { return (n + d - 1) / d; }

// The chunks of a column of `length` rows. No chunk is empty.
struct ColumnChunks {
  std::uint64_t rows, count;

  ColumnChunks(std::uint64_t columns, std::uint64_t length, std::uint64_t enough)
      : rows(length > 0 ? rounded_up(length, chunks_for(columns, length, enough)) : 1),
        count(length > 0 ? rounded_up(length, rows) : 1) {}
};

// Bytes of an array of a T for each column and chunk.
template <class T>
std::size_t chunks_array_bytes(std::uint64_t columns, std::uint64_t chunks) {
  return rounded_up(columns * chunks * sizeof(T), 16) * 16;
}
// Bytes of `arrays` such arrays, for the chunks, for chunks of these chunks, and so on.
template <class T>
std::size_t all_chunks_bytes(std::uint64_t columns, std::uint64_t length, std::uint64_t enough, int arrays) {
  std::size_t bytes = 0;
  for (;;) {
    const ColumnChunks chunks(columns, length, enough);
    if (chunks.count == 1) {
      return bytes;
    }
    bytes += arrays * chunks_array_bytes<T>(columns, chunks.count);
    length = chunks.count;
  }
}

}  // namespace upsweep::cuda::detail
