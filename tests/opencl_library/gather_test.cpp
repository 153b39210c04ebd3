// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs and outputs by index, against the same calls on arrays in that order.
#include "check.h"

#include <upsweep/opencl/find.h>
#include <upsweep/opencl/gather.h>
#include <upsweep/opencl/histogram.h>
#include <upsweep/opencl/partition.h>
#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/segments.h>
#include <upsweep/opencl/select.h>
#include <upsweep/opencl/select_of_rows.h>
#include <upsweep/opencl/sort.h>

namespace upsweep::opencl::test {

class OpenclGather : public OpenclLibrary {
protected:
  static constexpr std::size_t kRoom = 40000;

  // Arrays of kRoom elements, and n of their indices in random order.
  struct Arrays {
    std::vector<std::int32_t> x, keys;
    std::vector<std::uint32_t> places;
    Guarded<std::int32_t> all, of_keys, in_order, keys_in_order;
    Guarded<std::uint32_t> order;

    static std::vector<std::uint32_t> some_places(std::size_t n) {
      std::vector<std::uint32_t> all(kRoom);
      std::iota(all.begin(), all.end(), 0);
      std::shuffle(all.begin(), all.end(), std::mt19937_64(test_seed() + n));
      all.resize(n);
      return all;
    }
    static std::vector<std::int32_t> some_keys() {
      auto keys = random_elements<std::int32_t>(kRoom, test_seed());
      for (std::int32_t &key : keys) key = key & 1;
      return keys;
    }
    explicit Arrays(std::size_t n)
        : x(random_elements<std::int32_t>(kRoom, test_seed() + 1)), keys(some_keys()), places(some_places(n)), all(x, 1),
          of_keys(keys, 2), in_order(elements_at(x, places)), keys_in_order(elements_at(keys, places)), order(places, 3) {}
    array gathered_x() const { return gathered(all.view(), order.view()); }
    array gathered_keys() const { return gathered(of_keys.view(), order.view()); }
  };

  // Makes a call on arrays in order, on arrays by index, and with a scattered output, and compares `out` and `number`. The
  // scattered output must be unchanged where the call has no result.
  template <class Make>
  void same(const Arrays &a, const char *what, const plan &how, const Make &make) {
    const std::size_t n = a.places.size();
    SCOPED_TRACE(testing::Message() << what << " of " << n << " elements, " << how);
    Guarded<std::int32_t> in_order(n), out(n), scattered_out(kRoom);
    Guarded<std::uint64_t> number(1), other(1), last(1);
    EXPECT_CL(make(a.in_order.view(), a.keys_in_order.view(), in_order.view(), number.view()));
    EXPECT_CL(make(a.gathered_x(), a.gathered_keys(), out.view(), other.view()));
    EXPECT_CL(make(a.gathered_x(), a.keys_in_order.view(), scattered(scattered_out.view(), a.order.view()), last.view()));
    const auto wanted = in_order.read();
    ASSERT_EQ(out.read(), wanted);
    ASSERT_EQ(other.read(), number.read());
    ASSERT_EQ(last.read(), number.read());
    std::vector<std::int32_t> wanted_scattered = Guarded<std::int32_t>(kRoom).read();
    for (std::size_t i = 0; i < n; ++i) wanted_scattered[a.places[i]] = wanted[i];
    ASSERT_EQ(scattered_out.read(), wanted_scattered);
  }

  std::vector<plan> some_plans() const {
    const int language = known_.has_language(200) ? 200 : 0;
    return {plan{0, language, -1, 0, 0}, plan{3, 120, 0, static_cast<unsigned>(known_.max_group < 64 ? 1 : 64), 3}};
  }
};

TEST_F(OpenclGather, GivenIndices_WhenScanned_ThenAsOfArraysInThatOrder) {
  for (const std::size_t n : {0U, 1U, 192U, 193U, 30011U}) {
    const Arrays a(n);
    for (const plan &how : some_plans()) {
      same(a, "inclusive_sum", how, [&](const array &x, const array &, const array &out, const array &) {
        return inclusive_sum(x, out, n, queue_, how);
      });
      same(a, "exclusive_scan", how, [&](const array &x, const array &, const array &out, const array &total) {
        return exclusive_scan(x, out, n, maximum{}, -7, queue_, backward, total_to(total), how);
      });
      same(a, "inclusive_scan_by_key", how, [&](const array &x, const array &keys, const array &out, const array &) {
        return inclusive_scan_by_key(keys, x, out, n, plus{}, queue_, how);
      });
      same(a, "exclusive_scan_by_flag", how, [&](const array &x, const array &keys, const array &out, const array &) {
        return exclusive_scan_by_flag(keys, x, out, n, minimum{}, 5, queue_, how);
      });
      same(a, "inclusive_scan_of_rows", how, [&](const array &x, const array &, const array &out, const array &) {
        return inclusive_scan_of_rows(x, out, n, 37, plus{}, queue_, how);
      });
    }
  }
}

TEST_F(OpenclGather, GivenIndices_WhenReducedAndSearched_ThenAsOfArraysInThatOrder) {
  const operation last("last", "int last(int a, int b) { return b; }");  // does not commute
  const function is_large("is_large", "bool is_large(int x) { return x > 2147000000; }");
  for (const std::size_t n : {1U, 193U, 30011U}) {
    const Arrays a(n);
    for (const plan &how : some_plans()) {
      Guarded<std::int64_t> sums(2), finds(2);
      Guarded<std::int32_t> lasts(2);
      Guarded<indexed<std::int32_t>> most(2);
      const array inputs[] = {a.in_order.view(), a.gathered_x()};
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_CL(sum(inputs[k], buffer<std::int64_t>(sums.memory(), k), n, queue_, how));
        EXPECT_CL(reduce(inputs[k], buffer<std::int32_t>(lasts.memory(), k), n, last, 0, queue_, how));
        EXPECT_CL(find_if(inputs[k], buffer<std::int64_t>(finds.memory(), k), n, is_large, queue_, how));
        EXPECT_CL(arg_max(inputs[k], buffer<indexed<std::int32_t>>(most.memory(), k), n, queue_, how));
      }
      const auto of_sums = sums.read(), of_finds = finds.read();
      const auto of_lasts = lasts.read();
      const auto of_most = most.read();
      std::int64_t wanted = 0;
      for (const std::uint32_t place : a.places) wanted += a.x[place];
      EXPECT_EQ(of_sums, (std::vector<std::int64_t>{wanted, wanted})) << n << ", " << how;
      EXPECT_EQ(of_lasts, (std::vector<std::int32_t>(2, a.x[a.places[n - 1]]))) << n << ", " << how;
      EXPECT_EQ(of_finds[0], of_finds[1]) << n << ", " << how;
      EXPECT_EQ(of_most[0].index, of_most[1].index) << n << ", " << how;
      EXPECT_EQ(of_most[1].value, a.x[a.places[of_most[1].index]]) << n << ", " << how;
    }
  }
}

