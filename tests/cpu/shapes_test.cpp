// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Axes and images, as all libraries take them: overlaps of elements and extents, compared with a list of all places. Some
// strides have products beyond 64 bits.
#include "check.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/recurrence.h>
#include <upsweep/cpu/segmented_reduce.h>
#include <upsweep/cpu/summed_area.h>

#include <cstdlib>
#include <set>

namespace upsweep::cpu::test {

using Wide = unsigned __int128;

std::mt19937_64 seeded_shapes(std::uint64_t otherwise) {
  const char *seed = std::getenv("UPSWEEP_TEST_SEED");
  return std::mt19937_64(seed != nullptr ? std::strtoull(seed, nullptr, 10) : otherwise);
}

// Small numbers, and numbers around powers of two up to 2^64.
std::uint64_t any_number(std::mt19937_64 &random) {
  const unsigned bit = random() % 64;
  return random() % 2 == 0 ? random() % 9 : (std::uint64_t(1) << bit) + random() % 5 - 2;
}

TEST(CommonShape, GivenSmallAxes_WhenPlacesAreListed_ThenOverlapsAndExtentsAreTheirs) {
  auto random = seeded_shapes(1);
  int apart = 0, overlapping = 0;
  for (int round = 0; round < 20000; ++round) {
    const common::axis of{1 + random() % 4, 1 + random() % 5, 1 + random() % 4};
    const common::axis_strides strides{1 + random() % 24, 1 + random() % 24};
    std::set<std::uint64_t> places;
    for (std::uint64_t b = 0; b < of.batches; ++b) {
      for (std::uint64_t l = 0; l < of.length; ++l) {
        for (std::uint64_t i = 0; i < of.inner; ++i) {
          places.insert(b * strides.batch + l * strides.along + i);
        }
      }
    }
    const common::extent extent = common::extent_of_axis(of, strides);
    const bool differ = places.size() == of.batches * of.length * of.inner;
    if (extent.is == common::fault::none) {
      ASSERT_TRUE(differ);
      ASSERT_EQ(extent.elements, *places.rbegin() + 1);
      ++apart;
    } else {
      // Elements that interlock, but not by whole rows or batches, are refused as well.
      ASSERT_EQ(extent.is, common::fault::overlap);
      overlapping += differ ? 0 : 1;
    }
    ASSERT_TRUE(differ || extent.is == common::fault::overlap);
  }
  EXPECT_TRUE(apart > 1000 && overlapping > 1000);
}

TEST(CommonShape, GivenAnyAxis_WhenAccepted_ThenTheExtentIsExact) {
  auto random = seeded_shapes(2);
  int accepted = 0;
  for (int round = 0; round < 300000; ++round) {
    const common::axis of{any_number(random), any_number(random), any_number(random)};
    const common::axis_strides given{any_number(random), any_number(random)}, strides = common::complete_strides(of, given);
    const common::extent extent = common::extent_of_axis(of, strides);
    if (of.batches == 0 || of.length == 0 || of.inner == 0 || extent.is != common::fault::none) {
      continue;
    }
    // Each product of two factors up to 2^63 is below 2^126; larger factors exceed any extent.
    const Wide along = given.along != 0 ? given.along : of.inner;
    const Wide batch = given.batch != 0 ? given.batch : Wide(of.length) * along;
    const Wide rows = Wide(of.length - 1) * along;
    ASSERT_TRUE(of.batches == 1 || batch <= common::kMostPlaces);
    const Wide batches = of.batches == 1 ? 0 : Wide(of.batches - 1) * batch;
    ASSERT_EQ(extent.elements, static_cast<std::uint64_t>(rows + batches + of.inner));
    ASSERT_LE(rows + batches + of.inner, common::kMostPlaces);
    ++accepted;
  }
  EXPECT_GT(accepted, 1000);
}

TEST(CommonShape, GivenAnyImages_WhenAccepted_ThenTheExtentIsExactAndRowsAreApart) {
  auto random = seeded_shapes(3);
  int accepted = 0;
  for (int round = 0; round < 300000; ++round) {
    const std::uint64_t images = any_number(random), height = any_number(random), width = any_number(random),
                        channels = 1 + random() % 5, pitch = any_number(random), stride = any_number(random);
    const auto found = common::extent_of_images(images, height, width, channels, pitch, stride);
    if (images == 0 || height == 0 || width == 0 || found.is != common::fault::none) {
      continue;
    }
    const Wide row = Wide(width) * channels, to_row = pitch != 0 ? Wide(pitch) : row, image = (height - 1) * to_row + row;
    const Wide to_image = stride != 0 ? Wide(stride) : Wide(height) * to_row;
    ASSERT_TRUE(to_row >= row && (images == 1 || to_image >= image));
    ASSERT_EQ(found.image, static_cast<std::uint64_t>(image));
    ASSERT_TRUE(images == 1 || to_image <= common::kMostPlaces);
    ASSERT_EQ(found.all, static_cast<std::uint64_t>(image + (images == 1 ? 0 : (images - 1) * to_image)));
    ++accepted;
  }
  EXPECT_GT(accepted, 1000);
}

TEST(CpuShapes, GivenStridesThatOverflow_WhenCalled_ThenRefused) {
  std::vector<std::uint32_t> in(64, 1), out(64);
  const std::uint64_t half = std::uint64_t(1) << 63, third = ~std::uint64_t(0) / 3 + 2;
  for (const axis &of : {axis{3, 1, 1, {half, 1}, {half, 1}}, axis{4, 3, 1, {third, 1}, {third, 1}},
                         axis{2, 3, 1, {8, half}, {8, half}}, axis{half, 2, 1}, axis{2, half, 2}}) {
    EXPECT_THROW(inclusive_sum_of_axis(in.data(), out.data(), of), std::invalid_argument);
    EXPECT_THROW(sum_of_axis(in.data(), out.data(), of), std::invalid_argument);
    EXPECT_THROW(linear_recurrence_of_axis(in.data(), in.data(), out.data(), of), std::invalid_argument);
  }
  for (const image_shape &of : {image_shape{3, 2, 1, half, half}, image_shape{half, 1, 4}, image_shape{2, half, 2},
                                image_shape{2, 2, 1, 2, 2, 3, half, half}, image_shape{2, 2, 1, 2, 2, half, 4, 4}}) {
    EXPECT_THROW(summed_area_table(in.data(), out.data(), of), std::invalid_argument);
    EXPECT_THROW(exclusive_summed_area_table(in.data(), out.data(), of), std::invalid_argument);
    EXPECT_THROW(box_filter(in.data(), out.data(), of, 1), std::invalid_argument);
  }
}

}  // namespace upsweep::cpu::test
