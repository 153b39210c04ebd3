// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear recurrences of whole arrays and rows, in exact numbers; counts on the device, infinities, errors.
#include "recurrence_places.h"

#include <limits>

using namespace upsweep::test;

UPSWEEP_TEST(GivenWords_WhenRun_ThenExact) { check_whole<std::uint32_t>("u32"); }
UPSWEEP_TEST(GivenLongs_WhenRun_ThenExact) { check_whole<std::uint64_t>("u64"); }
UPSWEEP_TEST(GivenRowsOfWords_WhenRun_ThenEachStartsAnew) { check_rows<std::uint32_t>("u32"); }

UPSWEEP_TEST(GivenACountOnTheDevice_WhenRun_ThenThatManyAreDone) {
  const std::size_t most = 100000;
  const std::vector<std::uint32_t> a = random_numbers<std::uint32_t>(most, true),
                                   b = random_numbers<std::uint32_t>(most, false);
  DeviceArray<std::uint32_t> in_a(a), in_b(b);
  for (const std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(70001), most}) {
    DeviceArray<std::uint64_t> count(std::vector<std::uint64_t>{n});
    DeviceArray<std::uint32_t> x(most), last(1);
    UPSWEEP_CUDA(cuda::linear_recurrence(shared_space(), in_a.data(), in_b.data(), x.data(), cuda::count_at(count.data(), most),
                                         nullptr, cuda::states<std::uint32_t>(in_b.data() + 5, last.data())));
    std::vector<std::uint32_t> expected(most), lasts;
    std::memset(expected.data(), kPoison, most * 4);
    run_recurrence({1, n, 1}, false, a, b, {b[5]}, expected, lasts);
    expect_same("counted", x.download(), expected);
    expect_same("counted last", last.download(), lasts);
  }
}

UPSWEEP_TEST(GivenInfinitiesAndNaNs_WhenRowsFollow_ThenTheyAreNotTouched) {
  const std::size_t rows = 999, length = 37;
  std::vector<float> a(rows * length, 0.5f), b(rows * length, 1.0f), expected(rows * length), lasts;
  for (std::size_t r = 0; r < rows; r += 2) {
    b[r * length + 3] = r % 4 == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  }
  DeviceArray<float> in_a(a), in_b(b), x(rows * length);
  UPSWEEP_CUDA(cuda::linear_recurrence_of_axis(cuda::stream_pool, in_a.data(), in_b.data(), x.data(), {rows, length, 1}));
  run_recurrence({rows, length, 1}, false, a, b, {}, expected, lasts);
  const std::vector<float> got = x.download();
  int wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool is_disturbed = i / length % 2 == 0 && i % length >= 3;
    wrong += is_disturbed ? got[i] < 3.0f : !(got[i] > expected[i] - 1e-5f && got[i] < expected[i] + 1e-5f);
  }
  UPSWEEP_CHECK(wrong == 0);
}

UPSWEEP_TEST(GivenWrongArguments_WhenCalled_ThenErrors) {
  DeviceArray<float> a(100), b(100), x(100);
  cuda::workspace none;
  const cuda::axis of{4, 5, 5};
  UPSWEEP_CHECK(cuda::linear_recurrence(none, a.data(), b.data(), x.data(), 100) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::linear_recurrence(shared_space(), a.data(), static_cast<float *>(nullptr), x.data(), 100) ==
                cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::linear_recurrence(shared_space(), a.data(), b.data(), b.data() + 1, 50) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::linear_recurrence_of_axis(shared_space(), a.data(), b.data(), a.data() + 5, of) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::linear_recurrence_of_axis(shared_space(), a.data(), b.data(), x.data(), {4, 5, 5, {3, 2}}) ==
                cudaErrorInvalidValue);
  UPSWEEP_CUDA(cuda::linear_recurrence_of_axis(shared_space(), a.data(), b.data(), x.data(), {4, 0, 5}));
}
