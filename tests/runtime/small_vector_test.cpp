// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short vectors: moves, destruction, and the need for memory.
#include "base/small_vector.h"

#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <vector>

namespace {

using namespace upsweep;

/// Values that leak, or are used after destruction, if the vector miscounts them.
using Values = SmallVector<std::unique_ptr<int>, 3>;

Values make_values(int count) {
  Values values;
  for (int i = 0; i < count; ++i) values.emplace_back(std::make_unique<int>(i));
  return values;
}

std::vector<int> content(const Values &values) {
  std::vector<int> content;
  for (const auto &value : values) content.push_back(*value);
  return content;
}

std::vector<int> counting(int count) {
  std::vector<int> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// Around the capacity of 3, and around the larger capacities that it grows to.
constexpr int kCounts[] = {0, 1, 2, 3, 4, 6, 7, 12, 13, 100};

TEST(SmallVector, GivenAnyCount_WhenMoved_ThenTheValuesMoveAndTheSourceIsEmpty) {
  for (int count : kCounts) {
    Values values = make_values(count);
    EXPECT_EQ(content(values), counting(count));
    Values moved(std::move(values));
    EXPECT_EQ(content(moved), counting(count));
    EXPECT_TRUE(values.empty());  // NOLINT(bugprone-use-after-move): it says what it leaves behind
    values.emplace_back(std::make_unique<int>(7));
    EXPECT_EQ(content(values), std::vector<int>{7});
  }
}

TEST(SmallVector, GivenValuesOfAnyCount_WhenOthersAreAssigned_ThenThoseAreThere) {
  for (int before : kCounts)
    for (int after : kCounts) {
      Values values = make_values(before);
      values = make_values(after);
      EXPECT_EQ(content(values), counting(after));
      values.clear();
      EXPECT_TRUE(values.empty());
    }
}

TEST(SmallVector, GivenAnArray_WhenAssigned_ThenItIsCopied) {
  SmallVector<int, 4> numbers;
  for (int count : kCounts) {
    const std::vector<int> source = counting(count);
    numbers.assign(source.data(), source.data() + source.size());
    EXPECT_EQ(std::vector<int>(numbers.begin(), numbers.end()), source);
  }
}

}  // namespace
