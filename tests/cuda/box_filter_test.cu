// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Box filters of bytes and floats: a single radius, a radius for each pixel, radii by depth; repetition, gaps, batches,
// channels. Bad arguments return errors.
#include "box_filter_check.h"

namespace upsweep::test {

UPSWEEP_TEST(GivenOneRadius_WhenFiltered_ThenMeansAreThoseOfTheHost) {
  for (const Shape &shape : kShapes) {
    for (const std::uint64_t radius : {0, 1, 2, 7, 1000}) {
      check_radius<std::uint8_t, std::uint8_t>(shape, radius);
      check_radius<float, float>(shape, radius);
    }
    check_radius<std::uint8_t, std::uint8_t>(shape, ~std::uint64_t(0));
  }
}

UPSWEEP_TEST(GivenARadiusForEachPixel_WhenFiltered_ThenMeansAreThoseOfTheHost) {
  for (const Shape &shape : kShapes) {
    const std::size_t pixels = shape.of.images * shape.of.height * shape.of.width;
    std::vector<std::int32_t> given(pixels);
    Radii radii(pixels);
    for (std::size_t i = 0; i < pixels; ++i) {
      given[i] = static_cast<std::int32_t>(random_below(40)) - 10;
      radii[i] = given[i] > 0 ? given[i] : 0;
    }
    DeviceArray<std::int32_t> on_device(given);
    check_filter<std::uint8_t, std::uint8_t>(shape, radii, static_cast<const std::int32_t *>(on_device.data()));
    check_filter<float, float>(shape, radii, on_device.data());
  }
}

UPSWEEP_TEST(GivenDepths_WhenFiltered_ThenRadiiGrowWithTheDistanceToTheFocus) {
  const Shape shape{{80, 70, 3, 0, 0, 2}};
  std::vector<float> depths(2 * 80 * 70);
  Radii radii;
  for (float &depth : depths) {
    depth = static_cast<float>(1 + random_below(64)) / 8;
    const double circle = 6.0 * std::abs(1 - 2.0 / depth);
    radii.push_back(std::min<std::uint64_t>(static_cast<std::uint64_t>(std::floor(circle + 0.5)), 9));
  }
  // A circle's radius of a whole number and a half would depend on rounding.
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const double circle = 6.0 * std::abs(1 - 2.0 / depths[i]);
    if (std::abs(circle - std::floor(circle) - 0.5) < 1e-5) {
      depths[i] = 2;
      radii[i] = 0;
    }
  }
  const float odd[] = {0, INFINITY, NAN, 2};
  const std::uint64_t radii_of_odd[] = {9, 6, 0, 0};
  std::copy(std::begin(odd), std::end(odd), depths.begin() + 100);
  std::copy(std::begin(radii_of_odd), std::end(radii_of_odd), radii.begin() + 100);
  DeviceArray<float> on_device(depths);
  check_filter<std::uint8_t, std::uint8_t>(shape, radii, cuda::circle_of_confusion<float>(on_device.data(), 2, 6, 9));
}

UPSWEEP_TEST(GivenRepetitions_WhenFiltered_ThenEachFiltersTheOneBefore) {
  const Shape shape{{60, 90, 3}};
  std::vector<std::uint8_t> pixels(shape.in_places());
  for (std::uint8_t &pixel : pixels) {
    pixel = random_pixel<std::uint8_t>();
  }
  const Radii radii(60 * 90, 4);
  std::vector<std::uint8_t> expected = pixels;
  for (int time = 0; time < 3; ++time) {
    expected = filtered_on_host<std::uint8_t>(shape, expected, radii);
  }
  DeviceArray<std::uint8_t> in(pixels), out(shape.out_places());
  UPSWEEP_CUDA(cuda::box_filter(in.data(), out.data(), shape.of, 4, cuda::repeated(3)));
  check_same(out.download(), expected, "repeated");
  // In place, on a stream.
  UPSWEEP_CUDA(cuda::box_filter(in.data(), in.data(), shape.of, 4, cudaStream_t(nullptr), cuda::repeated(3)));
  const std::vector<std::uint8_t> found = in.download();
  UPSWEEP_CHECK(std::equal(found.begin(), found.begin() + 60 * 90 * 3, expected.begin()));
}

UPSWEEP_TEST(GivenBadArguments_WhenFiltered_ThenTheySaySo) {
  DeviceArray<std::uint8_t> in(10000), out(10000);
  const cuda::image_shape of{50, 60};
  DeviceArray<unsigned char> memory(cuda::box_filter_workspace_bytes<std::uint8_t>(of));
  const cuda::workspace space{memory.data(), memory.bytes()};
  const auto fails = [&](const cuda::workspace &from, std::uint8_t *a, std::uint8_t *b, const cuda::image_shape &shape) {
    return cuda::box_filter(from, a, b, shape, 2) == cudaErrorInvalidValue;
  };
  UPSWEEP_CHECK(fails(space, nullptr, out.data(), of));
  UPSWEEP_CHECK(fails(space, in.data(), nullptr, of));
  UPSWEEP_CHECK(fails(space, in.data(), out.data(), {50, 60, 5}));
  UPSWEEP_CHECK(fails(space, in.data(), out.data(), {50, 60, 1, 59}));
  UPSWEEP_CHECK(fails(space, in.data(), out.data(), {50, 60, 1, 0, 59}));
  UPSWEEP_CHECK(fails(space, in.data(), out.data(), {std::uint64_t(1) << 40, std::uint64_t(1) << 40}));
  UPSWEEP_CHECK(fails({space.data, space.bytes - 1}, in.data(), out.data(), of));
  UPSWEEP_CHECK(fails({nullptr, 0}, in.data(), out.data(), of));
  UPSWEEP_CHECK(cuda::box_filter(space, in.data(), out.data(), of, static_cast<const int *>(nullptr)) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::box_filter(space, in.data(), out.data(), of, 1, cuda::repeated(0)) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::box_filter(space, in.data(), out.data(), cuda::image_shape{0, 60}, 1) == cudaSuccess);
  DeviceArray<std::uint8_t> poison(10000);
  check_same(out.download(), poison.download(), "after errors");
}

}  // namespace upsweep::test
