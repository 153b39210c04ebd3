// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the CPU library's selection for each size of elements.
#include "cli/files/keep.h"

#include <cstring>
#include <upsweep/cpu/select.h>
#include <vector>

namespace upsweep::cli {
namespace {

template <class T>
size_t keep(const std::byte *from, const uint8_t *flags, std::byte *to, size_t n) {
  std::vector<T> aligned;
  const T *elements = reinterpret_cast<const T *>(from);
  if (reinterpret_cast<uintptr_t>(from) % sizeof(T) != 0) {
    aligned.resize(n);
    std::memcpy(aligned.data(), from, n * sizeof(T));
    elements = aligned.data();
  }
  uint64_t kept = 0;
  cpu::select_by_flag(elements, flags, reinterpret_cast<T *>(to), &kept, n);
  return kept;
}

}  // namespace

size_t keep_elements(size_t bytes, const std::byte *from, const uint8_t *flags, std::byte *to, size_t n) {
  if (n == 0) return 0;
  switch (bytes) {
  case 1: return keep<uint8_t>(from, flags, to, n);
  case 2: return keep<uint16_t>(from, flags, to, n);
  case 4: return keep<uint32_t>(from, flags, to, n);
  default: return keep<uint64_t>(from, flags, to, n);
  }
}

}  // namespace upsweep::cli
