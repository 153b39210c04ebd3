// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors in the documents' listings. Each case computes the printed form on the host, and shows that its result is not the
// scan, and that our rung's result is.
#include "rungs.h"

#include <upsweep/cuda/block.cuh>

#include <cmath>
#include <limits>

using namespace upsweep::test;
using upsweep::cuda::plus;

namespace {

std::vector<int> scanned(const std::vector<int> &values) { return exclusive_reference(values, kAnySize, plus{}); }

std::vector<int> run(const std::vector<int> &values, std::function<cudaError_t(const int *, int *, std::size_t)> scan) {
  DeviceArray<int> in(values), out(values.size());
  UPSWEEP_CUDA(scan(in.data(), out.data(), values.size()));
  return out.download();
}

// The largest number of a warp's threads that access the same bank together, over all steps of a tree of `leaves`.
template <class Place>
int worst_conflict(int leaves, Place place) {
  int worst = 1;
  for (int stride = 1; stride < leaves; stride *= 2) {
    for (int side = 1; side <= 2; ++side) {
      for (int first = 0; first < leaves / 2 / stride; first += 32) {
        std::vector<int> hits(32, 0);
        for (int thread = first; thread < std::min(first + 32, leaves / 2 / stride); ++thread) {
          worst = std::max(worst, ++hits[place(stride * (2 * thread + side) - 1) % 32]);
        }
      }
    }
  }
  return worst;
}

}  // namespace

// The example of work_group_scan_inclusive_<op> prints 11 14; the right result is 11 15.
UPSWEEP_TEST(GivenTheDocumentsExample_WhenScanned_ThenTheFourthSumIs15) {
  const std::vector<int> values = {3, 1, 7, 0, 4, 1, 6, 3};
  const std::vector<int> printed = {0, 3, 4, 11, 11, 14, 16, 22};
  const std::vector<int> right = {0, 3, 4, 11, 11, 15, 16, 22};
  UPSWEEP_CHECK(printed != scanned(values));
  for (const Rung<int> &rung : block_rungs<int>(plus{})) {
    UPSWEEP_CHECK(run(values, rung.scan) == right);
  }
  for (const Rung<int> &rung : device_rungs<int>(plus{})) {
    UPSWEEP_CHECK(run(values, rung.scan) == right);
  }
}

// GPU Gems 3, example 39-1: a step adds to the output buffer, which holds the values of two steps ago.
UPSWEEP_TEST(GivenTwoBuffers_WhenAStepAddsToTheOutputAsPrinted_ThenThatIsWrongAndOursIsNot) {
  const std::vector<int> values = random_elements<int>(256);
  std::vector<int> buffers[2] = {std::vector<int>(256, 0), std::vector<int>(256, 0)};
  std::copy(values.begin(), values.end() - 1, buffers[0].begin() + 1);
  int out = 0;
  for (int offset = 1; offset < 256; offset *= 2) {
    out = 1 - out;
    for (int k = 0; k < 256; ++k) {
      buffers[out][k] = k >= offset ? buffers[out][k] + buffers[1 - out][k - offset] : buffers[1 - out][k];
    }
  }
  UPSWEEP_CHECK(buffers[out] != scanned(values));
  const auto ours = [](auto *in, auto *result, auto n) {
    return ladder::hillis_steele_double_buffered(in, result, n, nullptr);
  };
  UPSWEEP_CHECK(run(values, ours) == scanned(values));
}

// GPU Gems 3, example 39-3: a shift by the number of banks pads nothing, even with the parentheses that the macro lacks.
UPSWEEP_TEST(GivenPaddingAsPrinted_WhenTheTreeIsWalked_ThenThreadsMeetInABankAndInOursTheyDoNot) {
  for (const int leaves : {64, 256, 1024, 2048}) {
    const auto printed = [](int i) { return i + (static_cast<std::int64_t>(i) >> 32) + (i >> 10); };
    UPSWEEP_CHECK(worst_conflict(leaves, printed) > 1);
    UPSWEEP_CHECK(worst_conflict(leaves, ladder::dense_layout::at) > 1);
    UPSWEEP_CHECK(worst_conflict(leaves, ladder::padded_layout::at) == 1);
  }
  for (int i = 1; i < 2048; ++i) {
    UPSWEEP_CHECK(ladder::padded_layout::at(i) > ladder::padded_layout::at(i - 1));
  }
}

