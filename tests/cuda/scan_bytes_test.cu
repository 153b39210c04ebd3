// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans of bytes by operators that process packed bytes in registers (device/byte_register.cuh): signed and
// unsigned, forward and backward, in arrays of both tile sizes with partial last tiles.
#include "scan_check.h"

using namespace upsweep::test;

namespace {

// Whole vectors, up to 16 MiB and beyond.
constexpr std::size_t kSizes[] = {3000016, 20000016};

// Values for which results keep changing: products contain no 0, and among many elements the largest or smallest changes
// slowly.
template <class T, class Op>
std::vector<T> bytes_for(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned random = generator()() & 0xff;
    const auto up = static_cast<unsigned>(random * (i * 256 / n) / 256);
    if (std::is_same_v<Op, cuda::maximum>) {
      values[i] = static_cast<T>(std::numeric_limits<T>::min() + static_cast<int>(up));
    } else if (std::is_same_v<Op, cuda::minimum>) {
      values[i] = static_cast<T>(std::numeric_limits<T>::max() - static_cast<int>(up));
    } else {
      values[i] = static_cast<T>(random | 1);
    }
  }
  return values;
}

template <class T, class Op, class... Options>
void check_bytes(const char *name, Op op, Options... options) {
  constexpr bool kBackward = sizeof...(Options) > 0;
  for (const std::size_t n : kSizes) {
    const std::vector<T> values = bytes_for<T, Op>(n);
    const std::vector<T> expected = inclusive_reference(values, op);
    Placed<T> in(kBackward ? reversed(values) : values, 0), out(n, 0);
    UPSWEEP_CUDA(cuda::inclusive_scan(shared_space(), in.data(), out.data(), n, op, nullptr, options...));
    expect_same(name, kBackward ? reversed(out.download()) : out.download(), expected);
    UPSWEEP_CHECK(out.surroundings_are_intact());
  }
}

}  // namespace

UPSWEEP_TEST(GivenBytes_WhenMaximumIsTaken_ThenItIsTheLargest) { check_bytes<std::uint8_t>("max u8", cuda::maximum{}); }
UPSWEEP_TEST(GivenSignedBytes_WhenMinimumIsTakenBackward_ThenItIsTheSmallest) {
  check_bytes<std::int8_t>("min i8", cuda::minimum{}, cuda::backward);
}
UPSWEEP_TEST(GivenBytes_WhenMultiplied_ThenProductsWrap) { check_bytes<std::uint8_t>("product u8", cuda::multiplies{}); }
UPSWEEP_TEST(GivenBytes_WhenBitsAreTaken_ThenTheyAre) { check_bytes<std::uint8_t>("xor u8", cuda::bit_xor{}); }
