// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic instructions and barriers: calls of OpenCL C's functions with an order and a scope.
#include "compiler/spirv/code.h"

namespace upsweep::compiler::spirv {
namespace {

constexpr uint32_t kAcquire = 2, kRelease = 4, kAcquireRelease = 8, kSequential = 16;

/// OpenCL C's memory_order of memory semantics. Constants alone are known; others are taken as the strongest order.
llvm::Value *order_of(Code &code, const Value &semantics) {
  constexpr uint32_t kRelaxedOrder = 0, kAcquireOrder = 2, kReleaseOrder = 3, kAcquireReleaseOrder = 4, kSequentialOrder = 5;
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(semantics.llvm);
  const uint64_t bits = number ? number->getZExtValue() : kSequential;
  uint32_t order = kRelaxedOrder;
  if (bits & kSequential)
    order = kSequentialOrder;
  else if (bits & kAcquireRelease || (bits & kAcquire && bits & kRelease))
    order = kAcquireReleaseOrder;
  else if (bits & kRelease)
    order = kReleaseOrder;
  else if (bits & kAcquire)
    order = kAcquireOrder;
  return code.build.getInt32(order);
}

/// OpenCL C's memory_scope. An operand that is no constant is taken as the widest scope.
llvm::Value *scope_of(Code &code, const Value &scope) {
  constexpr uint32_t kScopes[] = {3, 2, 1, 4, 0};  // all devices, device, work-group, sub-group, work-item
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(scope.llvm);
  require(!number || number->getZExtValue() < std::size(kScopes), "the scope is unknown");
  return code.build.getInt32(number ? kScopes[number->getZExtValue()] : 3);
}

/// The scope of an atomic operation. LLVM's translator writes Workgroup for OpenCL C's atomic_add() and its like, which are
/// atomic for the whole device: that scope is widened where other work-groups may reach the memory.
llvm::Value *scope_at(Code &code, const Value &scope, const Value &pointer) {
  constexpr uint64_t kWorkgroup = 2;
  constexpr uint32_t kDevice = 2;
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(scope.llvm);
  const bool is_shared =
      pointer.type->storage == spv::StorageClass::CrossWorkgroup || pointer.type->storage == spv::StorageClass::Generic;
  return number && number->getZExtValue() == kWorkgroup && is_shared ? code.build.getInt32(kDevice) : scope_of(code, scope);
}

/// OpenCL C's flags of a fence: local, global and image memory.
llvm::Value *memories_of(Code &code, const Value &semantics) {
  constexpr uint64_t kWorkgroup = 0x100, kCrossWorkgroup = 0x200, kImage = 0x800;
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(semantics.llvm);
  const uint64_t bits = number ? number->getZExtValue() : kWorkgroup | kCrossWorkgroup | kImage;
  return code.build.getInt32((bits & kWorkgroup ? 1 : 0) | (bits & kCrossWorkgroup ? 2 : 0) | (bits & kImage ? 4 : 0));
}

struct Target {
  Value pointer;
  const Type *type;
  CType c_pointer;
};

Target target_of(Code &code, const Instruction &i, bool is_signed) {
  Target target;
  target.pointer = code.value(i, 0);
  require(target.pointer.type->is_pointer() && target.pointer.type->storage != spv::StorageClass::UniformConstant,
          "the operand is no pointer to memory that can be written");
  target.type = &code.reader.pointee(*target.pointer.type);
  require((target.type->is(Op::OpTypeInt) && target.type->width >= 32) || target.type->is(Op::OpTypeFloat),
          "an atomic operation is on integers of 32 or 64 bits, or on floating-point numbers");
  // Private memory is reached by a generic pointer.
  unsigned space = address_space(target.pointer.type->storage);
  if (space == 0) {
    target.pointer.llvm = code.build.CreateAddrSpaceCast(target.pointer.llvm, llvm::PointerType::get(code.reader.context(), 4));
    space = 4;
  }
  target.c_pointer = pointer_to(code.c_type(*target.type, is_signed), space);
  target.c_pointer.is_volatile = target.c_pointer.is_atomic = true;
  return target;
}

const CType kOrder = named("memory_order"), kScope = named("memory_scope");

llvm::Value *update(Code &code, const Instruction &i, llvm::StringRef name, const Target &target, llvm::Value *operand,
                    bool is_signed) {
  const CType number = code.c_type(*target.type, is_signed);
  return code.call(
      name, target.type->llvm,
      {target.pointer.llvm, operand, order_of(code, code.value(i, 2)), scope_at(code, code.value(i, 1), target.pointer)},
      {target.c_pointer, number, kOrder, kScope});
}

struct Operation {
  Op op;
  const char *name;
  bool is_signed;
};
constexpr Operation kOperations[] = {
    {Op::OpAtomicExchange, "exchange", false}, {Op::OpAtomicIAdd, "fetch_add", false},
    {Op::OpAtomicISub, "fetch_sub", false},    {Op::OpAtomicSMin, "fetch_min", true},
    {Op::OpAtomicUMin, "fetch_min", false},    {Op::OpAtomicSMax, "fetch_max", true},
    {Op::OpAtomicUMax, "fetch_max", false},    {Op::OpAtomicAnd, "fetch_and", false},
    {Op::OpAtomicOr, "fetch_or", false},       {Op::OpAtomicXor, "fetch_xor", false},
    {Op::OpAtomicFAddEXT, "fetch_add", false}, {Op::OpAtomicFMinEXT, "fetch_min", false},
    {Op::OpAtomicFMaxEXT, "fetch_max", false},
};

void fetch(Code &code, const Instruction &i) {
  for (const Operation &each : kOperations) {
    if (each.op != i.op) continue;
    const Target target = target_of(code, i, each.is_signed);
    const Value operand = code.value(i, 3);
    require(operand.type == target.type, "the operand has another type than the memory");
    const bool is_float = i.op == Op::OpAtomicFAddEXT || i.op == Op::OpAtomicFMinEXT || i.op == Op::OpAtomicFMaxEXT;
    require(i.op == Op::OpAtomicExchange || target.type->is_float() == is_float,
            "the memory's type does not fit the operation");
    code.define(i, update(code, i, std::string("atomic_") + each.name + "_explicit", target, operand.llvm, each.is_signed));
  }
}

void step(Code &code, const Instruction &i) {
  const Target target = target_of(code, i, false);
  require(target.type->is_integer(), "the memory is no integer");
  llvm::Value *one = llvm::ConstantInt::get(target.type->llvm, 1);
  code.define(i, update(code, i, i.op == Op::OpAtomicIIncrement ? "atomic_fetch_add_explicit" : "atomic_fetch_sub_explicit",
                        target, one, false));
}

void load(Code &code, const Instruction &i) {
  const Target target = target_of(code, i, false);
  code.define(
      i, code.call("atomic_load_explicit", target.type->llvm,
                   {target.pointer.llvm, order_of(code, code.value(i, 2)), scope_at(code, code.value(i, 1), target.pointer)},
                   {target.c_pointer, kOrder, kScope}));
}

void store(Code &code, const Instruction &i) {
  const Target target = target_of(code, i, false);
  const Value operand = code.value(i, 3);
  require(operand.type == target.type, "the operand has another type than the memory");
  code.call(
      "atomic_store_explicit", code.build.getVoidTy(),
      {target.pointer.llvm, operand.llvm, order_of(code, code.value(i, 2)), scope_at(code, code.value(i, 1), target.pointer)},
      {target.c_pointer, code.c_type(*target.type, false), kOrder, kScope});
}

/// OpenCL C leaves the old value in a variable, and returns whether it was the expected one.
void compare_exchange(Code &code, const Instruction &i) {
  const Target target = target_of(code, i, false);
  const Value value = code.value(i, 4), expected = code.value(i, 5);
  require(target.type->is_integer() && value.type == target.type && expected.type == target.type,
          "the operands are no integers of the memory's type");
  llvm::AllocaInst *old = code.variable(target.type->llvm);
  code.build.CreateStore(expected.llvm, old);
  const CType number = code.c_type(*target.type, false);
  code.call("atomic_compare_exchange_strong_explicit", code.build.getInt1Ty(),
            {target.pointer.llvm, old, value.llvm, order_of(code, code.value(i, 2)), order_of(code, code.value(i, 3)),
             scope_at(code, code.value(i, 1), target.pointer)},
            {target.c_pointer, pointer_to(number, 0), number, kOrder, kOrder, kScope});
  code.define(i, code.build.CreateLoad(target.type->llvm, old));
}

void flag(Code &code, const Instruction &i) {
  Target target = target_of(code, i, true);
  require(target.type->is_integer() && target.type->width == 32, "a flag is no integer of 32 bits");
  const bool is_set = i.op == Op::OpAtomicFlagTestAndSet;
  llvm::Value *made =
      code.call(is_set ? "atomic_flag_test_and_set_explicit" : "atomic_flag_clear_explicit",
                is_set ? code.build.getInt1Ty() : code.build.getVoidTy(),
                {target.pointer.llvm, order_of(code, code.value(i, 2)), scope_at(code, code.value(i, 1), target.pointer)},
                {target.c_pointer, kOrder, kScope});
  if (is_set) code.define(i, made);
}

void control_barrier(Code &code, const Instruction &i) {
  constexpr uint64_t kWorkgroupScope = 2, kSubgroupScope = 3;
  const uint64_t execution = code.reader.constant(i.at(0));
  require(execution == kWorkgroupScope || execution == kSubgroupScope,
          "a barrier's scope is neither a work-group nor a sub-group");
  const Value semantics = code.value(i, 2);
  code.call(execution == kWorkgroupScope ? "work_group_barrier" : "sub_group_barrier", code.build.getVoidTy(),
            {memories_of(code, semantics), scope_of(code, code.value(i, 1))}, {number("j"), kScope});
}

void memory_barrier(Code &code, const Instruction &i) {
  const Value semantics = code.value(i, 1);
  code.call("atomic_work_item_fence", code.build.getVoidTy(),
            {memories_of(code, semantics), order_of(code, semantics), scope_of(code, code.value(i, 0))},
            {number("j"), kOrder, kScope});
}

}  // namespace

void add_atomics(Handlers &table) {
  const auto add = [&](Op op, Handler handler) { table[static_cast<uint32_t>(op)] = handler; };
  for (const Operation &each : kOperations) add(each.op, fetch);
  for (const Op op : {Op::OpAtomicIIncrement, Op::OpAtomicIDecrement}) add(op, step);
  add(Op::OpAtomicLoad, load);
  add(Op::OpAtomicStore, store);
  for (const Op op : {Op::OpAtomicCompareExchange, Op::OpAtomicCompareExchangeWeak}) add(op, compare_exchange);
  for (const Op op : {Op::OpAtomicFlagTestAndSet, Op::OpAtomicFlagClear}) add(op, flag);
}

void add_barriers(Handlers &table) {
  table[static_cast<uint32_t>(Op::OpControlBarrier)] = control_barrier;
  table[static_cast<uint32_t>(Op::OpMemoryBarrier)] = memory_barrier;
}

}  // namespace upsweep::compiler::spirv
