// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that leave data in a workspace which is not a scan's. The workspace is then no longer initialised, so that a scan
// refuses it (programs_test.cu) and does not read that data. Each of these calls accepts the data of the others.
#include "sort_check.h"

#include <upsweep/cuda/merge.cuh>
#include <upsweep/cuda/scan.cuh>
#include <upsweep/cuda/segmented_sort.cuh>
#include <upsweep/cuda/summed_area.cuh>
#include <upsweep/cuda/top_k.cuh>
#include <upsweep/cuda/top_k_of_rows.cuh>

#include <functional>

namespace upsweep::test {

namespace {

using Word = std::uint32_t;

// More elements than a block or a cluster sorts alone.
constexpr std::size_t kCount = 300000, kRows = 3, kWanted = 5000;
constexpr std::uint64_t kHeight = 300, kWidth = 1000;

struct Arrays {
  std::vector<Word> values = sort_keys_of<Word>(kCount, Spread::kRandom);
  DeviceArray<Word> in{values}, out{kCount};
  DeviceArray<Word> offsets{std::vector<Word>{0, 10, 200000, kCount}};
  SortSpaceOf of{std::size_t(1) << 24};

  std::uint32_t mark() const {
    const std::vector<unsigned char> bytes = of.memory.download();
    cuda::detail::ScanState state;
    std::memcpy(&state, bytes.data(), sizeof state);
    return state.mark;
  }
};

struct Call {
  const char *name;
  std::function<cudaError_t(Arrays &)> run;
};

const Word *from(Arrays &a) { return a.in.data(); }

const std::vector<Call> &calls() {
  static const cuda::image_shape shape{kHeight, kWidth};
  static const std::vector<Call> all = {
      {"sort", [](Arrays &a) { return cuda::sort_keys(a.of.space, from(a), a.out.data(), kCount); }},
      {"sort of bytes",
       [](Arrays &a) {
         return cuda::sort_keys(a.of.space, reinterpret_cast<const std::uint8_t *>(from(a)),
                                reinterpret_cast<std::uint8_t *>(a.out.data()), kCount);
       }},
      {"sort of segments",
       [](Arrays &a) {
         return cuda::sort_keys_of_segments(a.of.space, from(a), a.out.data(), kCount, a.offsets.data(), kRows);
       }},
      {"top-k", [](Arrays &a) { return cuda::top_k_keys(a.of.space, from(a), a.out.data(), kCount, kWanted); }},
      {"top-k of rows",
       [](Arrays &a) { return cuda::top_k_keys_of_rows(a.of.space, from(a), a.out.data(), 30, kCount / 30, 7); }},
      {"merge sort", [](Arrays &a) { return cuda::merge_sort(a.of.space, from(a), a.out.data(), kCount); }},
      {"box filter", [](Arrays &a) { return cuda::box_filter(a.of.space, from(a), a.out.data(), shape, 3); }}};
  return all;
}

}  // namespace

UPSWEEP_TEST(GivenAnInitialisedWorkspace_WhenACallKeepsItsOwnDataThere_ThenScansRefuseIt) {
  Arrays arrays;
  for (const Call &call : calls()) {
    UPSWEEP_CUDA(cuda::initialise(arrays.of.space));
    UPSWEEP_CUDA(cuda::inclusive_sum(arrays.of.space, from(arrays), arrays.out.data(), kCount));
    UPSWEEP_CHECK(arrays.mark() == cuda::detail::kMark);
    UPSWEEP_CUDA(call.run(arrays));
    if (const std::uint32_t mark = arrays.mark(); mark == cuda::detail::kMark || mark == 0) {
      report(__FILE__, __LINE__, call.name);
    }
  }
}

UPSWEEP_TEST(GivenAWorkspaceThatAnotherCallHasLeft_WhenUsed_ThenResultsAreTheSame) {
  Arrays arrays;
  std::vector<std::vector<Word>> expected;
  for (const Call &call : calls()) {
    arrays.of.memory.poison();
    arrays.out.poison();
    UPSWEEP_CUDA(call.run(arrays));
    expected.push_back(arrays.out.download());
  }
  std::vector<Word> sorted = arrays.values;
  std::sort(sorted.begin(), sorted.end());
  UPSWEEP_CHECK(expected[0] == sorted);
  UPSWEEP_CHECK(expected[5] == sorted);
  UPSWEEP_CHECK(std::equal(sorted.begin(), sorted.begin() + kWanted, expected[3].begin()));
  for (int i = 0; i < 50; ++i) {
    const std::size_t which = generator()() % calls().size();
    arrays.out.poison();
    UPSWEEP_CUDA(calls()[which].run(arrays));
    if (arrays.out.download() != expected[which]) {
      report(__FILE__, __LINE__, calls()[which].name);
    }
  }
}

}  // namespace upsweep::test
