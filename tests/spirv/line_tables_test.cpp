// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpLine as LLVM's debug information.
#include "module_builder.h"

#include "compiler/spirv/read_module.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <gtest/gtest.h>

namespace upsweep::tests {
namespace {

/// The kernel stores the results of two functions, at the lines 12 and 13. The first function has no lines, and the second
/// function is in another file.
Words module_with_lines() {
  KernelModule m;
  const Id file = m.note("kernel.cl"), header = m.note("header.h");
  std::vector<Id> parameters;
  const auto function = [&](const char *name, bool has_line) {
    const Id id = m.begin_function(m.i32, {m.i32}, parameters);
    m.name(id, name);
    m.block();
    if (has_line) m.statement(Op::OpLine, {header, 3, 7});
    m.statement(Op::OpReturnValue, {m.op(Op::OpIAdd, m.i32, {parameters[0], m.number(1)})});
    m.end_function();
    return id;
  };
  const Id plain = function("plain", false), lined = function("lined", true);
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32});
  uint32_t line = 12;
  for (const Id callee : {plain, lined}) {
    m.statement(Op::OpLine, {file, line++, 5});
    m.put_at(k[0], m.number(0), m.op(Op::OpFunctionCall, m.i32, {callee, m.number(5)}));
  }
  m.end_kernel();
  return m.words();
}

std::unique_ptr<llvm::Module> read(llvm::LLVMContext &context, const Words &module, bool line_tables) {
  std::string log;
  const auto *bytes = reinterpret_cast<const uint8_t *>(module.data());
  auto read = compiler::spirv::read_module(context, {{bytes, module.size() * sizeof(uint32_t)}, {}, line_tables}, {}, log);
  EXPECT_TRUE(read) << log;
  return read;
}

template <typename Kind>
std::string places_of(const llvm::Module &module, llvm::StringRef name) {
  std::string places;
  for (const llvm::Function &function : module) {
    if (!function.getName().contains(name)) continue;
    for (const llvm::Instruction &each : llvm::instructions(function))
      if (const llvm::DILocation *place = llvm::isa<Kind>(each) ? each.getDebugLoc().get() : nullptr)
        places +=
            (place->getFilename() + ":" + llvm::Twine(place->getLine()) + ":" + llvm::Twine(place->getColumn()) + " ").str();
  }
  return places;
}

TEST(LineTables, GivenOpLine_WhenReadWithLines_ThenInstructionsHaveThem) {
  llvm::LLVMContext context;
  const auto module = read(context, module_with_lines(), true);
  ASSERT_TRUE(module);
  EXPECT_EQ(places_of<llvm::StoreInst>(*module, "k"), "kernel.cl:12:5 kernel.cl:13:5 ");
  EXPECT_EQ(places_of<llvm::BinaryOperator>(*module, "lined"), "header.h:3:7 ");
  EXPECT_EQ(places_of<llvm::BinaryOperator>(*module, "plain"), "");
}

TEST(LineTables, GivenOpLine_WhenReadWithoutLines_ThenThereIsNoDebugInformation) {
  llvm::LLVMContext context;
  const auto module = read(context, module_with_lines(), false);
  ASSERT_TRUE(module);
  EXPECT_EQ(places_of<llvm::Instruction>(*module, ""), "");
  EXPECT_FALSE(module->getNamedMetadata("llvm.dbg.cu"));
}

}  // namespace
}  // namespace upsweep::tests
