// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic functions of half, float and double: in any order of updates each work-item reads a value that another one has
// written, and special values follow the text of cl_ext_float_atomics.
#include "kernel_runner.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace upsweep::tests {
namespace {

namespace host {
using uint = cl_uint;
#include "scramble.h"
}  // namespace host

struct FloatType {
  const char *name;
  size_t bytes;
};
void PrintTo(const FloatType &type, std::ostream *out) { *out << type.name; }
struct FloatUpdate {
  const char *name;
  int range;
  int (*after)(int old, int operand);
};
constexpr FloatType kTypes[] = {{"half", 2}, {"float", 4}, {"double", 8}};
constexpr FloatUpdate kUpdates[] = {{"add", 1, [](int a, int b) { return a + b; }},
                                    {"sub", 1, [](int a, int b) { return a - b; }},
                                    {"min", 1000, [](int a, int b) { return std::min(a, b); }},
                                    {"max", 1000, [](int a, int b) { return std::max(a, b); }},
                                    {"exchange", 1000, [](int, int b) { return b; }}};

class FloatAtomics : public KernelRunner, public testing::WithParamInterface<FloatType> {
protected:
  static constexpr size_t kItems = 1001;
  static constexpr size_t kSecond = 4;  ///< ints from the first place to the second

  void build_kernel(const std::string &name, const char *language = "-cl-std=CL3.0") {
    release();
    build("float_atomics.cl", name.c_str(),
          (std::string(language) + " -DTYPE=" + GetParam().name + " -I " UPSWEEP_TEST_KERNELS).c_str());
  }

  /// Twice the number of the type whose bits begin at `place`.
  static int twice(const cl_int *place) {
    if (GetParam().bytes == 8) return static_cast<int>(2 * std::bit_cast<double>(std::array{place[0], place[1]}));
    if (GetParam().bytes == 4) return static_cast<int>(2 * std::bit_cast<float>(*place));
    const unsigned bits = static_cast<cl_uint>(*place) & 0xffff, exponent = bits >> 10 & 31;
    const double magnitude =
        std::ldexp(exponent ? 1024 + (bits & 1023) : bits & 1023, static_cast<int>(exponent ? exponent : 1) - 25);
    return static_cast<int>(bits & 0x8000 ? -2 * magnitude : 2 * magnitude);
  }

  static void expect_chain(const FloatUpdate &update, const cl_int *olds, int last, bool is_every_third) {
    std::vector<int> found{last}, left{0};
    for (size_t i = 0; i < kItems; ++i) {
      const cl_uint x = host::scramble(static_cast<cl_uint>(i));
      if (is_every_third && x % 3 != 0) continue;
      const int operand = static_cast<int>(x % static_cast<cl_uint>(2 * update.range + 1)) - update.range;
      found.push_back(olds[i]);
      left.push_back(update.after(olds[i], operand));
    }
    std::ranges::sort(found);
    std::ranges::sort(left);
    EXPECT_EQ(found, left) << update.name;
  }

  void expect_chains_in_global_memory(const FloatUpdate &update, size_t local) {
    constexpr size_t kPlaces = 2 * kItems;
    const std::vector<cl_int> out = run({{kItems, 1, 1}, {local, 1, 1}}, kPlaces + 2 * kSecond, 0);
    expect_chain(update, &out[0], twice(&out[kPlaces]), false);
    expect_chain(update, &out[kItems], twice(&out[kPlaces + kSecond]), true);
    // Neighbours of the places are untouched.
    const size_t bytes = GetParam().bytes;
    const auto *content = reinterpret_cast<const unsigned char *>(&out[kPlaces]);
    for (size_t k = 0; k < 2 * kSecond * sizeof(cl_int); ++k)
      if (k % (kSecond * sizeof(cl_int)) >= bytes) EXPECT_EQ(content[k], 0) << update.name << ", byte " << k;
  }

  static float special(size_t index) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr std::array<float, 14> kNumbers{
        0,        -0.0F,     1,          -1.5F,       kInfinity,  -kInfinity, kNan,
        0x1p-20F, 0x1p-149F, -0x1p-127F, 0x1.8p-126F, -0x1p-126F, 0x1p-101F,  -0x1.000002p-102F};
    return kNumbers.at(index);
  }

