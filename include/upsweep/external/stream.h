// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams of blocks, and the memory of calls on them. Elements are trivially copyable.
//
//   block_source<S, T>   s.read(to, n) writes the next elements to `to` and returns their number, fewer than n only at the end
//   block_sink<S, T>     s.write(from, n) takes the next n elements
//   file_source<T>       the elements of a file from an offset in bytes on; a file that ends inside an element is an error
//   file_sink<T>         writes a file, or replaces it. The file is whole after close(), which reports the last errors
//   array_source<T>, array_sink<T>   an array, and a std::vector that grows
//   settings             the memory and the folder of a call
//
// A call reads and writes on threads of its own: one thread reads all its sources, another one writes its sink. An exception of
// a stream ends the call, which throws it.
//
// Errors of files are std::system_error, whose text names the file.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/external/direct_transfers.h>

#include <algorithm>
#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace upsweep::external {

template <class S, class T>
concept block_source = requires(S &source, T *to, std::uint64_t n) {
  { source.read(to, n) } -> std::convertible_to<std::uint64_t>;
};
template <class S, class T>
concept block_sink = requires(S &sink, const T *from, std::uint64_t n) { sink.write(from, n); };

struct settings {
  std::uint64_t memory = std::uint64_t(1) << 30;         // bytes of all arrays of a call
  std::filesystem::path folder = ".";                    // of temporary files, which have no names
  std::uint64_t least_block = std::uint64_t(256) << 10;  // bytes of a read or write; smaller blocks merge more runs at once
  // watch(moved, all): elements that have been read and written so far, and all that will be if the source has `count`
  // elements. Called by one thread at a time.
  std::uint64_t count = 0;
  std::function<void(std::uint64_t moved, std::uint64_t all)> watch{};
};

namespace detail {

class descriptor {
public:
  descriptor(std::filesystem::path path, int flags)
      : path_(std::move(path)), file_(open(path_.c_str(), flags | O_CLOEXEC, 0666)) {
    if (file_ < 0) {
      fail("open");
    }
  }
  descriptor(const descriptor &) = delete;
  descriptor &operator=(const descriptor &) = delete;
  ~descriptor() {
    if (file_ >= 0) {
      ::close(file_);
    }
  }

  int number() const { return file_; }
  // Returns the moved bytes, fewer than `bytes` only at the end of a file.
  template <class Move>
  std::uint64_t transfer(std::uint64_t bytes, const char *name, const Move &move) const {
    std::uint64_t done = 0;
    while (done < bytes) {
      const ssize_t moved = move(done, static_cast<std::size_t>(std::min<std::uint64_t>(bytes - done, std::uint64_t(8) << 20)));
      if (moved == 0) {
        break;
      }
      if (moved < 0 && errno != EINTR && !has_left_direct_transfers(file_)) {
        fail(name);
      }
      done += moved > 0 ? static_cast<std::uint64_t>(moved) : 0;
    }
    return done;
  }
  void close() {
    if (::close(std::exchange(file_, -1)) != 0) {
      fail("write");
    }
  }
  [[noreturn]] void fail(const char *name, int error = errno) const {
    throw std::system_error(error, std::generic_category(), std::string("cannot ") + name + " '" + path_.string() + "'");
  }

private:
  std::filesystem::path path_;
  int file_;
};

}  // namespace detail

template <class T>
class file_source {
public:
  explicit file_source(const std::filesystem::path &path, std::uint64_t offset = 0) : file_(path, O_RDONLY), at_(offset) {
    posix_fadvise(file_.number(), 0, 0, POSIX_FADV_SEQUENTIAL);
  }

  std::uint64_t read(T *to, std::uint64_t n) {
    const std::uint64_t bytes = file_.transfer(n * sizeof(T), "read", [&](std::uint64_t done, std::size_t size) {
      return pread(file_.number(), reinterpret_cast<std::byte *>(to) + done, size, static_cast<off_t>(at_ + done));
    });
    if (bytes % sizeof(T) != 0) {
      file_.fail("read whole elements of", EINVAL);
    }
    at_ += bytes;
    return bytes / sizeof(T);
  }

private:
  detail::descriptor file_;
  std::uint64_t at_;
};

template <class T>
class file_sink {
public:
  explicit file_sink(const std::filesystem::path &path) : file_(path, O_WRONLY | O_CREAT | O_TRUNC) {
    use_direct_transfers(file_.number(), true);
  }

  void write(const T *from, std::uint64_t n) { pages_.append(from, n * sizeof(T), put()); }
  void close() {
    use_direct_transfers(file_.number(), false);  // for a part of a page
    pages_.finish(put());
    file_.close();
  }

private:
  auto put() {
    return [this](const std::byte *from, std::uint64_t bytes) {
      file_.transfer(bytes, "write",
                     [&](std::uint64_t done, std::size_t size) { return ::write(file_.number(), from + done, size); });
    };
  }

  detail::descriptor file_;
  staged_pages pages_;
};

template <class T>
class array_source {
public:
  array_source(const T *elements, std::uint64_t n) : at_(elements), left_(n) {}
  std::uint64_t read(T *to, std::uint64_t n) {
    const std::uint64_t taken = std::min(n, left_);
    if (taken > 0) {
      std::memcpy(static_cast<void *>(to), at_, taken * sizeof(T));
    }
    at_ += taken;
    left_ -= taken;
    return taken;
  }

private:
  const T *at_;
  std::uint64_t left_;
};

template <class T>
class array_sink {
public:
  explicit array_sink(std::vector<T> &to) : to_(to) {}
  void write(const T *from, std::uint64_t n) { to_.insert(to_.end(), from, from + n); }

private:
  std::vector<T> &to_;
};

}  // namespace upsweep::external
#endif
