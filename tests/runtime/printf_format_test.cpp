// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf formatting from packed arguments. Expected texts follow C's rules, written by hand.
#include "runtime/printf/printf_format.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace {

using upsweep::format_printf;

/// Packs arguments like generated code: each at the next multiple of 8 bytes.
class Packed {
public:
  template <class T>
  Packed &add(const T &value) {
    const size_t start = bytes_.size();
    bytes_.resize(start + (sizeof(T) + 7) / 8 * 8);
    std::memcpy(bytes_.data() + start, &value, sizeof(T));
    return *this;
  }
  const void *data() const { return bytes_.data(); }

private:
  std::vector<char> bytes_;
};

std::string print(const char *format, const Packed &arguments = {}) {
  std::string out;
  EXPECT_TRUE(format_printf(format, arguments.data(), out)) << format;
  return out;
}

template <class T, size_t n>
struct Vector {
  T elements[n];
};

TEST(PrintfFormat, GivenPlainText_WhenFormatted_ThenUnchanged) {
  EXPECT_EQ(print("hello\n"), "hello\n");
  EXPECT_EQ(print("100%%"), "100%");
  EXPECT_EQ(print(""), "");
}

TEST(PrintfFormat, GivenIntegers_WhenFormatted_ThenFlagsWidthAndPrecisionHold) {
  EXPECT_EQ(print("%d|%5d|%-5d|%05d|%+d|% d", Packed().add(-7).add(42).add(42).add(42).add(42).add(42)),
            "-7|   42|42   |00042|+42| 42");
  EXPECT_EQ(print("%.3d %8.3i", Packed().add(5).add(-5)), "005     -005");
  EXPECT_EQ(print("%u %o %x %X %#x %#o", Packed().add(~0U).add(8).add(255).add(255).add(255).add(8)),
            "4294967295 10 ff FF 0xff 010");
}

TEST(PrintfFormat, GivenLengthModifiers_WhenFormatted_ThenValuesAreCutOrWide) {
  EXPECT_EQ(print("%hhd %hhu %hd %hu", Packed().add(300).add(-1).add(70000).add(-1)), "44 255 4464 65535");
  EXPECT_EQ(print("%ld %lu %lx", Packed().add(int64_t{-5}).add(~uint64_t{0}).add(uint64_t{1} << 40)),
            "-5 18446744073709551615 10000000000");
  EXPECT_EQ(print("%zu %zd %zx %5zo|%td %ti %tX", Packed()
                                                      .add(~uint64_t{0})
                                                      .add(int64_t{-5})
                                                      .add(uint64_t{1} << 40)
                                                      .add(uint64_t{8})
                                                      .add(int64_t{-5})
                                                      .add(int64_t{1} << 40)
                                                      .add(uint64_t{255})),
            "18446744073709551615 -5 10000000000    10|-5 1099511627776 FF");
}

TEST(PrintfFormat, GivenFloatingPoint_WhenFormatted_ThenAsC) {
  EXPECT_EQ(print("%f %.2f %8.3f|%-8.1f|", Packed().add(1.5).add(3.14159).add(2.0).add(2.25)),
            "1.500000 3.14    2.000|2.2     |");
  EXPECT_EQ(print("%e %E %g %G %a", Packed().add(12345.678).add(0.00012).add(1e-10).add(100000.0).add(0.5)),
            "1.234568e+04 1.200000E-04 1e-10 100000 0x1p-1");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      print("%f %F %5f|%e", Packed().add(infinity).add(-infinity).add(infinity).add(std::numeric_limits<double>::quiet_NaN())),
      "inf -INF   inf|nan");
}

TEST(PrintfFormat, GivenVectors_WhenFormatted_ThenComponentsAreJoinedByCommas) {
  EXPECT_EQ(print("%v4hlf", Packed().add(Vector<float, 4>{{1, 2, 3, 4}})), "1.000000,2.000000,3.000000,4.000000");
  EXPECT_EQ(print("%v2lf %d", Packed().add(Vector<double, 2>{{-1, 0.5}}).add(9)), "-1.000000,0.500000 9");
  EXPECT_EQ(print("%v3hld|%d", Packed().add(Vector<int, 4>{{1, -2, 3, 99}}).add(9)), "1,-2,3|9");
  EXPECT_EQ(print("%v4hhd|%d", Packed().add(Vector<int8_t, 4>{{-1, 2, 3, 4}}).add(9)), "-1,2,3,4|9");
  EXPECT_EQ(print("%v16hhx", Packed().add(Vector<uint8_t, 16>{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255}})),
            "0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,ff");
  EXPECT_EQ(print("%#v2hx|%05.1v2hlf", Packed().add(Vector<uint16_t, 2>{{0xfa, 0xfb}}).add(Vector<float, 2>{{1, -2}})),
            "0xfa,0xfb|001.0,-02.0");
  EXPECT_EQ(print("%v2hf", Packed().add(Vector<uint16_t, 2>{{0x3c00, 0xc000}})), "1.000000,-2.000000");
  EXPECT_EQ(print("%v8lu", Packed().add(Vector<uint64_t, 8>{{1, 2, 3, 4, 5, 6, 7, ~uint64_t{0}}})),
            "1,2,3,4,5,6,7,18446744073709551615");
}

TEST(PrintfFormat, GivenTextAndCharacters_WhenFormatted_ThenAsC) {
  const char *text = "abc";
  EXPECT_EQ(print("%s|%5s|%-5s|%.2s|%c%3c", Packed().add(text).add(text).add(text).add(text).add(int{'x'}).add(int{'y'})),
            "abc|  abc|abc  |ab|x  y");
  EXPECT_EQ(print("%p", Packed().add(reinterpret_cast<void *>(0x1234))), "0x1234");
}

TEST(PrintfFormat, GivenAnUnknownConversion_WhenFormatted_ThenTheRestIsLiteralAndItFails) {
  for (const char *rest : {"%n", "%y", "%v5d", "%v4s", "%*d", "%", "%5", "%v"}) {
    std::string out;
    EXPECT_FALSE(format_printf((std::string("a%da") + rest).c_str(), Packed().add(1).data(), out)) << rest;
    EXPECT_EQ(out, std::string("a1a") + rest);
  }
}

}  // namespace
