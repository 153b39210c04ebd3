// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's body moves into a function with one parameter more. Pointers to local memory arrive as offsets.
#include "passes/gpu/gpu_kernels.h"

#include "passes/common/flat_memory.h"
#include "passes/common/intrinsics.h"
#include "passes/common/kernel_info.h"
#include "passes/common/link_builtins.h"
#include "passes/gpu/gpu_local_memory.h"
#include "passes/gpu/nvptx_repairs.h"
#include "targets/cuda/kernel_abi.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstddef>

using namespace llvm;

namespace upsweep::passes {
namespace {

Type *grid_type(LLVMContext &context) { return ArrayType::get(Type::getInt64Ty(context), sizeof(UpsweepGrid) / 8); }

}  // namespace

void limit_threads(Function &kernel, const KernelDescription &info) {
  uint64_t threads = 1;
  for (uint32_t size : info.required_local_size) threads *= size;
  if (threads == 0) return;
  LLVMContext &context = kernel.getContext();
  auto *number = ConstantInt::get(Type::getInt32Ty(context), threads);
  kernel.getParent()
      ->getOrInsertNamedMetadata("nvvm.annotations")
      ->addOperand(MDNode::get(
          context, {ValueAsMetadata::get(&kernel), MDString::get(context, "maxntidx"), ConstantAsMetadata::get(number)}));
}

namespace {

/// What CUDA passes for a parameter.
Type *parameter_type(const Argument &parameter, ArgumentKind kind) {
  LLVMContext &context = parameter.getContext();
  if (kind == ArgumentKind::kLocal) return Type::getInt32Ty(context);
  return is_pair_of_bytes(parameter.getType()) ? Type::getInt16Ty(context) : parameter.getType();
}

Function *make_kernel(Function &old, const KernelDescription &info) {
  Module &module = *old.getParent();
  LLVMContext &context = module.getContext();
  if (!old.use_empty()) {
    ValueToValueMapTy values;
    Function *copy = CloneFunction(&old, values);
    copy->removeFnAttr(kKernelAttribute);
    old.replaceAllUsesWith(copy);
  }
  SmallVector<Type *, 8> parameters;
  for (auto [parameter, argument] : zip(old.args(), info.arguments))
    parameters.push_back(parameter_type(parameter, argument.kind));
  parameters.push_back(PointerType::get(context, kNvptxGeneric));
  auto *kernel = Function::Create(FunctionType::get(Type::getVoidTy(context), parameters, false), GlobalValue::ExternalLinkage,
                                  0, "", nullptr);
  module.getFunctionList().insert(old.getIterator(), kernel);
  kernel->copyAttributesFrom(&old);
  kernel->removeFnAttr(kKernelAttribute);
  kernel->removeFnAttr(Attribute::NoInline);
  kernel->setCallingConv(CallingConv::PTX_Kernel);
  kernel->IsNewDbgInfoFormat = old.IsNewDbgInfoFormat;
  kernel->splice(kernel->begin(), &old);
  IRBuilder<> builder(&kernel->getEntryBlock(), kernel->getEntryBlock().getFirstInsertionPt());
  for (unsigned i = 0; i < old.arg_size(); ++i) {
    Argument &from = *old.getArg(i), &to = *kernel->getArg(i);
    Value *value = &to;
    if (info.arguments[i].kind == ArgumentKind::kLocal) {
      kernel->setAttributes(kernel->getAttributes().removeParamAttributes(context, i));
      value = builder.CreateInBoundsGEP(builder.getInt8Ty(), gpu_dynamic_local(module, Align(info.arguments[i].align)),
                                        builder.CreateZExt(&to, builder.getInt64Ty()));
    } else if (is_pair_of_bytes(from.getType())) {
      value = builder.CreateBitCast(&to, from.getType());
    }
    from.replaceAllUsesWith(value);
    to.takeName(&from);
  }
  unsigned last = old.arg_size();
  kernel->addParamAttr(last, Attribute::getWithByValType(context, grid_type(context)));
  kernel->addParamAttr(last, Attribute::getWithAlignment(context, Align(8)));
  kernel->getArg(last)->setName("upsweep_grid");
  kernel->takeName(&old);
  old.eraseFromParent();
  limit_threads(*kernel, info);
  return kernel;
}

/// Of async copies (nvptx/async_copy.cl).
constexpr unsigned kGpuBulkStateWords = 3;

constexpr Intrinsic::ID kSizes[] = {Intrinsic::nvvm_read_ptx_sreg_ntid_x, Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                                    Intrinsic::nvvm_read_ptx_sreg_ntid_z};
constexpr Intrinsic::ID kIds[] = {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                  Intrinsic::nvvm_read_ptx_sreg_tid_z};

class GridLowering {
public:
  GridLowering(Kernel &record, Function &kernel, unsigned capability)
      : record_(record), kernel_(kernel), module_(*kernel_.getParent()), grid_(kernel_.getArg(kernel_.arg_size() - 1)),
        capability_(capability) {}
  void run();

private:
  Value *lower(CallInst &call, Ups intrinsic);
  static Value *is_in_space(CallInst &call, Intrinsic::ID which);
  Value *load(CallInst &call, uint64_t offset, Type *type);
  Value *private_words(AllocaInst *&words, unsigned count, const char *name);
  Value *known_size(const IntrinsicInst &read) const;

