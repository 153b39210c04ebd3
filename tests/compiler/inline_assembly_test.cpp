// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly strings in the spelling of LLVM's IR.
#include "compiler/safety/inline_assembly.h"

#include <gtest/gtest.h>

namespace upsweep::compiler::test {
namespace {

TEST(InlineAssembly, GivenInstructionsLabelsAndData_WhenChecked_ThenTheyAreTaken) {
  for (const char *text :
       {"", "nop", "movl $$5, $0", "1: jmp 1b", ".Lloop${:uid}:\n jmp .Lloop${:uid}", "jmp .+2", "addsd .LCPI0(%rip), $0",
        ".byte 0x0f, 0x0b", ".BYTE 1", "lock; cmpxchg $2, $1", "$(movl$|mov$) $0, $1", "vaddps ${0:x}, %zmm1, %zmm2",
        "mov 8(%rax,%rbx,4), %rcx", "movsd 1.5, %xmm0", "call memcpy@PLT", ".intel_syntax noprefix\nmov eax, 1", "# a comment"})
    EXPECT_EQ(reason_to_refuse(text), std::nullopt) << text;
}

TEST(InlineAssembly, GivenWhatLeavesTheFunction_WhenChecked_ThenItIsNamed) {
  const std::pair<const char *, const char *> kCases[] = {
      {".section .init_array", "the directive '.section'"},
      {"nop\n.pushsection x", "the directive '.pushsection'"},
      {"nop;.incbin /etc/passwd", "the directive '.incbin'"},
      {"x:.InCbIn /etc/passwd", "the directive '.InCbIn'"},
      {"/**/.include x", "the directive '.include'"},
      {".globl upsweep.code_object", "the directive '.globl'"},
      {".set memcpy, system", "the directive '.set'"},
      {".macro m", "the directive '.macro'"},
      {".type f, @gnu_indirect_function", "the directive '.type'"},
      {".symver f, g@V", "the directive '.symver'"},
      {".rept 1000000000", "the directive '.rept'"},
      {"$(.if 1$|nop$)", "the directive '.if'"},
      {"$0.incbin", "the directive '.incbin'"},
      {"${0:c}.incbin", "the directive '.incbin'"},
      {".inc$(bin$|$)", "the incomplete directive '.inc'"},
      {".${0:c}", "the incomplete directive '.'"},
      {".$0", "the incomplete directive '.'"},
      {".LCOMM x, 5", "the directive '.LCOMM'"},
      {"\".incbin\" x", "a quoted name"},
      {"x = 5", "an assignment to a symbol"},
      {"memcpy == 5", "an assignment to a symbol"},
  };
  for (const auto &[text, reason] : kCases) EXPECT_EQ(reason_to_refuse(text), reason) << text;
}

TEST(InlineAssembly, GivenEndsInTheMiddle_WhenChecked_ThenItEnds) {
  for (const char *text : {"$", "${", "${0", ".", "$0", "a.$"}) (void)reason_to_refuse(text);
}

}  // namespace
}  // namespace upsweep::compiler::test
