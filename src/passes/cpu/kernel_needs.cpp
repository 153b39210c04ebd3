// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes sizes from an item's instructions.
#include "passes/cpu/kernel_needs.h"

#include "passes/common/kernel_info.h"
#include "passes/cpu/polling_loops.h"
#include "passes/cpu/required_size.h"
#include "passes/cpu/stack_use.h"
#include "targets/cpu/kernel_abi.h"

#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

// Calls that need the driver's record of the enqueued commands.
constexpr Ups kEnqueuing[] = {Ups::kEnqueue, Ups::kEvent, Ups::kBlockQuery, Ups::kDefaultQueue};

// Number of lanes for a kernel that neither requires a number nor can observe it. Kernels that compute with wide vectors get
// fewer, so that a vector of all lanes takes at most four registers. (A chain of multiply-adds on float16 runs 3 times faster
// with 4 lanes than with 16.)
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

Error check_local_alignment(const Kernel &kernel) {
  uint64_t largest = kernel.locals.align.value();
  for (const ArgumentDescription &argument : kernel.description.arguments)
    if (argument.kind == ArgumentKind::kLocal) largest = std::max<uint64_t>(largest, argument.align);
  if (largest <= UPSWEEP_LOCAL_ALIGN) return Error::success();
  return createStringError("error: kernel '" + kernel.description.name + "' asks for local memory aligned to " +
                           std::to_string(largest) + " bytes; the largest alignment is " + std::to_string(UPSWEEP_LOCAL_ALIGN) +
                           "\n");
}

}  // namespace

bool tells_sub_groups(const Function &item) {
  return any_of(instructions(item), [](const Instruction &instruction) {
    const UpsFunction &callee = ups_function(instruction);
    return callee.is_of_sub_group() || callee.id == Ups::kLane || callee.id == Ups::kSubGroupId ||
           callee.id == Ups::kMaxSubGroupSize;
  });
}

Error find_needs(Kernel &kernel, Program &program) {
  KernelDescription &description = kernel.description;
  const uint32_t required = description.required_sub_group_size;
  const unsigned fitting = fitting_lanes(*kernel.item, program.options.sub_group_size);
  description.sub_group_size = required ? required : std::min(fitting, most_lanes(kernel, program.options.sub_group_size));
  kernel.units.sub_group_size = description.sub_group_size;
  kernel.units.yield = calls(*kernel.item, Ups::kYield);
  kernel.polls = kernel.item->hasFnAttribute(kPollsAttribute);
  kernel.locals = lay_out_locals(*kernel.item);
  description.local_bytes = kernel.locals.bytes;
  description.private_bytes = stack_bytes(*kernel.item);
  description.prints = calls(*kernel.item, Ups::kPrintf);
  description.enqueues = any_of(kEnqueuing, [&](Ups intrinsic) { return calls(*kernel.item, intrinsic); });
  description.tells_overlap = calls(*kernel.item, Ups::kArgumentsApart);
  return check_local_alignment(kernel);
}

}  // namespace upsweep::passes
