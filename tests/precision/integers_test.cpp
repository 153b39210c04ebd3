// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The integer functions in every type, against arithmetic in 128 bits, which does not overflow.
#include "opened_device.h"
#include "tests/precision/integers.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

namespace upsweep::precision {
namespace {

using Wide = __int128;

struct Type {
  std::string name, unsigned_name;
  int bits;
  bool is_signed;
  [[nodiscard]] Wide least() const { return is_signed ? -(Wide{1} << (bits - 1)) : 0; }
  [[nodiscard]] Wide greatest() const { return (Wide{1} << (is_signed ? bits - 1 : bits)) - 1; }
  [[nodiscard]] Wide mask() const { return (Wide{1} << bits) - 1; }
};
const Type kTypes[] = {{"char", "uchar", 8, true},      {"uchar", "uchar", 8, false}, {"short", "ushort", 16, true},
                       {"ushort", "ushort", 16, false}, {"int", "uint", 32, true},    {"uint", "uint", 32, false},
                       {"long", "ulong", 64, true},     {"ulong", "ulong", 64, false}};

Wide saturated(const Type &type, Wide x) { return std::min(std::max(x, type.least()), type.greatest()); }
Wide high_half(const Type &type, Wide x, Wide y) {
  // The product of two ulongs needs all 128 bits.
  if (type.bits == 64 && !type.is_signed)
    return static_cast<Wide>(static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y) >> 64);
  return x * y >> type.bits;
}
Wide rotated(const Type &type, Wide x, Wide y) {
  const int by = static_cast<int>(y & (type.bits - 1));
  const auto bits = static_cast<unsigned __int128>(x & type.mask());
  return static_cast<Wide>((bits << by | bits >> (type.bits - by)) & static_cast<unsigned __int128>(type.mask()));
}
/// Two's complement saturation of x y + z; a product of ulongs beyond 127 bits is outside of the range.
Wide multiply_add_saturated(const Type &type, Wide x, Wide y, Wide z) {
  Wide sum = 0;
  if (__builtin_mul_overflow(x, y, &sum) || __builtin_add_overflow(sum, z, &sum)) return type.greatest();
  return saturated(type, sum);
}
Wide low_24(const Type &type, Wide x) {
  const Wide low = x & 0xffffff;
  return type.is_signed && (low & 0x800000) != 0 ? low - 0x1000000 : low;
}
uint64_t bits_of(const Type &type, Wide x) { return static_cast<uint64_t>(x & type.mask()); }

struct Function {
  const char *name;
  int arguments;
  bool is_unsigned;   // the result
  bool only_32_bits;  // mul24 and mad24, whose arguments have 24 bits
  Wide (*reference)(const Type &type, Wide x, Wide y, Wide z);
};
constexpr Function kFunctions[] = {
    {"abs", 1, true, false, [](const Type &, Wide x, Wide, Wide) { return x < 0 ? -x : x; }},
    {"abs_diff", 2, true, false, [](const Type &, Wide x, Wide y, Wide) { return x < y ? y - x : x - y; }},
    {"add_sat", 2, false, false, [](const Type &t, Wide x, Wide y, Wide) { return saturated(t, x + y); }},
    {"sub_sat", 2, false, false, [](const Type &t, Wide x, Wide y, Wide) { return saturated(t, x - y); }},
    {"hadd", 2, false, false, [](const Type &, Wide x, Wide y, Wide) { return (x + y) >> 1; }},
    {"rhadd", 2, false, false, [](const Type &, Wide x, Wide y, Wide) { return (x + y + 1) >> 1; }},
    {"max", 2, false, false, [](const Type &, Wide x, Wide y, Wide) { return std::max(x, y); }},
    {"min", 2, false, false, [](const Type &, Wide x, Wide y, Wide) { return std::min(x, y); }},
    {"mul_hi", 2, false, false, [](const Type &t, Wide x, Wide y, Wide) { return high_half(t, x, y); }},
    {"mad_hi", 3, false, false, [](const Type &t, Wide x, Wide y, Wide z) { return high_half(t, x, y) + z; }},
    {"mad_sat", 3, false, false, multiply_add_saturated},
    {"rotate", 2, false, false, [](const Type &t, Wide x, Wide y, Wide) { return rotated(t, x, y); }},
    {"clz", 1, false, false,
     [](const Type &t, Wide x, Wide, Wide) { return Wide{std::countl_zero(bits_of(t, x)) - (64 - t.bits)}; }},
    {"ctz", 1, false, false,
     [](const Type &t, Wide x, Wide, Wide) { return Wide{std::min(std::countr_zero(bits_of(t, x)), t.bits)}; }},
    {"popcount", 1, false, false, [](const Type &t, Wide x, Wide, Wide) { return Wide{std::popcount(bits_of(t, x))}; }},
    {"mul24", 2, false, true, [](const Type &t, Wide x, Wide y, Wide) { return low_24(t, x) * low_24(t, y); }},
    {"mad24", 3, false, true, [](const Type &t, Wide x, Wide y, Wide z) { return low_24(t, x) * low_24(t, y) + z; }},
};

constexpr size_t kCount = 4096;

/// Random bits, small numbers and the ends of the range.
Wide choose(const Type &type, bool has_24_bits, std::mt19937_64 &random) {
  const auto bits = static_cast<int64_t>(random());
  Wide value = type.is_signed ? Wide{bits} : Wide{static_cast<uint64_t>(bits)};
  value >>= 64 - type.bits + static_cast<int>(random() % 3 == 0 ? random() % type.bits : 0);
  if (random() % 6 == 0) value = random() % 2 ? type.least() + random() % 3 : type.greatest() - random() % 3;
  return has_24_bits ? low_24(type, value) : value;
}

Wide read(const Type &type, bool is_signed, const std::byte *at) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, type.bits / 8);
  const int shift = 64 - type.bits;
  return is_signed ? Wide{static_cast<int64_t>(bits << shift) >> shift} : Wide{bits};
}

