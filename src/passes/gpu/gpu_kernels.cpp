// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves a kernel's body into a function with an additional parameter. Pointers to local memory arrive as offsets.
#include "passes/gpu/gpu_kernels.h"

#include "passes/common/block_kernels.h"
#include "passes/common/flat_memory.h"
#include "passes/common/host_variables.h"
#include "passes/common/intrinsics.h"
#include "passes/common/kernel_info.h"
#include "passes/common/link_builtins.h"
#include "passes/gpu/gpu_local_memory.h"
#include "passes/gpu/nvptx_repairs.h"
#include "passes/gpu/sub_group_sizes.h"
#include "passes/gpu/tell_ends.h"
#include "targets/cuda/kernel_abi.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <array>
#include <cstddef>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// The type of a kernel's last parameter: UpsweepGrid or UpsweepItems.
Type *grid_type(LLVMContext &context, bool is_block) {
  return ArrayType::get(Type::getInt64Ty(context), (is_block ? sizeof(UpsweepItems) : sizeof(UpsweepGrid)) / 8);
}

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

/// The type that CUDA passes for a parameter.
Type *parameter_type(const Argument &parameter, ArgumentKind kind) {
  LLVMContext &context = parameter.getContext();
  if (kind == ArgumentKind::kLocal) return Type::getInt32Ty(context);
  return is_pair_of_bytes(parameter.getType()) ? Type::getInt16Ty(context) : parameter.getType();
}

Value *local_at(IRBuilder<> &builder, Value *offset, uint64_t alignment) {
  Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), gpu_dynamic_local(module, Align(alignment)),
                                   builder.CreateZExt(offset, builder.getInt64Ty()));
}

/// The value of a kernel's parameter `from`, passed as `to`.
Value *passed_value(IRBuilder<> &builder, const Argument &from, Argument &to, const ArgumentDescription &argument) {
  if (argument.kind == ArgumentKind::kLocal) {
    to.getParent()->setAttributes(to.getParent()->getAttributes().removeParamAttributes(to.getContext(), to.getArgNo()));
    return local_at(builder, &to, argument.align);
  }
  return is_pair_of_bytes(from.getType()) ? builder.CreateBitCast(&to, from.getType()) : &to;
}

/// Reads a block's literal and local pointers from its item's argument block.
void read_block_arguments(IRBuilder<> &builder, Function &old, const KernelDescription &info) {
  Module &module = *builder.GetInsertBlock()->getModule();
  LLVMContext &context = builder.getContext();
  Type *wide = builder.getInt64Ty();
  const auto address_of = [&](Value *base, uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  };
  const auto load = [&](Type *type, Value *address) {
    LoadInst *value = builder.CreateAlignedLoad(type, address, Align(8));
    value->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
    return value;
  };
  Type *pointer = PointerType::get(context, kNvptxGlobal);
  auto *arguments = builder.CreateCall(module.getOrInsertFunction(name_of(Ups::kItemArguments), pointer));
  Argument &literal = *old.getArg(0);
  literal.replaceAllUsesWith(
      builder.CreateAddrSpaceCast(address_of(arguments, info.argument_block_bytes), literal.getType(), "literal"));
  for (const auto &[i, argument] : enumerate(info.arguments))
    old.getArg(static_cast<unsigned>(i) + 1)
        ->replaceAllUsesWith(local_at(builder, load(wide, address_of(arguments, argument.offset)), argument.align));
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
  if (!info.is_block)
    for (auto [parameter, argument] : zip(old.args(), info.arguments))
      parameters.push_back(parameter_type(parameter, argument.kind));
  parameters.push_back(PointerType::get(context, kNvptxGeneric));
  auto *kernel = Function::Create(FunctionType::get(Type::getVoidTy(context), parameters, false), GlobalValue::ExternalLinkage,
                                  0, "", nullptr);
  module.getFunctionList().insert(old.getIterator(), kernel);
  if (info.is_block)
    kernel->addFnAttrs(AttrBuilder(context, old.getAttributes().getFnAttrs()));
  else
    kernel->copyAttributesFrom(&old);
  kernel->removeFnAttr(kKernelAttribute);
  kernel->removeFnAttr(Attribute::NoInline);
  kernel->setCallingConv(CallingConv::PTX_Kernel);
  kernel->IsNewDbgInfoFormat = old.IsNewDbgInfoFormat;
  kernel->splice(kernel->begin(), &old);
  kernel->setSubprogram(old.getSubprogram());
  IRBuilder<> builder(&kernel->getEntryBlock(), kernel->getEntryBlock().getFirstInsertionPt());
  if (info.is_block) read_block_arguments(builder, old, info);
  const unsigned last = kernel->arg_size() - 1;
  for (unsigned i = 0; i < last; ++i) {
    Argument &from = *old.getArg(i), &to = *kernel->getArg(i);
    from.replaceAllUsesWith(passed_value(builder, from, to, info.arguments[i]));
    to.takeName(&from);
  }
  kernel->addParamAttr(last, Attribute::getWithByValType(context, grid_type(context, info.is_block)));
  kernel->addParamAttr(last, Attribute::getWithAlignment(context, Align(8)));
  kernel->getArg(last)->setName(info.is_block ? "upsweep_items" : "upsweep_grid");
  kernel->takeName(&old);
  old.eraseFromParent();
  add_end(*kernel);
  limit_threads(*kernel, info);
  return kernel;
}