  static std::string text(float x) { return std::to_string(x) + (std::signbit(x) ? " (negative)" : ""); }

  static bool same(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<cl_uint>(a) == std::bit_cast<cl_uint>(b);
  }

  /// Whether the text permits the new value. A half has no number between 1 and 1 + 2^-20.
  static bool is_right(const std::string &update, float memory, float operand, float value) {
    if (update == "add" || update == "sub") {
      float sum = update == "add" ? memory + operand : memory - operand;
      if (GetParam().bytes == 2 && std::abs(sum) > 0.5F && std::isfinite(sum)) sum = std::round(sum * 2) / 2;
      return same(value, sum);
    }
    if (std::isnan(memory) || std::isnan(operand)) return same(value, std::isnan(memory) ? operand : memory);
    if (memory == 0 && operand == 0) return value == 0;
    return same(value, update == "min" ? std::min(memory, operand) : std::max(memory, operand));
  }

  void expect_special(const std::string &prefix, const std::string &update) {
    const size_t num_specials = GetParam().bytes == 2 ? 8 : 14, num_pairs = num_specials * num_specials;
    build_kernel(prefix + update);
    const std::vector<cl_int> out = run({{num_pairs, 1, 1}, {num_pairs, 1, 1}}, 4 * num_pairs);
    for (size_t i = 0; i < num_pairs; ++i) {
      const float memory = special(i / num_specials), operand = special(i % num_specials);
      EXPECT_TRUE(same(std::bit_cast<float>(out[2 * i]), memory)) << prefix + update << ", pair " << i;
      const float value = std::bit_cast<float>(out[2 * i + 1]);
      EXPECT_TRUE(is_right(update, memory, operand, value))
          << prefix + update << " of " << text(memory) << " and " << text(operand) << " gave " << text(value);
    }
  }
};

TEST_P(FloatAtomics, GivenOnePlace_WhenWorkItemsUpdateIt_ThenEachFindsWhatAnotherLeft) {
  for (const FloatUpdate &update : kUpdates)
    for (const char *language : {"-cl-std=CL3.0", "-cl-std=CL2.0"}) {
      build_kernel(update.name, language);
      for (const size_t local : {77, 7, 1001}) expect_chains_in_global_memory(update, local);
    }
}

TEST_P(FloatAtomics, GivenGenericPointers_WhenWorkItemsUpdatePlaces_ThenEachFindsWhatAnotherLeft) {
  for (const FloatUpdate &update : kUpdates) {
    build_kernel(std::string(update.name) + "_generic");
    for (const size_t local : {77, 1001}) expect_chains_in_global_memory(update, local);
  }
}

TEST_P(FloatAtomics, GivenPlacesInLocalMemory_WhenWorkItemsUpdateThem_ThenEachFindsWhatAnotherLeft) {
  if (figure_of<size_t>(device_, CL_DEVICE_MAX_WORK_GROUP_SIZE) < kItems) GTEST_SKIP() << "one work-group has fewer work-items";
  for (const FloatUpdate &update : kUpdates) {
    build_kernel(std::string(update.name) + "_local");
    const std::vector<cl_int> out = run({{kItems, 1, 1}, {kItems, 1, 1}}, 2 * kItems + 3);
    expect_chain(update, &out[0], out[2 * kItems], false);
    expect_chain(update, &out[kItems], out[2 * kItems + 1], true);
    EXPECT_EQ(out[2 * kItems + 2], 0) << update.name << ": a neighbour of a place";
  }
}

TEST_P(FloatAtomics, GivenSpecialValues_WhenUpdated_ThenNewValuesAreThoseOfTheSpecification) {
  for (const char *update : {"add", "sub", "min", "max"})
    for (const char *prefix : {"special_", "special_global_"}) expect_special(prefix, update);
}

INSTANTIATE_TEST_SUITE_P(Types, FloatAtomics, testing::ValuesIn(kTypes),
                         [](const auto &test) { return std::string(test.param.name); });

}  // namespace
}  // namespace upsweep::tests
