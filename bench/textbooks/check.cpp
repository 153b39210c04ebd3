// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs of `upsweep bench`, and its results beside plain loops.
#include "bench/textbooks/machine.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>

namespace upsweep::cli::textbooks {
namespace {

bool are_sums(std::span<const float> in, const float *out, size_t chunk) {
  float total = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    if (i % chunk == 0) total = 0;
    if (out[i] != total) return false;
    total += in[i];
  }
  return true;
}

bool is_compacted(std::span<const uint32_t> in, const uint32_t *out, size_t kept) {
  size_t found = 0;
  for (const uint32_t key : in) {
    if (key >> 31 == 0) continue;
    if (found == kept || out[found] != key) return false;
    ++found;
  }
  return found == kept;
}

// In order, and the same keys: two sums over all that no order changes.
bool is_sorted_copy(std::span<const uint32_t> in, std::span<const uint32_t> out) {
  const auto sums = [](std::span<const uint32_t> keys) {
    uint64_t sum = 0, mixed = 0;
    for (const uint64_t key : keys) {
      sum += key;
      mixed += (key * 0x9E3779B97F4A7C15u) ^ (key << 17);  // 2^64 over the golden ratio
    }
    return std::pair(sum, mixed);
  };
  return std::ranges::is_sorted(out) && sums(in) == sums(out);
}

bool is_table(const uint8_t *picture, const uint32_t *table, size_t side) {
  const size_t row = side * kChannels;
  std::vector<uint32_t> above(row);
  for (size_t y = 0; y < side; ++y) {
    uint32_t left[kChannels] = {};
    for (size_t i = 0; i < row; ++i) {
      above[i] += left[i % kChannels] += picture[y * row + i];
      if (table[y * row + i] != above[i]) return false;
    }
  }
  return true;
}

}  // namespace

Inputs::Inputs(size_t most_elements, size_t most_pixels)
    : floats(most_elements), keys(most_elements), picture(most_pixels * kChannels) {
  std::mt19937 engine(39);  // any seed does: the chapter's number
  for (float &x : floats) x = static_cast<float>(engine() % 3) - 1;
  for (uint32_t &key : keys) key = engine();
  for (uint8_t &value : picture) value = static_cast<uint8_t>(engine());
}

size_t Inputs::result_bytes() const { return std::max(floats.size(), picture.size()) * sizeof(uint32_t); }

double least_bytes(Figure figure, size_t n) {
  switch (figure) {
  case Figure::kCompaction: return 1.5 * sizeof(uint32_t) * static_cast<double>(n);  // half are kept
  case Figure::kTable: return static_cast<double>(kChannels * (sizeof(uint8_t) + sizeof(uint32_t)) * n);
  default: return static_cast<double>(2 * sizeof(float) * n);
  }
}

Result<bool> is_right(const Inputs &inputs, Machine &machine, Figure figure, size_t n) {
  const size_t bytes = (figure == Figure::kTable ? kChannels : 1) * n * sizeof(uint32_t);
  const auto found = machine.result(bytes);
  if (!found) return Failure(found.error());
  const std::span keys(inputs.keys.data(), n);
  const auto *words = static_cast<const uint32_t *>(*found);
  switch (figure) {
  case Figure::kScan: return are_sums({inputs.floats.data(), n}, static_cast<const float *>(*found), n);
  case Figure::kChunks:
  case Figure::kBlock: return are_sums({inputs.floats.data(), n}, static_cast<const float *>(*found), kChunk);
  case Figure::kCompaction: return machine.kept().map([&](size_t kept) { return is_compacted(keys, words, kept); });
  case Figure::kSort: return is_sorted_copy(keys, {words, n});
  case Figure::kTable: return is_table(inputs.picture.data(), words, static_cast<size_t>(std::lround(std::sqrt(n))));
  }
  return false;
}

}  // namespace upsweep::cli::textbooks
