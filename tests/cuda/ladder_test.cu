// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every rung of the ladder against a sequential scan on the host: sizes around each edge, in place and not, aligned and not,
// operators that do not commute, elements of 1 to 64 bytes. Bad arguments return errors.
#include "rungs.h"

using namespace upsweep::test;
using upsweep::cuda::plus;

namespace {

// Sizes around warps, blocks of 128 and 256 threads, tiles of 1024 and 2048, powers of two and other numbers.
const std::vector<std::size_t> kSizes = {0,   1,   2,   3,   5,   31,  32,   33,   63,   65,   100,  127,  128, 129,
                                         255, 256, 257, 500, 511, 513, 1000, 1023, 1024, 1025, 1500, 2047, 2048};
// Several blocks and tiles; two and three levels of block totals.
const std::vector<std::size_t> kLargeSizes = {2049, 4095, 4096, 4097, 65535, 65536, 65537, 1048575, 1048576, 1048577};

template <class T>
void expect(const Rung<T> &rung, std::size_t n, bool right) {
  if (!right) {
    std::printf("%s of %zu elements of %zu bytes\n", rung.name, n, sizeof(T));
  }
  UPSWEEP_CHECK(right);
}

template <class T, class Op>
void check_rung(const Rung<T> &rung, std::size_t n, Op op) {
  const std::vector<T> values = random_elements<T>(n);
  const std::vector<T> expected = exclusive_reference(values, kAnySize, op);
  DeviceArray<T> in(values), out(n);
  expect(rung, n, rung.scan(in.data(), out.data(), n) == cudaSuccess);
  expect(rung, n, same_arrays(out.download(), expected) && out.end_is_intact());
  expect(rung, n, rung.scan(in.data(), in.data(), n) == cudaSuccess);
  expect(rung, n, same_arrays(in.download(), expected) && in.end_is_intact());
}

template <class T, class Op>
void check_rungs(Op op) {
  for (const Rung<T> &rung : block_rungs<T>(op)) {
    for (const std::size_t n : kSizes) {
      if (n <= rung.most) {
        check_rung(rung, n, op);
      }
    }
    check_rung(rung, rung.most - 1, op);
    check_rung(rung, rung.most, op);
  }
  for (const Rung<T> &rung : device_rungs<T>(op)) {
    for (const std::size_t n : kSizes) {
      check_rung(rung, n, op);
    }
    for (const std::size_t n : kLargeSizes) {
      check_rung(rung, n, op);
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenIntegers_WhenRungsScan_ThenSumsAreRight) { check_rungs<int>(plus{}); }
UPSWEEP_TEST(GivenFloats_WhenRungsScan_ThenSumsAreRight) { check_rungs<float>(plus{}); }
UPSWEEP_TEST(GivenBytes_WhenRungsScan_ThenSumsAreRight) { check_rungs<unsigned char>(plus{}); }
UPSWEEP_TEST(GivenOperatorThatDoesNotCommute_WhenRungsScan_ThenOrderIsKept) { check_rungs<Affine<1>>(Compose{}); }
UPSWEEP_TEST(GivenElementsOf64Bytes_WhenRungsScan_ThenAllWordsAreRight) { check_rungs<Affine<8>>(Compose{}); }

UPSWEEP_TEST(GivenOneThread_WhenItScans_ThenResultsAreRight) {
  for (const std::size_t n : {0, 1, 2, 1000, 65537}) {
    check_rung<Affine<1>>(
        {"sequential", kAnySize,
         [](auto *in, auto *out, auto count) { return ladder::sequential(in, out, count, nullptr, Compose{}); }, nullptr},
        n, Compose{});
  }
}

UPSWEEP_TEST(GivenThreeLevelsOfBlockTotals_WhenRungsScan_ThenSumsAreRight) {
  const std::size_t n = (std::size_t(1) << 24) + 3;
  for (const Rung<int> &rung : device_rungs<int>(plus{})) {
    check_rung(rung, n, plus{});
  }
}

UPSWEEP_TEST(GivenManyTiles_WhenLookBackRunsAgainAndAgain_ThenEveryRunIsRight) {
  const std::size_t n = (std::size_t(1) << 20) + 777;
  const std::vector<Affine<1>> values = random_elements<Affine<1>>(n);
  const std::vector<Affine<1>> expected = exclusive_reference(values, kAnySize, Compose{});
  const std::size_t bytes = ladder::decoupled_look_back_workspace<Affine<1>>(n);
  DeviceArray<Affine<1>> in(values), out(n);
  DeviceArray<unsigned char> workspace(bytes);
  for (int run = 0; run < 50; ++run) {
    out.poison();
    UPSWEEP_CUDA(ladder::decoupled_look_back(in.data(), out.data(), n, nullptr, workspace.data(), bytes, Compose{}));
    UPSWEEP_CHECK(same_arrays(out.download(), expected));
  }
}

UPSWEEP_TEST(GivenArraysThatAreNotAlignedToQuads_WhenRungsScan_ThenSumsAreRight) {
  const std::size_t n = 5000;
  const std::vector<int> values = random_elements<int>(n + 1);
  const std::vector<int> expected = exclusive_reference(std::vector<int>(values.begin() + 1, values.end()), kAnySize, plus{});
  for (const Rung<int> &rung : device_rungs<int>(plus{})) {
    DeviceArray<int> in(values), out(n + 2);
    expect(rung, n, rung.scan(in.data() + 1, out.data() + 1, n) == cudaSuccess);
    const std::vector<int> got = out.download();
    expect(rung, n, same_arrays(std::vector<int>(got.begin() + 1, got.end() - 1), expected));
    expect(rung, n, got.front() == got.back());  // both still poison
  }
}

UPSWEEP_TEST(GivenChunks_WhenRungsScanThem_ThenEachIsScannedByItself) {
  for (const Rung<int> &rung : block_rungs<int>(plus{})) {
    for (const std::size_t chunk : {std::size_t(1), std::size_t(31), rung.most}) {
      const std::size_t n = 7 * chunk + chunk / 2;
      const std::vector<int> values = random_elements<int>(n);
      DeviceArray<int> in(values), out(n);
      expect(rung, n, rung.scan_chunks(in.data(), out.data(), n, chunk) == cudaSuccess);
      expect(rung, n, same_arrays(out.download(), exclusive_reference(values, chunk, plus{})) && out.end_is_intact());
    }
  }
}

UPSWEEP_TEST(GivenBadArguments_WhenRungsAreCalled_ThenTheySaySoAndWriteNothing) {
  const std::vector<int> values(8192, 1);
  DeviceArray<int> memory(values);
  int *const in = memory.data();
  int *const out = in + 4096;
  std::vector<Rung<int>> rungs = block_rungs<int>(plus{});
  for (const Rung<int> &rung : rungs) {
    expect(rung, rung.most + 1, rung.scan(in, out, rung.most + 1) == cudaErrorInvalidValue);
    expect(rung, 10, rung.scan_chunks(in, out, 10, 0) == cudaErrorInvalidValue);
    expect(rung, 10, rung.scan_chunks(in, out, 10, rung.most + 1) == cudaErrorInvalidValue);
  }
  for (const Rung<int> &rung : device_rungs<int>(plus{})) {
    rungs.push_back(rung);
  }
  rungs.push_back(
      {"sequential", kAnySize, [](auto *from, auto *to, auto n) { return ladder::sequential(from, to, n, nullptr); }, nullptr});
  for (const Rung<int> &rung : rungs) {
    expect(rung, 10, rung.scan(nullptr, out, 10) == cudaErrorInvalidValue);
    expect(rung, 10, rung.scan(in, nullptr, 10) == cudaErrorInvalidValue);
    expect(rung, 10, rung.scan(in, in + 9, 10) == cudaErrorInvalidValue);
    expect(rung, 10, rung.scan(in + 9, in, 10) == cudaErrorInvalidValue);
    expect(rung, 0, rung.scan(nullptr, nullptr, 0) == cudaSuccess);
  }
  const std::size_t bytes = ladder::decoupled_look_back_workspace<int>(4000);
  DeviceArray<unsigned char> workspace(bytes + 16);
  UPSWEEP_CHECK(ladder::decoupled_look_back(in, out, 4000, nullptr, nullptr, bytes) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(ladder::decoupled_look_back(in, out, 4000, nullptr, workspace.data(), bytes - 1) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(ladder::decoupled_look_back(in, out, 4000, nullptr, workspace.data() + 4, bytes) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(ladder::block_sums(in, out, 4000, nullptr, nullptr, 0) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(ladder::three_pass(in, out, 4000, nullptr, workspace.data(), 4) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(ladder::hybrid(in, out, 10, nullptr, plus{}, -1) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(same_arrays(memory.download(), values));
}
