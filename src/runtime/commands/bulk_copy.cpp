// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills at memory speed; long operations use several threads.
#include "runtime/commands/bulk_copy.h"
#include "runtime/commands/part_work.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <immintrin.h>

namespace upsweep {
namespace {

/// Least bytes per additional polling thread: it copies them in 3 to 6 µs.
constexpr size_t kBytesPerThread = size_t{128} << 10;
/// Least bytes to wake sleeping threads, which takes 25 µs: one thread copies them in 20 to 50 µs.
constexpr size_t kWakingBytes = size_t{1} << 20;
/// Fills write blocks of this size, a multiple of every pattern size, three-channel patterns included.
constexpr size_t kFillBlock = 3 * kMaxFillPattern;
/// Parts start at multiples of this offset, so that no two threads write the same cache line or pattern.
constexpr size_t kCutBytes = 3 * size_t{4096};
static_assert(kCutBytes % kFillBlock == 0);

/// Copies and fills of at least this many bytes bypass the caches, which would read each line of `to` before writing it and
/// would keep neither end. This gives 52 GB/s instead of 31 on two cores of a Zen 4 with 32 MiB of cache, and 118 instead of 77
/// on 16 cores of a Xeon. The C library uses a threshold derived from CPUID, which virtual machines answer inconsistently.
constexpr size_t kStreamBytes = size_t{32} << 20;
constexpr size_t kLineBytes = 64;
/// In shorter rows, the partly written first and last lines would dominate.
constexpr size_t kLeastStreamedRow = 16 * kLineBytes;
/// Each longer row is split among the threads; shorter rows are distributed whole.
constexpr size_t kLongRow = size_t{1} << 20;

/// `ends`: 2 for a copy, 1 for a fill.
bool bypasses_caches(size_t bytes, size_t ends) { return bytes * ends >= kStreamBytes; }

/// Calls work(first, last) for parts of `count` units of `unit_bytes` bytes each.
template <typename Work>
void share(size_t count, size_t unit_bytes, const Work &work) {
  const size_t bytes = count * unit_bytes;
  if (bytes < 2 * kBytesPerThread) return work(0, count);
  run_in_parts(count, bytes / kBytesPerThread, bytes >= kWakingBytes, std::cref(work));
}

/// Calls work(begin, end) for parts of [0, bytes).
template <typename Work>
void in_pieces(size_t bytes, const Work &work) {
  share((bytes + kCutBytes - 1) / kCutBytes, kCutBytes,
        [&](uint64_t first, uint64_t last) { work(first * kCutBytes, std::min(last * kCutBytes, bytes)); });
}

/// Calls work(offset of the row in `a`, in `b`, bytes, past_caches) for each row of two regions.
template <typename Work>
void in_rows(const RowLayout &a, const RowLayout &b, const Rows &rows, size_t ends, const Work &work) {
  const size_t count = rows.rows * rows.slices;
  const bool past_caches = bypasses_caches(count * rows.bytes, ends) && rows.bytes >= kLeastStreamedRow;
  share(count, rows.bytes, [&](uint64_t first, uint64_t last) {
    for (uint64_t i = first; i < last; ++i) {
      const size_t y = i % rows.rows, z = i / rows.rows;
      work(y * a.row_pitch + z * a.slice_pitch, y * b.row_pitch + z * b.slice_pitch, past_caches);
    }
  });
}

/// Copies whole lines with the processor's widest non-temporal stores; `to` is aligned to a line.
void stream_lines_sse2(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i *>(to + i), _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + i)));
}
__attribute__((target("avx512f"))) void stream_lines_avx512(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += kLineBytes)
    _mm512_stream_si512(reinterpret_cast<__m512i *>(to + i), _mm512_loadu_si512(from + i));
}
const auto stream_lines = __builtin_cpu_supports("avx512f") ? stream_lines_avx512 : stream_lines_sse2;