TEST_F(OpenclGather, GivenIndices_WhenCompacted_ThenAsOfArraysInThatOrder) {
  const function is_odd("is_odd", "bool is_odd(int x) { return x & 1; }");
  for (const std::size_t n : {0U, 1U, 193U, 30011U}) {
    const Arrays a(n);
    Guarded<std::int32_t> second(n);
    for (const plan &how : some_plans()) {
      same(a, "select_if", how, [&](const array &x, const array &, const array &out, const array &kept) {
        return select_if(x, out, kept, n, is_odd, queue_, how);
      });
      same(a, "select_by_flag", how, [&](const array &x, const array &keys, const array &out, const array &kept) {
        return select_by_flag(x, keys, out, kept, n, queue_, how);
      });
      same(a, "select_by_stencil", how, [&](const array &x, const array &keys, const array &out, const array &kept) {
        return select_by_stencil(x, keys, out, kept, n, is_odd, queue_, how);
      });
      same(a, "unique", how, [&](const array &, const array &keys, const array &out, const array &kept) {
        return unique(keys, out, kept, n, queue_, how);
      });
      same(a, "partition_if", how, [&](const array &x, const array &, const array &out, const array &kept) {
        return partition_if(x, out, kept, n, is_odd, queue_, how);
      });
      same(a, "stable_partition_by_flag", how, [&](const array &x, const array &keys, const array &out, const array &kept) {
        return stable_partition_by_flag(x, keys, out, second.view(), kept, n, queue_, how);
      });
      same(a, "reduce_by_key", how, [&](const array &x, const array &keys, const array &out, const array &runs) {
        return reduce_by_key(keys, x, second.view(), out, runs, n, plus{}, queue_, how);
      });
    }
  }
}

TEST_F(OpenclGather, GivenSvm_WhenGathered_ThenAsOfBuffers) {
  if (!known_.has_svm) GTEST_SKIP() << "no SVM";
  const std::size_t n = 3001;
  const Arrays a(n);
  auto *const svm = static_cast<std::int32_t *>(clSVMAlloc(context_, CL_MEM_READ_WRITE, n * 8, 0));
  ASSERT_NE(svm, nullptr);
  clEnqueueSVMMap(queue_, CL_TRUE, CL_MAP_WRITE, svm, n * 8, 0, nullptr, nullptr);
  std::copy(a.places.begin(), a.places.end(), svm);
  clEnqueueSVMUnmap(queue_, svm, 0, nullptr, nullptr);
  EXPECT_CL(inclusive_sum(gathered(a.all.view(), svm), svm + n, n, queue_));
  Guarded<std::int32_t> wanted(n);
  EXPECT_CL(inclusive_sum(a.in_order.view(), wanted.view(), n, queue_));
  clEnqueueSVMMap(queue_, CL_TRUE, CL_MAP_READ, svm, n * 8, 0, nullptr, nullptr);
  EXPECT_EQ(std::vector<std::int32_t>(svm + n, svm + 2 * n), wanted.read());
  clEnqueueSVMUnmap(queue_, svm, 0, nullptr, nullptr);
  clFinish(queue_);
  clSVMFree(context_, svm);
}

TEST_F(OpenclGather, GivenWrongIndices_WhenCalled_ThenErrorsAndNothingWritten) {
  const std::size_t n = 100;
  const Arrays a(n);
  Guarded<std::int32_t> out(n);
  Guarded<std::uint32_t> kept(1);
  const array x = a.gathered_x(), y = out.view();
  EXPECT_EQ(inclusive_sum(gathered(a.all.view(), buffer<float>(a.order.memory())), y, n, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(inclusive_sum(gathered(a.all.view(), x), y, n, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(inclusive_sum(x, y, n + 100, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(inclusive_sum(gathered(buffer<std::int32_t>(cl_mem(nullptr)), a.order.view()), y, n, queue_),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(inclusive_sum(gathered(a.all.view(), buffer<std::int32_t>(out.memory())), y, n, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(sort_keys(x, y, n, queue_), CL_INVALID_VALUE);
  EXPECT_NE(std::string(last_message()).find("the call does not take the input of keys by index"), std::string::npos)
      << last_message();
  EXPECT_EQ(sort_keys(a.in_order.view(), scattered(y, a.order.view()), n, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(select_by_flag_of_rows(x, a.in_order.view(), y, kept.view(), 1, n, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(histogram_even(x, kept.view(), n, 1, 0, 5, queue_), CL_INVALID_VALUE);
  EXPECT_TRUE(out.read(0).empty());
}

}  // namespace upsweep::opencl::test
