// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps files.
#include "cli/files/mapping.h"

#include "cli/files/output.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace upsweep::cli {
namespace {

constexpr size_t kLeastRead = size_t{1} << 16;

}  // namespace

Result<std::shared_ptr<const Mapping>> Mapping::of_descriptor(int file, size_t size, const std::filesystem::path &path) {
  if (size == 0) return std::shared_ptr<const Mapping>(new Mapping(std::vector<std::byte>()));
  void *start = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  if (start == MAP_FAILED) return fail("cannot map '{}': {}", path.string(), std::strerror(errno));
  madvise(start, size, MADV_SEQUENTIAL);
  return std::shared_ptr<const Mapping>(new Mapping(std::span(static_cast<const std::byte *>(start), size)));
}

Result<std::shared_ptr<const Mapping>> Mapping::of_stdin() {
  struct stat status{};
  if (fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0)
    return of_descriptor(STDIN_FILENO, static_cast<size_t>(status.st_size), "-");
  std::vector<std::byte> bytes(kLeastRead);
  for (size_t size = 0;;) {
    const ssize_t got = read(STDIN_FILENO, &bytes[size], bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail("cannot read standard input: {}", std::strerror(errno));
    size += static_cast<size_t>(got);
    if (got == 0) {
      bytes.resize(size);
      return std::shared_ptr<const Mapping>(new Mapping(std::move(bytes)));
    }
    if (size == bytes.size()) bytes.resize(2 * size);
  }
}

Result<std::shared_ptr<const Mapping>> Mapping::of_file(const std::filesystem::path &path) {
  if (is_standard_stream(path)) return of_stdin();
  // Without O_NONBLOCK, open() would wait for a pipe's writer.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return fail("cannot read '{}': {}", path.string(), std::strerror(errno));
  struct stat status{};
  const bool is_regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  auto mapping = is_regular ? of_descriptor(file, static_cast<size_t>(status.st_size), path)
                            : fail("cannot read '{}': it is not a regular file; - is standard input", path.string());
  close(file);
  return mapping;
}

Mapping::~Mapping() {
  if (is_mapped_) munmap(const_cast<std::byte *>(bytes_.data()), bytes_.size());
}

}  // namespace upsweep::cli
