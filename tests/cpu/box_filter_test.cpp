// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means over boxes, against sums of each box's pixels in long doubles and 128-bit integers. Pixels are numbers of very
// different magnitudes, infinities, NaNs, or 64-bit integers. Radii, channels and pitches vary, in place and not.
#include "check.h"

#include <upsweep/cpu/summed_area.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace upsweep::cpu::test {

using detail::Int128;

template <class T>
T any_pixel(std::mt19937_64 &random) {
  if constexpr (std::is_floating_point_v<T>) {
    switch (random() % 40) {
    case 0: return std::numeric_limits<T>::quiet_NaN();
    case 1: return std::numeric_limits<T>::infinity();
    case 2: return T(1e20);
    case 3: return T(-1e30);
    default: return static_cast<T>(random() % 1000) / 7;
    }
  } else {
    return static_cast<T>(random());
  }
}

// The mean of a box as an element: for integers the nearest; at 64 bits ties go to the larger.
template <class T>
class BoxMean {
public:
  void add(T x) {
    ++count_;
    if constexpr (std::is_floating_point_v<T>) {
      sum_ += static_cast<long double>(x);
      size_ += std::fabs(static_cast<long double>(x));
    } else {
      integers_ += x;
    }
  }
  bool is(T got) const {
    if constexpr (std::is_floating_point_v<T>) {
      const long double mean = sum_ / count_, error = size_ / count_ * 1e-6L;
      return std::isnan(mean)   ? std::isnan(got)
             : std::isinf(mean) ? mean == static_cast<long double>(got)
                                : std::fabs(mean - static_cast<long double>(got)) <= error;
    } else {
      const Int128 error = 2 * (static_cast<Int128>(got) * count_ - integers_);
      return sizeof(T) < 8 ? error <= count_ && error >= -count_ : error <= count_ && error > -count_;
    }
  }

private:
  int count_ = 0;
  long double sum_ = 0, size_ = 0;
  Int128 integers_ = 0;
};

template <class T>
void check_boxes(std::mt19937_64 &random, bool has_radii) {
  thread_pool pool(1 + random() % 4);
  image_shape of{1 + random() % 40, 1 + random() % 40, 1 + random() % 3};
  const std::uint64_t row = of.width * of.channels, radius = random() % 3 == 0 ? random() % 60 : random() % 5;
  of.in_pitch = row + random() % 4;
  const bool is_in_place = random() % 3 == 0;
  of.out_pitch = is_in_place ? of.in_pitch : row + random() % 4;
  SCOPED_TRACE(testing::Message() << of.height << " x " << of.width << " x " << of.channels << ", radius " << radius
                                  << ", in place " << is_in_place << ", radii " << has_radii);
  std::vector<T> in(of.height * of.in_pitch), out(of.height * of.out_pitch);
  for (T &x : in) {
    x = any_pixel<T>(random);
  }
  std::vector<std::uint32_t> radii(of.height * of.width, static_cast<std::uint32_t>(radius));
  const std::vector<T> source = in;
  T *to = is_in_place ? in.data() : out.data();
  if (has_radii) {
    box_filter(static_cast<const T *>(in.data()), to, of, static_cast<const std::uint32_t *>(radii.data()), pool);
  } else {
    box_filter(static_cast<const T *>(in.data()), to, of, radius, pool);
  }
  for (std::uint64_t y = 0; y < of.height; ++y) {
    for (std::uint64_t x = 0; x < row; ++x) {
      BoxMean<T> mean;
      const std::uint64_t pixel = x / of.channels;
      for (std::uint64_t v = y - std::min(y, radius); v < std::min(of.height, y + radius + 1); ++v) {
        for (std::uint64_t u = pixel - std::min(pixel, radius); u < std::min(of.width, pixel + radius + 1); ++u) {
          mean.add(source[v * of.in_pitch + u * of.channels + x % of.channels]);
        }
      }
      ASSERT_TRUE(mean.is(to[y * of.out_pitch + x])) << "at " << y << ", " << x << ": " << to[y * of.out_pitch + x];
    }
  }
}

TEST(CpuBoxFilter, GivenAnyImages_WhenFiltered_ThenEachMeanIsOfItsBoxAlone) {
  const char *seed = std::getenv("UPSWEEP_TEST_SEED");
  std::mt19937_64 random(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
  for (int round = 0; round < 150; ++round) {
    check_boxes<float>(random, false);
    check_boxes<double>(random, false);
    check_boxes<std::int16_t>(random, random() % 2 == 0);
    check_boxes<std::int64_t>(random, random() % 2 == 0);
    check_boxes<std::uint64_t>(random, random() % 2 == 0);
  }
}

TEST(CpuBoxFilter, GivenALargeImageOfFloats_WhenFilteredInBands_ThenAsByOneBand) {
  const image_shape of{3000, 200};
  std::mt19937_64 random(3);
  std::vector<float> in(3000 * 200), out(in.size()), alone(in.size());
  for (float &x : in) {
    x = static_cast<float>(random() % 1000) / 7;
  }
  for (const std::uint64_t radius : {1, 9, 70}) {
    thread_pool pool(4);
    box_filter(in.data(), out.data(), of, radius, pool);
    box_filter(in.data(), alone.data(), of, radius, calling_thread());
    ASSERT_EQ(out, alone);
    for (const std::uint64_t y : {0, 500, 1499, 2999}) {
      BoxMean<float> mean;
      for (std::uint64_t v = y - std::min(y, radius); v < std::min<std::uint64_t>(3000, y + radius + 1); ++v) {
        for (std::uint64_t u = 100 - radius; u <= 100 + radius; ++u) {
          mean.add(in[v * 200 + u]);
        }
      }
      ASSERT_TRUE(mean.is(out[y * 200 + 100]));
    }
  }
}

}  // namespace upsweep::cpu::test
