// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of elements and initial values in device memory, against calls with the host's.
#include "check.h"

#include <upsweep/opencl/partition.h>
#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/segments.h>
#include <upsweep/opencl/select.h>
#include <upsweep/opencl/sort.h>

#include <algorithm>

namespace upsweep::opencl::test {

class OpenclCount : public OpenclLibrary {
protected:
  static constexpr std::size_t kMost = 50021;

  // A call whose number is on the device writes exactly the output of a call with the same number from the host.
  template <class Make>
  void same(const Make &make) {
    for (const std::uint64_t count : {0U, 1U, 191U, 192U, 193U, 8192U, 30000U, 50021U, 60000U}) {
      Guarded<std::uint64_t> number(std::vector<std::uint64_t>{count}, 1);
      const std::size_t real = std::min<std::size_t>(count, kMost);
      for (const plan &how :
           {plan{}, plan{3, 0, -1, 0, 0}, plan{0, 0, 0, static_cast<unsigned>(known_.max_group < 64 ? 1 : 64), 3}}) {
        SCOPED_TRACE(testing::Message() << count << " elements, " << how);
        Guarded<std::int32_t> wanted(kMost), out(kMost), wanted_second(kMost), second(kMost), wanted_one(1), one(1);
        EXPECT_CL(make(wanted.view(), wanted_second.view(), wanted_one.view(), real, how));
        EXPECT_CL(make(out.view(), second.view(), one.view(), count_at(number.view(), kMost), how));
        ASSERT_EQ(all(out), all(wanted));
        ASSERT_EQ(all(second), all(wanted_second));
        ASSERT_EQ(all(one), all(wanted_one));
      }
    }
  }
  std::vector<std::int32_t> all(const Guarded<std::int32_t> &of) {
    std::size_t bytes = 0;
    clGetMemObjectInfo(of.memory(), CL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
    std::vector<std::int32_t> values(bytes / 4);
    clEnqueueReadBuffer(queue_, of.memory(), CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr);
    return values;
  }
};

TEST_F(OpenclCount, GivenNumbersOnTheDevice_WhenScannedAndReduced_ThenAsWithThoseOfTheHost) {
  Guarded<std::int32_t> in(random_elements<std::int32_t>(kMost, 1), 3);
  std::vector<std::int32_t> of_keys(kMost);
  for (std::size_t i = 0; i < kMost; ++i) of_keys[i] = static_cast<std::int32_t>(i / 7 % 5);
  Guarded<std::int32_t> keys(of_keys);
  same([&](const array &out, const array &, const array &one, const element_count &n, const plan &how) {
    return exclusive_scan(in.view(), out, n, plus{}, 7, queue_, backward, total_to(one), how);
  });
  same([&](const array &, const array &, const array &one, const element_count &n, const plan &how) {
    return reduce(in.view(), one, n, maximum{}, -5, queue_, how);
  });
  same([&](const array &out, const array &second, const array &one, const element_count &n, const plan &how) {
    return reduce_by_key(keys.view(), in.view(), out, second, one, n, plus{}, queue_, how);
  });
}

TEST_F(OpenclCount, GivenNumbersOnTheDevice_WhenCompacted_ThenAsWithThoseOfTheHost) {
  Guarded<std::int32_t> in(random_elements<std::int32_t>(kMost, 1), 3);
  const function is_even("is_even", "bool is_even(int a) { return a % 2 == 0; }");
  same([&](const array &out, const array &, const array &one, const element_count &n, const plan &how) {
    return select_if(in.view(), out, one, n, is_even, queue_, how);
  });
  same([&](const array &out, const array &, const array &one, const element_count &n, const plan &how) {
    return partition_if(in.view(), out, one, n, is_even, queue_, how);
  });
}

TEST_F(OpenclCount, GivenNumbersOnTheDevice_WhenSorted_ThenAsWithThoseOfTheHost) {
  const auto elements = random_elements<std::int32_t>(kMost, 1);
  Guarded<std::int32_t> in(elements, 3), with(elements);
  same([&](const array &out, const array &second, const array &, const element_count &n, const plan &how) {
    return sort_pairs(in.view(), out, with.view(), second, n, queue_, how);
  });
  // An output that is the input, and an odd number of passes, for which the input is copied.
  same([&](const array &out, const array &second, const array &, const element_count &n, const plan &how) {
    const cl_int code = arg_sort(in.view(), out, second, n, queue_, descending, key_bits{3, 11}, how);
    return code != CL_SUCCESS ? code : sort_keys(out, out, n, queue_, key_bits{20, 28}, how);
  });
  Guarded<std::int32_t> out(kMost), second(kMost);
  const array number = buffer<std::int32_t>(out.memory(), 7), other = buffer<std::int32_t>(second.memory(), 7);
  EXPECT_EQ(sort_keys(in.view(), out.view(), count_at(number, kMost), queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(arg_sort(in.view(), out.view(), second.view(), count_at(other, kMost), queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(sort_keys(in.view(), out.view(), count_at(buffer<float>(in.memory()), kMost), queue_), CL_INVALID_VALUE);
  EXPECT_TRUE(out.read(0).empty());
}

TEST_F(OpenclCount, GivenInitialValuesOnTheDevice_WhenCalled_ThenAsWithThoseOfTheHost) {
  const std::size_t n = 20011;
  Guarded<std::int32_t> in(random_elements<std::int32_t>(n, 1)), seven(std::vector<std::int32_t>{7}, 5), wanted(n), out(n);
  const initial_at first(seven.view());
  for (const plan &how : {plan{}, plan{3, 0, -1, 0, 0}}) {
    EXPECT_CL(exclusive_scan(in.view(), wanted.view(), n, plus{}, 7, queue_, how));
    EXPECT_CL(exclusive_scan(in.view(), out.view(), n, plus{}, first, queue_, how));
    EXPECT_EQ(out.read(), wanted.read());
    EXPECT_CL(exclusive_scan_of_rows(in.view(), wanted.view(), n, 100, maximum{}, 7, queue_, how));
    EXPECT_CL(exclusive_scan_of_rows(in.view(), out.view(), n, 100, maximum{}, first, queue_, how));
    EXPECT_EQ(out.read(), wanted.read());
    EXPECT_CL(reduce(in.view(), wanted.view(), n, plus{}, 7, queue_, how));
    EXPECT_CL(reduce(in.view(), out.view(), n, plus{}, first, queue_, how));
    EXPECT_EQ(out.read()[0], wanted.read()[0]);
  }
  EXPECT_EQ(exclusive_scan(in.view(), out.view(), n, plus{}, initial_at(buffer<int>(out.memory(), 5)), queue_),
            CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(inclusive_sum(in.view(), out.view(), count_at(buffer<float>(seven.memory()), n), queue_), CL_INVALID_VALUE);
}

}  // namespace upsweep::opencl::test
