// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Box filters of signed pixels, and of boxes whose sums have more than 32 bits.
#include "box_filter_check.h"

namespace upsweep::test {

UPSWEEP_TEST(GivenSignedPixels_WhenFiltered_ThenMeansAreThoseOfTheHost) {
  for (const Shape &shape : kShapes) {
    check_radius<std::int16_t, float>(shape, 3);
    check_radius<std::int16_t, float>(shape, 1000);
  }
}

UPSWEEP_TEST(GivenWideBoxes_WhenFiltered_ThenSumsOfMoreThan32BitsAreRight) {
  const Shape shape{{200, 900}};
  std::vector<std::uint16_t> given(200 * 900);
  Radii radii;
  for (std::uint16_t &radius : given) {
    radius = static_cast<std::uint16_t>(random_below(4000) == 0 ? 2000 : random_below(4));
    radii.push_back(radius);
  }
  DeviceArray<std::uint16_t> on_device(given);
  check_filter<std::uint16_t, float>(shape, radii, on_device.data());
}

}  // namespace upsweep::test