// GPU Gems 3, algorithms 5 and 6: the reduction starts at element 1, and the way down copies where it must add.
UPSWEEP_TEST(GivenReduceAndDownSweepAsPrinted_WhenRun_ThenTheyAreWrongAndOursAreNot) {
  std::vector<int> values = random_elements<int>(8);
  std::vector<std::vector<int>> a = {values, std::vector<int>(4, 0)};
  for (int k = 1; k <= 3; ++k) {
    a[1][k] = a[0][2 * k] + a[0][2 * k + 1];
  }
  for (int k = 1; k < 4; ++k) {
    a[1][k] += a[1][k - 1];
  }
  for (int k = 1; k < 8; ++k) {
    a[0][k] = k % 2 != 0 ? a[1][k / 2] : a[1][k / 2 - 1];
  }
  std::vector<int> inclusive = scanned(values);
  for (int k = 0; k < 8; ++k) {
    inclusive[k] += values[k];
  }
  UPSWEEP_CHECK(a[0] != inclusive);
  for (const std::size_t n : {3, 8, 77, 1000, 1001}) {
    values = random_elements<int>(n);
    for (int steps = 0; steps <= 11; ++steps) {
      const auto ours = [=](auto *in, auto *out, auto count) { return ladder::hybrid(in, out, count, nullptr, plus{}, steps); };
      UPSWEEP_CHECK(run(values, ours) == scanned(values));
    }
  }
}

// Document "GPU prefix sums", block scan: an exclusive result by subtraction is NaN behind an infinity, and loses small
// numbers.
UPSWEEP_TEST(GivenAnInfinity_WhenExclusiveIsInclusiveLessTheElementAsPrinted_ThenThatIsWrongAndOursIsNot) {
  std::vector<float> values(64, 1.0f);
  values[40] = std::numeric_limits<float>::infinity();
  UPSWEEP_CHECK(std::isnan((40.0f + values[40]) - values[40]));
  DeviceArray<float> in(values), out(64);
  UPSWEEP_CUDA(ladder::block_from_warps(in.data(), out.data(), 64, nullptr));
  const std::vector<float> got = out.download();
  UPSWEEP_CHECK(got[40] == 40.0f);
  UPSWEEP_CHECK(std::isinf(got[41]));
}

// Document "GPU prefix sums", three-pass: the totals are scanned exclusively, and block b adds entry b - 1.
UPSWEEP_TEST(GivenSeveralBlocks_WhenBlockAddsTheEntryBeforeAsPrinted_ThenThatIsWrongAndOursIsNot) {
  const std::vector<int> values = random_elements<int>(1000);
  std::vector<int> printed = exclusive_reference(values, 256, plus{});
  std::vector<int> totals;
  for (int block = 0; block < 4; ++block) {
    const int last = std::min(256 * block + 255, 999);
    totals.push_back(printed[last] + values[last]);
  }
  totals = scanned(totals);
  for (int i = 256; i < 1000; ++i) {
    printed[i] += totals[i / 256 - 1];
  }
  UPSWEEP_CHECK(printed != scanned(values));
  for (const Rung<int> &rung : device_rungs<int>(plus{})) {
    UPSWEEP_CHECK(run(values, rung.scan) == scanned(values));
  }
}

// Document "GPU prefix sums", decoupled look-back: thread 0 publishes a total that it does not hold, which is 0.
UPSWEEP_TEST(GivenSeveralTiles_WhenThread0PublishesWhatItHasAsPrinted_ThenThatIsWrongAndOursIsNot) {
  constexpr std::size_t kTile = ladder::kLookBackElements<int>;
  const std::vector<int> values = random_elements<int>(5 * kTile + 1);
  const std::vector<int> printed = exclusive_reference(values, kTile, plus{});
  UPSWEEP_CHECK(printed != scanned(values));
  const auto ours = [](auto *in, auto *out, auto n) {
    return with_workspace(ladder::decoupled_look_back_workspace<int>(n), [&](void *workspace, std::size_t bytes) {
      return ladder::decoupled_look_back(in, out, n, nullptr, workspace, bytes);
    });
  };
  UPSWEEP_CHECK(run(values, ours) == scanned(values));
}
