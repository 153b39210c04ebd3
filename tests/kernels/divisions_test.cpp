// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer division of every type, compared with C++.
#include "kernel_runner.h"

#include <bit>
#include <limits>
#include <random>

namespace upsweep::tests {
namespace {

constexpr size_t kItems = 20000, kResults = 6;

/// Numbers with a random number of bits, so that long and short numbers meet; and numbers around powers of two and the limits.
template <typename T>
std::vector<T> draw(std::mt19937_64 &random, bool with_zero) {
  using Unsigned = std::make_unsigned_t<T>;
  constexpr int kBits = std::numeric_limits<Unsigned>::digits;
  std::vector<T> numbers(kItems);
  for (T &number : numbers) {
    const int bits = static_cast<int>(random() % kBits) + 1;
    const uint64_t kind = random() % 4;
    uint64_t value = random() >> (64 - bits);
    if (kind == 0) value = (uint64_t{1} << (bits - 1)) + random() % 5 - 2;
    if (kind == 1) value = ~value;
    number = static_cast<T>(static_cast<Unsigned>(value));
    if (number == 0 && !with_zero) number = 1;
    if (std::is_signed_v<T> && number == static_cast<T>(-1) && !with_zero) number = 2;  // least / -1 does not fit T
  }
  return numbers;
}

template <typename T>
class Divisions : public KernelRunner {
protected:
  void expect_quotients() {
    constexpr const char *kNames[] = {"char", "short", "int", "long"};
    const std::string type = std::string(std::is_signed_v<T> ? "" : "u") + kNames[std::bit_width(sizeof(T)) - 1];
    std::mt19937_64 random(20 + sizeof(T));
    const std::vector<T> numbers = draw<T>(random, true), divisors = draw<T>(random, false);
    const std::string options = "-cl-std=CL3.0 -DTYPE=" + type + " -DVECTOR3=" + type + "3";
    build("divisions.cl", "divide", options.c_str());
    std::vector<T> got(kItems * kResults, T(77));
    cl_mem buffers[] = {buffer(got), buffer(numbers), buffer(divisors)};
    for (cl_uint i = 0; i < 3; ++i) set(i, buffers[i]);
    const size_t items = kItems;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clEnqueueReadBuffer(queue_, buffers[0], CL_TRUE, 0, got.size() * sizeof(T), got.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    for (cl_mem given : buffers) clReleaseMemObject(given);
    for (size_t i = 0; i < kItems; ++i) {
      const T n = numbers[i], d = divisors[i], odd = static_cast<T>(n | 1);
      const bool is_number = !(std::is_signed_v<T> && odd == static_cast<T>(-1));
      const T last = i % 5 != 0 ? static_cast<T>(i) : is_number ? static_cast<T>(d / odd) : static_cast<T>(0 - uint64_t(d));
      const T wanted[kResults] = {static_cast<T>(n / d), static_cast<T>(n % d),      static_cast<T>(divisors[i / 2] / d),
                                  static_cast<T>(n / 7), static_cast<T>(n / d % 10), last};
      for (size_t r = 0; r < kResults; ++r)
        ASSERT_EQ(got[kResults * i + r], wanted[r]) << type << ", result " << r << " of " << +n << " and " << +d;
    }
    release();
  }

private:
  cl_mem buffer(std::vector<T> values) {
    return clCreateBuffer(this->context_, CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T), values.data(), nullptr);
  }
};

using Types = testing::Types<cl_char, cl_uchar, cl_short, cl_ushort, cl_int, cl_uint, cl_long, cl_ulong>;
TYPED_TEST_SUITE(Divisions, Types);

TYPED_TEST(Divisions, GivenNumbersOfAllSizes_WhenDivided_ThenQuotientsAndRemaindersAreExact) { this->expect_quotients(); }

}  // namespace
}  // namespace upsweep::tests
