// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Group and non-uniform group instructions: OpenCL C's functions of work-groups and sub-groups.
#include "compiler/spirv/code.h"

namespace upsweep::compiler::spirv {
namespace {

constexpr uint64_t kWorkgroupScope = 2, kSubgroupScope = 3;

/// "work_group" or "sub_group".
std::string group_of(Code &code, const Instruction &i, size_t index) {
  const uint64_t scope = code.reader.constant(i.at(index));
  require(scope == kWorkgroupScope || scope == kSubgroupScope, "a group is neither a work-group nor a sub-group");
  return scope == kWorkgroupScope ? "work_group" : "sub_group";
}

enum class Operand : uint8_t { kSigned, kUnsigned, kFloat, kBool };
struct Arithmetic {
  Op op;
  const char *name;
  Operand operand;
  bool is_non_uniform;
};
constexpr Arithmetic kArithmetic[] = {
    {Op::OpGroupIAdd, "add", Operand::kUnsigned, false},
    {Op::OpGroupFAdd, "add", Operand::kFloat, false},
    {Op::OpGroupFMin, "min", Operand::kFloat, false},
    {Op::OpGroupUMin, "min", Operand::kUnsigned, false},
    {Op::OpGroupSMin, "min", Operand::kSigned, false},
    {Op::OpGroupFMax, "max", Operand::kFloat, false},
    {Op::OpGroupUMax, "max", Operand::kUnsigned, false},
    {Op::OpGroupSMax, "max", Operand::kSigned, false},
    {Op::OpGroupIMulKHR, "mul", Operand::kUnsigned, false},
    {Op::OpGroupFMulKHR, "mul", Operand::kFloat, false},
    {Op::OpGroupBitwiseAndKHR, "and", Operand::kUnsigned, false},
    {Op::OpGroupBitwiseOrKHR, "or", Operand::kUnsigned, false},
    {Op::OpGroupBitwiseXorKHR, "xor", Operand::kUnsigned, false},
    {Op::OpGroupLogicalAndKHR, "logical_and", Operand::kBool, false},
    {Op::OpGroupLogicalOrKHR, "logical_or", Operand::kBool, false},
    {Op::OpGroupLogicalXorKHR, "logical_xor", Operand::kBool, false},
    {Op::OpGroupNonUniformIAdd, "add", Operand::kUnsigned, true},
    {Op::OpGroupNonUniformFAdd, "add", Operand::kFloat, true},
    {Op::OpGroupNonUniformIMul, "mul", Operand::kUnsigned, true},
    {Op::OpGroupNonUniformFMul, "mul", Operand::kFloat, true},
    {Op::OpGroupNonUniformSMin, "min", Operand::kSigned, true},
    {Op::OpGroupNonUniformUMin, "min", Operand::kUnsigned, true},
    {Op::OpGroupNonUniformFMin, "min", Operand::kFloat, true},
    {Op::OpGroupNonUniformSMax, "max", Operand::kSigned, true},
    {Op::OpGroupNonUniformUMax, "max", Operand::kUnsigned, true},
    {Op::OpGroupNonUniformFMax, "max", Operand::kFloat, true},
    {Op::OpGroupNonUniformBitwiseAnd, "and", Operand::kUnsigned, true},
    {Op::OpGroupNonUniformBitwiseOr, "or", Operand::kUnsigned, true},
    {Op::OpGroupNonUniformBitwiseXor, "xor", Operand::kUnsigned, true},
    {Op::OpGroupNonUniformLogicalAnd, "logical_and", Operand::kBool, true},
    {Op::OpGroupNonUniformLogicalOr, "logical_or", Operand::kBool, true},
    {Op::OpGroupNonUniformLogicalXor, "logical_xor", Operand::kBool, true},
};

bool fits(const Type &type, Operand operand) {
  switch (operand) {
  case Operand::kFloat: return type.is_float();
  case Operand::kBool: return type.is_bool();
  default: return type.is_integer();
  }
}

/// Calls a function of numbers. Bool is passed as an int, and vectors component by component.
llvm::Value *call_with(Code &code, const std::string &name, const Value &value, bool is_signed,
                       llvm::ArrayRef<llvm::Value *> more, llvm::ArrayRef<CType> more_types) {
  auto &build = code.build;
  const Type &scalar = value.type->scalar();
  const auto one = [&](llvm::Value *operand) -> llvm::Value * {
    const bool is_bool = scalar.is(Op::OpTypeBool);
    // Work-group functions are of 32 and 64 bits.
    const bool is_narrow = scalar.is(Op::OpTypeInt) && scalar.width < 32 && llvm::StringRef(name).starts_with("work_group");
    if (is_bool) operand = build.CreateZExt(operand, build.getInt32Ty());
    if (is_narrow) operand = build.CreateIntCast(operand, build.getInt32Ty(), is_signed);
    llvm::SmallVector<llvm::Value *, 4> values{operand};
    llvm::SmallVector<CType, 4> types{is_bool     ? number("i")
                                      : is_narrow ? number(is_signed ? "i" : "j")
                                                  : code.c_type(scalar, is_signed)};
    values.append(more.begin(), more.end());
    types.append(more_types.begin(), more_types.end());
    llvm::Value *made = code.call(name, operand->getType(), values, types);
    if (is_narrow) return build.CreateTrunc(made, scalar.llvm);
    return is_bool ? build.CreateICmpNE(made, build.getInt32(0)) : made;
  };
  if (!value.type->is_vector()) return one(value.llvm);
  llvm::Value *made = llvm::PoisonValue::get(value.type->llvm);
  for (unsigned k = 0; k < value.type->lanes(); ++k)
    made = build.CreateInsertElement(made, one(build.CreateExtractElement(value.llvm, k)), k);
  return made;
}

void arithmetic(Code &code, const Instruction &i) {
  for (const Arithmetic &each : kArithmetic) {
    if (each.op != i.op) continue;
    std::string group = group_of(code, i, 0);
    const Value value = code.value(i, 2);
    require(fits(*value.type, each.operand), "the operand's type does not fit the operation");
    constexpr const char *kOperations[] = {"_reduce_", "_scan_inclusive_", "_scan_exclusive_"};
    constexpr uint32_t kClustered = 3;
    const uint32_t operation = i.at(1);
    const bool is_khr = !each.is_non_uniform && each.op >= Op::OpGroupIMulKHR;
    if (each.is_non_uniform || (is_khr && group == "sub_group")) {
      require(group == "sub_group", "a non-uniform operation is a sub-group's");
      group += "_non_uniform";
    }
    const bool is_signed = each.operand == Operand::kSigned;
    if (operation == kClustered && each.is_non_uniform) {
      llvm::Value *size = code.build.getInt32(static_cast<uint32_t>(code.reader.constant(i.at(3))));
      return code.define(
          i, call_with(code, std::string("sub_group_clustered_reduce_") + each.name, value, is_signed, {size}, {number("j")}));
    }
    require(operation < 3, "the operation on the group is unknown");
    code.define(i, call_with(code, group + kOperations[operation] + each.name, value, is_signed, {}, {}));
  }
}

/// A condition: Bool in, Bool out.
void vote(Code &code, const Instruction &i, const std::string &name, size_t index) {
  const Value value = code.value(i, index);
  require(value.type->is(Op::OpTypeBool), "the predicate is not of type Bool");
  code.define(i, call_with(code, name, value, true, {}, {}));
}

void vote(Code &code, const Instruction &i) {
  switch (i.op) {
  case Op::OpGroupAll: return vote(code, i, group_of(code, i, 0) + "_all", 1);
  case Op::OpGroupAny: return vote(code, i, group_of(code, i, 0) + "_any", 1);
  case Op::OpSubgroupAllKHR: return vote(code, i, "sub_group_all", 0);
  case Op::OpSubgroupAnyKHR: return vote(code, i, "sub_group_any", 0);
  case Op::OpGroupNonUniformAll: return vote(code, i, "sub_group_non_uniform_all", 1);
  case Op::OpGroupNonUniformAny: return vote(code, i, "sub_group_non_uniform_any", 1);
  default: break;
  }
  const Value value = code.value(i, i.op == Op::OpSubgroupAllEqualKHR ? 0 : 1);
  require(!value.type->is_vector(), "the operand is a vector");
  const bool is_bool = value.type->is_bool();
  llvm::Value *operand = is_bool ? code.build.CreateZExt(value.llvm, code.build.getInt32Ty()) : value.llvm;
  llvm::Value *made = code.call("sub_group_non_uniform_all_equal", code.build.getInt32Ty(), {operand},
                                {is_bool ? number("i") : code.c_type(*value.type, false)});
  code.define(i, code.build.CreateICmpNE(made, code.build.getInt32(0)));
}

llvm::Value *lane(Code &code, const Instruction &i, size_t index) {
  const Value value = code.value(i, index);
  require(value.type->is(Op::OpTypeInt), "an id of a work-item is no integer");
  return code.build.CreateZExtOrTrunc(value.llvm, code.build.getInt32Ty());
}

void broadcast(Code &code, const Instruction &i) {
  const Value value = code.value(i, 1);
  const std::string group = group_of(code, i, 0);
  if (group == "sub_group")
    return code.define(i, call_with(code, "sub_group_broadcast", value, false, {lane(code, i, 2)}, {number("j")}));
  const Value id = code.value(i, 2);
  require(id.type->is_integer() && id.type->lanes() <= 3, "an id of a work-item has more than three components");
  llvm::SmallVector<llvm::Value *, 3> ids;
  for (unsigned k = 0; k < id.type->lanes(); ++k)
    ids.push_back(code.build.CreateZExtOrTrunc(id.type->is_vector() ? code.build.CreateExtractElement(id.llvm, k) : id.llvm,
                                               code.build.getInt64Ty()));
  code.define(i,
              call_with(code, "work_group_broadcast", value, false, ids, llvm::SmallVector<CType, 3>(ids.size(), number("m"))));
}

struct Exchange {
  Op op;
  const char *name;
  size_t value;  ///< the index of the value; behind it stands a work-item's id or a distance
  bool is_signed_distance;
};
constexpr Exchange kExchanges[] = {
    {Op::OpGroupNonUniformBroadcast, "sub_group_non_uniform_broadcast", 1, false},
    {Op::OpGroupNonUniformShuffle, "sub_group_shuffle", 1, false},
    {Op::OpGroupNonUniformShuffleXor, "sub_group_shuffle_xor", 1, false},
    {Op::OpGroupNonUniformShuffleUp, "sub_group_shuffle_up", 1, false},
    {Op::OpGroupNonUniformShuffleDown, "sub_group_shuffle_down", 1, false},
    {Op::OpSubgroupReadInvocationKHR, "sub_group_non_uniform_broadcast", 0, false},
    {Op::OpSubgroupShuffleINTEL, "sub_group_shuffle", 0, false},
    {Op::OpSubgroupShuffleXorINTEL, "sub_group_shuffle_xor", 0, false},
};

void exchange(Code &code, const Instruction &i) {
  for (const Exchange &each : kExchanges)
    if (each.op == i.op)
      code.define(i,
                  call_with(code, each.name, code.value(i, each.value), false, {lane(code, i, each.value + 1)}, {number("j")}));
}

void rotate(Code &code, const Instruction &i) {
  const bool is_clustered = i.size() > 3;
  llvm::SmallVector<llvm::Value *, 2> more{lane(code, i, 2)};
  llvm::SmallVector<CType, 2> types{number("i")};
  if (is_clustered) {
    more.push_back(code.build.getInt32(static_cast<uint32_t>(code.reader.constant(i.at(3)))));
    types.push_back(number("j"));
  }
  code.define(i, call_with(code, is_clustered ? "sub_group_clustered_rotate" : "sub_group_rotate", code.value(i, 1), false,
                           more, types));
}

/// The two operands are one row of twice the sub-group's size, out of which each work-item takes an element.
void shift(Code &code, const Instruction &i) {
  const Value a = code.value(i, 0), b = code.value(i, 1);
  require(a.type == b.type, "the operands have different types");
  auto &build = code.build;
  const bool is_down = i.op == Op::OpSubgroupShuffleDownINTEL;
  llvm::Value *self = code.call("get_sub_group_local_id", build.getInt32Ty(), {}, {});
  llvm::Value *size = code.call("get_max_sub_group_size", build.getInt32Ty(), {}, {});
  llvm::Value *delta = lane(code, i, 2);
  // Down: element self + delta of (current, next). Up: element size + self - delta of (previous, current).
  llvm::Value *place = is_down ? build.CreateAdd(self, delta) : build.CreateSub(build.CreateAdd(size, self), delta);
  llvm::Value *is_first = build.CreateICmpULT(place, size);
  llvm::Value *source = build.CreateSelect(is_first, place, build.CreateSub(place, size));
  llvm::Value *first = call_with(code, "sub_group_shuffle", a, false, {source}, {number("j")});
  llvm::Value *second = call_with(code, "sub_group_shuffle", b, false, {source}, {number("j")});
  code.define(i, build.CreateSelect(is_first, first, second));
}

void first_or_elect(Code &code, const Instruction &i) {
  if (i.op == Op::OpGroupNonUniformElect) {
    llvm::Value *made = code.call("sub_group_elect", code.build.getInt32Ty(), {}, {});
    return code.define(i, code.build.CreateICmpNE(made, code.build.getInt32(0)));
  }
  const size_t index = i.op == Op::OpSubgroupFirstInvocationKHR ? 0 : 1;
  code.define(i, call_with(code, "sub_group_broadcast_first", code.value(i, index), false, {}, {}));
}

void ballot(Code &code, const Instruction &i) {
  auto &build = code.build;
  auto *mask = llvm::FixedVectorType::get(build.getInt32Ty(), 4);
  const CType c_mask = number("j", 4);
  const bool is_khr = i.op == Op::OpSubgroupBallotKHR;
  const Value value = code.value(i, i.op == Op::OpGroupNonUniformBallotBitCount ? 2 : is_khr ? 0 : 1);
  if (is_khr || i.op == Op::OpGroupNonUniformBallot) {
    require(value.type->is(Op::OpTypeBool), "the predicate is not of type Bool");
    return code.define(i,
                       code.call("sub_group_ballot", mask, {build.CreateZExt(value.llvm, build.getInt32Ty())}, {number("i")}));
  }
  require(value.llvm->getType() == mask, "the ballot has not four components of 32 bits");
  const auto is_set = [&](llvm::Value *made) { return build.CreateICmpNE(made, build.getInt32(0)); };
  switch (i.op) {
  case Op::OpGroupNonUniformInverseBallot:
    return code.define(i, is_set(code.call("sub_group_inverse_ballot", build.getInt32Ty(), {value.llvm}, {c_mask})));
  case Op::OpGroupNonUniformBallotBitExtract:
    return code.define(i, is_set(code.call("sub_group_ballot_bit_extract", build.getInt32Ty(), {value.llvm, lane(code, i, 2)},
                                           {c_mask, number("j")})));
  case Op::OpGroupNonUniformBallotFindLSB:
    return code.define(i, code.call("sub_group_ballot_find_lsb", build.getInt32Ty(), {value.llvm}, {c_mask}));
  case Op::OpGroupNonUniformBallotFindMSB:
    return code.define(i, code.call("sub_group_ballot_find_msb", build.getInt32Ty(), {value.llvm}, {c_mask}));
  default: {
    constexpr const char *kNames[] = {"sub_group_ballot_bit_count", "sub_group_ballot_inclusive_scan",
                                      "sub_group_ballot_exclusive_scan"};
    require(i.at(1) < 3, "the operation on the ballot is unknown");
    code.define(i, code.call(kNames[i.at(1)], build.getInt32Ty(), {value.llvm}, {c_mask}));
  }
  }
}

void copy(Code &code, const Instruction &i) {
  require(group_of(code, i, 0) == "work_group", "an asynchronous copy is a work-group's");
  auto &build = code.build;
  const Value to = code.value(i, 1), from = code.value(i, 2), count = code.value(i, 3), stride = code.value(i, 4),
              event = code.value(i, 5);
  require(to.type->is_pointer() && from.type->is_pointer() && to.type->pointee == from.type->pointee,
          "the operands are not two pointers to one type");
  const CType c_to = code.c_type(*to.type, false), c_from = as_const(code.c_type(*from.type, false)),
              c_event = code.c_type(*event.type, false);
  const auto *step = llvm::dyn_cast<llvm::ConstantInt>(stride.llvm);
  llvm::Value *elements = build.CreateZExtOrTrunc(count.llvm, build.getInt64Ty());
  if (step && step->isOne())
    return code.define(i, code.call("async_work_group_copy", event.type->llvm, {to.llvm, from.llvm, elements, event.llvm},
                                    {c_to, c_from, number("m"), c_event}));
  code.define(i, code.call("async_work_group_strided_copy", event.type->llvm,
                           {to.llvm, from.llvm, elements, build.CreateZExtOrTrunc(stride.llvm, build.getInt64Ty()), event.llvm},
                           {c_to, c_from, number("m"), number("m"), c_event}));
}

void wait(Code &code, const Instruction &i) {
  const Value count = code.value(i, 1), events = code.value(i, 2);
  require(events.type->is_pointer(), "the events are no pointer");
  code.call("wait_group_events", code.build.getVoidTy(),
            {code.build.CreateZExtOrTrunc(count.llvm, code.build.getInt32Ty()), events.llvm},
            {number("i"), code.c_type(*events.type, false)});
}

}  // namespace

void add_groups(Handlers &table) {
  const auto add = [&](Op op, Handler handler) { table[static_cast<uint32_t>(op)] = handler; };
  for (const Arithmetic &each : kArithmetic) add(each.op, arithmetic);
  for (const Op op : {Op::OpGroupAll, Op::OpGroupAny, Op::OpSubgroupAllKHR, Op::OpSubgroupAnyKHR, Op::OpSubgroupAllEqualKHR,
                      Op::OpGroupNonUniformAll, Op::OpGroupNonUniformAny, Op::OpGroupNonUniformAllEqual})
    add(op, vote);
  add(Op::OpGroupBroadcast, broadcast);
  for (const Exchange &each : kExchanges) add(each.op, exchange);
  add(Op(4431), rotate);  // OpGroupNonUniformRotateKHR
  for (const Op op : {Op::OpSubgroupShuffleDownINTEL, Op::OpSubgroupShuffleUpINTEL}) add(op, shift);
  for (const Op op : {Op::OpGroupNonUniformElect, Op::OpGroupNonUniformBroadcastFirst, Op::OpSubgroupFirstInvocationKHR})
    add(op, first_or_elect);
  for (const Op op : {Op::OpSubgroupBallotKHR, Op::OpGroupNonUniformBallot, Op::OpGroupNonUniformInverseBallot,
                      Op::OpGroupNonUniformBallotBitExtract, Op::OpGroupNonUniformBallotBitCount,
                      Op::OpGroupNonUniformBallotFindLSB, Op::OpGroupNonUniformBallotFindMSB})
    add(op, ballot);
  add(Op::OpGroupAsyncCopy, copy);
  add(Op::OpGroupWaitEvents, wait);
}

}  // namespace upsweep::compiler::spirv
