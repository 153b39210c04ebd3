// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills at memory speed; long ones on several threads.
#include "runtime/commands/bulk_copy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

namespace upsweep {
namespace {

/// A thread copies these in 0.4 ms and more (10 GB/s); to start it takes 30 µs.
constexpr size_t kBytesPerThread = size_t{4} << 20;
/// More threads than this no longer add bandwidth on one socket.
constexpr size_t kMaxThreads = 8;
/// Fills write blocks of this size: a multiple of every pattern, of three channels too.
constexpr size_t kFillBlock = 3 * kMaxFillPattern;
/// Cut points stay on page boundaries relative to the start, so that no two threads write one cache line or pattern.
constexpr size_t kCutBytes = 3 * size_t{4096};
static_assert(kCutBytes % kFillBlock == 0);

/// Calls work(begin, end) for pieces of [0, bytes), the last one on this thread.
template <typename Work>
void in_pieces(size_t bytes, const Work &work) {
  if (bytes < 2 * kBytesPerThread) {
    work(0, bytes);
    return;
  }
  static const size_t limit = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMaxThreads);
  const size_t threads = std::min(bytes / kBytesPerThread, limit);
  const size_t piece = (bytes / threads + kCutBytes - 1) / kCutBytes * kCutBytes;
  std::vector<std::jthread> helpers;
  size_t begin = 0;
  for (; begin + piece < bytes; begin += piece) {
    try {
      helpers.emplace_back([&work, begin, piece] { work(begin, begin + piece); });
    } catch (const std::exception &) {
      break;  // no more threads or memory: this one does the rest
    }
  }
  work(begin, bytes);
}

}  // namespace

void copy_bytes(void *to, const void *from, size_t bytes) {
  if (to == from || bytes == 0) return;
  in_pieces(bytes, [=](size_t begin, size_t end) {
    std::memcpy(static_cast<char *>(to) + begin, static_cast<const char *>(from) + begin, end - begin);
  });
}

void fill_bytes(void *to, size_t bytes, const void *pattern, size_t pattern_bytes) {
  std::array<char, kFillBlock> block;
  for (size_t i = 0; i < block.size(); i += pattern_bytes) std::memcpy(block.data() + i, pattern, pattern_bytes);
  const bool one_value = std::all_of(block.begin(), block.end(), [&](char byte) { return byte == block[0]; });
  in_pieces(bytes, [=](size_t begin, size_t end) {
    char *at = static_cast<char *>(to) + begin;
    char *const stop = static_cast<char *>(to) + end;
    if (one_value) {
      std::memset(at, block[0], end - begin);
      return;
    }
    for (; stop - at >= static_cast<ptrdiff_t>(kFillBlock); at += kFillBlock) std::memcpy(at, block.data(), kFillBlock);
    std::memcpy(at, block.data(), static_cast<size_t>(stop - at));
  });
}

}  // namespace upsweep
