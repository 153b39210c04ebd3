// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output that bypasses the caches: other stores first read their line, which makes three transfers out of two.
#pragma once

#include <upsweep/cpu/simd/targets.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <immintrin.h>

namespace upsweep::cpu::detail {

constexpr std::size_t kLine = 64;

// An output of at least this size bypasses the caches. The size was measured for the driver's copies (src/targets/cpu).
constexpr std::size_t kStreamedBytes = std::size_t(32) << 20;

// An array that is written sequentially through a buffer in the first-level cache, in whole lines. Up to kTileBytes may be
// added in a call. The rest, at most a line, is written at the end.
template <std::size_t kTileBytes>
class StreamedOutput {
public:
  explicit StreamedOutput(void *to)
      : line_(reinterpret_cast<std::byte *>(reinterpret_cast<std::uintptr_t>(to) / kLine * kLine)),
        begin_(reinterpret_cast<std::uintptr_t>(to) % kLine), filled_(begin_) {}

  // The place of the next bytes; commit() states their number.
  std::byte *room() { return buffer_ + filled_; }

  // The side work of a scan that writes to room(): prefetches, and the bytes to stream.
  Side side(const void *ahead) const { return begin_ > 0 ? Side{ahead} : Side{ahead, line_, buffer_, kStreamLag}; }
  static std::size_t streamed_by(const Side &side, std::size_t bytes) {
    const std::size_t lines = bytes / kLine * kLine;
    return lines > side.first_streamed ? lines - kStreamLag : 0;
  }

  // `streamed` of the buffer's bytes have been streamed already.
  void commit(std::size_t bytes, std::size_t streamed = 0) {
    filled_ += bytes;
    std::size_t done = streamed;
    if (begin_ > 0 && filled_ >= kLine) {
      std::memcpy(line_ + begin_, buffer_ + begin_, kLine - begin_);
      begin_ = 0;
      done = kLine;
    }
    if (begin_ == 0) {
      const std::size_t lines = (filled_ - done) / kLine;
      UPSWEEP_CPU_DISPATCH(stream_lines, line_ + done, buffer_ + done, lines);
      done += lines * kLine;
    }
    if (done > 0) {
      filled_ -= done;
      line_ += done;
      std::memcpy(buffer_, buffer_ + done, filled_);  // less than a line
    }
  }

  void finish() {
    std::memcpy(line_ + begin_, buffer_ + begin_, filled_ - begin_);
    begin_ = filled_;
    _mm_sfence();  // only this orders streamed lines before the flag that announces them
  }

private:
  std::byte *line_;     // the line in memory at which the buffer begins
  std::size_t begin_;   // bytes of that line before the array
  std::size_t filled_;  // bytes in the buffer, including the bytes in front of the array
  alignas(kLine) std::byte buffer_[kTileBytes + kLine];
};

// Writes `count` elements, bypassing the caches if whole lines permit it.
template <class T>
void put_row(T *to, const T *from, std::size_t count, bool is_streamed) {
  auto *bytes = reinterpret_cast<std::byte *>(to);
  const auto *source = reinterpret_cast<const std::byte *>(from);
  const std::size_t size = count * sizeof(T);
  const std::size_t head = std::min(size, (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine);
  const std::size_t lines = is_streamed ? (size - head) / kLine : 0;
  if (lines == 0) {
    std::memcpy(bytes, source, size);
    return;
  }
  std::memcpy(bytes, source, head);
  std::byte *first = bytes + head;
  const std::byte *first_source = source + head;
  UPSWEEP_CPU_DISPATCH(stream_lines, first, first_source, lines);
  const std::size_t done = head + lines * kLine;
  std::memcpy(bytes + done, source + done, size - done);
}

}  // namespace upsweep::cpu::detail
