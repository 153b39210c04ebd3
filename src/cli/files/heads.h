// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where runs of equal neighbours begin.
#ifndef UPSWEEP_CLI_FILES_HEADS_H
#define UPSWEEP_CLI_FILES_HEADS_H

#include "cli/files/reader.h"

#include <cstdint>
#include <filesystem>

namespace upsweep::cli {

class Heads {
public:
  explicit Heads(const Array &array) : array_(array), reader_(array) {}

  // flags[i] is 1 where element `begin` + i differs from the one before it, or is the first. Numbers are compared, so that -0
  // is 0 and each NaN a run of its own.
  void find(size_t begin, size_t n, uint8_t *flags);
  // The same for the elements from the last to the first: where one differs from the one behind it, or is the last.
  void find_backward(size_t begin, size_t n, uint8_t *flags);

private:
  // unequal[i]: whether elements `begin` + i and `begin` + i + 1 differ.
  void compare(size_t begin, size_t n, uint8_t *unequal);

  const Array &array_;
  Reader reader_;
  std::vector<std::byte> room_;
};

// A file with an element for each of an array's. Elements of rows
// that the array lacks, since they have no value, are left out, too.
Result<Array> open_keys(const std::filesystem::path &path, const InputOptions &options, const Array &of);

}  // namespace upsweep::cli
#endif
