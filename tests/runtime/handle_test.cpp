// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The set of live handles, whose readers take no lock: against a reference, and during concurrent changes.
#include "base/handle.h"

#include <atomic>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace {

using namespace upsweep;

/// Foreign pointers too, which are only looked up.
const HandleBase *address(size_t i) { return reinterpret_cast<const HandleBase *>(uintptr_t{0x7000} + 16 * i); }

TEST(Handles, GivenRandomChanges_WhenComparedWithAMap_ThenTheyAgree) {
  std::mt19937 random(5);
  std::map<size_t, HandleKind> known;
  // Far more than a table's initial size, and addresses that share slots.
  constexpr size_t kAddresses = 4000;
  for (int step = 0; step < 40000; ++step) {
    const size_t i = random() % kAddresses;
    if (auto found = known.find(i); found != known.end()) {
      unregister_handle(address(i));
      known.erase(found);
    } else {
      known[i] = static_cast<HandleKind>(-30 - static_cast<int>(random() % 5));
      register_handle(address(i), known[i]);
    }
    const size_t asked = random() % kAddresses;
    const auto expected = known.find(asked);
    for (HandleKind kind = -34; kind <= -30; ++kind)
      ASSERT_EQ(is_live_handle(address(asked), kind), expected != known.end() && expected->second == kind);
  }
  for (const auto &[i, kind] : known) unregister_handle(address(i));
}

TEST(Handles, GivenHandlesThatComeAndGo_WhenOthersAreAskedForMeanwhile_ThenThoseAreAlwaysThere) {
  constexpr size_t kStaying = 50, kComing = 2000;
  for (size_t i = 0; i < kStaying; ++i) register_handle(address(3 * i), -30);
  std::atomic<bool> stops{false};
  std::atomic<int> wrong{0};
  std::vector<std::jthread> readers;
  for (int reader = 0; reader < 2; ++reader)
    readers.emplace_back([&] {
      while (!stops)
        for (size_t i = 0; i < kStaying; ++i) {
          wrong += !is_live_handle(address(3 * i), -30);
          wrong += is_live_handle(address(3 * i), -31);
          wrong += is_live_handle(address(kComing * 3 + i), -30);
        }
    });
  for (int round = 0; round < 50; ++round) {
    for (size_t i = 0; i < kComing; ++i) register_handle(address(3 * i + 1), -31);
    for (size_t i = 0; i < kComing; ++i) unregister_handle(address(3 * i + 1));
  }
  stops = true;
  readers.clear();
  EXPECT_EQ(wrong, 0);
  for (size_t i = 0; i < kStaying; ++i) unregister_handle(address(3 * i));
}

}  // namespace
