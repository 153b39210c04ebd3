// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes elements to and from a kernel, in tiles of some KiB: in place if the array has the layout that the kernel needs, and
// through a buffer in the first-level cache otherwise.
#pragma once

#include <upsweep/cpu/detail/arguments.h>
#include <upsweep/cpu/detail/stream.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace upsweep::cpu::detail {

// A quarter of the smallest first-level cache, since a tile may be read, buffered and written together.
constexpr std::size_t kTileBytes = std::size_t(8) << 10;

template <class T>
inline constexpr std::size_t kTileItems = std::max<std::size_t>(kTileBytes / sizeof(T) / 64 * 64, 64);

template <class T>
struct TileBuffer {
  T *items() { return reinterpret_cast<T *>(bytes); }
  alignas(64) std::byte bytes[(kTileItems<T> + 1) * sizeof(T)];
};
struct NoBuffer {};

// Reads [begin, begin + count) of the elements in the order of the scan, as Ts or in a form that the kernel reads.
template <class T, class Kernel, class In, class Transform, bool kBackward>
struct Source {
  using Element = std::remove_cv_t<ValueOf<In>>;
  static constexpr bool kIsDirect =
      is_contiguous<In> && std::is_same_v<Transform, Unchanged> && !kBackward && Kernel::template kReads<Element>;
  using Buffer = std::conditional_t<kIsDirect, NoBuffer, TileBuffer<T>>;

  In in;
  Transform transform;
  std::uint64_t n;

  auto get(std::uint64_t begin, std::size_t count, Buffer &buffer) const {
    if constexpr (kIsDirect) {
      return static_cast<const Element *>(address(in) + begin);
    } else {
      T *to = buffer.items();
      for (std::size_t i = 0; i < count; ++i) {
        const auto place = kBackward ? n - 1 - begin - i : begin + i;
        to[i] = static_cast<T>(transform(static_cast<Element>(in[static_cast<std::ptrdiff_t>(place)])));
      }
      return static_cast<const T *>(to);
    }
  }
};

// Writes results of a chunk, tile by tile. kStreamed: bypassing the caches.
template <class T, class Out, class Transform, bool kBackward, bool kStreamed>
class Sink {
public:
  using Element = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<Out>())>>;
  static constexpr bool kIsPlain = is_contiguous<Out> && std::is_same_v<Transform, Unchanged> && !kBackward;
  static constexpr bool kIsDirect = kIsPlain && !kStreamed && std::is_same_v<Element, T>;
  static constexpr bool kIsStream = kStreamed && kIsPlain && std::is_same_v<Element, T>;

  Sink(Out out, const Transform &transform, std::uint64_t n, std::uint64_t begin)
      : out_(out), transform_(transform), n_(n), stream_(start(out, begin)) {}

  // Room for a tile's results, and one more.
  T *room() {
    if constexpr (kIsStream) {
      return reinterpret_cast<T *>(stream_.room());
    } else {
      return buffer_.items();
    }
  }

  // The side work of a kernel that writes to room().
  Side side(const void *ahead) const {
    if constexpr (kIsStream) {
      return stream_.side(ahead);
    } else {
      return {ahead};
    }
  }

  // `count` results are in room(), written by a kernel that did the work of `side`, if any.
  void commit(std::uint64_t begin, std::size_t count, const Side *side = nullptr) {
    if constexpr (kIsStream) {
      stream_.commit(count * sizeof(T), side != nullptr ? Stream::streamed_by(*side, count * sizeof(T)) : 0);
    } else if constexpr (kIsPlain && std::is_same_v<Element, T>) {
      std::memcpy(static_cast<void *>(address(out_) + begin), buffer_.items(), count * sizeof(T));
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        const auto place = static_cast<std::ptrdiff_t>(kBackward ? n_ - 1 - begin - i : begin + i);
        if constexpr (is_number<Element>) {
          out_[place] = static_cast<Element>(transform_(buffer_.items()[i]));
        } else {
          out_[place] = transform_(buffer_.items()[i]);
        }
      }
    }
  }

  void finish() {
    if constexpr (kIsStream) {
      stream_.finish();
    }
  }

private:
  using Stream = std::conditional_t<kIsStream, StreamedOutput<(kTileItems<T> + 1) * sizeof(T)>, NoBuffer>;
  static Stream start(Out out, std::uint64_t begin) {
    if constexpr (kIsStream) {
      return Stream(address(out) + begin);
    } else {
      return {};
    }
  }

  Out out_;
  const Transform &transform_;
  std::uint64_t n_;
  Stream stream_;
  [[no_unique_address]] std::conditional_t<kIsStream, NoBuffer, TileBuffer<T>> buffer_;
};

}  // namespace upsweep::cpu::detail
