// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for processors without FMA, F16C or SSE 4.1 gives the results of newer processors.
#include "fixture.h"
#include "targets/cpu/kernel_abi.h"

#include <dlfcn.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace upsweep::compiler::test {
namespace {

constexpr size_t kItems = 64;
constexpr size_t kResults = 8;

class OldProcessor : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    const std::string object =
        std::filesystem::temp_directory_path() / ("upsweep-old-" + std::to_string(getpid()) + "-" + GetParam() + ".so");
    const std::string command =
        std::string(UPSWEEPC) + " -cl-std=CL3.0 --cpu=" + GetParam() + " " UPSWEEP_TEST_KERNEL " -o " + object;
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    library_ = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    std::filesystem::remove(object);
    ASSERT_NE(library_, nullptr) << dlerror();
    object_ = static_cast<const UpsweepCodeObject *>(dlsym(library_, UPSWEEP_CODE_OBJECT_SYMBOL));
    ASSERT_NE(object_, nullptr);
  }
  void TearDown() override {
    if (library_) dlclose(library_);
  }

  /// Three inputs per work-item, `kResults` outputs.
  template <typename T>
  std::vector<T> run(uint32_t kernel, const std::vector<T> &in) {
    std::vector<T> out(kResults * kItems);
    const void *arguments[] = {in.data(), out.data()};
    alignas(64) UpsweepGroup group = {};
    for (auto *sizes : {group.global_size, group.enqueued_local_size, group.local_size})
      for (int dim = 0; dim < 3; ++dim) sizes[dim] = dim == 0 ? kItems : 1;
    std::fill_n(group.num_groups, 3, 1);
    group.work_dim = 1;
    group.arguments = arguments;
    object_->kernels[kernel].entry(&group);
    return out;
  }

  template <typename T>
  std::vector<T> random_numbers() {
    std::mt19937 random(1);
    std::uniform_real_distribution<T> numbers(-300, 300);
    std::vector<T> in(3 * kItems);
    for (T &x : in) x = numbers(random);
    return in;
  }

  void *library_ = nullptr;
  const UpsweepCodeObject *object_ = nullptr;
};

/// Rounds to the 11 bits of a half, for magnitudes from 2^-14 to 65504.
double as_half(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(x, 11 - exponent)), exponent - 11);
}

TEST_P(OldProcessor, GivenFloats_WhenRun_ThenResultsAreThoseOfTheDefinitions) {
  const std::vector<float> in = random_numbers<float>();
  const std::vector<float> out = run(0, in);
  for (size_t i = 0; i < kItems; ++i) {
    const float x = in[i], y = in[i + kItems], z = in[i + 2 * kItems];
    auto result = [&](size_t number) { return out[i + number * kItems]; };
    EXPECT_EQ(result(0), std::fma(x, y, z));
    EXPECT_NEAR(result(1), std::fma(x, y, z), std::ldexp(std::fabs(x * y) + std::fabs(z), -23));
    EXPECT_EQ(result(2), std::nearbyint(x));
    EXPECT_EQ(result(3), std::floor(x) + std::ceil(y) + std::trunc(z));
    EXPECT_EQ(result(4), static_cast<float>(as_half(x)));
    const double sum = as_half(x) * as_half(y) + as_half(z);  // exact
    EXPECT_EQ(result(5), std::fabs(sum) < 65520 ? static_cast<float>(as_half(sum)) : std::copysign(INFINITY, sum));
    EXPECT_NEAR(result(6), std::sin(static_cast<double>(x)), 4 * 0x1p-24);
    const auto x_bits = std::bit_cast<uint32_t>(x), y_bits = std::bit_cast<uint32_t>(y);
    EXPECT_EQ(result(7), static_cast<float>(std::popcount(x_bits) * 64 + std::countl_zero(y_bits)));
  }
}

TEST_P(OldProcessor, GivenDoubles_WhenRun_ThenResultsAreThoseOfTheDefinitions) {
  const std::vector<double> in = random_numbers<double>();
  const std::vector<double> out = run(1, in);
  for (size_t i = 0; i < kItems; ++i) {
    const double x = in[i], y = in[i + kItems], z = in[i + 2 * kItems];
    auto result = [&](size_t number) { return out[i + number * kItems]; };
    EXPECT_EQ(result(0), std::fma(x, y, z));
    EXPECT_NEAR(result(1), std::fma(x, y, z), std::ldexp(std::fabs(x * y) + std::fabs(z), -52));
    EXPECT_EQ(result(2), std::nearbyint(x));
    EXPECT_EQ(result(3), std::floor(x) + std::ceil(y) + std::trunc(z));
    EXPECT_EQ(result(4), as_half(x));
    EXPECT_EQ(result(5), std::ceil(y));
    EXPECT_NEAR(result(6) / std::exp(x * 0.01), 1, 4 * 0x1p-52);
    EXPECT_EQ(result(7), static_cast<double>(std::bit_cast<uint64_t>(x) % (std::bit_cast<uint64_t>(y) >> 40)));
  }
}

INSTANTIATE_TEST_SUITE_P(Processors, OldProcessor, testing::Values("x86-64", "x86-64-v2", "x86-64-v3"), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace upsweep::compiler::test
