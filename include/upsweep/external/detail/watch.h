// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements that a call has moved so far, for its progress.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

namespace upsweep::external::detail {

class moved_elements {
public:
  moved_elements(const std::function<void(std::uint64_t, std::uint64_t)> &watch, std::uint64_t all)
      : watch_(watch), all_(all) {}

  // Called by several threads.
  void add(std::uint64_t n) {
    const std::lock_guard lock(mutex_);
    moved_ += n;
    if (watch_ && all_ > 0) {
      watch_(moved_ < all_ ? moved_ : all_, all_);
    }
  }

private:
  const std::function<void(std::uint64_t, std::uint64_t)> &watch_;
  std::uint64_t all_;
  std::mutex mutex_;
  std::uint64_t moved_ = 0;
};

}  // namespace upsweep::external::detail
