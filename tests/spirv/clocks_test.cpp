// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_KHR_shader_clock.
#include "fixture.h"

namespace upsweep::tests {
namespace {

using C = spv::Capability;

using ClockTest = SpirvTest;

TEST_F(ClockTest, GivenEachScope_WhenTheClockIsRead_ThenValuesOfBothFormsDoNotDecrease) {
  for (const int scope : {1, 2, 3}) {
    KernelModule m;
    m.capability(C::ShaderClockKHR);
    m.extension("SPV_KHR_shader_clock");
    const Id i64 = m.integer(64), pair = m.vector(m.i32, 2), pointer = m.pointer(spv::StorageClass::CrossWorkgroup, i64);
    const std::vector<Id> k = m.begin_kernel("k", {pointer});
    const Id at = m.number(scope);
    const Id values[] = {m.op(Op::OpReadClockKHR, i64, {at}), m.op(Op::OpBitcast, i64, {m.op(Op::OpReadClockKHR, pair, {at})}),
                         m.op(Op::OpReadClockKHR, i64, {at})};
    for (uint64_t row = 0; row < 3; ++row) m.store(m.element(k[0], m.constant(64, row), i64), values[row]);
    m.end_kernel();
    const std::vector<cl_ulong> read = values_of<cl_ulong>(output_of(build(m.words()), "k", 24));
    EXPECT_LE(read[0], read[1]) << scope;
    EXPECT_LE(read[1], read[2]) << scope;
    EXPECT_NE(read[0], 0xa5a5a5a5a5a5a5a5) << scope;
    EXPECT_NE(read[2], 0xa5a5a5a5a5a5a5a5) << scope;
  }
}

TEST_F(ClockTest, GivenAWrongScopeOrType_WhenBuilt_ThenTheLogNamesIt) {
  const auto failure = [&](int scope, unsigned bits) {
    KernelModule m;
    m.capability(C::ShaderClockKHR);
    m.begin_kernel("k", {});
    m.op(Op::OpReadClockKHR, m.integer(bits), {m.number(scope)});
    m.end_kernel();
    return failure_of(m.words());
  };
  EXPECT_NE(failure(4, 64).find("a clock's scope"), std::string::npos);
  EXPECT_NE(failure(1, 32).find("a clock's value"), std::string::npos);
}

}  // namespace
}  // namespace upsweep::tests
