// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps variables separate if possible: the optimiser can tell two variables apart, but not two offsets in one.
#include "passes/gpu/gpu_local_memory.h"

#include "passes/common/local_variables.h"
#include "passes/gpu/gpu_kernels.h"
#include "targets/cuda/kernel_abi.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr uint64_t kMostDeclared = uint64_t{48} << 10;
constexpr uint64_t kSharedAlign = 128;

static_assert(kGpuPlaceBytes == 8 * (UPSWEEP_CUDA_MAX_WORK_GROUP_SIZE / UPSWEEP_CUDA_SUB_GROUP_SIZE),
              "a slot of 8 bytes for each warp");

GlobalVariable *new_shared_variable(Module &module, StringRef name, uint64_t bytes, GlobalValue::LinkageTypes linkage,
                                    uint64_t align = kSharedAlign) {
  Type *type = ArrayType::get(Type::getInt8Ty(module.getContext()), bytes);
  Constant *contents = linkage == GlobalValue::ExternalLinkage ? nullptr : UndefValue::get(type);
  auto *variable =
      new GlobalVariable(module, type, false, linkage, contents, name, nullptr, GlobalValue::NotThreadLocal, kNvptxShared);
  variable->setAlignment(Align(align));
  return variable;
}

GlobalVariable *shared_variable(Module &module, StringRef name, uint64_t bytes, GlobalValue::LinkageTypes linkage,
                                uint64_t align = kSharedAlign) {
  GlobalVariable *known = module.getNamedGlobal(name);
  return known ? known : new_shared_variable(module, name, bytes, linkage, align);
}

}  // namespace

GlobalVariable *gpu_scratch(Module &module, uint64_t bytes) {
  return new_shared_variable(module, "upsweep_scratch", bytes, GlobalValue::InternalLinkage);
}

GlobalVariable *gpu_values(Module &module) {
  return shared_variable(module, "upsweep_values", kGpuValuesBytes, GlobalValue::InternalLinkage);
}

GlobalVariable *gpu_bulk_barrier(Module &module) {
  return shared_variable(module, "upsweep_bulk_barrier", kGpuBulkBarrierBytes, GlobalValue::InternalLinkage,
                         kGpuBulkBarrierBytes);
}

GlobalVariable *gpu_dynamic_local(Module &module, Align align) {
  GlobalVariable *memory = shared_variable(module, "upsweep_dynamic_local", 0, GlobalValue::ExternalLinkage);
  memory->setAlignment(std::max(memory->getAlign().valueOrOne(), align));
  return memory;
}

void keep_null_pointers(Function &function) {
  SmallVector<AddrSpaceCastInst *, 8> casts;
  for (Instruction &instruction : instructions(function)) {
    auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction);
    if (cast && (cast->getSrcAddressSpace() == kNvptxShared || cast->getDestAddressSpace() == kNvptxShared) &&
        !isa<GlobalVariable>(getUnderlyingObject(cast->getPointerOperand())))
      casts.push_back(cast);
  }
  for (AddrSpaceCastInst *cast : casts) {
    IRBuilder<> builder(cast->getNextNode());
    Value *is_null = builder.CreateIsNull(cast->getPointerOperand());
    Value *value = builder.CreateSelect(is_null, Constant::getNullValue(cast->getType()), cast);
    cast->replaceUsesWithIf(value, [&](Use &use) { return use.getUser() != value; });
  }
}

void align_locals(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == kNvptxShared && module.getDataLayout().getTypeAllocSize(variable.getValueType()) >= 16)
      variable.setAlignment(std::max(variable.getAlign().valueOrOne(), Align(16)));
}

namespace {

/// Returns the bytes of dynamic memory.
uint64_t move_large_locals(Function &kernel) {
  const LocalLayout locals = lay_out_locals(kernel);
  // The assembler may use a looser layout, with a gap of up to the alignment before each variable.
  const uint64_t own_bytes = kGpuScratchBytes + kGpuValuesBytes + kGpuBulkBarrierBytes;
  if (locals.bytes + locals.offsets.size() * kSharedAlign + own_bytes <= kMostDeclared) return 0;
  GlobalVariable *memory = gpu_dynamic_local(*kernel.getParent(), locals.align);
  place_locals(kernel, locals, [&](IRBuilder<> &) { return memory; });
  return alignTo(locals.bytes, kSharedAlign);
}

}  // namespace

void move_kernel_locals(Kernel &kernel, Program &) {
  uint64_t &bytes = kernel.description.local_bytes;
  bytes = move_large_locals(*kernel.item);
  for (Function *other : {kernel.edges, kernel.textures, kernel.orders})
    if (other) bytes = std::max(bytes, move_large_locals(*other));
}

}  // namespace upsweep::passes
