// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes each file under a temporary name beside its destination.
#include "cli/files/output.h"

#include "cli/files/progress.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace upsweep::cli {
namespace {

constexpr int kNamesTried = 100;
constexpr int kMostLinks = 40;               // Linux's limit
constexpr size_t kCopied = size_t{1} << 20;  // bytes per write

// Resolves symbolic links; the resulting file may not exist.
std::filesystem::path follow_links(std::filesystem::path path) {
  std::error_code error;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(path, error); ++i) {
    const auto target = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target replaces the path
  }
  return path;
}

}  // namespace

bool is_null_device(const std::filesystem::path &path) {
  struct stat status{}, null{};
  return stat(path.c_str(), &status) == 0 && stat("/dev/null", &null) == 0 && S_ISCHR(status.st_mode) &&
         S_ISCHR(null.st_mode) && status.st_rdev == null.st_rdev;
}

bool is_same_file(const std::filesystem::path &output, const std::filesystem::path &input) {
  struct stat one{}, other{};
  if (is_standard_stream(output) || stat(output.c_str(), &one) != 0) return false;
  if ((is_standard_stream(input) ? fstat(STDIN_FILENO, &other) : stat(input.c_str(), &other)) != 0) return false;
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

std::filesystem::path folder_beside(const std::filesystem::path &path) {
  if (path.empty() || is_standard_stream(path) || is_null_device(path)) return std::filesystem::temp_directory_path();
  const auto folder = follow_links(path).parent_path();
  return folder.empty() ? "." : folder;
}

OutputFile::OutputFile(int file, std::filesystem::path path, std::filesystem::path beside)
    : file_(file), path_(std::move(path)), beside_(std::move(beside)) {}

Result<std::unique_ptr<OutputFile>> OutputFile::create_unnamed(const std::filesystem::path &path) {
  std::string name = (std::filesystem::temp_directory_path() / "upsweep-XXXXXX").string();
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return fail("cannot write '{}': {}", name, std::strerror(errno));
  unlink(name.c_str());
  return std::unique_ptr<OutputFile>(new OutputFile(file, path, {}));
}

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::filesystem::path &wanted) {
  if (is_standard_stream(wanted)) return create_unnamed("standard output");
  const auto path = follow_links(wanted);
  struct stat status{};
  const bool is_there = stat(path.c_str(), &status) == 0;
  if (is_there && is_null_device(path)) {
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return fail("cannot write '{}': {}", wanted.string(), std::strerror(errno));
    return std::unique_ptr<OutputFile>(new OutputFile(file, {}, {}));
  }
  if (is_there && !S_ISREG(status.st_mode))
    return fail("cannot write '{}': it exists and is not a regular file", wanted.string());
  handle_interrupts();
  for (int i = 0; i < kNamesTried; ++i) {
    // Not derived from the destination's name, which may have the maximum length.
    const auto beside = path.parent_path() / fmt::format(".upsweep-{}-{}.part", getpid(), i);
    // Registered before the file exists, so that a signal never leaves it behind.
    auto unfinished = std::make_unique<Unfinished>(beside.string());
    const int file = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return fail("cannot write '{}': {}", wanted.string(), std::strerror(errno));
    if (is_there) fchmod(file, status.st_mode & 07777);
    std::unique_ptr<OutputFile> output(new OutputFile(file, path, beside));
    output->unfinished_ = std::move(unfinished);
    return output;
  }
  return fail("cannot write '{}': too many unfinished files are beside it", wanted.string());
}

OutputFile::~OutputFile() {
  if (file_ < 0) return;
  close(file_);
  if (!beside_.empty()) unlink(beside_.c_str());
}

void OutputFile::write_directly() { is_direct_ = !beside_.empty(); }

Result<void> OutputFile::write(uint64_t offset, const void *bytes, size_t size) {
  if (!is_direct_) return write_at(offset, bytes, size);
  if (!staged_ ? offset < external::kDirectBytes : offset == next_) return write_staged(offset, bytes, size);
  if (auto ended = end_direct_writes(); !ended) return ended;
  return write_at(offset, bytes, size);
}

Result<void> OutputFile::write_staged(uint64_t offset, const void *bytes, size_t size) {
  if (!staged_) {
    external::use_direct_transfers(file_, true);
    staged_.emplace(offset);
  }
  next_ = offset + size;
  Result<void> written;
  staged_->append(bytes, size, [&](const std::byte *pages, uint64_t n) {
    if (written) written = write_at(stored_, pages, n);
    stored_ += n;
  });
  return written;
}

// Writes the rest, whose end may be within a page.
Result<void> OutputFile::end_direct_writes() {
  if (!std::exchange(is_direct_, false) || !staged_) return {};
  external::use_direct_transfers(file_, false);
  Result<void> written;
  staged_->finish([&](const std::byte *pages, uint64_t n) { written = write_at(stored_, pages, n); });
  staged_.reset();
  return written;
}

Result<void> OutputFile::write_at(uint64_t offset, const void *bytes, size_t size) {
  const auto *at = static_cast<const char *>(bytes);
  while (size > 0) {
    const ssize_t written = pwrite(file_, at, size, static_cast<off_t>(offset));
    if (written < 0 && (errno == EINTR || external::has_left_direct_transfers(file_))) continue;
    if (written <= 0) return fail("cannot write '{}': {}", path_.string(), std::strerror(written < 0 ? errno : ENOSPC));
    at += written;
    offset += static_cast<uint64_t>(written);
    size -= static_cast<size_t>(written);
  }
  return {};
}

Result<void> OutputFile::copy_to_stdout() {
  erase_bar();
  std::vector<char> bytes(kCopied);
  for (off_t offset = 0;;) {
    const ssize_t got = pread(file_, bytes.data(), bytes.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail("cannot write to standard output: {}", std::strerror(errno));
    if (got == 0) return {};
    offset += got;
    for (ssize_t at = 0, written = 0; at < got; at += written) {
      written = ::write(STDOUT_FILENO, bytes.data() + at, static_cast<size_t>(got - at));
      if (written < 0 && errno != EINTR) return fail("cannot write to standard output: {}", std::strerror(errno));
      written = std::max<ssize_t>(written, 0);
    }
  }
}

Result<void> OutputFile::finish() {
  if (auto ended = end_direct_writes(); !ended) return ended;
  if (path_.empty()) return {};  // the null device
  if (beside_.empty()) return copy_to_stdout();
  // Some file systems report a full disk only on close.
  const int error = close(std::exchange(file_, -1)) != 0 || rename(beside_.c_str(), path_.c_str()) != 0 ? errno : 0;
  if (error == 0) return {};
  unlink(beside_.c_str());
  return fail("cannot write '{}': {}", path_.string(), std::strerror(error));
}

}  // namespace upsweep::cli