/// memcpy with non-temporal stores.
void stream(char *to, const char *from, size_t bytes) {
  const size_t head = std::min(bytes, -reinterpret_cast<uintptr_t>(to) % kLineBytes);
  const size_t lines = (bytes - head) / kLineBytes * kLineBytes;
  std::memcpy(to, from, head);
  stream_lines(to + head, from + head, lines);
  _mm_sfence();  // non-temporal stores are not ordered with the store that reports the copy's end
  std::memcpy(to + head + lines, from + head + lines, bytes - head - lines);
}

void copy_piece(char *to, const char *from, size_t bytes, bool past_caches) {
  past_caches ? stream(to, from, bytes) : static_cast<void>(std::memcpy(to, from, bytes));
}

/// A pattern repeated over a block.
struct FillBlock {
  FillBlock(const void *pattern, size_t pattern_bytes) {
    for (size_t i = 0; i < bytes.size(); i += pattern_bytes) std::memcpy(bytes.data() + i, pattern, pattern_bytes);
    is_one_value = std::all_of(bytes.begin(), bytes.end(), [&](char byte) { return byte == bytes[0]; });
  }

  void write(char *at, size_t count, bool past_caches) const {
    if (is_one_value && !past_caches) {
      std::memset(at, bytes[0], count);
      return;
    }
    char *const stop = at + count;
    for (; stop - at >= static_cast<ptrdiff_t>(kFillBlock); at += kFillBlock) copy_block(at, past_caches);
    std::memcpy(at, bytes.data(), static_cast<size_t>(stop - at));
    if (past_caches) _mm_sfence();
  }

  void copy_block(char *at, bool past_caches) const {
    if (past_caches && reinterpret_cast<uintptr_t>(at) % kLineBytes == 0)
      stream_lines(at, bytes.data(), kFillBlock);
    else
      std::memcpy(at, bytes.data(), kFillBlock);
  }

  alignas(kLineBytes) std::array<char, kFillBlock> bytes;
  bool is_one_value;
};
static_assert(kFillBlock % kLineBytes == 0);

}  // namespace

void copy_bytes(void *to, const void *from, size_t bytes) {
  if (to == from || bytes == 0) return;
  in_pieces(bytes, [=](size_t begin, size_t end) {
    copy_piece(static_cast<char *>(to) + begin, static_cast<const char *>(from) + begin, end - begin,
               bypasses_caches(bytes, 2));
  });
}

void fill_bytes(void *to, size_t bytes, const void *pattern, size_t pattern_bytes) {
  const FillBlock block(pattern, pattern_bytes);
  in_pieces(bytes, [=, &block](size_t begin, size_t end) {
    block.write(static_cast<char *>(to) + begin, end - begin, bypasses_caches(bytes, 1));
  });
}

void copy_rows(char *to, const RowLayout &to_layout, const char *from, const RowLayout &from_layout, const Rows &rows) {
  if (rows.bytes >= kLongRow) {
    for (size_t z = 0; z < rows.slices; ++z)
      for (size_t y = 0; y < rows.rows; ++y)
        copy_bytes(to + z * to_layout.slice_pitch + y * to_layout.row_pitch,
                   from + z * from_layout.slice_pitch + y * from_layout.row_pitch, rows.bytes);
    return;
  }
  in_rows(to_layout, from_layout, rows, 2, [&](size_t to_offset, size_t from_offset, bool past_caches) {
    if (to + to_offset != from + from_offset) copy_piece(to + to_offset, from + from_offset, rows.bytes, past_caches);
  });
}

void fill_rows(char *to, const RowLayout &layout, const Rows &rows, const void *pattern, size_t pattern_bytes) {
  if (rows.bytes >= kLongRow) {
    for (size_t z = 0; z < rows.slices; ++z)
      for (size_t y = 0; y < rows.rows; ++y)
        fill_bytes(to + z * layout.slice_pitch + y * layout.row_pitch, rows.bytes, pattern, pattern_bytes);
    return;
  }
  const FillBlock block(pattern, pattern_bytes);
  in_rows(layout, layout, rows, 1,
          [&](size_t offset, size_t, bool past_caches) { block.write(to + offset, rows.bytes, past_caches); });
}

}  // namespace upsweep
