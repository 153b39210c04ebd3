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

// Sums of a box need more than 64 bits, and means need more digits than a double has.
template <class T>
void check_longs() {
  const Shape shape{{21, 37, 2}};
  std::vector<T> pixels(shape.in_places());
  for (T &pixel : pixels) {
    const std::uint64_t high = generator()(), low = generator()();
    pixel = static_cast<T>(high << 32 | low);
  }
  for (const std::int64_t radius : {0, 1, 4, 50}) {
    DeviceArray<T> in(pixels), out(shape.out_places());
    DeviceArray<unsigned char> memory(cuda::box_filter_workspace_bytes<T>(shape.of));
    UPSWEEP_CUDA(cuda::box_filter(cuda::workspace{memory.data(), memory.bytes()}, in.data(), out.data(), shape.of, radius));
    const std::vector<T> got = out.download();
    bool are_right = true;
    for (std::int64_t i = 0; i < 21 * 37 * 2; ++i) {
      __int128 sum = 0, count = 0;
      for (std::int64_t j = i % 2; j < 21 * 37 * 2; j += 2) {
        if (std::abs(i / 74 - j / 74) <= radius && std::abs(i % 74 / 2 - j % 74 / 2) <= radius) {
          sum += pixels[j];
          ++count;
        }
      }
      const __int128 error = 2 * (static_cast<__int128>(got[i]) * count - sum);  // a tie rounds up
      are_right &= error <= count && error > -count;
    }
    UPSWEEP_CHECK(are_right);
    UPSWEEP_CHECK(memory.end_is_intact());
  }
}

UPSWEEP_TEST(GivenLongs_WhenFiltered_ThenMeansDoNotWrap) {
  check_longs<std::int64_t>();
  check_longs<std::uint64_t>();
}

}  // namespace upsweep::test
