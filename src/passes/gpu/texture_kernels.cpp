// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the pairs of images and samplers that a kernel reads, and makes the copy that uses textures for them.
#include "passes/gpu/texture_kernels.h"

#include "base/sampler_bits.h"
#include "passes/common/intrinsics.h"
#include "passes/common/optimise.h"
#include "passes/gpu/gpu_kernels.h"
#include "targets/cuda/kernel_abi.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr unsigned kMostParameterBytes = 4096;  // per launch, before CUDA 12.1 and sm_70's successors
constexpr upsweep_u32 kPlainBits =
    UPSWEEP_SAMPLER_NORMALIZED | UPSWEEP_SAMPLER_ADDRESS_MASK | UPSWEEP_SAMPLER_NEAREST | UPSWEEP_SAMPLER_LINEAR;

bool asks_for_texture(Ups intrinsic) {
  return intrinsic == Ups::kHasTexture || intrinsic == Ups::kTexture || intrinsic == Ups::kTextureField;
}

SmallVector<CallInst *, 16> questions_of(Function &kernel) {
  SmallVector<CallInst *, 16> calls;
  for (Instruction &instruction : instructions(kernel))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && asks_for_texture(intrinsic_of(*call))) calls.push_back(call);
  return calls;
}

/// The argument or constant from which a handle comes.
const Value *origin_of(const Value *handle) {
  for (;;) {
    const auto *cast = dyn_cast<Operator>(handle);
    if (!cast || !Instruction::isCast(cast->getOpcode())) return handle;
    handle = cast->getOperand(0);
  }
}

std::optional<UpsweepTextureUse> use_of(const CallInst &call, const KernelDescription &info) {
  const auto *image = dyn_cast<Argument>(origin_of(call.getArgOperand(0)));
  if (!image || image->getArgNo() >= info.arguments.size() || info.arguments[image->getArgNo()].kind != ArgumentKind::kImage)
    return std::nullopt;
  const Value *sampler = origin_of(call.getArgOperand(1));
  if (const auto *bits = dyn_cast<ConstantInt>(sampler))
    return UpsweepTextureUse{image->getArgNo(), static_cast<upsweep_u32>(bits->getZExtValue()) & kPlainBits, 0};
  const auto *argument = dyn_cast<Argument>(sampler);
  if (!argument || argument->getArgNo() >= info.arguments.size() ||
      info.arguments[argument->getArgNo()].kind != ArgumentKind::kSampler)
    return std::nullopt;
  return UpsweepTextureUse{image->getArgNo(), argument->getArgNo(), 1};
}

/// The index in `uses` of each query's pair; empty if a query has no such pair, or if there are too many.
std::optional<SmallVector<unsigned, 16>> number_pairs(ArrayRef<CallInst *> calls, const KernelDescription &info,
                                                      std::vector<UpsweepTextureUse> &uses) {
  SmallVector<unsigned, 16> numbers;
  for (const CallInst *call : calls) {
    const std::optional<UpsweepTextureUse> use = use_of(*call, info);
    if (!use) return std::nullopt;
    const auto known = find_if(uses, [&](const UpsweepTextureUse &other) {
      return other.image == use->image && other.sampler == use->sampler &&
             other.sampler_is_argument == use->sampler_is_argument;
    });
    numbers.push_back(static_cast<unsigned>(known - uses.begin()));
    if (known == uses.end()) uses.push_back(*use);
  }
  const size_t bytes = info.argument_block_bytes + sizeof(UpsweepGrid) + uses.size() * sizeof(UpsweepTexture);
  if (uses.size() > UPSWEEP_CUDA_MOST_TEXTURES || bytes > kMostParameterBytes) return std::nullopt;
  return numbers;
}

void replace(CallInst &call, Value *value) {
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

/// The value of a query about pair `number`, in a kernel with textures.
Value *answer(CallInst &call, unsigned number, bool has_orders) {
  IRBuilder<> builder(&call);
  if (intrinsic_of(call) == Ups::kHasTexture) return ConstantInt::get(call.getType(), 1);
  const uint64_t field = intrinsic_of(call) == Ups::kTexture ? offsetof(UpsweepTexture, handle)
                                                             : cast<ConstantInt>(call.getArgOperand(2))->getZExtValue();
  if (field == offsetof(UpsweepTexture, order) && !has_orders) return ConstantInt::get(call.getType(), 0);
  const uint64_t offset = sizeof(UpsweepGrid) + number * sizeof(UpsweepTexture) + field;
  Function &kernel = *call.getFunction();
  Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), kernel.getArg(kernel.arg_size() - 1), offset);
  LoadInst *load = builder.CreateAlignedLoad(call.getType(), place, Align(call.getType()->getPrimitiveSizeInBits() / 8));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

Function *copy_with_textures(Kernel &kernel, ArrayRef<CallInst *> calls, ArrayRef<unsigned> numbers, bool has_orders) {
  ValueToValueMapTy values;
  Function *copy = CloneFunction(kernel.item, values);
  copy->setName(kernel.description.name + (has_orders ? UPSWEEP_CUDA_ORDERS_SUFFIX : UPSWEEP_CUDA_TEXTURES_SUFFIX));
  limit_threads(*copy, kernel.description);
  const unsigned grid = copy->arg_size() - 1;
  const size_t bytes = sizeof(UpsweepGrid) + kernel.texture_uses.size() * sizeof(UpsweepTexture);
  LLVMContext &context = copy->getContext();
  copy->removeParamAttr(grid, Attribute::ByVal);
  copy->addParamAttr(grid, Attribute::getWithByValType(context, ArrayType::get(Type::getInt64Ty(context), bytes / 8)));
  for (auto [call, number] : zip(calls, numbers)) {
    auto *copied = cast<CallInst>(values[call]);
    replace(*copied, answer(*copied, number, has_orders));
  }
  return copy;
}

}  // namespace

void make_texture_kernel(Kernel &kernel, Program &program) {
  if (questions_of(*kernel.item).empty()) return;
  FunctionPassManager simplify = simplify_passes();
  run_on(*kernel.item, simplify, *program.functions);  // moves arguments out of Clang's variables
  const SmallVector<CallInst *, 16> calls = questions_of(*kernel.item);
  if (const auto numbers = number_pairs(calls, kernel.description, kernel.texture_uses); numbers && !calls.empty()) {
    kernel.textures = copy_with_textures(kernel, calls, *numbers, false);
    kernel.orders = copy_with_textures(kernel, calls, *numbers, true);
    for (Function *copy : {kernel.textures, kernel.orders}) run_on(*copy, simplify, *program.functions);
  } else {
    kernel.texture_uses.clear();
  }
  for (CallInst *call : calls) replace(*call, Constant::getNullValue(call->getType()));
  run_on(*kernel.item, simplify, *program.functions);
}

}  // namespace upsweep::passes
