// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The size becomes a constant before votes are written, so that no vote is in code for another size.
#include "passes/gpu/sub_group_sizes.h"

#include "passes/common/intrinsics.h"
#include "targets/cuda/kernel_abi.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/SCCP.h>

using namespace llvm;

namespace upsweep::passes {

void fold_sub_group_size(Kernel &kernel, Program &program) {
  bool has_changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(*kernel.item))) {
    if (intrinsic_of(instruction) != Ups::kMaxSubGroupSize) continue;
    instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), kernel.description.sub_group_size));
    instruction.eraseFromParent();
    has_changed = true;
  }
  if (!has_changed) return;
  FunctionAnalysisManager &analyses = *program.functions;
  analyses.invalidate(*kernel.item, PreservedAnalyses::none());
  analyses.invalidate(*kernel.item, SCCPPass().run(*kernel.item, analyses));
}

Error set_gpu_sub_group_size(KernelDescription &kernel) {
  const uint32_t required = kernel.required_sub_group_size;
  kernel.sub_group_size = required ? required : UPSWEEP_CUDA_SUB_GROUP_SIZE;
  if (is_contained({0U, 8U, 16U, UPSWEEP_CUDA_SUB_GROUP_SIZE}, required)) return Error::success();
  return createStringError("error: kernel '" + kernel.name + "' requires sub-groups of " + std::to_string(required) +
                           " work-items; the GPU supports 8, 16 and 32\n");
}

}  // namespace upsweep::passes
