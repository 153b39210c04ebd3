// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory instructions.
#include "compiler/spirv/code.h"

#include "llvm/ADT/STLExtras.h"

namespace upsweep::compiler::spirv {
namespace {

/// The operands of a load, a store or a copy from an index on.
struct Access {
  llvm::MaybeAlign alignment;
  bool is_volatile = false, is_nontemporal = false;
  llvm::MDNode *scopes = nullptr, *no_alias = nullptr;
};

Access access_of(const Code &code, const Instruction &i, size_t index) {
  Access access;
  if (index >= i.size()) return access;
  constexpr uint32_t kVolatile = 1, kAligned = 2, kNontemporal = 4, kMakeAvailable = 8, kMakeVisible = 16, kScope = 1U << 16,
                     kNoAlias = 1U << 17;
  const uint32_t mask = i.at(index++);
  access.is_volatile = mask & kVolatile;
  access.is_nontemporal = mask & kNontemporal;
  if (mask & kAligned) {
    const uint32_t bytes = i.at(index++);
    require(bytes == 0 || llvm::isPowerOf2_32(bytes), "an alignment is no power of two");
    if (bytes != 0) access.alignment = llvm::Align(std::min(bytes, 1U << 20));
  }
  if (mask & kMakeAvailable) ++index;
  if (mask & kMakeVisible) ++index;
  if (mask & kScope) access.scopes = code.reader.alias_scopes(i.at(index++));
  if (mask & kNoAlias) access.no_alias = code.reader.alias_scopes(i.at(index++));
  return access;
}

template <class AnyInstruction>
void annotate(const Code &code, AnyInstruction &made, const Access &access) {
  if (access.is_nontemporal) {
    llvm::LLVMContext &context = code.reader.context();
    made.setMetadata(
        llvm::LLVMContext::MD_nontemporal,
        llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1))));
  }
  if (access.scopes) made.setMetadata(llvm::LLVMContext::MD_alias_scope, access.scopes);
  if (access.no_alias) made.setMetadata(llvm::LLVMContext::MD_noalias, access.no_alias);
}

bool is_volatile(const Code &code, const Instruction &i, size_t pointer, const Access &access) {
  return access.is_volatile || code.reader.has(i.at(pointer), spv::Decoration::Volatile);
}

Value pointer_of(Code &code, const Instruction &i, size_t index) {
  const Value pointer = code.value(i, index);
  require(pointer.type->is_pointer(), "an operand is no pointer");
  return pointer;
}

void load(Code &code, const Instruction &i) {
  const Value pointer = pointer_of(code, i, 0);
  const Type &type = code.type(i.type);
  require(type.bytes != 0 && &code.reader.pointee(*pointer.type) == &type, "the pointer does not point to the result's type");
  const Access access = access_of(code, i, 1);
  llvm::LoadInst *made =
      code.build.CreateAlignedLoad(type.llvm, pointer.llvm, access.alignment, is_volatile(code, i, 0, access));
  annotate(code, *made, access);
  code.define(i, made);
}

void store(Code &code, const Instruction &i) {
  const Value pointer = pointer_of(code, i, 0);
  const Value object = code.value(i, 1);
  require(&code.reader.pointee(*pointer.type) == object.type, "the pointer does not point to the object's type");
  const Access access = access_of(code, i, 2);
  llvm::StoreInst *made =
      code.build.CreateAlignedStore(object.llvm, pointer.llvm, access.alignment, is_volatile(code, i, 0, access));
  annotate(code, *made, access);
}

void copy(Code &code, const Instruction &i) {
  const Value to = pointer_of(code, i, 0);
  const Value from = pointer_of(code, i, 1);
  const bool is_sized = i.op == Op::OpCopyMemorySized;
  llvm::Value *size = nullptr;
  llvm::Align alignment(1);
  if (is_sized) {
    const Value bytes = code.value(i, 2);
    require(bytes.type->is(Op::OpTypeInt), "a size is no integer");
    size = code.build.CreateZExtOrTrunc(bytes.llvm, code.build.getInt64Ty());
  } else {
    const Type &type = code.reader.pointee(*to.type);
    require(type.bytes != 0 && &type == &code.reader.pointee(*from.type), "the pointers point to different types");
    size = code.build.getInt64(type.bytes);
    alignment = code.reader.layout().getABITypeAlign(type.llvm);
  }
  require(to.type->storage != spv::StorageClass::UniformConstant, "it writes to constant memory");
  const Access access = access_of(code, i, is_sized ? 3 : 2);
  llvm::CallInst *made = code.build.CreateMemCpy(to.llvm, access.alignment ? *access.alignment : alignment, from.llvm,
                                                 access.alignment ? *access.alignment : alignment, size, access.is_volatile);
  annotate(code, *made, access);
}

