// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads pairs of keys and values.
#include "cli/files/streams.h"

#include <cstring>

namespace upsweep::cli {

PairSource::PairSource(const Array *array, const Array &by, const KeyCodec &codec)
    : key_reader_(by), codec_(codec), count_(by.count) {
  if (array == nullptr) return;
  reader_.emplace(*array);
  value_bytes_ = array->type.bytes();
}

uint64_t PairSource::read(KeyAndValue *to, uint64_t n) {
  n = std::min(n, count_ - at_);
  for (uint64_t done = 0, piece = 0; done < n; done += piece, at_ += piece) {
    piece = std::min<uint64_t>(kStreamPiece, n - done);
    auto *keys = reinterpret_cast<std::byte *>(keys_.data());
    codec_.load(key_reader_, at_, piece, keys);
    codec_.widen(keys, piece, keys_.data());
    const std::byte *values = reader_ ? reader_->bytes(at_, piece, room_) : nullptr;
    for (uint64_t i = 0; i < piece; ++i) {
      KeyAndValue &pair = to[done + i];
      pair = {keys_[i], at_ + i};
      if (values != nullptr) {
        pair.value = 0;
        std::memcpy(&pair.value, values + i * value_bytes_, value_bytes_);
      }
    }
  }
  return n;
}

external::settings external_settings(const std::filesystem::path &out, uint64_t count, Progress &progress) {
  return {.memory = memory_for_arrays(),
          .folder = folder_beside(out).string(),
          .count = count,
          .watch = [&progress](uint64_t moved, uint64_t all) { progress.show_left(moved, all); }};
}

}  // namespace upsweep::cli
