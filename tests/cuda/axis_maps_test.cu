// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans along an axis of elements of 8 and 64 bytes: maps, whose composition does not commute, and doubles.
#include "axis_check.h"

using namespace upsweep::test;

UPSWEEP_TEST(GivenAnAxis_WhenMapsAreComposed_ThenOrderIsKept) {
  check_shapes<false, false, Affine<1>>("affine", Compose{});
  check_shapes<true, true, Affine<1>>("affine", Compose{});
}
UPSWEEP_TEST(GivenAnAxis_WhenLargeMapsAreComposed_ThenOrderIsKept) { check_shapes<false, true, Affine<8>>("large", Compose{}); }
UPSWEEP_TEST(GivenLongBatches_WhenMapsAreExchanged_ThenOrderIsKept) {
  check_exchange<Affine<1>, true, true>("affine", Compose{});
}
UPSWEEP_TEST(GivenLongBatches_WhenOthersArePreferablyExchanged_ThenEachColumnIsOnItsOwn) {
  for (const std::size_t inner : {24, 100, 250, 300}) {
    check_preferred_exchange<double, true, true>("f64", inner, cuda::plus{});
    check_preferred_exchange<Affine<1>, true, true>("affine", inner, Compose{});
  }
}
UPSWEEP_TEST(GivenBatchesAnywhere_WhenDoublesAreScanned_ThenNothingElseIsWritten) {
  check_batches_anywhere<double, true, true>("f64", cuda::plus{});
}
UPSWEEP_TEST(GivenBatchesAnywhere_WhenMapsAreComposed_ThenNothingElseIsWritten) {
  check_batches_anywhere<Affine<1>, false, false>("affine", Compose{});
  check_batches_anywhere<Affine<1>, true, true>("affine", Compose{});
}
UPSWEEP_TEST(GivenLongBatchesAnywhere_WhenDoublesAreExchanged_ThenNothingElseIsWritten) {
  check_exchange_anywhere<double, true, true>("f64", cuda::plus{});
}
UPSWEEP_TEST(GivenLongBatchesAnywhere_WhenMapsAreExchanged_ThenNothingElseIsWritten) {
  check_exchange_anywhere<Affine<1>, false, false>("affine", Compose{});
}