/// Used by async copies (nvptx/async_copy.cl).
constexpr unsigned kGpuBulkStateWords = 3;

constexpr Intrinsic::ID kSizes[] = {Intrinsic::nvvm_read_ptx_sreg_ntid_x, Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                                    Intrinsic::nvvm_read_ptx_sreg_ntid_z};
constexpr Intrinsic::ID kBlockIds[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                       Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
constexpr Intrinsic::ID kIds[] = {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                  Intrinsic::nvvm_read_ptx_sreg_tid_z};

class GridLowering {
public:
  GridLowering(Kernel &record, Function &kernel, unsigned capability)
      : record_(record), kernel_(kernel), module_(*kernel_.getParent()), parameter_(kernel_.getArg(kernel_.arg_size() - 1)),
        grid_(parameter_), capability_(capability) {}
  void run();

private:
  void find_item();
  Value *lower(CallInst &call, Ups intrinsic);
  static Value *is_in_space(CallInst &call, Intrinsic::ID which);
  Value *load(CallInst &call, uint64_t offset, Type *type);
  Value *private_words(AllocaInst *&words, unsigned count, const char *name);
  Value *known_size(const IntrinsicInst &read) const;

  Kernel &record_;
  Function &kernel_;
  Module &module_;
  Argument *parameter_;  ///< the UpsweepGrid, or UpsweepItems
  /// address of the UpsweepGrid; for a block's kernel, of the UpsweepItem that starts with it
  Value *grid_;
  Value *arguments_ = nullptr;          ///< of a block's kernel
  BasicBlock *body_ = nullptr;          ///< of a block's kernel: where the item is known
  std::array<Value *, 3> block_ids_{};  ///< of a block's kernel
  unsigned capability_;
  AllocaInst *bulk_state_ = nullptr;
};

/// Loads a value with 3 dimensions, or a single value if the call has no operand.
Value *GridLowering::load(CallInst &call, uint64_t offset, Type *type) {
  IRBuilder<> builder(&call);
  // An item may be in host memory, so load all of its fields together.
  if (body_ && call.arg_size() == 0) builder.SetInsertPoint(body_, body_->getFirstInsertionPt());
  uint64_t size = module_.getDataLayout().getTypeAllocSize(type);
  Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), grid_, offset);
  if (call.arg_size() == 1) {
    // The library only passes constant dimensions, so this folds.
    Value *dimension = builder.CreateZExt(call.getArgOperand(0), builder.getInt64Ty());
    place = builder.CreateInBoundsGEP(builder.getInt8Ty(), place, builder.CreateMul(dimension, builder.getInt64(size)));
  }
  LoadInst *value = builder.CreateAlignedLoad(type, place, Align(size));
  value->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return value->getType() == call.getType() ? value : builder.CreateZExt(value, call.getType());
}

