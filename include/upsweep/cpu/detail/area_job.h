// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables in bands of rows: a band's total is a row, the scan of its column sums.
#pragma once

#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/kernels.h>
#include <upsweep/cpu/detail/tiles.h>

#include <optional>
#include <vector>

namespace upsweep::cpu::detail {

template <class T, class In, class Transform>
struct AreaJob {
  using Total = std::vector<T>;  // empty: nothing above
  using Kernel = VectorKernel<T, plus>;

  const In *in;
  T *out;
  std::uint64_t width, channels;  // width: elements of a row, those of all channels
  std::uint64_t in_pitch, out_pitch;
  Chunks bands;  // of rows
  bool is_streamed;
  Transform transform;
  Kernel kernel{};

  Total combine(const Total &above, const Total &below) const {
    if (above.empty() || below.empty()) {
      return above.empty() ? below : above;
    }
    Total sum(width);
    for (std::uint64_t x = 0; x < width; ++x) {
      sum[x] = kernel.op(above[x], below[x]);
    }
    return sum;
  }

  Total reduce(std::uint64_t band) const {
    Total sums(width, T(0)), room;
    for (std::uint64_t y = bands.begin(band); y < bands.end(band); ++y) {
      const auto *row = elements(y, room);
      T *to = sums.data();
      UPSWEEP_CPU_DISPATCH(add_row, row, to, width);
    }
    scan_row(sums.data(), sums.data());
    return sums;
  }

  Total scan(std::uint64_t band, const Total &above, std::optional<std::uint64_t> next) const {
    std::vector<T> sums(above.empty() ? std::vector<T>(width, T(0)) : above), row(width), room;
    for (std::uint64_t y = bands.begin(band); y < bands.end(band); ++y) {
      scan_row(elements(y, room), row.data());
      const T *from = row.data();
      T *to = sums.data();
      UPSWEEP_CPU_DISPATCH(add_row, from, to, width);
      put_row(out + y * out_pitch, sums.data(), width, is_streamed);
    }
    if (is_streamed) {
      _mm_sfence();
    }
    return next ? reduce(*next) : Total();
  }

private:
  // A row as it is added up.
  const auto *elements(std::uint64_t y, std::vector<T> &room) const {
    const In *from = in + y * in_pitch;
    if constexpr (std::is_same_v<Transform, Unchanged>) {
      return from;
    } else {
      room.resize(width);
      for (std::uint64_t x = 0; x < width; ++x) {
        room[x] = static_cast<T>(transform(from[x]));
      }
      return static_cast<const T *>(room.data());
    }
  }

  template <class From>
  void scan_row(const From *from, T *to) const {
    if (channels == 1 && Kernel::template kReads<From>) {
      if constexpr (Kernel::template kReads<From>) {
        T carry = kernel.nothing();
        kernel.scan(from, to, width, carry, Side{from});
      }
      return;
    }
    switch (channels) {
    case 2: return scan_pixels<2>(from, to);
    case 3: return scan_pixels<3>(from, to);
    case 4: return scan_pixels<4>(from, to);
    default: break;
    }
    for (std::uint64_t x = 0; x < width; ++x) {
      to[x] = x < channels ? static_cast<T>(from[x]) : kernel.op(to[x - channels], static_cast<T>(from[x]));
    }
  }

  // With the totals in registers.
  template <std::uint64_t kChannels, class From>
  void scan_pixels(const From *from, T *to) const {
    T totals[kChannels] = {};
    for (std::uint64_t x = 0; x < width; x += kChannels) {
      for (std::uint64_t k = 0; k < kChannels; ++k) {
        totals[k] = kernel.op(totals[k], static_cast<T>(from[x + k]));
        to[x + k] = totals[k];
      }
    }
  }
};

}  // namespace upsweep::cpu::detail
