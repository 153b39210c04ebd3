// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps files.
#include "cli/files/mapping.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace upsweep::cli {

Result<std::shared_ptr<const Mapping>> Mapping::of_file(const std::filesystem::path &path) {
  // Without O_NONBLOCK a pipe without a writer would be waited for.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return fail("cannot read '{}': {}", path.string(), std::strerror(errno));
  struct stat status{};
  const bool is_regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = is_regular ? static_cast<size_t>(status.st_size) : 0;
  void *start = size > 0 ? mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0) : nullptr;
  const int error = errno;
  close(file);
  if (!is_regular) return fail("cannot read '{}': it is no regular file", path.string());
  if (start == MAP_FAILED) return fail("cannot map '{}': {}", path.string(), std::strerror(error));
  if (size > 0) madvise(start, size, MADV_SEQUENTIAL);
  return std::shared_ptr<const Mapping>(new Mapping({static_cast<const std::byte *>(start), size}));
}

Mapping::~Mapping() {
  if (!bytes_.empty()) munmap(const_cast<std::byte *>(bytes_.data()), bytes_.size());
}

}  // namespace upsweep::cli
