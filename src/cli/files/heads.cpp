// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares adjacent elements: integers by their bytes, floating-point numbers by their values.
#include "cli/files/heads.h"

#include "cli/files/parallel.h"

#include <cstring>

namespace upsweep::cli {
namespace {

constexpr size_t kPiece = size_t{1} << 16;

template <class T>
void compare_neighbours(const void *elements, size_t n, uint8_t *unequal) {
  const auto *first = static_cast<const std::byte *>(elements);
  share_out(n, kPiece, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      T a, b;
      std::memcpy(&a, first + i * sizeof(T), sizeof(T));
      std::memcpy(&b, first + (i + 1) * sizeof(T), sizeof(T));
      unequal[i] = a != b;
    }
  });
}

// Removes the elements with these numbers, which are ascending.
void leave_out(Array &array, const std::vector<uint64_t> &numbers) {
  const size_t bytes = array.type.bytes();
  std::vector<std::byte> room;
  const std::byte *from = Reader(array).bytes(0, array.count, room);
  std::vector<std::byte> kept;
  kept.reserve((array.count - numbers.size()) * bytes);
  size_t next = 0;
  for (size_t i = 0; i < array.count; ++i) {
    if (next < numbers.size() && numbers[next] == i)
      ++next;
    else
      kept.insert(kept.end(), from + i * bytes, from + (i + 1) * bytes);
  }
  const auto memory = std::make_shared<const std::vector<std::byte>>(std::move(kept));
  array.data = memory->data();
  array.memory = memory;
  array.count -= numbers.size();
  array.shape = {array.count};
  array.is_fortran = false;
}

}  // namespace

void Heads::compare(size_t begin, size_t n, uint8_t *unequal) {
  if (n == 0) return;
  if (array_.type.scalar == Scalar::Double)
    return compare_neighbours<double>(reader_.values(begin, n + 1, Compute::F64, room_), n, unequal);
  if (is_real(array_.type.scalar))
    return compare_neighbours<float>(reader_.values(begin, n + 1, Compute::F32, room_), n, unequal);
  const std::byte *elements = reader_.bytes(begin, n + 1, room_);
  switch (array_.type.bytes()) {
  case 1: return compare_neighbours<uint8_t>(elements, n, unequal);
  case 2: return compare_neighbours<uint16_t>(elements, n, unequal);
  case 4: return compare_neighbours<uint32_t>(elements, n, unequal);
  default: return compare_neighbours<uint64_t>(elements, n, unequal);
  }
}

void Heads::find(size_t begin, size_t n, uint8_t *flags) {
  if (n == 0) return;
  const size_t first = begin == 0 ? 1 : 0;  // the very first element has no predecessor
  if (first == 1) flags[0] = 1;
  compare(begin + first - 1, n - first, flags + first);
}

void Heads::find_backward(size_t begin, size_t n, uint8_t *flags) {
  if (n == 0) return;
  const bool is_end = begin + n == array_.count;
  if (is_end) flags[n - 1] = 1;
  compare(begin, n - (is_end ? 1 : 0), flags);
}

Result<Array> open_keys(const std::filesystem::path &path, const InputOptions &options, const Array &of) {
  auto keys = open_array(path, options);
  if (keys && of.is_text() && !of.table->skipped.empty() && keys->count == of.count + of.table->skipped.size())
    leave_out(*keys, of.table->skipped);
  if (keys && keys->count != of.count)
    return fail("'{}' has {} elements, but '{}' has {}", keys->name, keys->count, of.name, of.count);
  return keys;
}

}  // namespace upsweep::cli
