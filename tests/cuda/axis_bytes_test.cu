// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans of integers of 1 and 2 bytes along an axis. Sums and bit operations on columns of whole words are done in
// words (device/axis_words_launch.cuh); the maximum is not.
#include "axis_check.h"

using namespace upsweep::test;

UPSWEEP_TEST(GivenAnAxis_WhenBytesAreSummed_ThenEachColumnIsOnItsOwn) {
  check_shapes<false, false, std::uint8_t>("u8", cuda::plus{});
}
// The operators on words of packed elements, alone. The scans below use two of them, since kernels differ by word and not by
// operator.
template <class Op, class T>
__global__ void of_words_kernel(const unsigned *a, const unsigned *b, unsigned *out) {
  out[threadIdx.x] = cuda::detail::OfWord<Op, T>{}(a[threadIdx.x], b[threadIdx.x]);
}
template <class Op, class T>
void check_of_words(const char *name) {
  constexpr std::size_t kWords = 256, kColumns = kWords * 4 / sizeof(T);
  const auto a = scan_values<T>(kColumns), b = scan_values<T>(kColumns);
  std::vector<T> expected(kColumns);
  for (std::size_t i = 0; i < kColumns; ++i) {
    expected[i] = Op{}(a[i], b[i]);
  }
  DeviceArray<T> first(a), second(b), out(kColumns);
  of_words_kernel<Op, T><<<1, kWords>>>(reinterpret_cast<const unsigned *>(first.data()),
                                        reinterpret_cast<const unsigned *>(second.data()),
                                        reinterpret_cast<unsigned *>(out.data()));
  expect_same(name, out.download(), expected);
}
UPSWEEP_TEST(GivenWordsOfColumns_WhenCombined_ThenColumnsAreOnTheirOwn) {
  check_of_words<cuda::plus, std::uint8_t>("u8 plus");
  check_of_words<cuda::plus, std::int16_t>("i16 plus");
  check_of_words<cuda::bit_and, std::uint8_t>("u8 and");
  check_of_words<cuda::bit_or, std::uint8_t>("u8 or");
  check_of_words<cuda::bit_xor, std::uint16_t>("u16 xor");
}

UPSWEEP_TEST(GivenAnAxis_WhenMaximumOfBytesIsTaken_ThenEachColumnIsOnItsOwn) {
  check_shapes<false, true, std::uint8_t>("u8 maximum", cuda::maximum{});
}
UPSWEEP_TEST(GivenAnAxis_WhenBitsOfShortsCollect_ThenEachColumnIsOnItsOwn) {
  check_shapes<true, true, std::int16_t>("i16", cuda::bit_or{});
}
UPSWEEP_TEST(GivenLongBatches_WhenBytesAreExchanged_ThenEachColumnIsOnItsOwn) {
  check_exchange<std::uint8_t, false, true>("u8", cuda::maximum{});
}
UPSWEEP_TEST(GivenLongBatches_WhenBytesArePreferablyExchanged_ThenEachColumnIsOnItsOwn) {
  check_preferred_exchange<std::uint8_t, false, false>("u8", 1024, cuda::plus{});
}
UPSWEEP_TEST(GivenBatchesAnywhere_WhenBytesAreScanned_ThenNothingElseIsWritten) {
  check_batches_anywhere<std::uint8_t, false, true>("u8", cuda::maximum{});
}
UPSWEEP_TEST(GivenBatchesAnywhere_WhenShortsAreScanned_ThenNothingElseIsWritten) {
  check_batches_anywhere<std::int16_t, true, true>("i16", cuda::bit_or{});
}
UPSWEEP_TEST(GivenLongBatchesAnywhere_WhenBytesAreExchanged_ThenNothingElseIsWritten) {
  check_exchange_anywhere<std::uint8_t, false, true>("u8", cuda::maximum{});
}
