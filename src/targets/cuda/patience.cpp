// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spinning, then sleeping in naps.
#include "targets/cuda/patience.h"
#include "runtime/objects/event.h"
#include <algorithm>
#include <chrono>
#include <emmintrin.h>
#include <sys/prctl.h>
#include <thread>

namespace upsweep {
namespace {

/// For how long a wait looks again and again before it begins to take naps. With 50 us, kernels of 130 us that are waited for
/// one by one took 3 % longer.
constexpr uint64_t kLookingNs = 250'000;
constexpr uint64_t kShortestNapNs = 10'000, kLongestNapNs = 200'000;

/// Sleeps for `ns`, to the microsecond, which is finer than what threads sleep by default.
void nap(uint64_t ns) {
  const int slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
  prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
  std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
  prctl(PR_SET_TIMERSLACK, slack, 0, 0, 0);
}

}  // namespace

Patience::Patience() : since_ns_(now_ns()) {}
void Patience::renew() { since_ns_ = now_ns(); }
uint64_t Patience::waited_ns() const { return now_ns() - since_ns_; }

bool Patience::is_over() const { return waited_ns() > kLookingNs; }

void Patience::pause() {
  if (const uint64_t waited = waited_ns(); waited > kLookingNs)
    nap(std::clamp(waited / 64, kShortestNapNs, kLongestNapNs));
  else
    for (int i = 0; i < 16; ++i) _mm_pause();
}

}  // namespace upsweep
