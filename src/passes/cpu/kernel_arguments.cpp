// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel arguments are loaded from memory that is constant while the kernel runs: loads are invariant, and structs are read in
// place.
#include "passes/cpu/kernel_arguments.h"

#include "passes/common/block_kernels.h"
#include "passes/common/kernel_info.h"
#include "passes/common/link_builtins.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

// Marks the address of a by-value struct in the block; the operands are the struct's size and alignment.
constexpr StringLiteral kStructMark = "upsweep.struct";

Value *load_argument(IRBuilder<> &builder, Value *block, const Function &kernel, unsigned index,
                     const ArgumentDescription &argument) {
  Module &module = *builder.GetInsertBlock()->getModule();
  LLVMContext &context = builder.getContext();
  const Argument &parameter = *kernel.getArg(index);
  Align align = commonAlignment(Align(kLargestAlign), argument.offset);
  if (Type *structure = parameter.getParamByValType()) {
    // A GEP with an offset that is not folded, to carry the mark.
    auto *place = GetElementPtrInst::CreateInBounds(builder.getInt8Ty(), block, builder.getInt64(argument.offset));
    builder.Insert(place, parameter.getName());
    uint64_t bytes = module.getDataLayout().getTypeAllocSize(structure);
    place->setMetadata(
        kStructMark,
        MDNode::get(context, {ConstantAsMetadata::get(builder.getInt64(bytes)),
                              ConstantAsMetadata::get(builder.getInt64(parameter.getParamAlign().valueOrOne().value()))}));
    return place;
  }
  Value *address =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, argument.offset, parameter.getName() + ".address");
  bool is_local = argument.kind == ArgumentKind::kLocal;
  Type *type = is_local ? builder.getInt64Ty() : parameter.getType();
  Align load_align = std::min(align, module.getDataLayout().getABITypeAlign(type));
  LoadInst *load = builder.CreateAlignedLoad(type, address, load_align, parameter.getName());
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  load->setMetadata(LLVMContext::MD_noundef, MDNode::get(context, {}));
  if (!is_local) return load;
  Value *base = builder.CreateCall(declare_query(module, Ups::kLocal, builder.getPtrTy()));
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), base, load);
}

Function *make_item(Function &kernel, const KernelDescription &info) {
  Module &module = *kernel.getParent();
  LLVMContext &context = module.getContext();
  Function *item = Function::Create(FunctionType::get(Type::getVoidTy(context), false), GlobalValue::InternalLinkage,
                                    kernel.getName() + ".item", module);
  item->addFnAttrs(AttrBuilder(context, kernel.getAttributes().getFnAttrs()));
  item->removeFnAttr(kKernelAttribute);
  item->removeFnAttr(Attribute::NoInline);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", item));
  if (DISubprogram *program = kernel.getSubprogram()) {
    item->setSubprogram(program);
    kernel.setSubprogram(nullptr);
  }
  CallInst *block = builder.CreateCall(declare_query(module, Ups::kArguments, builder.getPtrTy()));
  block->addDereferenceableRetAttr(info.argument_block_bytes);
  SmallVector<Value *, 8> arguments;
  // The literal of a block; the kernel's other arguments are all local.
  if (info.is_block)
    arguments.push_back(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, info.argument_block_bytes, "literal"));
  for (const ArgumentDescription &argument : info.arguments)
    arguments.push_back(load_argument(builder, block, kernel, static_cast<unsigned>(arguments.size()), argument));
  CallInst *call = builder.CreateCall(&kernel, arguments);
  // No copy at this call: copy_written_arguments() makes it if needed. Calls from other kernels have byval themselves.
  for (unsigned i = 0; i < kernel.arg_size(); ++i) kernel.removeParamAttr(i, Attribute::ByVal);
  call->setAttributes(kernel.getAttributes().removeFnAttributes(context));
  builder.CreateRetVoid();
  return item;
}

bool is_only_read(Value &address) {
  for (User *user : address.users()) {
    if (isa<LoadInst>(user)) continue;
    if (isa<GetElementPtrInst>(user) || isa<PHINode>(user) || isa<SelectInst>(user)) {
      if (isa<GetElementPtrInst>(user) && is_only_read(*user)) continue;
      return false;
    }
    if (auto *copy = dyn_cast<MemCpyInst>(user))
      if (copy->getRawSource() == &address && copy->getRawDest() != &address && !copy->isVolatile()) continue;
    return false;
  }
  return true;
}

void copy_argument(Function &item, GetElementPtrInst &place, uint64_t bytes, Align align) {
  BasicBlock &entry = item.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  AllocaInst *copy = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), bytes), nullptr, place.getName() + ".copy");
  copy->setAlignment(std::max(align, Align(kLargestAlign)));  // at least the struct's alignment in the block
  place.replaceAllUsesWith(copy);
  builder.SetInsertPoint(place.getNextNode());
  builder.CreateMemCpy(copy, copy->getAlign(), &place, Align(1), bytes);
}

}  // namespace

FunctionCallee declare_query(Module &module, Ups intrinsic, Type *result) {
  FunctionCallee callee = module.getOrInsertFunction(name_of(intrinsic), FunctionType::get(result, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(Attribute::Speculatable);
  return callee;
}

Error make_items(Module &module, Program &program) {
  program.kernels.clear();
  SmallVector<Function *, 8> functions;
  for (Function &function : module)
    if (is_kernel(function) && !function.hasFnAttribute(kBlockAttribute)) functions.push_back(&function);
  append_range(functions, block_kernels(module));
  for (Function *function : functions) {
    Kernel &kernel = program.kernels.emplace_back();
    kernel.description = describe_kernel(*function);
    kernel.item = make_item(*function, kernel.description);
    // cl_intel_required_subgroup_size
    const uint32_t size = kernel.description.required_sub_group_size;
    if (size != 0 && (size < 4 || size > 32 || !isPowerOf2_32(size)))
      return createStringError("error: kernel '" + kernel.description.name + "' requires sub-groups of " +
                               std::to_string(size) + " work-items; the CPU supports 4, 8, 16 and 32\n");
  }
  return Error::success();
}

void copy_written_arguments(Function &item) {
  SmallVector<GetElementPtrInst *, 4> places;
  for (Instruction &instruction : item.getEntryBlock())
    if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction); gep && gep->hasMetadata(kStructMark)) places.push_back(gep);
  for (GetElementPtrInst *place : places) {
    const MDNode &mark = *place->getMetadata(kStructMark);
    const uint64_t bytes = mdconst::extract<ConstantInt>(mark.getOperand(0))->getZExtValue();
    const Align align(mdconst::extract<ConstantInt>(mark.getOperand(1))->getZExtValue());
    place->setMetadata(kStructMark, nullptr);
    // The block itself is not aligned more strictly.
    if (align > kLargestAlign || !is_only_read(*place)) copy_argument(item, *place, bytes, align);
  }
}

}  // namespace upsweep::passes
