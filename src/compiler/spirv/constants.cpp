// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant-creation instructions, specialisation constants, and variables of program scope.
#include "compiler/spirv/code.h"
#include "passes/common/host_variables.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/IR/Constants.h"

#include <cstring>

namespace upsweep::compiler::spirv {
namespace {

llvm::Constant *number_of(const Type &type, uint64_t bits) {
  const llvm::APInt number(64, bits);
  if (type.is(Op::OpTypeInt)) return llvm::ConstantInt::get(type.llvm, number.zextOrTrunc(type.width));
  return llvm::ConstantFP::get(type.llvm, llvm::APFloat(type.llvm->getFltSemantics(), number.zextOrTrunc(type.width)));
}

bool is_specialised(Op op) { return op == Op::OpSpecConstantTrue || op == Op::OpSpecConstantFalse || op == Op::OpSpecConstant; }

/// The host's name of a variable, and its accesses. SYCL's compiler writes the draft form of the decoration, whose accesses are
/// numbered otherwise (SPV_INTEL_global_variable_decorations).
void give_host_name(const Reader &reader, uint32_t id, llvm::GlobalVariable &variable) {
  constexpr auto kHostAccess = static_cast<spv::Decoration>(6188), kDraftHostAccess = static_cast<spv::Decoration>(6147);
  constexpr uint32_t kBitsOfDraft[] = {1, 2, 3, 0};  // of read, write, both, none
  const Decoration *access = reader.decoration(id, kHostAccess);
  const bool is_draft = !access;
  if (is_draft) access = reader.decoration(id, kDraftHostAccess);
  if (!access) return;
  require(access->words.size() > 1 && access->words[0] <= 3,
          "a decoration HostAccessINTEL is too short or has an unknown access");
  passes::add_host_name(variable, text_at(access->words, 1), is_draft ? kBitsOfDraft[access->words[0]] : access->words[0]);
}

}  // namespace

/// The application's value of a specialisation constant; null if it set none.
llvm::Constant *Reader::specialised(const Type &type, uint32_t id) const {
  const Decoration *found = decoration(id, spv::Decoration::SpecId);
  if (!found || found->words.empty()) return nullptr;
  for (const Specialisation &each : input_.specialisations) {
    if (each.id != found->words[0]) continue;
    const size_t bytes = type.is(Op::OpTypeBool) ? 1 : type.width / 8;
    if (each.value.size() != bytes)
      throw Invalid("specialisation constant " + std::to_string(each.id) + " has " + std::to_string(bytes) +
                    " bytes, and was set to " + std::to_string(each.value.size()));
    uint64_t bits = 0;
    std::memcpy(&bits, each.value.data(), std::min<size_t>(bytes, 8));
    return type.is(Op::OpTypeBool) ? llvm::ConstantInt::getBool(context(), bits != 0) : number_of(type, bits);
  }
  return nullptr;
}

llvm::Constant *Reader::composite_of(const Type &type, const Instruction &i) {
  std::vector<llvm::Constant *> parts;
  for (const uint32_t id : i.operands) {
    auto *part = llvm::dyn_cast<llvm::Constant>(value(id).llvm);
    require(part, "a part of a constant is no constant");
    parts.push_back(part);
  }
  const auto fits = [&](size_t index, const llvm::Type *expected) { return parts[index]->getType() == expected; };
  const uint64_t count = type.is(Op::OpTypeStruct) ? type.members.size() : type.count;
  require(type.is_vector() || type.is_composite(), "the type is not composite");
  require(parts.size() == count, "there are more or fewer parts than members");
  for (size_t k = 0; k < parts.size(); ++k)
    require(fits(k, type.is(Op::OpTypeStruct) ? type.members[k]->llvm : type.element->llvm),
            "a part has another type than its member");
  if (type.is_vector()) return llvm::ConstantVector::get(parts);
  if (type.is(Op::OpTypeArray)) return llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(type.llvm), parts);
  return llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(type.llvm), parts);
}

/// The operation in a function of its own, where the builder folds it.
llvm::Constant *Reader::specialised_operation(const Type &type, const Instruction &i) {
  auto *void_type = llvm::FunctionType::get(llvm::Type::getVoidTy(context()), false);
  llvm::Function *scratch = llvm::Function::Create(void_type, llvm::GlobalValue::InternalLinkage, "constant", *module_);
  llvm::Constant *result = nullptr;
  try {
    Code code(*this, *scratch);
    code.build.SetInsertPoint(llvm::BasicBlock::Create(context(), "", scratch));
    Instruction operation = i;
    operation.op = static_cast<Op>(i.at(0));
    require(operation.op != Op::OpSpecConstantOp, "it contains itself");
    operation.operands = i.operands.drop_front();
    const uint32_t id = operation.result;
    code.lower(operation);
    result = llvm::dyn_cast_or_null<llvm::Constant>(values_[id].llvm);
    values_[id] = {};
  } catch (const Invalid &) {
    scratch->eraseFromParent();
    throw;
  }
  scratch->eraseFromParent();
  require(result && result->getType() == type.llvm, "an operation on constants has no constant result");
  return result;
}

