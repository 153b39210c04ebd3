// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of all windows of a length without subtractions: a window is the end of a block of that length and the begin of the
// next block. So a sum contains nothing from outside of its window, neither a NaN nor the rounding of larger numbers.
// Source: van Herk 1992, "A fast algorithm for local minimum and maximum filters on rectangular and octagonal kernels".
#pragma once

#include <upsweep/cpu/detail/area_job.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace upsweep::cpu::detail {

// Sums of columns over rows y - radius to y + radius of an image, for y from begin to end - 1. Columns are processed in
// strips, so that the sums of a block fit the second-level cache.
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
    // Blocks begin at the first window, which may be above the image. Rows outside of the image are 0.
    for (std::int64_t block = begin - radius_; block + radius_ < end; block += length) {
      const std::int64_t first = std::max<std::int64_t>(block, 0), next = std::min(block + length, height_);
      sum_ends(first, next, x, width);
      below_.assign(width, 0.0);
      for (std::int64_t y = block + radius_; y < std::min(end, block + radius_ + length); ++y) {
        if (const std::int64_t last = y + radius_; last >= block + length && last < height_) {
          add(last, x, width, below_.data());
        }
        double *to = sums + static_cast<std::uint64_t>(y - begin) * row + x;
        const std::int64_t top = std::max(y - radius_, first);
        if (top < next) {
          const double *end_of_block = ends_.data() + static_cast<std::uint64_t>(top - first) * width;
          const double *below = below_.data();
          UPSWEEP_CPU_DISPATCH(sum_row, end_of_block, below, to, width);
        } else {
          std::copy_n(below_.data(), width, to);
        }
      }
    }
  }

  // ends_[y - first] becomes the sum of rows y to next - 1.
  void sum_ends(std::int64_t first, std::int64_t next, std::uint64_t x, std::uint64_t width) {
    if (const std::uint64_t size = next > first ? static_cast<std::uint64_t>(next - first) * width : 0; ends_.size() < size) {
      ends_.resize(size);
    }
    for (std::int64_t y = next - 1; y >= first; --y) {
      double *to = ends_.data() + static_cast<std::uint64_t>(y - first) * width;
      if (y + 1 < next) {
        const double *below = to + width;
        const In *from = row(y, x);
        UPSWEEP_CPU_DISPATCH(sum_row, from, below, to, width);
      } else {
        std::fill_n(to, width, 0.0);
        add(y, x, width, to);
      }
    }
  }

  const In *row(std::int64_t y, std::uint64_t x) const { return in_ + static_cast<std::uint64_t>(y) * pitch_ + x; }
  void add(std::int64_t y, std::uint64_t x, std::uint64_t width, double *to) const {
    const In *from = row(y, x);
    UPSWEEP_CPU_DISPATCH(add_row, from, to, width);
  }

  const In *in_;
  std::int64_t height_;
  std::uint64_t pitch_;
  std::int64_t radius_;
  std::vector<double> ends_, below_;
};

// Sums over pixels x - radius to x + radius of a row with `width` pixels of c elements.
class RowWindows {
public:
  RowWindows(std::uint64_t width, std::uint64_t c, std::uint64_t radius)
      : width_(width), c_(c), radius_(radius), length_(2 * radius + 1), begins_(width * c), ends_(width * c) {}

  // Calls put(x, pixels, pieces, sum) for runs of elements x to x + pieces - 1 of the row. Their windows have `pixels` pixels
  // of the image, and sum(i) is the window's sum of element x + i.
  template <class Put>
  void put(const double *row, const Put &put) {
    sum_blocks(row);
    const double *begins = begins_.data(), *ends = ends_.data();
    const std::uint64_t last = (width_ - 1) * c_;
    for (std::uint64_t x = 0; x < std::min(radius_, width_); ++x) {  // windows that begin before the row
      const std::uint64_t reached = std::min(x + radius_, width_ - 1);
      put(x * c_, reached + 1, c_, [=, at = begins + reached * c_](std::uint64_t i) { return at[i]; });
    }
    const std::uint64_t whole = width_ > 2 * radius_ ? width_ - 2 * radius_ : 0;  // windows that the row contains
    for (std::uint64_t first = 0; first < whole; first += length_) {
      const std::uint64_t next = std::min(whole, first + length_), pieces = (next - first - 1) * c_;
      put((first + radius_) * c_, length_, c_, [at = ends + first * c_](std::uint64_t i) { return at[i]; });
      const double *end = ends + (first + 1) * c_, *begin = begins + (first + length_) * c_;
      put((first + 1 + radius_) * c_, length_, pieces, [=](std::uint64_t i) { return end[i] + begin[i]; });
    }
    const std::uint64_t last_block = (width_ - 1) / length_ * length_;
    for (std::uint64_t x = std::max(radius_, whole + radius_); x < width_; ++x) {  // windows that end behind the row
      const std::uint64_t first = x - radius_;
      const double *end = ends + first * c_, *begin = begins + last;
      if (first >= last_block) {
        put(x * c_, width_ - first, c_, [=](std::uint64_t i) { return end[i]; });
      } else {
        put(x * c_, width_ - first, c_, [=](std::uint64_t i) { return end[i] + begin[i]; });
      }
    }
  }

private:
  void sum_blocks(const double *row) {
    for (std::uint64_t block = 0; block < width_; block += length_) {
      const std::uint64_t first = block * c_, size = (std::min(width_, block + length_) - block) * c_;
      const double *from = row + first;
      double *begins = begins_.data() + first, *ends = ends_.data() + first;
      switch (c_) {
      case 1: sum_block<1>(from, begins, ends, size); break;
      case 2: sum_block<2>(from, begins, ends, size); break;
      case 3: sum_block<3>(from, begins, ends, size); break;
      case 4: sum_block<4>(from, begins, ends, size); break;
      default:
        for (std::uint64_t i = 0; i < size; ++i) {
          begins[i] = i < c_ ? from[i] : begins[i - c_] + from[i];
        }
        for (std::uint64_t i = size; i-- > 0;) {
          ends[i] = i + c_ >= size ? from[i] : from[i] + ends[i + c_];
        }
      }
    }
  }

  // Interleaves both directions, since each addition waits for the previous addition of its direction.
  template <std::uint64_t kChannels>
  static void sum_block(const double *__restrict row, double *__restrict begins, double *__restrict ends, std::uint64_t size) {
    double forward[kChannels] = {}, backward[kChannels] = {};
    for (std::uint64_t i = 0, j = size - kChannels; i < size; i += kChannels, j -= kChannels) {
      for (std::uint64_t k = 0; k < kChannels; ++k) {
        begins[i + k] = forward[k] += row[i + k];
        ends[j + k] = backward[k] += row[j + k];
      }
    }
  }

  std::uint64_t width_, c_, radius_, length_;
  std::vector<double> begins_, ends_;  // sums from a block's begin on, and up to its end
};

}  // namespace upsweep::cpu::detail
