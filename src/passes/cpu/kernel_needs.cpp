// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that follow from an item's instructions.
#include "passes/cpu/kernel_needs.h"

#include "passes/common/kernel_info.h"
#include "passes/cpu/stack_use.h"

#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

// Lanes for a kernel that neither asks for a number nor can tell: fewer when it computes with wide vectors, so that one of them
// takes no more than four registers for all lanes. (A chain of multiply-adds on float16 runs 3 times faster with 4 lanes than
// with 16.)
unsigned fitting_lanes(const Function &item, unsigned most) {
  if (tells_sub_groups(item)) return most;
  uint64_t widest = 1;
  for (const Instruction &instruction : instructions(item)) {
    if (instruction.getType()->isVectorTy())
      widest = std::max<uint64_t>(widest, instruction.getType()->getPrimitiveSizeInBits().getFixedValue());
  }
  uint64_t register_bits = most * 32;
  return std::clamp<uint64_t>(llvm::bit_floor(4 * register_bits / widest), 4, most);
}

bool calls(const Function &item, StringRef name) {
  return any_of(instructions(item), [&](const Instruction &each) { return callee_name(each) == name; });
}

}  // namespace

bool tells_sub_groups(const Function &item) {
  return any_of(instructions(item), [](const Instruction &instruction) {
    StringRef callee = callee_name(instruction);
    return callee.starts_with("__ups_sg_") || callee == "__ups_lane" || callee == "__ups_sub_group_id" ||
           callee == "__ups_max_sub_group_size";
  });
}

void find_needs(Kernel &kernel, Program &program) {
  KernelDescription &description = kernel.description;
  const uint32_t required = description.required_sub_group_size;
  description.sub_group_size = required ? required : fitting_lanes(*kernel.item, program.options.sub_group_size);
  kernel.units.sub_group_size = description.sub_group_size;
  kernel.units.yield = calls(*kernel.item, "__ups_yield");
  kernel.locals = lay_out_locals(*kernel.item);
  description.local_bytes = kernel.locals.bytes;
  description.private_bytes = stack_bytes(*kernel.item);
  description.prints = calls(*kernel.item, "printf");
}

}  // namespace upsweep::passes
