// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common fixture of tests of the disk cache.
#ifndef UPSWEEP_TESTS_COMPILER_CACHE_FIXTURE_H
#define UPSWEEP_TESTS_COMPILER_CACHE_FIXTURE_H

#include "compiler/client/disk_cache.h"
#include "fixture.h"

#include <algorithm>
#include <vector>

namespace upsweep::compiler::test {

inline Bytes key_of(int number) {
  const std::string text = "key " + std::to_string(number);
  return {text.begin(), text.end()};
}

inline Result result_of(size_t bytes) {
  Result result;
  result.reply.status = Status::kSuccess;
  result.reply.log = "a warning";
  result.reply.binary.assign(bytes, 7);
  result.cacheable = true;
  return result;
}

/// The files in a cache, without the stamp of the last eviction.
inline std::vector<std::filesystem::path> entries_of(const std::filesystem::path &folder) {
  std::vector<std::filesystem::path> found;
  std::error_code none;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder / "upsweep", none))
    if (entry.is_regular_file() && entry.path().filename() != "evicted") found.push_back(entry.path());
  return found;
}

inline uintmax_t bytes_of(const std::filesystem::path &folder) {
  uintmax_t total = 0;
  for (const auto &file : entries_of(folder)) total += std::filesystem::file_size(file);
  return total;
}

}  // namespace upsweep::compiler::test
#endif
