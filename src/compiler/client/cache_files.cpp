// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads folders by handles, which nothing can exchange.
#include "compiler/client/cache_files.h"

#include "compiler/client/cache_entry.h"
#include "compiler/client/cache_names.h"

#include <dirent.h>
#include <fcntl.h>

#include <memory>
#include <string_view>

namespace upsweep::compiler {

std::vector<std::string> names_in(const UniqueFd &folder) {
  std::vector<std::string> names;
  UniqueFd readable(openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!readable) return names;
  const std::unique_ptr<DIR, int (*)(DIR *)> stream(fdopendir(readable.get()), closedir);
  if (!stream) return names;
  (void)readable.release();  // owned by the stream now, which closes it
  while (const dirent *each = readdir(stream.get()))
    if (const std::string_view name = each->d_name; name != "." && name != "..") names.emplace_back(name);
  return names;
}

CacheFile kind_of(const UniqueFd &folder, const char *name, struct stat &status) {
  const bool is_temporary = is_temporary_file(name);
  if (!is_temporary && !is_entry_file(name)) return CacheFile::kForeign;
  const UniqueFd file = open_private_file(folder, name, status);
  if (!file) return CacheFile::kForeign;
  uint8_t start[kEntryMagicBytes];
  const ssize_t n = pread(file.get(), start, sizeof(start), 0);
  if (n == 0 && is_temporary) return CacheFile::kUnfinished;  // its writer has not begun, or was killed at the start
  if (n != sizeof(start) || !has_entry_magic(start)) return CacheFile::kForeign;
  return is_temporary ? CacheFile::kUnfinished : CacheFile::kEntry;
}

}  // namespace upsweep::compiler
