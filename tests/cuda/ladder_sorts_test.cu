// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts and compactions that the ladder builds from scans, against the host's.
#include "check.h"

#include <ladder/ladder.cuh>

#include <cstdint>
#include <functional>
#include <numeric>
#include <string>

namespace upsweep::test {

namespace {

namespace ladder = cuda::ladder;

using Sort = cudaError_t (*)(const std::uint32_t *, std::uint32_t *, std::size_t, cudaStream_t, void *, std::size_t);
struct NamedSort {
  const char *name;
  Sort sort;
  std::size_t (*workspace)(std::size_t);
};
const NamedSort kSorts[] = {{"split_sort", ladder::split_sort, ladder::split_sort_workspace},
                            {"merge_sort", ladder::merge_sort, ladder::merge_sort_workspace}};

void check_sort(const NamedSort &sort, const std::vector<std::uint32_t> &keys, const char *kind) {
  std::vector<std::uint32_t> expected = keys;
  std::sort(expected.begin(), expected.end());
  DeviceArray<std::uint32_t> in(keys), out(keys.size());
  const std::size_t bytes = sort.workspace(keys.size());
  DeviceArray<unsigned char> workspace(bytes);
  const auto expect = [&](bool is_right) {
    if (!is_right) {
      report(__FILE__, __LINE__, (std::string(sort.name) + " " + std::to_string(keys.size()) + " " + kind).c_str());
    }
  };
  expect(sort.sort(in.data(), out.data(), keys.size(), nullptr, workspace.data(), bytes) == cudaSuccess);
  expect(out.download() == expected && out.end_is_intact() && workspace.end_is_intact());
  expect(in.download() == keys);
  expect(sort.sort(in.data(), in.data(), keys.size(), nullptr, workspace.data(), bytes) == cudaSuccess);
  expect(in.download() == expected && in.end_is_intact());
}

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct IsAny {
  bool is;
  __host__ __device__ bool operator()(int) const { return is; }
};

template <class Predicate>
void check_compaction(std::size_t n, Predicate is_kept) {
  std::vector<int> values(n);
  std::uniform_int_distribution<int> any(0, 1000000);
  std::generate(values.begin(), values.end(), [&] { return any(generator()); });
  std::vector<int> expected;
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), is_kept);
  const std::size_t bytes = ladder::compact_workspace(n);
  DeviceArray<int> in(values);
  for (const bool is_gather : {false, true}) {
    DeviceArray<int> out(expected.size());
    DeviceArray<std::uint32_t> count(1);
    DeviceArray<unsigned char> workspace(bytes);
    const cudaError_t error =
        is_gather
            ? ladder::compact_by_gather(in.data(), out.data(), count.data(), n, is_kept, nullptr, workspace.data(), bytes)
            : ladder::compact_by_scatter(in.data(), out.data(), count.data(), n, is_kept, nullptr, workspace.data(), bytes);
    UPSWEEP_CUDA(error);
    UPSWEEP_CHECK(count.download().front() == expected.size());
    UPSWEEP_CHECK(out.download() == expected && out.end_is_intact() && workspace.end_is_intact());
  }
}

}  // namespace

UPSWEEP_TEST(GivenKeys_WhenLadderSorts_ThenAsOnTheHost) {
  for (const NamedSort &sort : kSorts) {
    for (const std::size_t n :
         {1, 2, 31, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 3072, 5000, 65536, 100003, 1000001}) {
      std::vector<std::uint32_t> keys(n);
      std::generate(keys.begin(), keys.end(), [] { return static_cast<std::uint32_t>(generator()()); });
      check_sort(sort, keys, "random");
      std::transform(keys.begin(), keys.end(), keys.begin(), [](std::uint32_t key) { return key % 3 == 0 ? ~0u : key % 16; });
      check_sort(sort, keys, "few values, many of them the largest");
      std::sort(keys.begin(), keys.end(), std::greater<>());
      check_sort(sort, keys, "falling");
    }
    check_sort(sort, std::vector<std::uint32_t>(10000, 7), "equal");
  }
}

UPSWEEP_TEST(GivenElements_WhenLadderCompacts_ThenAsOnTheHost) {
  for (const std::size_t n : {1, 2, 255, 256, 257, 4095, 4096, 4097, 100003, 1000001}) {
    check_compaction(n, IsOdd{});
    check_compaction(n, IsAny{true});
    check_compaction(n, IsAny{false});
  }
}

UPSWEEP_TEST(GivenWrongArguments_WhenLadderSortsOrCompacts_ThenErrors) {
  DeviceArray<std::uint32_t> in(5000), out(5000), count(1);
  for (const NamedSort &sort : kSorts) {
    const std::size_t bytes = sort.workspace(5000);
    DeviceArray<unsigned char> workspace(bytes + 16);
    const auto is_refused = [&](const std::uint32_t *from, std::uint32_t *to, void *memory, std::size_t given) {
      return sort.sort(from, to, 5000, nullptr, memory, given) == cudaErrorInvalidValue;
    };
    UPSWEEP_CHECK(is_refused(nullptr, out.data(), workspace.data(), bytes));
    UPSWEEP_CHECK(is_refused(in.data(), nullptr, workspace.data(), bytes));
    UPSWEEP_CHECK(is_refused(in.data(), in.data() + 1, workspace.data(), bytes));
    UPSWEEP_CHECK(is_refused(in.data(), out.data(), nullptr, bytes));
    UPSWEEP_CHECK(is_refused(in.data(), out.data(), workspace.data() + 4, bytes));
    UPSWEEP_CHECK(is_refused(in.data(), out.data(), workspace.data(), bytes - 1));
    UPSWEEP_CUDA(sort.sort(nullptr, nullptr, 0, nullptr, nullptr, 0));
  }
  const std::size_t bytes = ladder::compact_workspace(5000);
  DeviceArray<unsigned char> workspace(bytes);
  const auto compact = [&](const std::uint32_t *from, std::uint32_t *to, std::uint32_t *number, std::size_t given) {
    return ladder::compact_by_gather(from, to, number, 5000, IsOdd{}, nullptr, workspace.data(), given);
  };
  UPSWEEP_CHECK(compact(nullptr, out.data(), count.data(), bytes) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(compact(in.data(), in.data(), count.data(), bytes) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(compact(in.data(), out.data(), nullptr, bytes) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(compact(in.data(), out.data(), count.data(), bytes - 1) == cudaErrorInvalidValue);
  UPSWEEP_CUDA(ladder::compact_by_gather(in.data(), out.data(), count.data(), 0, IsOdd{}, nullptr, nullptr, 0));
  UPSWEEP_CHECK(count.download().front() == 0);
}

}  // namespace upsweep::test
