// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of all windows of one length without a subtraction: a window is the end of one block of that length and the begin of the
// next one. So a sum has nothing of elements outside of its window, neither a NaN nor the rounding of larger numbers.
//
// Source: van Herk 1992, "A fast algorithm for local minimum and maximum filters on rectangular and octagonal kernels".
#pragma once

#include <upsweep/cpu/detail/area_job.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace upsweep::cpu::detail {

// Sums of columns over rows y - radius to y + radius of an image, for y from begin to end - 1. Columns are taken in strips, so
// that the sums of a block fit the second-level cache.
template <class In>
class ColumnWindows {
public:
  ColumnWindows(const In *in, std::uint64_t height, std::uint64_t pitch, std::uint64_t radius)
      : in_(in), height_(static_cast<std::int64_t>(height)), pitch_(pitch), radius_(static_cast<std::int64_t>(radius)) {}

  // Writes sums[(y - begin) * row + x].
  void put(std::uint64_t begin, std::uint64_t end, std::uint64_t row, double *sums) {
    const std::uint64_t rows = static_cast<std::uint64_t>(std::min(height_, 2 * radius_ + 1)) + 1;
    const std::uint64_t width = std::max<std::uint64_t>(64, kBlockBytes / (rows * sizeof(double)) / 64 * 64);
    for (std::uint64_t x = 0; x < row; x += width) {
      put_strip(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end), x, std::min(width, row - x), row, sums);
    }
  }

private:
  static constexpr std::uint64_t kBlockBytes = std::uint64_t(128) << 10;

  void put_strip(std::int64_t begin, std::int64_t end, std::uint64_t x, std::uint64_t width, std::uint64_t row, double *sums) {
    const std::int64_t length = 2 * radius_ + 1;
    // Blocks begin where the first window does, which may be above the image. Rows outside of the image are 0.
    for (std::int64_t block = begin - radius_; block + radius_ < end; block += length) {
      const std::int64_t first = std::max<std::int64_t>(block, 0), next = std::min(block + length, height_);
      sum_ends(first, next, x, width);
      std::vector<double> below(width, 0.0);
      for (std::int64_t y = block + radius_; y < std::min(end, block + radius_ + length); ++y) {
        if (const std::int64_t last = y + radius_; last >= block + length && last < height_) {
          add(last, x, width, below.data());
        }
        double *to = sums + static_cast<std::uint64_t>(y - begin) * row + x;
        const std::int64_t top = std::max(y - radius_, first);
        if (top < next) {
          const double *end_of_block = ends_.data() + static_cast<std::uint64_t>(top - first) * width;
          for (std::uint64_t i = 0; i < width; ++i) {
            to[i] = end_of_block[i] + below[i];
          }
        } else {
          std::copy_n(below.data(), width, to);
        }
      }
    }
  }

  // ends_[y - first] becomes the sum of rows y to next - 1.
  void sum_ends(std::int64_t first, std::int64_t next, std::uint64_t x, std::uint64_t width) {
    ends_.assign(next > first ? static_cast<std::uint64_t>(next - first) * width : 0, 0.0);
    for (std::int64_t y = next - 1; y >= first; --y) {
      double *to = ends_.data() + static_cast<std::uint64_t>(y - first) * width;
      if (y + 1 < next) {
        std::copy_n(to + width, width, to);
      }
      add(y, x, width, to);
    }
  }

  void add(std::int64_t y, std::uint64_t x, std::uint64_t width, double *to) const {
    const In *from = in_ + static_cast<std::uint64_t>(y) * pitch_ + x;
    UPSWEEP_CPU_DISPATCH(add_row, from, to, width);
  }

  const In *in_;
  std::int64_t height_;
  std::uint64_t pitch_;
  std::int64_t radius_;
  std::vector<double> ends_;
};

// Sums over pixels x - radius to x + radius of a row that has `width` pixels of c elements.
class RowWindows {
public:
  RowWindows(std::uint64_t width, std::uint64_t c, std::uint64_t radius)
      : width_(width), c_(c), radius_(radius), length_(2 * radius + 1), begins_(width * c), ends_(width * c) {}

  void set(const double *row) {
    for (std::uint64_t block = 0; block < width_; block += length_) {
      const std::uint64_t first = block * c_, next = std::min(width_, block + length_) * c_;
      for (std::uint64_t i = first; i < next; ++i) {
        begins_[i] = i < first + c_ ? row[i] : begins_[i - c_] + row[i];
      }
      for (std::uint64_t i = next; i-- > first;) {
        ends_[i] = i + c_ >= next ? row[i] : row[i] + ends_[i + c_];
      }
    }
  }

  double sum(std::uint64_t x, std::uint64_t channel) const {
    const std::uint64_t last = std::min(x + radius_, width_ - 1);
    if (x < radius_) {
      return begins_[last * c_ + channel];  // in the first block
    }
    const std::uint64_t first = x - radius_;
    const double end = ends_[first * c_ + channel];
    return first / length_ == last / length_ ? end : end + begins_[last * c_ + channel];
  }

private:
  std::uint64_t width_, c_, radius_, length_;
  std::vector<double> begins_, ends_;  // sums from a block's begin on, and up to its end
};

}  // namespace upsweep::cpu::detail
