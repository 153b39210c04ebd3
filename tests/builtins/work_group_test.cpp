// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group functions against sequential loops, for each type and operation, around the edges of sub-groups (8, 16 or 32
// lanes).
#include "kernel_runner.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

namespace upsweep::tests {
namespace {

constexpr size_t kLocalSizes[] = {1,   7,   8,   9,   16,  17,  32,  33,  64,  96,   100, 128,
                                  160, 256, 257, 288, 480, 512, 544, 736, 992, 1000, 1024};
constexpr size_t kGroups = 3;

/// Integers of all sizes, whose sums wrap around; for floating-point types small integers, so that sums of sums are exact.
template <typename T>
std::vector<T> input(size_t size) {
  std::vector<T> values(size);
  std::mt19937_64 random(size);
  for (T &value : values)
    if constexpr (std::is_integral_v<T>)
      value = static_cast<T>(random() >> random() % 64);
    else
      value = static_cast<T>(static_cast<int>(random() % 31) - 15);
  return values;
}

template <typename T>
T sum(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  else
    return a + b;
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
  return {{"add", sum<T>, T{0}},
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
    // Successive calls without a barrier of the kernel between them must not disturb each other.
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

TYPED_TEST(WorkGroupTest, GivenARequiredSize_WhenFunctionsTakeTurns_ThenNoneDisturbsAnother) {
  using T = TypeParam;
  constexpr int kRounds = 5;
  for (size_t local : {64, 96, 128, 256, 320, 512, 1024}) {
    const std::string size = std::to_string(local);
    KernelRunner runner;
    ASSERT_NO_FATAL_FAILURE(runner.build(
        "kernel __attribute__((reqd_work_group_size(" + size + ", 1, 1))) void run(global const " + kTypeName<T> +
        " *in, global " + kTypeName<T> + " *out) { size_t i = get_global_id(0); " + kTypeName<T> +
        " x = in[i]; for (int k = 0; k < 5; ++k) { x = work_group_reduce_max(x) - x; out[5 * i + k] = work_group_reduce_add(x) "
        "- "
        "work_group_scan_exclusive_add(x) + work_group_broadcast(x, k) - work_group_reduce_min(x); x = x + k; } }"));
    const size_t n = kGroups * local;
    std::vector<T> in = input<T>(n), out = runner.run<T>(in, kRounds * n, n, local);
    for (size_t first = 0; first < n; first += local) {
      std::vector<T> x(in.begin() + first, in.begin() + first + local);
      auto minus = [](T a, T b) { return sum(a, std::is_integral_v<T> ? static_cast<T>(T{0} - static_cast<T>(b)) : -b); };
      for (int k = 0; k < kRounds; ++k) {
        const T greatest = *std::ranges::max_element(x);
        for (T &value : x) value = minus(greatest, value);
        const T least = *std::ranges::min_element(x);
        T before{0};
        const T total = std::accumulate(x.begin(), x.end(), T{0}, sum<T>);
        for (size_t i = 0; i < local; ++i) {
          ASSERT_EQ(out[kRounds * (first + i) + k], minus(sum(minus(total, before), x[k]), least))
              << "round " << k << ", item " << i << " of groups of " << local;
          before = sum(before, x[i]);
        }
        for (T &value : x) value = sum(value, static_cast<T>(k));
      }
    }
  }
}

TYPED_TEST(WorkGroupTest, GivenExtremeValues_WhenReduced_ThenTheyAreFound) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  std::vector<T> extremes = {Limits::lowest(), Limits::max(), Limits::min(), T{0}, T{1}, static_cast<T>(-T{1})};
  if (Limits::has_infinity) extremes.insert(extremes.end(), {Limits::infinity(), -Limits::infinity(), Limits::denorm_min()});
  KernelRunner runner;
  ASSERT_NO_FATAL_FAILURE(runner.build(
      kernel(kTypeName<T>, "out[4 * i] = work_group_reduce_min(in[i]); out[4 * i + 1] = work_group_reduce_max(in[i]);"
                           "out[4 * i + 2] = sub_group_reduce_min(in[i]); out[4 * i + 3] = sub_group_reduce_max(in[i]);")));
  std::mt19937 random(1);
  for (size_t local : {31, 32, 64, 128, 256, 1000, 1024}) {
    std::vector<T> in(local);
    for (size_t kinds = 1; kinds <= extremes.size(); ++kinds) {
      std::ranges::shuffle(extremes, random);
      for (T &value : in) value = extremes[random() % kinds];
      const std::vector<T> out = runner.run<T>(in, 4 * local, local, local);
      const auto [least, greatest] = std::ranges::minmax_element(in);
      T least_of_all = out[2], greatest_of_all = out[3];
      for (size_t i = 0; i < local; ++i) {
        ASSERT_EQ(out[4 * i], *least) << "item " << i << " of " << local;
        ASSERT_EQ(out[4 * i + 1], *greatest) << "item " << i << " of " << local;
        ASSERT_LE(out[4 * i + 2], in[i]);
        ASSERT_GE(out[4 * i + 3], in[i]);
        least_of_all = std::min(least_of_all, out[4 * i + 2]);
        greatest_of_all = std::max(greatest_of_all, out[4 * i + 3]);
      }
      ASSERT_EQ(least_of_all, *least);
      ASSERT_EQ(greatest_of_all, *greatest);
    }
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
      ASSERT_EQ(out[i], sum(in[first + local / 2], in[first + local - 1])) << "item " << i << " of groups of " << local;
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
