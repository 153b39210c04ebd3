// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables in bands of rows: a band's total is a row, the scan of its column sums.
#pragma once

#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/kernels.h>
#include <upsweep/cpu/detail/stream.h>
#include <upsweep/cpu/detail/tiles.h>

#include <optional>
#include <vector>

namespace upsweep::cpu::detail {

template <class T, class In, class Transform>
struct AreaJob {
  using Total = std::vector<T>;  // empty: nothing above
  using Kernel = VectorKernel<T, plus>;
  using Element = std::conditional_t<std::is_same_v<Transform, Unchanged>, In, T>;  // after the transform

  const In *in;
  T *out;
  std::uint64_t width, channels;  // width: elements of a row, in all channels
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
      const auto *row = elements(y, 0, width, room);
      T *to = sums.data();
      UPSWEEP_CPU_DISPATCH(add_row, row, to, width);
    }
    scan_row(sums.data(), sums.data());
    return sums;
  }

  Total scan(std::uint64_t band, const Total &above, std::optional<std::uint64_t> next) const {
    std::vector<T> sums(above.empty() ? std::vector<T>(width, T(0)) : above), room;
    const std::uint64_t end = bands.end(band);
    std::uint64_t y = bands.begin(band);
    for (; y + kRows <= end; y += kRows) {
      put_rows(y, sums.data(), room, std::make_index_sequence<kRows>());
    }
    for (; y < end; ++y) {
      put_rows(y, sums.data(), room, std::make_index_sequence<1>());
    }
    return next ? reduce(*next) : Total();
  }

private:
  // Rows that are added together, so that additions of different rows overlap; and elements of a strip. A strip is whole
  // pixels of 1 to 4 channels, whose results stay in the first-level cache until they are streamed.
  static constexpr std::uint64_t kRows = 4, kStrip = 768;

  // The results of rows y, y + 1, ..., below the rows of the given sums.
  template <std::size_t... kRow>
  void put_rows(std::uint64_t y, T *sums, std::vector<T> &room, std::index_sequence<kRow...> rows) const {
    switch (channels) {
    case 1: return put_pixels<1>(y, sums, room, rows);
    case 2: return put_pixels<2>(y, sums, room, rows);
    case 3: return put_pixels<3>(y, sums, room, rows);
    case 4: return put_pixels<4>(y, sums, room, rows);
    default: break;
    }
    std::vector<T> row(width);
    for (std::uint64_t each = y; each < y + sizeof...(kRow); ++each) {
      scan_row(elements(each, 0, width, room), row.data());
      const T *from = row.data();
      UPSWEEP_CPU_DISPATCH(add_row, from, sums, width);
      put_row(out + each * out_pitch, sums, width, is_streamed);
    }
    if (is_streamed) {
      _mm_sfence();
    }
  }

  template <std::size_t kChannels, std::size_t... kRow>
  void put_pixels(std::uint64_t y, T *sums, std::vector<T> &room, std::index_sequence<kRow...>) const {
    using Stream = StreamedOutput<kStrip * sizeof(T)>;
    Stream streams[] = {Stream(out + (y + kRow) * out_pitch)...};
    std::conditional_t<kChannels == 1, T[sizeof...(kRow)], T[sizeof...(kRow)][kChannels]> totals = {};
    for (std::uint64_t x = 0; x < width; x += kStrip) {
      const std::uint64_t count = std::min(kStrip, width - x);
      const Element *const from[] = {elements(y + kRow, x, count, room, kRow, sizeof...(kRow))...};
      T *const to[] = {(is_streamed ? reinterpret_cast<T *>(streams[kRow].room()) : out + (y + kRow) * out_pitch + x)...};
      T *above = sums + x;
      UPSWEEP_CPU_DISPATCH(sum_rows, from, totals, above, to, count);
      if (is_streamed) {
        (streams[kRow].commit(count * sizeof(T)), ...);
      }
    }
    if (is_streamed) {
      (streams[kRow].finish(), ...);
    }
  }

  // `count` elements from (y, x) on, transformed. Results of a transform are in part `part` of the `parts` parts of `room`.
  const Element *elements(std::uint64_t y, std::uint64_t x, std::uint64_t count, std::vector<T> &room, std::size_t part = 0,
                          std::size_t parts = 1) const {
    const In *from = in + y * in_pitch + x;
    if constexpr (std::is_same_v<Transform, Unchanged>) {
      return from;
    } else {
      const std::uint64_t size = std::max(width, kStrip);
      room.resize(size * parts);
      T *to = room.data() + part * size;
      for (std::uint64_t i = 0; i < count; ++i) {
        to[i] = static_cast<T>(transform(from[i]));
      }
      return to;
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

  // Keeps the totals in registers.
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
