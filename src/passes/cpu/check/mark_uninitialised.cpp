// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the beginnings of variables' lives, and writes a mark for each part of a variable.
#include "passes/cpu/check/mark_uninitialised.h"

#include "passes/common/intrinsics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// Variables with more parts stay in memory in nearly all kernels. check_init() fills their shadow.
constexpr uint64_t kMostParts = 64;
/// Larger structs keep their padding.
constexpr uint64_t kMostStructBytes = 1024;

/// A number or pointer in a variable.
struct Part {
  uint64_t offset;
  Type *type;
};

/// False if there are too many parts, or parts of other types.
bool add_parts(Type *type, uint64_t offset, const DataLayout &layout, SmallVectorImpl<Part> &parts) {
  if (auto *record = dyn_cast<StructType>(type)) {
    for (const auto &[i, member] : enumerate(record->elements()))
      if (!add_parts(member, offset + layout.getStructLayout(record)->getElementOffset(i), layout, parts)) return false;
    return true;
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    const uint64_t step = layout.getTypeAllocSize(array->getElementType());
    if (array->getNumElements() > kMostParts) return false;
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      if (!add_parts(array->getElementType(), offset + i * step, layout, parts)) return false;
    return true;
  }
  const Type *element = type->getScalarType();
  const bool is_known = element->isIntegerTy() || element->isFloatingPointTy() || element->isPointerTy();
  if (!is_known || layout.getTypeSizeInBits(type->getScalarType()) > 64 || isa<ScalableVectorType>(type)) return false;
  parts.push_back({offset, type});
  return parts.size() <= kMostParts;
}

class Marker {
public:
  explicit Marker(Module &module) : module_(module) {}
  void mark(Function &function);

private:
  void mark(AllocaInst &variable);
  Value *value(IRBuilder<> &builder, Type *type, StringRef name);

  Module &module_;
  uint64_t number_ = 0;
};

/// A value of which no two are equal for LLVM.
Value *Marker::value(IRBuilder<> &builder, Type *type, StringRef name) {
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    Value *all = PoisonValue::get(vector);
    for (uint64_t i = 0; i < vector->getNumElements(); ++i)
      all = builder.CreateInsertElement(all, value(builder, vector->getElementType(), name), i);
    return all;
  }
  Type *i64 = builder.getInt64Ty();
  FunctionCallee callee = module_.getOrInsertFunction(name_of(Ups::kUninitialised), FunctionType::get(i64, {i64}, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setCallingConv(CallingConv::SPIR_FUNC);
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  CallInst *call = builder.CreateCall(callee, {builder.getInt64(number_++)});
  call->setCallingConv(CallingConv::SPIR_FUNC);
  LLVMContext &context = module_.getContext();
  if (!name.empty()) call->setMetadata(kUninitialisedName, MDNode::get(context, MDString::get(context, name)));
  if (type->isPointerTy()) return builder.CreateIntToPtr(call, type);
  const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits());
  return builder.CreateBitCast(builder.CreateTrunc(call, builder.getIntNTy(bits)), type);
}

/// A parameter's copy, which the function's entry writes.
bool is_parameter(const AllocaInst &variable) {
  return any_of(variable.users(), [&](const User *user) {
    const auto *store = dyn_cast<StoreInst>(user);
    return store && store->getPointerOperand() == &variable && isa<Argument>(store->getValueOperand()) &&
           store->getParent() == variable.getParent();
  });
}

/// A life begins at a marker of LLVM's, or with the function.
SmallVector<Instruction *, 2> beginnings(AllocaInst &variable) {
  SmallVector<Instruction *, 2> found;
  for (User *user : variable.users())
    if (auto *call = dyn_cast<IntrinsicInst>(user); call && call->getIntrinsicID() == Intrinsic::lifetime_start)
      found.push_back(call->getNextNode());
  if (found.empty()) found.push_back(variable.getNextNode());
  return found;
}

void Marker::mark(AllocaInst &variable) {
  const DataLayout &layout = module_.getDataLayout();
  SmallVector<Part, 16> parts;
  if (variable.isArrayAllocation() || is_parameter(variable)) return;
  if (!add_parts(variable.getAllocatedType(), 0, layout, parts)) return;
  variable.setMetadata(kMarkedVariable, MDNode::get(module_.getContext(), {}));
  for (Instruction *at : beginnings(variable)) {
    while (isa<AllocaInst>(at)) at = at->getNextNode();
    IRBuilder<> builder(at);
    builder.SetCurrentDebugLocation(DebugLoc());
    for (const Part &part : parts) {
      Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &variable, part.offset);
      builder.CreateAlignedStore(value(builder, part.type, variable.getName()), place,
                                 commonAlignment(variable.getAlign(), part.offset));
    }
  }
}

void Marker::mark(Function &function) {
  SmallVector<AllocaInst *, 16> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) variables.push_back(variable);
  for (AllocaInst *variable : variables) mark(*variable);
}

/// Clang lists the members of a struct that is copied. Bytes between them have no value, and LLVM may copy them like members:
/// they become zero in the copy.
void write_padding(MemTransferInst &copy) {
  const MDNode *members = copy.getMetadata(LLVMContext::MD_tbaa_struct);
  const auto *length = dyn_cast<ConstantInt>(copy.getLength());
  if (!members || !length || length->getValue().ugt(kMostStructBytes)) return;
  SmallVector<bool, 64> is_member(length->getZExtValue(), false);
  for (unsigned i = 0; i + 2 < members->getNumOperands(); i += 3) {
    const uint64_t begin = mdconst::extract<ConstantInt>(members->getOperand(i))->getZExtValue();
    const uint64_t bytes = mdconst::extract<ConstantInt>(members->getOperand(i + 1))->getZExtValue();
    for (uint64_t byte = begin; byte < std::min<uint64_t>(begin + bytes, is_member.size()); ++byte) is_member[byte] = true;
  }
  IRBuilder<> builder(copy.getNextNode());
  for (const auto &[byte, has_value] : enumerate(is_member))
    if (!has_value)
      builder.CreateStore(builder.getInt8(0), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawDest(), byte));
}

void write_padding(Function &function) {
  SmallVector<MemTransferInst *, 16> copies;
  for (Instruction &instruction : instructions(function))
    if (auto *copy = dyn_cast<MemTransferInst>(&instruction)) copies.push_back(copy);
  for (MemTransferInst *copy : copies) write_padding(*copy);
}

}  // namespace

void mark_uninitialised(Module &module) {
  Marker marker(module);
  for (Function &function : module) write_padding(function);
  for (Function &function : module) marker.mark(function);
}

}  // namespace upsweep::passes
