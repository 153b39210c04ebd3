// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites types and constants in place: pointers are opaque, so only their address space changes, and no layout does.
#include "passes/common/flat_memory.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

class SpaceChanger {
public:
  SpaceChanger(Module &module, const SpaceMap &spaces) : module_(module), context_(module.getContext()), spaces_(spaces) {}
  void run();

private:
  Type *changed(Type *type);
  Type *changed_struct(StructType *type);
  Constant *changed(Constant *constant);
  Constant *changed_expression(ConstantExpr *expression, ArrayRef<Constant *> operands);
  AttributeList changed(AttributeList attributes);
  void mark(GlobalVariable &variable, unsigned space);
  void replace_variables();
  Function *replace_function(Function &old);
  void rewrite(Instruction &instruction);

  unsigned changed(unsigned space) const { return space < spaces_.size() ? spaces_[space] : space; }

  Module &module_;
  LLVMContext &context_;
  SpaceMap spaces_;
  DenseMap<Type *, Type *> types_;
  DenseMap<Constant *, Constant *> constants_;
};

Type *SpaceChanger::changed_struct(StructType *type) {
  if (type->isOpaque()) return type;
  SmallVector<Type *, 8> elements;
  bool differs = false;
  for (Type *element : type->elements()) {
    elements.push_back(changed(element));
    differs |= elements.back() != element;
  }
  if (!differs) return type;
  if (type->isLiteral()) return StructType::get(context_, elements, type->isPacked());
  std::string name = type->getName().str();
  type->setName("");
  return StructType::create(context_, elements, name, type->isPacked());
}

Type *SpaceChanger::changed(Type *type) {
  if (auto known = types_.find(type); known != types_.end()) return known->second;
  Type *result = type;
  if (auto *pointer = dyn_cast<PointerType>(type)) {
    result = PointerType::get(context_, changed(pointer->getAddressSpace()));
  } else if (isa<TargetExtType>(type)) {
    result = PointerType::get(context_, 0);
  } else if (auto *array = dyn_cast<ArrayType>(type)) {
    result = ArrayType::get(changed(array->getElementType()), array->getNumElements());
  } else if (auto *vector = dyn_cast<VectorType>(type)) {
    result = VectorType::get(changed(vector->getElementType()), vector->getElementCount());
  } else if (auto *structure = dyn_cast<StructType>(type)) {
    result = changed_struct(structure);
  } else if (auto *function = dyn_cast<FunctionType>(type)) {
    SmallVector<Type *, 8> parameters;
    for (Type *parameter : function->params()) parameters.push_back(changed(parameter));
    result = FunctionType::get(changed(function->getReturnType()), parameters, function->isVarArg());
  }
  return types_[type] = result;
}

Constant *SpaceChanger::changed_expression(ConstantExpr *expression, ArrayRef<Constant *> operands) {
  if (expression->getOpcode() == Instruction::AddrSpaceCast) {
    Type *type = changed(expression->getType());
    if (operands[0]->isNullValue()) return Constant::getNullValue(type);
    return operands[0]->getType() == type ? operands[0] : ConstantExpr::getAddrSpaceCast(operands[0], type);
  }
  Type *source = nullptr;
  if (auto *gep = dyn_cast<GEPOperator>(expression)) source = changed(gep->getSourceElementType());
  return expression->getWithOperands(operands, changed(expression->getType()), /*OnlyIfReduced=*/false, source);
}

Constant *SpaceChanger::changed(Constant *constant) {
  if (auto known = constants_.find(constant); known != constants_.end()) return known->second;
  if (isa<GlobalValue>(constant) || isa<ConstantData>(constant)) {
    Type *type = changed(constant->getType());
    if (type == constant->getType()) return constant;
    if (isa<PoisonValue>(constant)) return PoisonValue::get(type);
    if (isa<UndefValue>(constant)) return UndefValue::get(type);
    return Constant::getNullValue(type);  // null pointers, zero aggregates, `target(...) zeroinitializer`
  }
  SmallVector<Constant *, 8> operands;
  for (Value *operand : constant->operands()) operands.push_back(changed(cast<Constant>(operand)));
  Constant *result = constant;
  Type *type = changed(constant->getType());
  if (auto *expression = dyn_cast<ConstantExpr>(constant)) {
    result = changed_expression(expression, operands);
  } else if (auto *structure = dyn_cast<StructType>(type)) {
    result = ConstantStruct::get(structure, operands);
  } else if (auto *array = dyn_cast<ArrayType>(type)) {
    result = ConstantArray::get(array, operands);
  } else if (isa<VectorType>(type)) {
    result = ConstantVector::get(operands);
  }
  return constants_[constant] = result;
}

AttributeList SpaceChanger::changed(AttributeList attributes) {
  for (unsigned index : attributes.indexes())
    for (unsigned kind = Attribute::FirstTypeAttr; kind <= Attribute::LastTypeAttr; ++kind) {
      auto attribute = static_cast<Attribute::AttrKind>(kind);
      if (!attributes.hasAttributeAtIndex(index, attribute)) continue;
      Type *type = attributes.getAttributeAtIndex(index, attribute).getValueAsType();
      if (type && changed(type) != type)
        attributes = attributes.replaceAttributeTypeAtIndex(context_, index, attribute, changed(type));
    }
  return attributes;
}

