// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans, reductions, selections and histograms over ranks that are GPUs of one process. Ranks share a GPU if there is one
// alone.
#include "ranks_of_process.h"
#include "ranks_scan_calls.h"

using namespace upsweep;
using namespace upsweep::test;

UPSWEEP_TEST(GivenParts_WhenSummed_ThenAsTheWhole) {
  over_ranks([](auto &ranks, std::uint32_t seed, std::uint64_t most) { check_sums(ranks, seed, most); });
}
UPSWEEP_TEST(GivenOperators_WhenScannedOrReduced_ThenInOrder) {
  over_ranks([](auto &ranks, std::uint32_t seed, std::uint64_t most) { check_operators(ranks, seed, most); });
}
UPSWEEP_TEST(GivenSegmentsOverBorders_WhenScanned_ThenTheyGoOn) {
  over_ranks([](auto &ranks, std::uint32_t seed, std::uint64_t most) { check_segments(ranks, seed, most); });
}
UPSWEEP_TEST(GivenParts_WhenSelected_ThenAsTheWhole) {
  over_ranks([](auto &ranks, std::uint32_t seed, std::uint64_t most) { check_selections(ranks, seed, most); });
}

// The texts of the errors of all ranks, where fail(ranks) throws on all.
template <class Fail>
static std::vector<std::string> errors_of(unsigned size, const Fail &fail, std::chrono::milliseconds limit) {
  std::vector<std::string> errors(size);
  over::gpu_options options;
  options.time_limit = limit;
  over::run_gpus(
      size,
      [&](over::peer_communicator &ranks) {
        try {
          fail(ranks);
        } catch (const std::exception &error) {
          errors[ranks.rank()] = error.what();
        }
      },
      options);
  return errors;
}

UPSWEEP_TEST(GivenARankWithoutAnArray_WhenAllWait_ThenAllThrowAndCanGoOn) {
  const auto errors = errors_of(
      2,
      [](over::peer_communicator &ranks) {
        DeviceArray<int> in(std::vector<int>(100, 1)), out(100);
        over::inclusive_sum(ranks, ranks.rank() == 1 ? nullptr : in.data(), out.data(), 100);
        std::string text;
        try {
          ranks.wait();
        } catch (const over::device_error &error) {
          text = error.code() == cudaErrorInvalidValue ? "own" : "wrong";
        } catch (const over::rank_error &error) {
          text = "of rank " + std::to_string(error.rank());
        }
        over::inclusive_sum(ranks, in.data(), out.data(), 100);
        ranks.wait();
        UPSWEEP_CHECK(out.download().back() == 100 * (static_cast<int>(ranks.rank()) + 1));
        throw std::runtime_error(text);
      },
      std::chrono::seconds(60));
  UPSWEEP_CHECK(errors[0] == "of rank 1" && errors[1] == "own");
}

UPSWEEP_TEST(GivenOtherCalls_WhenAllWait_ThenAllThrow) {
  const auto errors = errors_of(
      2,
      [](over::peer_communicator &ranks) {
        DeviceArray<int> in(std::vector<int>(100, 1)), out(100);
        if (ranks.rank() == 0) {
          over::inclusive_sum(ranks, in.data(), out.data(), 100);
        } else {
          over::inclusive_scan(ranks, in.data(), out.data(), 100, cuda::maximum{});
        }
        ranks.wait();
      },
      std::chrono::seconds(60));
  UPSWEEP_CHECK(errors[0].find("another call") != std::string::npos && errors[1].find("another call") != std::string::npos);
}

UPSWEEP_TEST(GivenARankThatEnds_WhenOthersWait_ThenTheyThrow) {
  const auto begin = std::chrono::steady_clock::now();
  const auto errors = errors_of(
      3,
      [](over::peer_communicator &ranks) {
        DeviceArray<int> in(std::vector<int>(100, 1)), out(100);
        if (ranks.rank() != 1) {
          over::inclusive_sum(ranks, in.data(), out.data(), 100);
          ranks.wait();
        }
      },
      std::chrono::seconds(2));
  UPSWEEP_CHECK(!errors[0].empty() && errors[1].empty() && !errors[2].empty());
  UPSWEEP_CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
}

UPSWEEP_TEST(GivenARankThatThrows_WhenOthersWait_ThenTheyThrowAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  bool has_thrown = false;
  try {
    over::run_gpus(2, [](over::peer_communicator &ranks) {
      DeviceArray<int> in(std::vector<int>(100, 1)), out(100);
      if (ranks.rank() == 1) {
        throw std::runtime_error("by rank 1");
      }
      over::inclusive_sum(ranks, in.data(), out.data(), 100);
      ranks.wait();
    });
  } catch (const std::runtime_error &error) {
    has_thrown = std::string(error.what()) == "by rank 1";
  }
  UPSWEEP_CHECK(has_thrown);
  UPSWEEP_CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
}