/// A work-item's private state for the library, initially 0.
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
  case Ups::kTree: record_.description.enqueues = true; return load(call, offsetof(UpsweepGrid, tree), wide);
  case Ups::kCommand: return load(call, offsetof(UpsweepGrid, command), wide);
  case Ups::kItemArguments: return arguments_;
  case Ups::kGridEnd:
    if (!record_.description.is_block) return ConstantInt::get(word, 0);
    return IRBuilder<>(&call).CreateAlignedLoad(
        word,
        IRBuilder<>(&call).CreateConstInBoundsGEP1_64(Type::getInt8Ty(call.getContext()), parameter_,
                                                      offsetof(UpsweepItems, end)),
        Align(4));
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

/// Derives the range of thread registers from a required work-group size. A dimension of size one has only one work-item, even
/// at edges.
Value *GridLowering::known_size(const IntrinsicInst &read) const {
  for (unsigned d = 0; d < 3; ++d) {
    const uint32_t size = record_.description.required_local_size[d];
    if (size == 1 && read.getIntrinsicID() == kIds[d]) return ConstantInt::get(read.getType(), 0);
    if (size != 0 && (size == 1 || &kernel_ == record_.item) && read.getIntrinsicID() == kSizes[d])
      return ConstantInt::get(read.getType(), size);
  }
  return nullptr;
}

/// A block's kernel first finds the work-group's item, if there are any.
void GridLowering::find_item() {
  BasicBlock &entry = kernel_.getEntryBlock();
  for (Instruction &instruction : make_early_inc_range(entry))
    if (isa<AllocaInst>(instruction)) instruction.moveBefore(entry, entry.begin());
  BasicBlock *body = entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca());
  entry.getTerminator()->eraseFromParent();
  LLVMContext &context = kernel_.getContext();
  auto *exit = BasicBlock::Create(context, "", &kernel_);
  ReturnInst::Create(context, exit);

  IRBuilder<> builder(&entry);
  Type *word = builder.getInt32Ty(), *wide = builder.getInt64Ty(), *byte = builder.getInt8Ty();
  Type *pointer = PointerType::get(context, kNvptxGlobal);
  const auto field = [&](Type *type, Value *base, uint64_t offset) {
    LoadInst *value = builder.CreateAlignedLoad(type, builder.CreateConstInBoundsGEP1_64(byte, base, offset), Align(4));
    value->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
    return value;
  };
  Value *items = field(pointer, grid_, offsetof(UpsweepItems, items));
  builder.CreateCondBr(builder.CreateIsNull(items), exit, body);

  builder.SetInsertPoint(&body->front());
  std::array<Value *, 3> ids{};
  for (unsigned d = 0; d < 3; ++d) ids[d] = builder.CreateIntrinsic(kBlockIds[d], {}, {});
  Value *mask = field(word, grid_, offsetof(UpsweepItems, block_mask));
  Value *item_of = field(pointer, grid_, offsetof(UpsweepItems, item_of));
  Value *arguments = field(pointer, grid_, offsetof(UpsweepItems, arguments));
  // A grid's only item is found without a look-up in the table, whose latency would delay all later code.
  BasicBlock *const before = builder.GetInsertBlock();
  Instruction *const in_table = SplitBlockAndInsertIfThen(builder.CreateIsNotNull(mask), builder.GetInsertPoint(), false);
  BasicBlock *const after = in_table->getSuccessor(0);

  builder.SetInsertPoint(in_table);
  Value *its = builder.CreateInBoundsGEP(wide, item_of, builder.CreateZExt(ids[0], wide));
  static_assert(sizeof(UpsweepItemOfBlock) == sizeof(uint64_t));
  Value *number = field(word, its, offsetof(UpsweepItemOfBlock, number));
  Value *item = builder.CreateInBoundsGEP(
      byte, items, builder.CreateMul(builder.CreateZExt(number, wide), builder.getInt64(sizeof(UpsweepItem))));
  Value *its_arguments = builder.CreateInBoundsGEP(
      byte, arguments, builder.CreateZExt(field(word, its, offsetof(UpsweepItemOfBlock, arguments)), wide));
  Value *block = builder.CreateSub(ids[0], field(word, item, offsetof(UpsweepItem, first_block)));
  Value *width = field(word, item, offsetof(UpsweepItem, width)), *height = field(word, item, offsetof(UpsweepItem, height));
  Value *row = builder.CreateUDiv(block, width);
  const std::array<Value *, 3> its_ids{builder.CreateURem(block, width), builder.CreateURem(row, height),
                                       builder.CreateUDiv(row, height)};

  builder.SetInsertPoint(after, after->begin());
  const auto either = [&](Value *of_table, Value *of_only_item) {
    PHINode *value = builder.CreatePHI(of_table->getType(), 2);
    value->addIncoming(of_table, in_table->getParent());
    value->addIncoming(of_only_item, before);
    return value;
  };
  grid_ = either(item, items);
  grid_->setName("item");
  arguments_ = either(its_arguments, arguments);
  for (unsigned d = 0; d < 3; ++d) block_ids_[d] = either(its_ids[d], ids[d]);
  body_ = after;
}