  Kernel &record_;
  Function &kernel_;
  Module &module_;
  Argument *grid_;
  unsigned capability_;
  AllocaInst *bulk_state_ = nullptr;
};

/// A figure of 3 dimensions, or one number for all where the call has no operand.
Value *GridLowering::load(CallInst &call, uint64_t offset, Type *type) {
  IRBuilder<> builder(&call);
  uint64_t size = module_.getDataLayout().getTypeAllocSize(type);
  Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), grid_, offset);
  if (call.arg_size() == 1) {
    // The library asks for constant dimensions, so this folds.
    Value *dimension = builder.CreateZExt(call.getArgOperand(0), builder.getInt64Ty());
    place = builder.CreateInBoundsGEP(builder.getInt8Ty(), place, builder.CreateMul(dimension, builder.getInt64(size)));
  }
  LoadInst *value = builder.CreateAlignedLoad(type, place, Align(size));
  value->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return value->getType() == call.getType() ? value : builder.CreateZExt(value, call.getType());
}

/// A work-item's state of the library, which starts with 0.
Value *GridLowering::private_words(AllocaInst *&words, unsigned count, const char *name) {
  if (words) return words;
  IRBuilder<> builder(&kernel_.getEntryBlock(), kernel_.getEntryBlock().begin());
  Type *type = ArrayType::get(builder.getInt32Ty(), count);
  words = builder.CreateAlloca(type, nullptr, name);
  builder.CreateStore(Constant::getNullValue(type), words);
  return words;
}

Value *GridLowering::lower(CallInst &call, Ups intrinsic) {
  Type *word = Type::getInt32Ty(call.getContext()), *wide = Type::getInt64Ty(call.getContext());
  switch (intrinsic) {
  case Ups::kFirstId: return load(call, offsetof(UpsweepGrid, first_id), wide);
  case Ups::kGroupBase: return load(call, offsetof(UpsweepGrid, group_base), wide);
  case Ups::kGlobalSize: return load(call, offsetof(UpsweepGrid, global_size), wide);
  case Ups::kGlobalOffset: return load(call, offsetof(UpsweepGrid, global_offset), wide);
  case Ups::kNumGroups: return load(call, offsetof(UpsweepGrid, num_groups), wide);
  case Ups::kEnqueuedLocalSize: return load(call, offsetof(UpsweepGrid, enqueued_local_size), word);
  case Ups::kWorkDim: return load(call, offsetof(UpsweepGrid, work_dim), word);
  case Ups::kPrintfBuffer:
    record_.description.prints = true;
    return load(call, offsetof(UpsweepGrid, printf_buffer), call.getType());
  case Ups::kHasRedux:
  case Ups::kHasAsyncCopy: return ConstantInt::get(call.getType(), capability_ >= kAmpereCapability);
  case Ups::kHasBulkCopy: return ConstantInt::get(call.getType(), capability_ >= kHopperCapability);
  case Ups::kBulkState: return private_words(bulk_state_, kGpuBulkStateWords, "bulk_state");
  case Ups::kValues: return gpu_values(module_);
  case Ups::kBulkBarrier: return gpu_bulk_barrier(module_);
  case Ups::kIsLocal: return is_in_space(call, Intrinsic::nvvm_isspacep_shared);
  case Ups::kIsPrivate: return is_in_space(call, Intrinsic::nvvm_isspacep_local);
  default: return nullptr;
  }
}

