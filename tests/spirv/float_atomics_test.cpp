// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_EXT_shader_atomic_float_add, _min_max and _float16_add.
#include "fixture.h"

#include <bit>

namespace upsweep::tests {
namespace {

using C = spv::Capability;

class FloatAtomicTest : public SpirvTest, public testing::WithParamInterface<unsigned> {
protected:
  static uint64_t bits_of(double value) {
    if (GetParam() == 64) return std::bit_cast<uint64_t>(value);
    if (GetParam() == 32) return std::bit_cast<uint32_t>(static_cast<float>(value));
    // The numbers of these tests are normal halves, whose bits are the first of the float's.
    const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
    return value == 0 ? 0 : ((bits >> 16 & 0x8000) | (((bits >> 23 & 255) - 112) << 10) | (bits >> 13 & 1023));
  }
};

TEST_P(FloatAtomicTest, GivenAtomics_WhenOneItemRunsThem_ThenOldValuesReturn) {
  const unsigned bits = GetParam();
  KernelModule m;
  for (const C each : {C::Float16, C::AtomicFloat16AddEXT, C::AtomicFloat32AddEXT, C::AtomicFloat64AddEXT,
                       C::AtomicFloat16MinMaxEXT, C::AtomicFloat32MinMaxEXT, C::AtomicFloat64MinMaxEXT})
    m.capability(each);
  for (const char *name :
       {"SPV_EXT_shader_atomic_float_add", "SPV_EXT_shader_atomic_float_min_max", "SPV_EXT_shader_atomic_float16_add"})
    m.extension(name);
  const Id type = m.floating(bits), pointer = m.pointer(spv::StorageClass::CrossWorkgroup, type);
  const std::vector<Id> k = m.begin_kernel("k", {pointer, pointer});
  const Id scope = m.number(1), order = m.number(0x210);
  const auto number = [&](double value) { return m.op(Op::OpBitcast, type, {m.constant(bits, bits_of(value))}); };
  uint64_t row = 0;
  const auto put = [&](Id value) { m.store(m.element(k[0], m.constant(64, row++), type), value); };
  m.statement(Op::OpAtomicStore, {k[1], scope, order, number(1.5)});
  put(m.op(Op::OpAtomicFAddEXT, type, {k[1], scope, order, number(-4)}));
  put(m.op(Op::OpAtomicFMinEXT, type, {k[1], scope, order, number(-1)}));
  put(m.op(Op::OpAtomicFMinEXT, type, {k[1], scope, order, number(-8)}));
  put(m.op(Op::OpAtomicFMaxEXT, type, {k[1], scope, order, number(-9)}));
  put(m.op(Op::OpAtomicFMaxEXT, type, {k[1], scope, order, number(0.25)}));
  put(m.op(Op::OpAtomicExchange, type, {k[1], scope, order, number(6)}));
  put(m.op(Op::OpAtomicLoad, type, {k[1], scope, order}));
  m.end_kernel();
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  const std::vector<double> expected{1.5, -2.5, -2.5, -8, -8, 0.25, 6};
  cl_mem output = buffer(expected.size() * bits / 8);
  set(kernel, 0, output);
  set(kernel, 1, buffer(8));
  run(kernel, 1);
  const Bytes content = content_of(output);
  for (size_t n = 0; n < expected.size(); ++n) {
    uint64_t actual = 0;
    std::memcpy(&actual, &content[n * bits / 8], bits / 8);
    EXPECT_EQ(actual, bits_of(expected[n])) << bits << " bits, row " << n;
  }
}

TEST_P(FloatAtomicTest, GivenOnePlace_WhenManyItemsAdd_ThenNoneIsLost) {
  const unsigned bits = GetParam();
  constexpr size_t kItems = 1000;
  KernelModule m;
  for (const C each : {C::Float16, C::AtomicFloat16AddEXT, C::AtomicFloat32AddEXT, C::AtomicFloat64AddEXT}) m.capability(each);
  const Id type = m.floating(bits), pointer = m.pointer(spv::StorageClass::CrossWorkgroup, type);
  const std::vector<Id> k = m.begin_kernel("k", {pointer});
  const Id half = m.op(Op::OpBitcast, type, {m.constant(bits, bits_of(0.5))});
  m.op(Op::OpAtomicFAddEXT, type, {k[0], m.number(1), m.number(0), half});
  m.end_kernel();
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  cl_mem output = buffer(Bytes(8, 0));
  set(kernel, 0, output);
  run(kernel, kItems, 50);
  EXPECT_EQ(values_of<uint64_t>(content_of(output)), std::vector<uint64_t>{bits_of(0.5 * kItems)});
}

INSTANTIATE_TEST_SUITE_P(Bits, FloatAtomicTest, testing::Values(16U, 32U, 64U));

}  // namespace
}  // namespace upsweep::tests