class Integers : public testing::TestWithParam<Function> {};

void check(const Function &function, const Type &type, int width) {
  const cli::Device &device = opened_device();
  const std::string result = function.is_unsigned ? type.unsigned_name : type.name;
  const auto program = cli::build_program(device, kIntegersSource,
                                          fmt::format("-cl-std=CL3.0 -DFUNCTION={} -DCOUNT={} -DT={} -DR={} -DWIDTH={}",
                                                      function.name, function.arguments, type.name, result, width));
  ASSERT_TRUE(program) << program.error();
  std::mt19937_64 random(7);
  const size_t bytes = type.bits / 8;
  std::vector<std::byte> arrays[4];
  std::vector<cl::Buffer> buffers;
  cl::Kernel kernel(*program, "apply");
  for (auto &array : arrays) {
    array.resize(kCount * bytes);
    const bool has_24_bits = function.only_32_bits && &array != &arrays[2];
    for (size_t i = 0; i < kCount; ++i) {
      const uint64_t bits = bits_of(type, choose(type, has_24_bits, random));
      std::memcpy(array.data() + i * bytes, &bits, bytes);
    }
    buffers.emplace_back(device.context, CL_MEM_COPY_HOST_PTR, array.size(), array.data());
    kernel.setArg(static_cast<cl_uint>(buffers.size() - 1), buffers.back());
  }
  ASSERT_EQ(device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(kCount / width)), CL_SUCCESS);
  ASSERT_EQ(device.queue.enqueueReadBuffer(buffers[3], CL_TRUE, 0, arrays[3].size(), arrays[3].data()), CL_SUCCESS);
  for (size_t i = 0; i < kCount; ++i) {
    const auto argument = [&](int n) { return read(type, type.is_signed, arrays[n].data() + i * bytes); };
    const Wide want = function.reference(type, argument(0), argument(1), argument(2));
    ASSERT_EQ(bits_of(type, read(type, false, arrays[3].data() + i * bytes)), bits_of(type, want))
        << function.name << " of " << type.name << ", " << width << " at a time: " << static_cast<int64_t>(argument(0)) << ", "
        << static_cast<int64_t>(argument(1)) << ", " << static_cast<int64_t>(argument(2));
  }
}

TEST_P(Integers, GivenEveryType_WhenCalled_ThenTheResultIsExact) {
  for (const Type &type : kTypes)
    for (const int width : {1, 4})
      if (!GetParam().only_32_bits || type.bits == 32) check(GetParam(), type, width);
}

INSTANTIATE_TEST_SUITE_P(Functions, Integers, testing::ValuesIn(kFunctions),
                         [](const auto &info) { return std::string(info.param.name); });

}  // namespace
}  // namespace upsweep::precision