llvm::Constant *Reader::constant_of(const Type &type, const Instruction &i) {
  switch (i.op) {
  case Op::OpConstantTrue:
  case Op::OpConstantFalse:
  case Op::OpSpecConstantTrue:
  case Op::OpSpecConstantFalse:
    require(type.is(Op::OpTypeBool), "the type is not Bool");
    return llvm::ConstantInt::getBool(context(), i.op == Op::OpConstantTrue || i.op == Op::OpSpecConstantTrue);
  case Op::OpConstant:
  case Op::OpSpecConstant: {
    require(type.is(Op::OpTypeInt) || type.is(Op::OpTypeFloat), "the type is no number");
    require(i.size() == (type.width > 32 ? 2U : 1U), "the number has more or fewer words than its type");
    const uint64_t high = i.size() > 1 ? i.at(1) : 0;
    return number_of(type, i.at(0) | high << 32);
  }
  case Op::OpConstantComposite:
  case Op::OpSpecConstantComposite: return composite_of(type, i);
  case Op::OpConstantNull:
    require(type.bytes != 0, "a type without values has no null");
    return llvm::Constant::getNullValue(type.llvm);
  case Op::OpSpecConstantOp: return specialised_operation(type, i);
  default: throw Invalid("the constant is not supported");
  }
}

void Reader::read_constant(const Instruction &i) {
  const Type &type = this->type(i.type);
  if (i.op == Op::OpConstantSampler) {
    // A call that each function makes: the sampler's bits by OpenCL's CLK_ macros (addressing, normalised, filter).
    require(type.is(Op::OpTypeSampler), "the type is not Sampler");
    // LLVM's translator writes -1 for a sampler without a filter, which is "nearest" in OpenCL C.
    const uint32_t filter = i.at(2) == UINT32_MAX ? 0 : i.at(2);
    require(i.at(0) <= 4 && i.at(1) <= 1 && filter <= 1, "a sampler has an unknown mode");
    constexpr uint32_t kAddressing[] = {0, 2, 4, 6, 8};  // none, clamp to edge, clamp, repeat, mirrored
    const uint32_t bits = kAddressing[i.at(0)] | i.at(1) | (filter == 0 ? 0x10 : 0x20);
    samplers_[i.result] = bits;
    type_of_sampler_ = &type;
    return;
  }
  llvm::Constant *value = is_specialised(i.op) ? specialised(type, i.result) : nullptr;
  define(i.result, value ? value : constant_of(type, i), type);
}

void Reader::read_variable(const Instruction &i) {
  const Type &type = this->type(i.type);
  require(type.is_pointer() && type.storage == static_cast<spv::StorageClass>(i.at(0)),
          "a variable's type is no pointer to its storage class");
  if (built_in(i.result)) {
    require(type.storage == spv::StorageClass::Input, "a built-in variable is not in the storage class Input");
    require(pointee(type).bytes != 0 && pointee(type).is_integer(), "a built-in variable is no integer");
    built_in_types_[i.result] = &type;
    return;
  }
  const unsigned space = address_space(type.storage);
  require(space == 1 || space == 2 || space == 3, "a variable of program scope is neither global, constant nor local");
  const Type &object = pointee(type);
  require(object.bytes != 0, "a variable's type has no size");
  const Decoration *linkage = decoration(i.result, spv::Decoration::LinkageAttributes);
  std::string name = this->name(i.result).str();
  auto kind = llvm::GlobalValue::InternalLinkage;
  bool is_imported = false;
  if (linkage) {
    size_t next = 0;
    name = text_at(linkage->words, 0, &next);
    require(next < linkage->words.size(), "a decoration LinkageAttributes is too short");
    constexpr uint32_t kImport = 1, kLinkOnceOdr = 2;
    is_imported = linkage->words[next] == kImport;
    kind = linkage->words[next] == kLinkOnceOdr ? llvm::GlobalValue::WeakODRLinkage : llvm::GlobalValue::ExternalLinkage;
    require(!module_->getNamedValue(name), "two variables or functions have the same name");
  }
  // An internal variable may not be taken for a function of the library.
  if (kind == llvm::GlobalValue::InternalLinkage) name = "spv." + name;
  llvm::Constant *initial = nullptr;
  if (i.size() > 1) {
    initial = llvm::dyn_cast<llvm::Constant>(value(i.at(1)).llvm);
    require(initial && initial->getType() == object.llvm && !is_imported, "a variable's first value does not fit its type");
  }
  if (!initial && !is_imported)
    initial =
        space == 3 ? llvm::cast<llvm::Constant>(llvm::UndefValue::get(object.llvm)) : llvm::Constant::getNullValue(object.llvm);
  if (space == 3 && initial) initial = llvm::UndefValue::get(object.llvm);
  const bool is_constant = space == 2 || has(i.result, spv::Decoration::Constant);
  auto *variable = new llvm::GlobalVariable(*module_, object.llvm, is_constant, kind, initial, name, nullptr,
                                            llvm::GlobalValue::NotThreadLocal, space);
  if (const Decoration *alignment = decoration(i.result, spv::Decoration::Alignment)) {
    require(!alignment->words.empty() && llvm::isPowerOf2_32(alignment->words[0]) && alignment->words[0] <= 1U << 20,
            "an alignment is no power of two, or above 2^20");
    variable->setAlignment(llvm::Align(alignment->words[0]));
  } else {
    variable->setAlignment(layout().getABITypeAlign(object.llvm));
  }
  give_host_name(*this, i.result, *variable);
  define(i.result, variable, type);
}

}  // namespace upsweep::compiler::spirv
