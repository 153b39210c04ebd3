// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mark DontInline, which Clang gives to all functions at -O0.
#include "module_builder.h"

#include "compiler/spirv/read_module.h"

#include <gtest/gtest.h>

namespace upsweep::tests {
namespace {

constexpr uint32_t kMark = word(spv::FunctionControlMask::DontInline);

/// A kernel that calls two functions "first" and "second" with these marks. The kernel's own is the third.
Words module_with_marks(uint32_t first, uint32_t second, uint32_t third) {
  KernelModule m;
  std::vector<Id> p;
  Words functions;
  for (const auto &[name, mark] : {std::pair{"first", first}, {"second", second}}) {
    functions.push_back(m.begin_function(m.i32, {m.i32}, p, mark));
    m.name(functions.back(), name);
    m.block();
    m.statement(Op::OpReturnValue, {m.binary(Op::OpIAdd, p[0], m.number(1))});
    m.end_function();
  }
  const Id kernel = m.begin_function(m.void_type(), {m.global_i32}, p, third);
  m.entry_point(kernel, "k");
  m.block();
  for (const Id function : functions) m.put_at(p[0], m.number(0), m.op(Op::OpFunctionCall, m.i32, {function, m.number(5)}));
  m.statement(Op::OpReturn);
  m.end_function();
  return m.words();
}

/// The marked functions among "first" and "second", as the portable module has them.
std::string marked_functions(const Words &module) {
  llvm::LLVMContext context;
  std::string log, names;
  const auto *bytes = reinterpret_cast<const uint8_t *>(module.data());
  const auto read = compiler::spirv::read_module(context, {{bytes, module.size() * sizeof(uint32_t)}, {}}, {}, log);
  EXPECT_TRUE(read) << log;
  if (!read) return log;
  for (const char *name : {"first", "second"}) {
    const llvm::Function *function = read->getFunction(std::string("spv.") + name);
    EXPECT_TRUE(function) << name;
    if (function && function->hasFnAttribute(llvm::Attribute::NoInline)) names += name;
  }
  return names;
}

TEST(Inlining, GivenOneMarkedFunction_WhenRead_ThenItIsNotInlined) {
  EXPECT_EQ(marked_functions(module_with_marks(kMark, 0, 0)), "first");
  EXPECT_EQ(marked_functions(module_with_marks(0, kMark, 0)), "second");
  EXPECT_EQ(marked_functions(module_with_marks(kMark, 0, kMark)), "first");
}

TEST(Inlining, GivenMarkedFunctionsAndAKernelWithout_WhenRead_ThenTheyAreNotInlined) {
  EXPECT_EQ(marked_functions(module_with_marks(kMark, kMark, 0)), "firstsecond");
}

TEST(Inlining, GivenNoMarks_WhenRead_ThenFunctionsMayBeInlined) { EXPECT_EQ(marked_functions(module_with_marks(0, 0, 0)), ""); }

TEST(Inlining, GivenAModuleOfMarkedFunctions_WhenRead_ThenTheyMayBeInlined) {
  EXPECT_EQ(marked_functions(module_with_marks(kMark, kMark, kMark)), "");
}

}  // namespace
}  // namespace upsweep::tests
