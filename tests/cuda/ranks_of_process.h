// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs checks over ranks that are GPUs of one process. Ranks share a GPU if there are fewer GPUs.
#pragma once

#include "check.h"

#include <upsweep/distributed/cuda/peers.cuh>

namespace upsweep::test {

namespace over = upsweep::distributed;

// Emulated GPUs are slow.
#ifdef UPSWEEP_EMULATED
inline constexpr std::uint64_t kMostElements = 3000;
inline constexpr int kRounds = 4;
#else
inline constexpr std::uint64_t kMostElements = 300000;
inline constexpr int kRounds = 25;
#endif

// check(ranks, seed, the most elements)
template <class Check>
void over_ranks(const Check &check) {
  for (const bool by_mail : {true, false}) {
    for (const unsigned size : {1U, 2U, 3U}) {
      over::gpu_options options;
      options.by_mail = by_mail;
      options.time_limit = std::chrono::seconds(60);
      const auto run = [&](over::peer_communicator &ranks) {
        for (int i = 0; i < kRounds; ++i) {
          check(ranks, static_cast<std::uint32_t>(i) * 1000 + size, i < 2 ? 8 : i % 2 == 0 ? 2000 : kMostElements);
          // cudaFree() waits for the whole GPU: also for a kernel of another rank there, which waits for this rank.
          ranks.host().barrier();
        }
      };
      try {
        over::run_gpus(size, run, options);
      } catch (const std::exception &error) {
        std::printf("%u ranks%s: %s\n", size, by_mail ? " by mail" : "", error.what());
        UPSWEEP_CHECK(false);
      }
    }
  }
}

}  // namespace upsweep::test
