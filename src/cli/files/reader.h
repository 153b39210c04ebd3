// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads pieces of an array in C's order, as bytes or converted.
#ifndef UPSWEEP_CLI_FILES_READER_H
#define UPSWEEP_CLI_FILES_READER_H

#include "cli/files/array.h"

#include <vector>

namespace upsweep::cli {

class Reader {
public:
  enum class Order { kOfC, kOfMemory };
  explicit Reader(const Array &array, Order order = Order::kOfC);

  // The stored elements from `begin`: in the file, or copied to `room`.
  const std::byte *bytes(size_t begin, size_t n, std::vector<std::byte> &room) const;
  // The converted, aligned elements: in the file if it has these bits, or in `room`.
  const void *values(size_t begin, size_t n, Compute compute, std::vector<std::byte> &room);
  // Converts the elements to `to`.
  void load(size_t begin, size_t n, Compute compute, void *to);

private:
  void note(size_t n) const;
  void gather(size_t begin, size_t n, std::byte *to) const;

  const Array &array_;
  bool is_gathered_;
  std::vector<std::byte> gathered_;
};

}  // namespace upsweep::cli
#endif
