// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads pieces of arrays.
#include "cli/files/reader.h"

#include "cli/files/mapping.h"
#include "cli/files/parallel.h"

#include <algorithm>
#include <cstring>

namespace upsweep::cli {
namespace {

constexpr size_t kPiece = size_t{1} << 14;
constexpr size_t kPageBytes = 4096;

// Copies elements `begin` to `end`, in C's order, from an array in Fortran's order.
template <size_t kBytes>
void gather_piece(const Array &array, size_t begin, size_t end, std::byte *to) {
  const auto &shape = array.shape;
  const size_t dimensions = shape.size();
  std::vector<size_t> strides(dimensions), index(dimensions);
  size_t stride = 1;
  for (size_t d = 0; d < dimensions; ++d) {
    strides[d] = stride;
    stride *= shape[d];
  }
  size_t place = 0;
  for (size_t d = dimensions, rest = begin; d-- > 0; rest /= shape[d]) {
    index[d] = rest % shape[d];
    place += index[d] * strides[d];
  }
  for (size_t i = begin; i < end; ++i, to += kBytes) {
    std::memcpy(to, array.data + place * kBytes, kBytes);
    for (size_t d = dimensions; d-- > 0;) {
      place += strides[d];
      if (++index[d] < shape[d]) break;
      place -= shape[d] * strides[d];
      index[d] = 0;
    }
  }
}

}  // namespace

Reader::Reader(const Array &array, Order order) : array_(array), is_gathered_(order == Order::kOfC && array.is_transposed()) {}

void Reader::gather(size_t begin, size_t n, std::byte *to) const {
  const size_t bytes = array_.type.bytes();
  share_out(n, kPiece, [&](size_t first, size_t last) {
    std::byte *at = to + first * bytes;
    switch (bytes) {
    case 1: return gather_piece<1>(array_, begin + first, begin + last, at);
    case 2: return gather_piece<2>(array_, begin + first, begin + last, at);
    case 4: return gather_piece<4>(array_, begin + first, begin + last, at);
    default: return gather_piece<8>(array_, begin + first, begin + last, at);
    }
  });
}

void Reader::note(size_t n) const {
  if (!array_.file || array_.memory != array_.file) return;
  // Elements of an array in Fortran's order are in pages of their own, which neighbours may share.
  array_.file->note_read(is_gathered_ ? n * std::min(kPageBytes, array_.bytes() / array_.shape.back())
                                      : n * array_.type.bytes());
}

const std::byte *Reader::bytes(size_t begin, size_t n, std::vector<std::byte> &room) const {
  note(n);
  if (!is_gathered_) return array_.data + begin * array_.type.bytes();
  room.resize(n * array_.type.bytes());
  gather(begin, n, room.data());
  return room.data();
}

const void *Reader::values(size_t begin, size_t n, Compute compute, std::vector<std::byte> &room) {
  const std::byte *first = array_.data + begin * array_.type.bytes();
  const bool is_aligned = reinterpret_cast<uintptr_t>(first) % array_.type.bytes() == 0;
  if (!is_gathered_ && is_same_bits(array_.type, compute) && is_aligned) {
    note(n);
    return first;
  }
  room.resize(n * bytes_of(compute));
  load(begin, n, compute, room.data());
  return room.data();
}

void Reader::load(size_t begin, size_t n, Compute compute, void *to) {
  load_elements(array_.type, bytes(begin, n, gathered_), compute, to, n);
}

}  // namespace upsweep::cli
