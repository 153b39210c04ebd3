// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes of whole pages, which may bypass the page cache (O_DIRECT). Copying a result into the page cache takes longer than a
// sort's merge, and the system writes the cached pages to the disk only after the work.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/external/detail/pages.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include <fcntl.h>

namespace upsweep::external {

// Direct transfers have places in memory and in the file, and lengths, that are multiples of this number of bytes.
inline constexpr std::uint64_t kDirectBytes = detail::kPage;

// Changes a file between direct and ordinary transfers. File systems without direct ones stay as they are.
inline void use_direct_transfers(int file, bool is_direct) noexcept {
  const int flags = fcntl(file, F_GETFL);
  if (flags >= 0) {
    static_cast<void>(fcntl(file, F_SETFL, is_direct ? flags | O_DIRECT : flags & ~O_DIRECT));
  }
}

// After a failed transfer: whether the file system refuses direct ones, some of which do so only when they come. The file then
// has ordinary transfers, and the same transfer may succeed.
inline bool has_left_direct_transfers(int file) noexcept {
  const int error = errno, flags = fcntl(file, F_GETFL);
  const bool is_refused =
      error == EINVAL && flags >= 0 && (flags & O_DIRECT) != 0 && fcntl(file, F_SETFL, flags & ~O_DIRECT) == 0;
  errno = error;
  return is_refused;
}

// Collects bytes into whole pages.
class staged_pages {
public:
  // The first write begins with `skipped` zeros, the place of a header.
  explicit staged_pages(std::uint64_t skipped = 0) : room_(detail::make_pages<std::byte>(kRoom)), filled_(skipped) {
    std::memset(room_.get(), 0, skipped);
  }

  // Calls put(pages, bytes) for whole pages, in the order of the file.
  template <class Put>
  void append(const void *bytes, std::uint64_t n, const Put &put) {
    const auto *from = static_cast<const std::byte *>(bytes);
    if (filled_ == 0 && reinterpret_cast<std::uintptr_t>(from) % kDirectBytes == 0) {
      const std::uint64_t whole = n / kDirectBytes * kDirectBytes;
      if (whole > 0) {
        put(from, whole);
      }
      from += whole;
      n -= whole;
    }
    while (n > 0) {
      const std::uint64_t taken = std::min(n, kRoom - filled_);
      std::memcpy(room_.get() + filled_, from, taken);
      filled_ += taken;
      from += taken;
      n -= taken;
      if (filled_ == kRoom) {
        put(room_.get(), kRoom);
        filled_ = 0;
      }
    }
  }

  // Calls put() for the rest, which may end within a page.
  template <class Put>
  void finish(const Put &put) {
    if (filled_ > 0) {
      put(room_.get(), filled_);
    }
    filled_ = 0;
  }

private:
  static constexpr std::uint64_t kRoom = std::uint64_t(4) << 20;  // longer writes are no faster

  detail::pages_of<std::byte> room_;
  std::uint64_t filled_;
};

}  // namespace upsweep::external
#endif
