// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file descriptor that closes itself.
#ifndef UPSWEEP_COMPILER_CLIENT_UNIQUE_FD_H
#define UPSWEEP_COMPILER_CLIENT_UNIQUE_FD_H

#include <unistd.h>

#include <utility>

namespace upsweep::compiler {

class UniqueFd {
public:
  explicit UniqueFd(int fd = -1) : fd_(fd) {}
  UniqueFd(UniqueFd &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd &operator=(UniqueFd &&other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~UniqueFd() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] explicit operator bool() const { return fd_ >= 0; }
  /// Passes the descriptor to the caller.
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  void reset(int fd = -1) {
    if (fd_ >= 0) close(fd_);
    fd_ = fd;
  }

private:
  int fd_;
};

}  // namespace upsweep::compiler
#endif
