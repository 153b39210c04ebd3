// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of runs: runs of every magnitude and empty ones, values of 1 to 32 bytes, every alignment, counts on the
// device.
#include "compact_check.h"
#include "scan_check.h"

#include <upsweep/cuda/run_length_decode.cuh>

using namespace upsweep::test;

namespace {

std::vector<std::uint32_t> lengths_of(std::size_t n, int kind) {
  std::vector<std::uint32_t> lengths;
  for (std::size_t sum = 0; sum < n; sum += lengths.back()) {
    const std::uint32_t random = generator()();
    std::size_t length = kind == 0   ? random % 8 == 0 ? 0 : 1 + random / 8 % (1u << random / 64 % 17)
                           : kind == 1 ? 1
                         : kind == 2 ? (random % 40 == 0 ? random / 64 % 100 : 0)
                         : kind == 3 ? 512 * (random % 3)
                                     : n;
    lengths.push_back(static_cast<std::uint32_t>(std::min(length, n - sum)));
  }
  for (unsigned i = generator()() % 50; i > 0; --i) {
    lengths.push_back(0);
  }
  return lengths;
}

template <class T>
void check_decode(const char *name) {
  std::vector<std::size_t> sizes = {0, 1, 511, 512, 513, 3000};
  if (!is_short_run()) {
    sizes.insert(sizes.end(), {100000, 3168 * 512 + 1});
  }
  for (const std::size_t n : sizes) {
    for (int kind = 0; kind < 5; ++kind) {
      const std::vector<std::uint32_t> lengths = lengths_of(n, kind);
      const std::vector<T> values = any_values<T>(lengths.size());
      std::vector<T> expected;
      std::vector<std::uint64_t> offsets = {0};
      for (std::size_t k = 0; k < lengths.size(); ++k) {
        expected.insert(expected.end(), lengths[k], values[k]);
        offsets.push_back(expected.size());
      }
      DeviceArray<std::uint32_t> in_lengths(lengths);
      DeviceArray<std::uint64_t> at(offsets);
      DeviceArray<T> in(values);
      for (const std::size_t shift : {0, 1}) {
        Placed<T> out(n, shift), again(n, shift);
        DeviceArray<std::uint64_t> total(1);
        const std::string what = std::string(name) + " " + std::to_string(n) + " kind " + std::to_string(kind);
        expect_success(what, cuda::run_length_decode(shared_space(), in.data(), in_lengths.data(), lengths.size(), out.data(),
                                                     total.data()));
        expect_same(what, out.download(), expected);
        UPSWEEP_CHECK(total.download().front() == n);
        expect_success(what, cuda::repeat(in.data(), at.data(), lengths.size(), again.data()));
        expect_same(what + " by offsets", again.download(), expected);
        UPSWEEP_CHECK(out.surroundings_are_intact());
      }
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenRunsOfWords_WhenDecoded_ThenAllElements) { check_decode<std::uint32_t>("u32"); }
UPSWEEP_TEST(GivenRunsOfBytes_WhenDecoded_ThenAllElements) { check_decode<std::uint8_t>("u8"); }
UPSWEEP_TEST(GivenRunsOfLongs_WhenDecoded_ThenAllElements) { check_decode<std::uint64_t>("u64"); }
UPSWEEP_TEST(GivenRunsOfStructs_WhenDecoded_ThenAllElements) {
  check_decode<Affine<2>>("16 bytes");
  check_decode<Affine<4>>("32 bytes");
}

UPSWEEP_TEST(GivenACountOnTheDeviceAndAScanBetween_WhenDecoded_ThenTheWorkspaceServesBoth) {
  const std::vector<std::uint32_t> lengths(3000, 5), values = any_values<std::uint32_t>(3000);
  DeviceArray<std::uint32_t> in(values), of(lengths), out(15000), sums(15000);
  DeviceArray<std::uint64_t> count(std::vector<std::uint64_t>{2000});
  std::vector<std::uint32_t> expected(15000);
  std::memset(expected.data(), kPoison, 60000);
  for (std::size_t i = 0; i < 10000; ++i) {
    expected[i] = values[i / 5];
  }
  for (int run = 0; run < 3; ++run) {
    UPSWEEP_CUDA(cuda::run_length_decode(shared_space(), in.data(), of.data(), cuda::count_at(count.data(), 3000), out.data()));
    UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), out.data(), sums.data(), 15000));
  }
  expect_same("counted", out.download(), expected);
  std::uint32_t sum = 0;
  for (std::uint32_t &value : expected) {
    value = sum += value;
  }
  expect_same("sums", sums.download(), expected);
  UPSWEEP_CHECK(cuda::run_length_decode(cuda::workspace(), in.data(), of.data(), 3000, out.data()) == cudaErrorInvalidValue);
}