Value *GridLowering::is_in_space(CallInst &call, Intrinsic::ID which) {
  IRBuilder<> builder(&call);
  Value *pointer = builder.CreateAddrSpaceCast(call.getArgOperand(0), builder.getPtrTy());
  return builder.CreateIntrinsic(which, {}, {pointer});
}

/// What a required work-group size says about the thread's registers. Not even at edges are there groups of more than one item
/// in a dimension of one.
Value *GridLowering::known_size(const IntrinsicInst &read) const {
  for (unsigned d = 0; d < 3; ++d) {
    const uint32_t size = record_.description.required_local_size[d];
    if (size == 1 && read.getIntrinsicID() == kIds[d]) return ConstantInt::get(read.getType(), 0);
    if (size != 0 && (size == 1 || &kernel_ == record_.item) && read.getIntrinsicID() == kSizes[d])
      return ConstantInt::get(read.getType(), size);
  }
  return nullptr;
}

void GridLowering::run() {
  for (Instruction &instruction : make_early_inc_range(instructions(kernel_))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (auto *read = dyn_cast<IntrinsicInst>(&instruction))
      if (Value *size = known_size(*read)) {
        read->replaceAllUsesWith(size);
        read->eraseFromParent();
        continue;
      }
    Value *value = call ? lower(*call, intrinsic_of(*call)) : nullptr;
    if (!value) continue;
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

// Clang wrote the calls as of any function.
void restore_intrinsics(Module &module) {
  for (Function &function : module)
    if (function.isIntrinsic())
      function.setAttributes(Intrinsic::getAttributes(module.getContext(), function.getIntrinsicID()));
}

// Before their space vanishes.
void mark_constant_loads(Module &module) {
  MDNode *mark = MDNode::get(module.getContext(), {});
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->getPointerAddressSpace() == kConstantSpace)
        load->setMetadata(LLVMContext::MD_invariant_load, mark);
}

void split_edges(Kernel &kernel) {
  const auto &sizes = kernel.description.required_local_size;
  if (kernel.description.uniform_work_group_size || is_contained(sizes, 0U)) return;
  const bool asks = any_of(instructions(*kernel.item), [&](const Instruction &instruction) {
    const auto *read = dyn_cast<IntrinsicInst>(&instruction);
    const auto *of = read ? find(kSizes, read->getIntrinsicID()) : std::end(kSizes);
    return of != std::end(kSizes) && sizes[of - std::begin(kSizes)] != 1;
  });
  if (!asks) return;
  ValueToValueMapTy values;
  kernel.edges = CloneFunction(kernel.item, values);
  kernel.edges->setName(kernel.description.name + UPSWEEP_CUDA_EDGES_SUFFIX);
  limit_threads(*kernel.edges, kernel.description);
}

}  // namespace

void change_gpu_spaces(Module &module) {
  restore_intrinsics(module);
  mark_constant_loads(module);
  change_spaces(module, {kNvptxGeneric, kNvptxGlobal, kNvptxGlobal, kNvptxShared, kNvptxGeneric});
  align_locals(module);
}

Error make_gpu_kernels(Module &module, Program &program) {
  SmallVector<Function *, 8> functions;
  for (Function &function : module)
    if (is_kernel(function)) functions.push_back(&function);
  program.kernels.clear();
  for (Function *function : functions) {
    Kernel &kernel = program.kernels.emplace_back();
    kernel.description = describe_kernel(*function);
    kernel.item = make_kernel(*function, kernel.description);
    const uint32_t size = kernel.description.required_sub_group_size;
    if (size != 0 && size != UPSWEEP_CUDA_SUB_GROUP_SIZE)
      return createStringError("error: kernel '" + kernel.description.name + "' requires sub-groups of " +
                               std::to_string(size) + " work-items; the GPU's have 32\n");
  }
  program.program_scope_bytes = program_scope_bytes(module);
  return Error::success();
}

void lower_grid(Kernel &kernel, Program &program) {
  split_edges(kernel);
  GridLowering(kernel, *kernel.item, program.options.capability).run();
  for (Function *other : {kernel.edges, kernel.textures, kernel.orders})
    if (other) GridLowering(kernel, *other, program.options.capability).run();
}

}  // namespace upsweep::passes