void SpaceChanger::mark(GlobalVariable &variable, unsigned space) {
  MDNode *mark = MDNode::get(context_, {});
  if (space == kLocalSpace) variable.setMetadata(kLocalMetadata, mark);
  if (space == kGlobalSpace && !variable.isConstant()) variable.setMetadata(kGlobalMetadata, mark);
}

void SpaceChanger::replace_variables() {
  SmallVector<GlobalVariable *, 16> old_variables(make_pointer_range(module_.globals()));
  for (GlobalVariable *old : old_variables) {
    Type *type = changed(old->getValueType());
    unsigned space = old->getAddressSpace();
    if (changed(space) == space && type == old->getValueType()) {
      mark(*old, space);
      continue;
    }
    auto *variable = new GlobalVariable(module_, type, old->isConstant(), old->getLinkage(), nullptr, "", old,
                                        old->getThreadLocalMode(), changed(space));
    variable->copyAttributesFrom(old);
    variable->takeName(old);
    variable->copyMetadata(old, 0);
    mark(*variable, space);
    constants_[old] = variable;
  }
  for (GlobalVariable *old : old_variables) {
    if (!old->hasInitializer()) continue;
    auto known = constants_.find(old);
    auto *variable = known == constants_.end() ? old : cast<GlobalVariable>(known->second);
    variable->setInitializer(changed(old->getInitializer()));
  }
}

Function *SpaceChanger::replace_function(Function &old) {
  auto *type = cast<FunctionType>(changed(old.getFunctionType()));
  if (type == old.getFunctionType()) {
    old.setAttributes(changed(old.getAttributes()));
    return &old;
  }
  Function *function = Function::Create(type, old.getLinkage(), 0, "", nullptr);
  module_.getFunctionList().insert(old.getIterator(), function);
  function->copyAttributesFrom(&old);
  function->setAttributes(changed(old.getAttributes()));
  function->copyMetadata(&old, 0);
  function->IsNewDbgInfoFormat = old.IsNewDbgInfoFormat;
  function->splice(function->begin(), &old);
  for (auto [old_argument, argument] : zip(old.args(), function->args())) {
    argument.takeName(&old_argument);
    old_argument.mutateType(argument.getType());
    old_argument.replaceAllUsesWith(&argument);
  }
  function->takeName(&old);
  function->updateAfterNameChange();  // takeName() does not update the intrinsic ID
  old.replaceAllUsesWith(function);   // function pointers are in address space 0 already
  old.eraseFromParent();
  if (std::optional<Function *> renamed = Intrinsic::remangleIntrinsicFunction(function)) {
    function->replaceAllUsesWith(*renamed);
    function->eraseFromParent();
    return *renamed;
  }
  return function;
}

void SpaceChanger::rewrite(Instruction &instruction) {
  for (Use &operand : instruction.operands()) {
    if (auto *constant = dyn_cast<Constant>(operand.get())) operand.set(changed(constant));
  }
  if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
    alloca->setAllocatedType(changed(alloca->getAllocatedType()));
  } else if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction)) {
    gep->setSourceElementType(changed(gep->getSourceElementType()));
    gep->setResultElementType(changed(gep->getResultElementType()));
  } else if (auto *call = dyn_cast<CallBase>(&instruction)) {
    call->mutateFunctionType(cast<FunctionType>(changed(call->getFunctionType())));
    call->setAttributes(changed(call->getAttributes()));
  }
  instruction.mutateType(changed(instruction.getType()));
}

void SpaceChanger::run() {
  SmallVector<Function *, 32> functions;
  for (Function &function : make_early_inc_range(module_)) functions.push_back(replace_function(function));
  replace_variables();  // after the functions, since replacing them changes constants in place
  for (Function *function : functions) {
    for (Instruction &instruction : instructions(*function)) rewrite(instruction);
    for (Instruction &instruction : make_early_inc_range(instructions(*function)))
      if (isa<AddrSpaceCastInst>(instruction) && instruction.getType() == instruction.getOperand(0)->getType()) {
        instruction.replaceAllUsesWith(instruction.getOperand(0));
        instruction.eraseFromParent();
      }
  }
  SmallVector<GlobalVariable *, 16> dead;
  for (auto [old, variable] : constants_)
    if (auto *global = dyn_cast<GlobalVariable>(old)) dead.push_back(global);
  for (GlobalVariable *global : dead) global->setInitializer(nullptr);
  for (GlobalVariable *global : dead) global->removeDeadConstantUsers();
  for (GlobalVariable *global : dead) global->eraseFromParent();
}

/// A single thread accesses local memory: the thread that runs the work-group.
void note_local_atomics(Module &module) {
  for (Function &function : module) {
    for (Instruction &instruction : instructions(function)) {
      if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
        if (update->getPointerAddressSpace() == kLocalSpace) update->setSyncScopeID(SyncScope::SingleThread);
      } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
        if (exchange->getPointerAddressSpace() == kLocalSpace) exchange->setSyncScopeID(SyncScope::SingleThread);
      }
    }
  }
}

}  // namespace

void flatten_memory(Module &module) {
  note_local_atomics(module);
  change_spaces(module, SpaceMap{});
}

void change_spaces(Module &module, const SpaceMap &spaces) { SpaceChanger(module, spaces).run(); }

bool uses_local_variable(const Value *operand) {
  if (auto *variable = dyn_cast<GlobalVariable>(operand)) return variable->hasMetadata(kLocalMetadata);
  if (auto *expression = dyn_cast<ConstantExpr>(operand)) return any_of(expression->operands(), uses_local_variable);
  return false;
}

}  // namespace upsweep::passes
