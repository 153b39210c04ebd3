// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps elements to keys and back, and runs the sorts.
#include "cli/files/sort_keys.h"

#include "cli/files/device_sort.h"
#include "cli/files/parallel.h"
#include "cli/files/view.h"
#include "cli/files/watched_pool.h"

#include <cstring>
#include <type_traits>
#include <upsweep/cpu/sort.h>

namespace upsweep::cli {
namespace {

constexpr size_t kPiece = size_t{1} << 16;

// Copies integers while changing their byte order or flipping bits.
template <class T>
void map_integers(const std::byte *from, std::byte *to, size_t n, T mask, bool is_swapped) {
  share_out(n, kPiece, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      T value;
      std::memcpy(&value, from + i * sizeof(T), sizeof(T));
      if constexpr (sizeof(T) == 2) value = is_swapped ? __builtin_bswap16(value) : value;
      if constexpr (sizeof(T) == 4) value = is_swapped ? __builtin_bswap32(value) : value;
      if constexpr (sizeof(T) == 8) value = is_swapped ? __builtin_bswap64(value) : value;
      value = static_cast<T>(value ^ mask);
      std::memcpy(to + i * sizeof(T), &value, sizeof(T));
    }
  });
}

}  // namespace

template <class F>
void Keys::with_keys(F f) {
  switch (kind_) {
  case Kind::U8: return f(reinterpret_cast<uint8_t *>(keys_.data()));
  case Kind::U16: return f(reinterpret_cast<uint16_t *>(keys_.data()));
  case Kind::U32: return f(reinterpret_cast<uint32_t *>(keys_.data()));
  case Kind::U64: return f(reinterpret_cast<uint64_t *>(keys_.data()));
  case Kind::F32: return f(reinterpret_cast<float *>(keys_.data()));
  case Kind::F64: return f(reinterpret_cast<double *>(keys_.data()));
  }
}

Keys::Keys(const Array &array, bool is_descending)
    : type_(array.type), kind_(Kind::F64), is_descending_(is_descending), count_(array.count) {
  Reader reader(array);
  if (is_real(type_.scalar)) {
    kind_ = type_.scalar == Scalar::Double ? Kind::F64 : Kind::F32;
    const Compute compute = kind_ == Kind::F64 ? Compute::F64 : Compute::F32;
    keys_.resize(count_ * bytes_of(compute));
    reader.load(0, count_, compute, keys_.data());
    return;
  }
  const size_t bytes = type_.bytes();
  kind_ = bytes == 1 ? Kind::U8 : bytes == 2 ? Kind::U16 : bytes == 4 ? Kind::U32 : Kind::U64;
  if (type_.is_signed()) mask_ ^= uint64_t{1} << (8 * bytes - 1);
  if (is_descending) mask_ = ~mask_;
  keys_.resize(count_ * bytes);
  std::vector<std::byte> room;
  const std::byte *from = reader.bytes(0, count_, room);
  with_keys([&](auto *keys) {
    using T = std::remove_pointer_t<decltype(keys)>;
    if constexpr (std::is_integral_v<T>) map_integers<T>(from, keys_.data(), count_, static_cast<T>(mask_), type_.is_swapped);
  });
}

Result<void> Keys::sort(WorkDevice *device, Progress &progress) {
  Result<void> done;
  WatchedPool pool(progress);
  with_keys([&](auto *keys) {
    constexpr bool kIsReal = std::is_floating_point_v<std::remove_pointer_t<decltype(keys)>>;
    if (device) {
      done = sort_on_device(*device, keys, count_, kIsReal && is_descending_);
      return;
    }
    if constexpr (kIsReal)
      if (is_descending_) return cpu::sort_keys(keys, keys, count_, pool, cpu::descending);
    cpu::sort_keys(keys, keys, count_, pool);
  });
  return done;
}

template <class Index>
Result<void> Keys::sort_indices(std::vector<Index> &indices, WorkDevice *device, Progress &progress) {
  indices.resize(count_);
  Result<void> done;
  WatchedPool pool(progress);
  with_keys([&](auto *keys) {
    constexpr bool kIsReal = std::is_floating_point_v<std::remove_pointer_t<decltype(keys)>>;
    if (device) {
      done = arg_sort_on_device(*device, keys, indices.data(), count_, kIsReal && is_descending_);
      return;
    }
    if constexpr (kIsReal)
      if (is_descending_) return cpu::arg_sort(keys, keys, indices.data(), count_, pool, cpu::descending);
    cpu::arg_sort(keys, keys, indices.data(), count_, pool);
  });
  return done;
}

Result<void> Keys::sort(std::vector<uint32_t> &indices, WorkDevice *device, Progress &progress) {
  return sort_indices(indices, device, progress);
}
Result<void> Keys::sort(std::vector<uint64_t> &indices, WorkDevice *device, Progress &progress) {
  return sort_indices(indices, device, progress);
}

void Keys::take(size_t begin, size_t n, std::byte *to) const {
  const std::byte *keys = keys_.data();
  switch (kind_) {
  case Kind::U8: return map_integers<uint8_t>(keys + begin, to, n, static_cast<uint8_t>(mask_), false);
  case Kind::U16: return map_integers<uint16_t>(keys + begin * 2, to, n, static_cast<uint16_t>(mask_), false);
  case Kind::U32: return map_integers<uint32_t>(keys + begin * 4, to, n, static_cast<uint32_t>(mask_), false);
  case Kind::U64: return map_integers<uint64_t>(keys + begin * 8, to, n, mask_, false);
  case Kind::F32: return store_elements(Compute::F32, keys + begin * 4, type_.native(), to, n);
  case Kind::F64: return store_elements(Compute::F64, keys + begin * 8, type_.native(), to, n);
  }
}

}  // namespace upsweep::cli