void declare(Code &code, const Instruction &i) {
  const Type &type = code.type(i.type);
  require(type.is_pointer() && type.storage == spv::StorageClass::Function &&
              i.at(0) == static_cast<uint32_t>(spv::StorageClass::Function),
          "a variable of a function is not in the storage class Function");
  const Type &object = code.reader.pointee(type);
  require(object.bytes != 0, "a variable's type has no size");
  llvm::AllocaInst *made = code.variable(object.llvm, code.reader.name(i.result));
  if (const Decoration *alignment = code.reader.decoration(i.result, spv::Decoration::Alignment)) {
    require(!alignment->words.empty() && llvm::isPowerOf2_32(alignment->words[0]), "an alignment is no power of two");
    made->setAlignment(llvm::Align(std::min(alignment->words[0], 1U << 20)));
  }
  if (i.size() > 1) {
    const Value initial = code.value(i, 1);
    require(initial.type == &object, "a variable's first value does not fit its type");
    code.build.CreateStore(initial.llvm, made);
  }
  code.define(i, made);
}

/// The type that an index of an access chain leads to.
const Type &step_into(const Code &code, const Type &type, const Instruction &i, size_t index) {
  if (!type.is(Op::OpTypeStruct)) {
    require(type.is(Op::OpTypeArray) || type.is_vector(), "an access chain leads into a type without members");
    return *type.element;
  }
  const uint64_t member = code.reader.constant(i.at(index));
  require(member < type.members.size(), "an access chain leads to a member that its structure does not have");
  return *type.members[member];
}

void access_chain(Code &code, const Instruction &i) {
  const bool has_element = i.op == Op::OpPtrAccessChain || i.op == Op::OpInBoundsPtrAccessChain;
  const bool is_in_bounds = i.op == Op::OpInBoundsPtrAccessChain || i.op == Op::OpInBoundsAccessChain;
  const Value base = pointer_of(code, i, 0);
  const Type *type = &code.reader.pointee(*base.type);
  require(type->bytes != 0, "an access chain begins at a type without size");
  llvm::SmallVector<llvm::Value *, 6> indices;
  if (!has_element) indices.push_back(code.build.getInt32(0));
  for (size_t k = 1; k < i.size(); ++k) {
    const Value index = code.value(i, k);
    require(index.type->is(Op::OpTypeInt), "an index is no integer");
    if (k == 1 && has_element) {
      indices.push_back(index.llvm);
      continue;
    }
    const bool is_struct = type->is(Op::OpTypeStruct);
    const Type &next = step_into(code, *type, i, k);
    indices.push_back(is_struct ? code.build.getInt32(static_cast<uint32_t>(code.reader.constant(i.at(k)))) : index.llvm);
    type = &next;
  }
  const Type &result = code.type(i.type);
  require(result.is_pointer() && &code.reader.pointee(result) == type && result.storage == base.type->storage,
          "the result's type is no pointer to the type that the chain leads to");
  llvm::Type *from = code.reader.pointee(*base.type).llvm;
  code.define(i, code.build.CreateGEP(from, base.llvm, indices, "",
                                      is_in_bounds ? llvm::GEPNoWrapFlags::inBounds() : llvm::GEPNoWrapFlags::none()));
}

void lifetime(Code &code, const Instruction &i) {
  const Value pointer = pointer_of(code, i, 0);
  if (!llvm::isa<llvm::AllocaInst>(pointer.llvm)) return;
  llvm::ConstantInt *bytes = i.at(1) == 0 ? nullptr : code.build.getInt64(i.at(1));
  i.op == Op::OpLifetimeStart ? code.build.CreateLifetimeStart(pointer.llvm, bytes)
                              : code.build.CreateLifetimeEnd(pointer.llvm, bytes);
}

void pointer_comparison(Code &code, const Instruction &i) {
  const Value a = pointer_of(code, i, 0);
  const Value b = pointer_of(code, i, 1);
  require(a.llvm->getType() == b.llvm->getType(), "the pointers have different address spaces");
  if (i.op != Op::OpPtrDiff)
    return code.define(i, i.op == Op::OpPtrEqual ? code.build.CreateICmpEQ(a.llvm, b.llvm)
                                                 : code.build.CreateICmpNE(a.llvm, b.llvm));
  const Type &type = code.reader.pointee(*a.type);
  require(type.bytes != 0 && code.type(i.type).is(Op::OpTypeInt),
          "the pointers point to a type without size, or the result is no integer");
  code.define(i, code.build.CreateSExtOrTrunc(code.build.CreatePtrDiff(type.llvm, a.llvm, b.llvm), code.type(i.type).llvm));
}

}  // namespace

void add_memory(Handlers &table) {
  const auto add = [&](Op op, Handler handler) { table[static_cast<uint32_t>(op)] = handler; };
  add(Op::OpVariable, declare);
  add(Op::OpLoad, load);
  add(Op::OpStore, store);
  add(Op::OpCopyMemory, copy);
  add(Op::OpCopyMemorySized, copy);
  for (const Op op : {Op::OpAccessChain, Op::OpInBoundsAccessChain, Op::OpPtrAccessChain, Op::OpInBoundsPtrAccessChain})
    add(op, access_chain);
  for (const Op op : {Op::OpLifetimeStart, Op::OpLifetimeStop}) add(op, lifetime);
  for (const Op op : {Op::OpPtrEqual, Op::OpPtrNotEqual, Op::OpPtrDiff}) add(op, pointer_comparison);
}

}  // namespace upsweep::compiler::spirv
