// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that threads keep for their next objects: it may be freed on any thread, in any number, and at any time.
#include "base/recycled.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace {

using namespace upsweep;

struct Piece : Recycled<Piece> {
  explicit Piece(int value) { std::memset(bytes, value, sizeof bytes); }
  bool holds(int value) const {
    for (unsigned char byte : bytes)
      if (byte != value) return false;
    return true;
  }
  unsigned char bytes[200];
};

TEST(Recycled, GivenMoreObjectsThanAreKept_WhenTheyComeAndGo_ThenNoTwoShareMemory) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<Piece>> pieces;
    for (int i = 0; i < 1000; ++i) pieces.push_back(std::make_unique<Piece>(i % 256));
    std::set<const Piece *> places;
    for (int i = 0; i < 1000; ++i) {
      EXPECT_TRUE(pieces[static_cast<size_t>(i)]->holds(i % 256));
      places.insert(pieces[static_cast<size_t>(i)].get());
    }
    EXPECT_EQ(places.size(), 1000u);
  }
}

TEST(Recycled, GivenAnObject_WhenItGoes_ThenTheNextOneHasItsMemory) {
  if (kIsSanitized) GTEST_SKIP() << "sanitizers are to see who uses what is gone";
  auto first = std::make_unique<Piece>(1);
  const void *place = first.get();
  first.reset();
  EXPECT_EQ(std::make_unique<Piece>(2).get(), place);
}

TEST(Recycled, GivenObjectsOfOneThread_WhenAnotherOneFreesThem_ThenBothGoOn) {
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<Piece>> pieces;
    for (int i = 0; i < 500; ++i) pieces.push_back(std::make_unique<Piece>(round));
    std::thread([pieces = std::move(pieces), round] {
      for (const auto &piece : pieces) EXPECT_TRUE(piece->holds(round));
    }).join();
  }
}

struct alignas(128) Aligned : Recycled<Aligned> {
  unsigned char bytes[130];
};

TEST(Recycled, GivenAnAlignedType_WhenObjectsComeAndGo_ThenAllAreAligned) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<Aligned>> objects;
    for (int i = 0; i < 500; ++i) objects.push_back(std::make_unique<Aligned>());
    for (const auto &object : objects) EXPECT_EQ(reinterpret_cast<uintptr_t>(object.get()) % 128, 0u);
  }
}

/// Destroyed after the thread's kept pieces: a thread destroys its variables in reverse order of their construction.
struct Late {
  std::unique_ptr<Piece> piece;
  ~Late() {
    piece.reset();
    EXPECT_TRUE(Piece(9).holds(9));
    EXPECT_TRUE(std::make_unique<Piece>(8)->holds(8));
  }
};

TEST(Recycled, GivenAThreadThatEnds_WhenItsLastVariablesUseObjects_ThenTheyStillCan) {
  std::thread([] {
    static thread_local Late late;
    late.piece = std::make_unique<Piece>(3);
    std::make_unique<Piece>(4).reset();
  }).join();
}

}  // namespace
