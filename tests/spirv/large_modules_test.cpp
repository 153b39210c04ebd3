// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules with 2^15 to 2^16 parts of one kind, whose time to read would be quadratic or whose module would be huge. A test
// takes milliseconds; otherwise it runs into its time limit.
#include "module_builder.h"
#include "read_log.h"

#include <gtest/gtest.h>

namespace upsweep::tests {
namespace {

constexpr uint32_t kMany = 1U << 16;

TEST(LargeSpirv, GivenManyDecorationsOfOneId_WhenRead_ThenTheModuleIsRefused) {
  KernelModule m;
  const Id in = m.begin_kernel("k", {m.global_i32})[0];
  for (uint32_t k = 0; k < kMany; ++k) m.decorate(in, spv::Decoration::Aliased);
  for (uint32_t k = 0; k < kMany; ++k) m.load(m.i32, in);
  m.end_kernel();
  EXPECT_NE(read_log(m.words()).find("OpDecorate: an id has more than 1000 decorations"), std::string::npos);
}

TEST(LargeSpirv, GivenManyKernelsAndExportedFunctions_WhenRead_ThenTheyAreRead) {
  KernelModule m;
  for (uint32_t k = 0; k < kMany / 4; ++k) {
    m.begin_kernel("k" + std::to_string(k), {});
    m.end_kernel();
    m.note("kernel_arg_type.k" + std::to_string(k) + ".");
    std::vector<Id> p;
    m.export_as(m.begin_function(m.void_type(), {}, p), "f" + std::to_string(k));
    m.block();
    m.statement(Op::OpReturn);
    m.end_function();
  }
  EXPECT_EQ(read_log(m.words()), "");
}

TEST(LargeSpirv, GivenManyPhisOfOneBlock_WhenRead_ThenTheyAreRead) {
  KernelModule m;
  m.begin_kernel("k", {});
  const Id first = m.id(), second = m.id(), one = m.number(1);
  m.branch(first);
  m.block(first);
  m.branch(second);
  m.block(second);
  for (uint32_t k = 0; k < kMany; ++k) m.op(Op::OpPhi, m.i32, {one, first});
  m.end_kernel();
  EXPECT_EQ(read_log(m.words()), "");
}

TEST(LargeSpirv, GivenPhisBehindAWideSwitch_WhenRead_ThenTheModuleIsRefused) {
  KernelModule m;
  const Id in = m.begin_kernel("k", {m.global_i32})[0];
  const Id first = m.id(), second = m.id(), one = m.number(1);
  m.branch(first);
  m.block(first);
  Words labels{m.load(m.i32, in), second};
  for (uint32_t k = 0; k < kMany / 2 - 100; ++k) labels = std::move(labels) + Words{k, second};
  m.statement(Op::OpSwitch, labels);
  m.block(second);
  for (uint32_t k = 0; k < 1000; ++k) m.op(Op::OpPhi, m.i32, {one, first});
  m.end_kernel();
  EXPECT_NE(read_log(m.words()).find("more than 2^22 values"), std::string::npos);
}

TEST(LargeSpirv, GivenManyFunctionsOfATypeWithManyParameters_WhenTheyHaveNone_ThenTheModuleIsRefused) {
  KernelModule m;
  const Id type = m.function_type(m.void_type(), Words(65000, m.i32));
  for (uint32_t k = 0; k < kMany; ++k) {
    m.statement(Op::OpFunction, {m.void_type(), m.id(), 0, type});
    m.block();
    m.statement(Op::OpReturn);
    m.end_function();
  }
  EXPECT_NE(read_log(m.words()).find("more or fewer parameters"), std::string::npos);
}

TEST(LargeSpirv, GivenManyBuiltInVariables_WhenLoaded_ThenTheyAreRead) {
  KernelModule m;
  const Id number = m.integer(32), pointer = m.pointer(spv::StorageClass::Input, number);
  m.begin_kernel("k", {});
  for (uint32_t k = 0; k < kMany / 4; ++k) {
    const Id variable = m.constant_of(Op::OpVariable, pointer, {word(spv::StorageClass::Input)});
    m.decorate(variable, spv::Decoration::BuiltIn, {word(spv::BuiltIn::WorkDim)});
    m.load(number, variable);
  }
  m.end_kernel();
  EXPECT_EQ(read_log(m.words()), "");
}

TEST(LargeSpirv, GivenAFunctionWithANameOfTheCompiler_WhenImported_ThenTheModuleIsRefused) {
  KernelModule m;
  std::vector<Id> p;
  m.export_as(m.begin_function(m.i32, {m.i32}, p), "__ups_work_group_barrier", spv::LinkageType::Import);
  m.end_function();
  EXPECT_NE(read_log(m.words()).find("__ups_"), std::string::npos);
}

}  // namespace
}  // namespace upsweep::tests
