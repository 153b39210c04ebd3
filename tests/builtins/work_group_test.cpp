// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group functions against sequential ones, for every type and operation, around the edges of sub-groups (8 or 16 lanes).
#include "kernel_runner.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace upsweep::tests {
namespace {

constexpr size_t kLocalSizes[] = {1, 7, 8, 9, 16, 17, 100, 256, 1000};
constexpr size_t kGroups = 3;

/// Small integers: sums are exact in every type.
template <typename T>
std::vector<T> input(size_t size) {
  std::vector<T> values(size);
  for (size_t i = 0; i < size; ++i)
    values[i] = static_cast<T>(i * 7919 % 23) - (std::is_signed_v<T> ? static_cast<T>(11) : static_cast<T>(0));
  return values;
}

template <typename T>
struct Operation {
  const char *name;
  std::function<T(T, T)> combine;
  T identity;
};

template <typename T>
std::vector<Operation<T>> operations() {
  using Limits = std::numeric_limits<T>;
  T least = Limits::has_infinity ? -Limits::infinity() : Limits::lowest(),
    greatest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  return {{"add", std::plus<T>(), T{0}},
          {"min", [](T a, T b) { return std::min(a, b); }, greatest},
          {"max", [](T a, T b) { return std::max(a, b); }, least}};
}

template <typename T>
class WorkGroupTest : public testing::Test {};
template <typename T>
const char *const kTypeName = nullptr;
template <>
const char *const kTypeName<cl_int> = "int";
template <>
const char *const kTypeName<cl_uint> = "uint";
template <>
const char *const kTypeName<cl_long> = "long";
template <>
const char *const kTypeName<cl_ulong> = "ulong";
template <>
const char *const kTypeName<float> = "float";
template <>
const char *const kTypeName<double> = "double";
using Types = testing::Types<cl_int, cl_uint, cl_long, cl_ulong, float, double>;
TYPED_TEST_SUITE(WorkGroupTest, Types);

std::string kernel(const char *type, const std::string &body) {
  return std::string("kernel void run(global const ") + type + " *in, global " + type +
         " *out) { size_t i = get_global_id(0), n = get_global_size(0); " + body + " }";
}

TYPED_TEST(WorkGroupTest, GivenAnySize_WhenScannedAndReduced_ThenAsInSequence) {
  using T = TypeParam;
  for (const Operation<T> &operation : operations<T>()) {
    std::string op = operation.name;
    KernelRunner runner;
    // One after another without a barrier of the kernel's own: they must not disturb each other.
    ASSERT_NO_FATAL_FAILURE(runner.build(
        kernel(kTypeName<T>, "out[i] = work_group_scan_inclusive_" + op + "(in[i]); out[n + i] = work_group_scan_exclusive_" +
                                 op + "(in[i]); out[2 * n + i] = work_group_reduce_" + op +
                                 "(in[i]); out[3 * n + i] = work_group_reduce_" + op + "(out[i]);")));
    for (size_t local : kLocalSizes) {
      size_t n = kGroups * local;
      std::vector<T> in = input<T>(n), out = runner.run<T>(in, 4 * n, n, local);
      for (size_t first = 0; first < n; first += local) {
        T total = operation.identity, total_of_scan = operation.identity;
        for (size_t i = first; i < first + local; ++i) {
          ASSERT_EQ(out[n + i], total) << op << " exclusive, item " << i << " of groups of " << local;
          total = operation.combine(total, in[i]);
          ASSERT_EQ(out[i], total) << op << " inclusive, item " << i << " of groups of " << local;
          total_of_scan = operation.combine(total_of_scan, total);
        }
        for (size_t i = first; i < first + local; ++i) {
          ASSERT_EQ(out[2 * n + i], total) << op << " reduce, item " << i << " of groups of " << local;
          ASSERT_EQ(out[3 * n + i], total_of_scan) << op << " second reduce, item " << i << " of groups of " << local;
        }
      }
    }
  }
}

TYPED_TEST(WorkGroupTest, GivenALoopOfScans_WhenRun_ThenEachStartsAnew) {
  using T = TypeParam;
  KernelRunner runner;
  ASSERT_NO_FATAL_FAILURE(runner.build(kernel(
      kTypeName<T>, std::string(kTypeName<T>) +
                        " x = in[i]; for (int k = 0; k < 3; ++k) x = work_group_scan_inclusive_max(x) - 1; out[i] = x;")));
  for (size_t local : kLocalSizes) {
    std::vector<T> x(local);
    for (size_t i = 0; i < local; ++i) x[i] = static_cast<T>(100 + i * 37 % 50);
    std::vector<T> out = runner.run<T>(x, local, local, local);
    for (int k = 0; k < 3; ++k) {
      std::inclusive_scan(x.begin(), x.end(), x.begin(), [](T a, T b) { return std::max(a, b); });
      for (T &value : x) value -= 1;
    }
    ASSERT_EQ(out, x) << local;
  }
}

TYPED_TEST(WorkGroupTest, GivenAnyOwner_WhenBroadcast_ThenAllGetItsValue) {
  using T = TypeParam;
  KernelRunner runner;
  ASSERT_NO_FATAL_FAILURE(runner.build(kernel(
      kTypeName<T>,
      "size_t l = get_local_size(0); out[i] = work_group_broadcast(in[i], l / 2) + work_group_broadcast(in[i], l - 1);")));
  for (size_t local : kLocalSizes) {
    size_t n = kGroups * local;
    std::vector<T> in = input<T>(n), out = runner.run<T>(in, n, n, local);
    for (size_t i = 0; i < n; ++i) {
      size_t first = i / local * local;
      ASSERT_EQ(out[i], in[first + local / 2] + in[first + local - 1]) << "item " << i << " of groups of " << local;
    }
  }
}

TEST(WorkGroupVoteTest, GivenPredicates_WhenVoted_ThenAllAndAnyAgreeWithThem) {
  KernelRunner runner;
  ASSERT_NO_FATAL_FAILURE(
      runner.build(kernel("int", "out[i] = (work_group_all(in[i]) ? 1 : 0) + (work_group_any(in[i]) ? 2 : 0);")));
  for (size_t local : kLocalSizes) {
    for (size_t zeros : {size_t{0}, size_t{1}, local}) {
      std::vector<cl_int> in(local, 5);
      std::fill_n(in.rbegin(), zeros, 0);
      int want = (zeros == 0 ? 1 : 0) + (zeros < local ? 2 : 0);
      ASSERT_EQ(runner.run<cl_int>(in, local, local, local), std::vector<cl_int>(local, want)) << local << ", zeros: " << zeros;
    }
  }
}

}  // namespace
}  // namespace upsweep::tests
