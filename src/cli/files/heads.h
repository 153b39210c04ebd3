// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the starts of runs of equal adjacent elements.
#ifndef UPSWEEP_CLI_FILES_HEADS_H
#define UPSWEEP_CLI_FILES_HEADS_H

#include "cli/files/reader.h"

#include <cstdint>
#include <filesystem>

namespace upsweep::cli {

class Heads {
public:
  explicit Heads(const Array &array) : array_(array), reader_(array) {}

  // Sets flags[i] to 1 if element `begin` + i differs from its predecessor, or is the first. Compares numbers, so -0 equals 0
  // and each NaN is a separate run.
  void find(size_t begin, size_t n, uint8_t *flags);
  // Like find(), from the last element to the first: 1 if an element differs from its successor, or is the last.
  void find_backward(size_t begin, size_t n, uint8_t *flags);

private:
  // unequal[i]: whether elements `begin` + i and `begin` + i + 1 differ.
  void compare(size_t begin, size_t n, uint8_t *unequal);

  const Array &array_;
  Reader reader_;
  std::vector<std::byte> room_;
};

// A file with one element for each element of the array. Elements of rows without a value in the array are left out.
Result<Array> open_keys(const std::filesystem::path &path, const InputOptions &options, const Array &of);

}  // namespace upsweep::cli
#endif