void GridLowering::run() {
  SmallVector<IntrinsicInst *, 8> block_ids;
  if (record_.description.is_block) {
    for (Instruction &instruction : instructions(kernel_))
      if (auto *read = dyn_cast<IntrinsicInst>(&instruction); read && is_contained(kBlockIds, read->getIntrinsicID()))
        block_ids.push_back(read);
    find_item();
  }
  for (IntrinsicInst *read : block_ids) {
    read->replaceAllUsesWith(block_ids_[static_cast<size_t>(find(kBlockIds, read->getIntrinsicID()) - std::begin(kBlockIds))]);
    read->eraseFromParent();
  }
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

// Restores the attributes of intrinsics, which Clang set as for any function.
void restore_intrinsics(Module &module) {
  for (Function &function : module)
    if (function.isIntrinsic())
      function.setAttributes(Intrinsic::getAttributes(module.getContext(), function.getIntrinsicID()));
}

// Runs before the address space is lost.
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
    if (is_kernel(function) && !function.hasFnAttribute(kBlockAttribute)) functions.push_back(&function);
  append_range(functions, block_kernels(module));
  program.kernels.clear();
  for (Function *function : functions) {
    Kernel &kernel = program.kernels.emplace_back();
    kernel.description = describe_kernel(*function);
    kernel.item = make_kernel(*function, kernel.description);
    if (Error error = set_gpu_sub_group_size(kernel.description)) return error;
  }
  program.program_scope_bytes = program_scope_bytes(module);
  // The CUDA driver finds visible variables by their names.
  for (const HostVariable &host : host_variables(module)) host.variable->setLinkage(GlobalValue::ExternalLinkage);
  return Error::success();
}

Error lower_grid(Kernel &kernel, Program &program) {
  split_edges(kernel);
  GridLowering(kernel, *kernel.item, program.options.capability).run();
  for (Function *other : {kernel.edges, kernel.textures, kernel.orders})
    if (other) GridLowering(kernel, *other, program.options.capability).run();
  // Otherwise the host would wait forever.
  if (kernel.description.enqueues && !kernel.item->hasFnAttribute(kTellsEnd))
    return createStringError("internal error: kernel '" + kernel.description.name + "' does not tell its end\n");
  return Error::success();
}

}  // namespace upsweep::passes
