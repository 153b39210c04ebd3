// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file without a name, which ends with its object or with the process, however the process ends.
#pragma once

#include <upsweep/external/direct_transfers.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace upsweep::external::detail {

// Offsets, sizes and addresses are whole pages, so that the file bypasses the page cache where the file system supports it:
// data that is read once would only displace other files there.
class temporary_file {
public:
  explicit temporary_file(std::filesystem::path folder) : folder_(folder.empty() ? "." : std::move(folder)) {
    file_ = open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_DIRECT, 0600);
    if (file_ < 0) {
      file_ = open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    }
    if (file_ < 0) {
      open_and_unlink();
    }
  }
  temporary_file(const temporary_file &) = delete;
  temporary_file &operator=(const temporary_file &) = delete;
  ~temporary_file() { close(file_); }

  void write(std::uint64_t offset, const void *from, std::uint64_t bytes) {
    transfer(offset, bytes, "write", [&](std::uint64_t done, std::size_t size) {
      return pwrite(file_, static_cast<const std::byte *>(from) + done, size, static_cast<off_t>(offset + done));
    });
  }
  void read(std::uint64_t offset, void *to, std::uint64_t bytes) {
    transfer(offset, bytes, "read", [&](std::uint64_t done, std::size_t size) {
      return pread(file_, static_cast<std::byte *>(to) + done, size, static_cast<off_t>(offset + done));
    });
  }
  // Gives the disk's blocks back. File systems without this keep them until the end.
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept {
    static_cast<void>(
        fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset), static_cast<off_t>(bytes)));
  }

private:
  // A signal between both calls would leave the file behind.
  void open_and_unlink() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    std::string name = (folder_ / ".upsweep-XXXXXX").string();
    file_ = mkostemp(name.data(), O_CLOEXEC);
    const int error = errno;
    if (file_ >= 0) {
      unlink(name.c_str());
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (file_ < 0) {
      throw std::system_error(error, std::generic_category(), "cannot make a temporary file in '" + folder_.string() + "'");
    }
  }

  // The system may move fewer bytes than asked.
  template <class Move>
  void transfer(std::uint64_t offset, std::uint64_t bytes, const char *name, const Move &move) {
    static_cast<void>(offset);
    constexpr std::uint64_t kMost = std::uint64_t(8) << 20;
    for (std::uint64_t done = 0; done < bytes;) {
      const ssize_t moved = move(done, static_cast<std::size_t>(std::min(bytes - done, kMost)));
      if (moved > 0) {
        done += static_cast<std::uint64_t>(moved);
      } else if (moved == 0 || (errno != EINTR && !has_left_direct_transfers(file_))) {
        throw std::system_error(moved < 0 ? errno : EIO, std::generic_category(),
                                std::string("cannot ") + name + " a temporary file in '" + folder_.string() + "'");
      }
    }
  }

  std::filesystem::path folder_;
  int file_ = -1;
};

}  // namespace upsweep::external::detail
