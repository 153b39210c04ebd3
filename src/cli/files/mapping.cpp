// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps files.
#include "cli/files/mapping.h"

#include "cli/files/memory.h"
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
constexpr size_t kMostResident = size_t{4} << 20;  // bytes of a mapped file; giving back fewer at a time takes more time

Result<size_t> read_stdin(std::byte *to, size_t bytes) {
  while (true) {
    const ssize_t got = read(STDIN_FILENO, to, bytes);
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) return fail("cannot read standard input: {}", std::strerror(errno));
  }
}

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
    const auto got = read_stdin(&bytes[size], bytes.size() - size);
    if (!got) return Failure(got.error());
    size += *got;
    if (*got == 0) {
      bytes.resize(size);
      return std::shared_ptr<const Mapping>(new Mapping(std::move(bytes)));
    }
    if (size < bytes.size()) continue;
    if (size > memory_for_arrays() / 8) return of_stored_stdin(bytes);  // what is read needs memory twice when it grows
    bytes.resize(2 * size);
  }
}

Result<std::shared_ptr<const Mapping>> Mapping::of_stored_stdin(std::vector<std::byte> &bytes) {
  const auto file = OutputFile::create_unnamed("standard input");
  if (!file) return Failure(file.error());
  size_t size = 0;
  for (size_t n = bytes.size(); n > 0;) {
    if (auto written = (*file)->write(size, bytes.data(), n); !written) return Failure(written.error());
    size += n;
    const auto got = read_stdin(bytes.data(), bytes.size());
    if (!got) return Failure(got.error());
    n = *got;
  }
  return of_descriptor((*file)->descriptor(), size, "-");
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

void Mapping::note_read(size_t bytes) const {
  if (!is_mapped_ || bytes_.size() <= kMostResident) return;
  resident_ += bytes;
  if (resident_ >= kMostResident) give_back();
}

void Mapping::give_back() const {
  resident_ = 0;
  if (is_mapped_ && !bytes_.empty()) madvise(const_cast<std::byte *>(bytes_.data()), bytes_.size(), MADV_DONTNEED);
}

Mapping::~Mapping() {
  if (is_mapped_) munmap(const_cast<std::byte *>(bytes_.data()), bytes_.size());
}

}  // namespace upsweep::cli
