// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly with the source's lines, read from texts.
#include "cli/machine_code.h"

#include <gtest/gtest.h>

using namespace upsweep::cli;

namespace {

std::string joined(const std::vector<MachineLine> &code) {
  std::string text;
  for (const MachineLine &each : code) text += std::to_string(each.line) + " " + each.text + "\n";
  return text;
}

}  // namespace

TEST(MachineCode, GivenAssembly_WhenItIsRead_ThenInstructionsHaveTheLinesOfTheSourceAlone) {
  const char *assembly = R"(	.text
	.file	"k.cl"
	.section	.rodata,"a",@progbits
.LCPI0_0:
	.long	7
	.text
	.type	f.entry,@function
f.entry:                                # @f.entry
.Lfunc_begin0:
	.file	1 "/home/ada" "k.cl"
	.file	2 "/home/ada/other.h"
	.loc	1 3 5 prologue_end              # k.cl:3:5
	pushq	%rbp
	.loc	2 9 1
	nop
	.loc	1 4 0 is_stmt 0
.LBB0_1:                                # =>This Inner Loop
	vmovups	(%rax,%rcx), %ymm0      # encoding
	jne	.LBB0_1
.Ltmp0:
	.loc	1 0 9
	retq
g.entry:
	retq
)";
  EXPECT_EQ(joined(parse_assembly(assembly, "folder/k.cl")),
            "0 f.entry:\n3 pushq\t%rbp\n0 nop\n4 .LBB0_1:\n4 vmovups\t(%rax,%rcx), %ymm0\n4 jne\t.LBB0_1\n0 retq\n"
            "0 g.entry:\n0 retq\n");
}

TEST(MachineCode, GivenTextsThatAreNoAssembly_WhenTheyAreRead_ThenNothingBreaks) {
  for (const char *text :
       {"", "\n\n", ".loc", ".loc x", ".file", ".file 1", ".file 1 \"", ":", " # ", ".loc 99999999999999999999 1"})
    EXPECT_LE(parse_assembly(text, "k.cl").size(), 1U) << text;
}
