// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chapter's sorts, compaction and summed-area table in OpenCL C, against the standard library and plain loops: sizes around
// work-groups, chunks, runs and tiles; keys that are random, few, equal, in order, or the greatest. OCL_ICD_VENDORS chooses
// another driver than ours.
#include "bench/textbooks/device_applications.h"

#include "../tested_device.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <random>

namespace upsweep::cli::textbooks {
namespace {

using Words = std::vector<cl_uint>;

constexpr size_t kMost = 300'000;
constexpr cl_uint kPoison = 0xA5A5A5A5;

enum class Keys { kRandom, kFew, kEqual, kRising, kFalling, kGreatest };

Words keys_of(size_t n, Keys kind) {
  static std::mt19937 random(39);
  Words keys(n);
  for (cl_uint &key : keys) {
    const cl_uint drawn = random();
    key = kind == Keys::kFew ? drawn % 5 << 29 : kind == Keys::kEqual ? 7 : kind == Keys::kGreatest ? ~(drawn % 2) : drawn;
  }
  if (kind == Keys::kRising) std::ranges::sort(keys);
  if (kind == Keys::kFalling) std::ranges::sort(keys, std::greater<>());
  return keys;
}

// Sizes around work-groups of 256, chunks and windows of 512, blocks of 2048 elements of a scan, and runs of powers of two.
std::vector<size_t> sizes() {
  std::vector<size_t> all = {0, 1, 2, 3, 31, 32, 33, 70'000, kMost};
  for (const size_t edge : {256, 512, 1024, 1536, 2048, 4096, 8192, 65'536})
    for (const size_t n : {edge - 1, edge, edge + 1}) all.push_back(n);
  return all;
}

class BenchApplications : public testing::Test {
protected:
  void SetUp() override {
    auto device = choose_device(tests::tests_a_gpu() ? "gpu" : "cpu").and_then(open_device);
    ASSERT_TRUE(device) << device.error();
    device_ = *device;
    auto made = Applications::create(device_, kMost, buffer_of(kMost), buffer_of(kMost));
    ASSERT_TRUE(made) << made.error();
    applications_ = *made;
  }

  cl::Buffer buffer_of(size_t words) const { return {device_.context, CL_MEM_READ_WRITE, (words + 1) * sizeof(cl_uint)}; }
  cl::Buffer poisoned(size_t words) const {
    cl::Buffer buffer = buffer_of(words);
    EXPECT_EQ(device_.queue.enqueueFillBuffer(buffer, kPoison, 0, (words + 1) * sizeof(cl_uint)), CL_SUCCESS);
    return buffer;
  }
  template <class T>
  cl::Buffer with(const std::vector<T> &values) const {
    cl::Buffer buffer = buffer_of(values.size());
    if (!values.empty())
      EXPECT_EQ(device_.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data()), CL_SUCCESS);
    return buffer;
  }
  // The results and the word behind them.
  Words read(const cl::Buffer &buffer, size_t words) const {
    Words found(words + 1);
    EXPECT_EQ(device_.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, found.size() * sizeof(cl_uint), found.data()), CL_SUCCESS);
    return found;
  }

  void check_sort(Result<void> (Applications::*sort)(const cl::Buffer &, const cl::Buffer &, size_t), size_t n, Keys kind) {
    SCOPED_TRACE(fmt::format("{} keys of kind {}", n, static_cast<int>(kind)));
    const Words keys = keys_of(n, kind);
    const cl::Buffer in = with(keys), out = poisoned(n);
    const auto done = (*applications_.*sort)(in, out, n);
    ASSERT_TRUE(done) << done.error();
    Words expected = keys;
    std::ranges::sort(expected);
    expected.push_back(kPoison);
    EXPECT_TRUE(read(out, n) == expected);
    Words unchanged = read(in, n);
    unchanged.pop_back();
    EXPECT_TRUE(unchanged == keys);
  }
  void check_sorts(Result<void> (Applications::*sort)(const cl::Buffer &, const cl::Buffer &, size_t)) {
    for (const size_t n : sizes()) check_sort(sort, n, Keys::kRandom);
    for (const Keys kind : {Keys::kFew, Keys::kEqual, Keys::kRising, Keys::kFalling, Keys::kGreatest})
      for (const size_t n : {513, 1025, 5000, 40'001}) check_sort(sort, n, kind);
  }

  Device device_;
  std::optional<Applications> applications_;
};

TEST_F(BenchApplications, GivenKeys_WhenSortedBySplits_ThenAsByTheStandardLibrary) {
  check_sorts(&Applications::sort_by_splits);
}

TEST_F(BenchApplications, GivenKeys_WhenSortedByMerges_ThenAsByTheStandardLibrary) {
  check_sorts(&Applications::sort_by_merges);
}

TEST_F(BenchApplications, GivenWords_WhenCompactedByGather_ThenThoseKeptAreInTheirOrder) {
  const auto check = [&](const Words &words) {
    Words expected;
    std::ranges::copy_if(words, std::back_inserter(expected), [](cl_uint word) { return word >> 31 != 0; });
    SCOPED_TRACE(fmt::format("{} of {}", expected.size(), words.size()));
    const cl_uint kept = static_cast<cl_uint>(expected.size());
    expected.resize(words.size() + 1, kPoison);
    const cl::Buffer out = poisoned(words.size()), count = poisoned(1);
    const auto done = applications_->compact_by_gather(with(words), out, count, words.size());
    ASSERT_TRUE(done) << done.error();
    EXPECT_TRUE(read(out, words.size()) == expected);
    EXPECT_EQ(read(count, 1), (Words{kept, kPoison}));
  };
  for (const size_t n : sizes()) check(keys_of(n, Keys::kRandom));
  for (const size_t n : {1, 257, 5000}) {
    check(keys_of(n, Keys::kEqual));     // no key is kept
    check(keys_of(n, Keys::kGreatest));  // all keys are kept
    check(keys_of(n, Keys::kRising));
    check(keys_of(n, Keys::kFalling));
  }
}

TEST_F(BenchApplications, GivenAPicture_WhenSummed_ThenEachSumIsThatOfItsRectangle) {
  std::mt19937 random(40);
  // Sizes around tiles of 32, and rows and columns around chunks of 512.
  for (const auto &[height, width] : {std::pair<size_t, size_t>{0, 5},
                                      {5, 0},
                                      {1, 1},
                                      {1, 513},
                                      {513, 1},
                                      {31, 33},
                                      {32, 32},
                                      {33, 31},
                                      {64, 511},
                                      {63, 512},
                                      {65, 1025},
                                      {1030, 66},
                                      {300, 300}}) {
    SCOPED_TRACE(fmt::format("{} x {}", height, width));
    const size_t row = 3 * width, n = height * row;
    std::vector<cl_uchar> picture(n);
    for (cl_uchar &value : picture) value = static_cast<cl_uchar>(random() % 4 == 0 ? 255 : random());
    Words expected(n);
    for (size_t i = 0; i < n; ++i)
      expected[i] = picture[i] + (i % row >= 3 ? expected[i - 3] : 0) + (i >= row ? expected[i - row] : 0) -
                    (i % row >= 3 && i >= row ? expected[i - row - 3] : 0);
    expected.push_back(kPoison);
    const cl::Buffer out = poisoned(n);
    const auto done = applications_->summed_area_table(with(picture), out, height, width);
    ASSERT_TRUE(done) << done.error();
    EXPECT_TRUE(read(out, n) == expected);
  }
}

}  // namespace
}  // namespace upsweep::cli::textbooks
