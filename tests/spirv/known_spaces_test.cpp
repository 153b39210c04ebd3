// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of generic pointers whose object's address space the module shows: no test at run time remains.
#include "module_builder.h"

#include "compiler/spirv/read_module.h"

#include <gtest/gtest.h>

namespace upsweep::tests {
using Storage = spv::StorageClass;

namespace {

/// A kernel that stores through its pointer, made generic, moved, and converted back; or through a pointer that it selects.
Words module_with_cast(bool is_selected) {
  KernelModule m;
  const Id generic = m.pointer(Storage::Generic, m.i32);
  const Id null = m.constant_of(Op::OpConstantNull, generic);
  const Id out = m.begin_kernel("k", {m.global_i32})[0];
  Id cast = m.op(Op::OpPtrCastToGeneric, generic, {out});
  if (is_selected) {
    const Id is_first = m.compare(Op::OpIEqual, m.global_id(), m.constant(64, 0));
    cast = m.op(Op::OpSelect, generic, {is_first, cast, null});
  }
  const Id moved = m.op(Op::OpInBoundsPtrAccessChain, generic, {cast, m.constant(64, 1)});
  m.store(m.op(Op::OpGenericCastToPtrExplicit, m.global_i32, {moved, word(Storage::CrossWorkgroup)}), m.number(7));
  m.end_kernel();
  return m.words();
}

bool asks_for_space(const Words &module) {
  llvm::LLVMContext context;
  std::string log;
  const auto *bytes = reinterpret_cast<const uint8_t *>(module.data());
  const auto read = compiler::spirv::read_module(context, {{bytes, module.size() * sizeof(uint32_t)}, {}}, {}, log);
  EXPECT_TRUE(read) << log;
  return read && read->getFunction("__to_global");
}

TEST(KnownSpaces, GivenACastPointer_WhenConvertedBack_ThenItsSpaceIsKnown) {
  EXPECT_FALSE(asks_for_space(module_with_cast(false)));
}

TEST(KnownSpaces, GivenASelectedPointer_WhenConvertedBack_ThenTheKernelAsks) {
  EXPECT_TRUE(asks_for_space(module_with_cast(true)));
}

}  // namespace
}  // namespace upsweep::tests
