// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files in the disk cache: which of them are entries, and which are the user's.
#ifndef UPSWEEP_COMPILER_CLIENT_CACHE_FILES_H
#define UPSWEEP_COMPILER_CLIENT_CACHE_FILES_H

#include "compiler/client/private_folder.h"

#include <ctime>
#include <string>
#include <vector>

namespace upsweep::compiler {

/// If a process ends while it writes an entry, the file stays. After this time no process can still be writing it.
inline constexpr time_t kAbandonedSeconds = 3600;

enum class CacheFile : uint8_t { kEntry, kUnfinished, kForeign };

/// The names in a folder, without "." and "..". Empty if the folder cannot be read.
[[nodiscard]] std::vector<std::string> names_in(const UniqueFd &folder);

/// Tells a file's kind by its name, its rights and its first bytes, and sets `status` unless the file is foreign. An unfinished
/// entry may be empty.
[[nodiscard]] CacheFile kind_of(const UniqueFd &folder, const char *name, struct stat &status);

}  // namespace upsweep::compiler
#endif
