// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions at which work-items meet, by the names that Clang and the SPIR-V reader give them.
#include "passes/cpu/check/mark_meetings.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr uint32_t kOfSubGroup = UPSWEEP_MEETS_SUB_GROUP;

/// Specification: "Synchronization Functions", "Async Copies", "Work-group Collective Functions", "Subgroup Functions", "Pipe
/// Functions". Non-uniform and clustered functions, shuffles and ballots are for the active work-items alone.
ArrayRef<MeetingFunction> meeting_functions() {
  static const MeetingFunction kFunctions[] = {
      {"barrier", false, 0, {{0, "flags"}}},
      {"work_group_barrier", false, 0, {{0, "flags"}, {1, "scope"}}},
      {"async_work_group_copy", false, UPSWEEP_STARTS_COPY, {{0, "dst"}, {1, "src"}, {2, "num_gentypes"}}},
      {"async_work_group_strided_copy",
       false,
       UPSWEEP_STARTS_COPY,
       {{0, "dst"}, {1, "src"}, {2, "num_gentypes"}, {3, "stride"}}},
      {"wait_group_events", false, UPSWEEP_AWAITS_COPIES, {{0, "num_events"}}},
      {"work_group_all", false, 0, {}},
      {"work_group_any", false, 0, {}},
      {"work_group_broadcast", false, 0, {{1, "local_id_x"}, {2, "local_id_y"}, {3, "local_id_z"}}},
      {"work_group_reduce_", true, 0, {}},
      {"work_group_scan_", true, 0, {}},
      {"__work_group_reserve_", true, 0, {{1, "num_packets"}}},
      {"__work_group_commit_", true, 0, {}},
      {"sub_group_barrier", false, kOfSubGroup, {{0, "flags"}, {1, "scope"}}},
      {"sub_group_all", false, kOfSubGroup, {}},
      {"sub_group_any", false, kOfSubGroup, {}},
      {"sub_group_broadcast", false, kOfSubGroup, {{1, "sub_group_local_id"}}},
      {"sub_group_reduce_", true, kOfSubGroup, {}},
      {"sub_group_scan_", true, kOfSubGroup, {}},
      {"__sub_group_reserve_", true, kOfSubGroup, {{1, "num_packets"}}},
      {"__sub_group_commit_", true, kOfSubGroup, {}},
  };
  return kFunctions;
}

/// The name of a function with a C++ name such as _Z7barrierj, or the name itself.
StringRef plain_function_name(StringRef name) {
  StringRef rest = name;
  unsigned length = 0;
  if (!rest.consume_front("_Z") || rest.consumeInteger(10, length) || length > rest.size()) return name;
  return rest.take_front(length);
}

/// The row of a function, or nothing.
std::optional<unsigned> row_of(const Function &function) {
  const StringRef name = plain_function_name(function.getName());
  for (const auto &[row, known] : enumerate(meeting_functions()))
    if (known.is_prefix ? name.starts_with(known.name) : name == known.name) return row;
  return std::nullopt;
}

/// The value as an i64; null for types that have no such form.
Value *as_number(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType();
  if (type->isPointerTy()) return builder.CreatePtrToInt(value, builder.getInt64Ty());
  return type->isIntegerTy() && type->getIntegerBitWidth() <= 64 ? builder.CreateZExt(value, builder.getInt64Ty()) : nullptr;
}

void mark(CallInst &call, unsigned row, unsigned number) {
  IRBuilder<> builder(&call);
  SmallVector<Value *, 8> operands{builder.getInt32(number), builder.getInt32(row)};
  SmallVector<Value *, 5> values;
  uint32_t compared = 0;
  for (const auto &[bit, argument] : enumerate(meeting_function(row).arguments)) {
    Value *value = argument.index < call.arg_size() ? call.getArgOperand(argument.index) : nullptr;
    // All work-items have the same constants.
    Value *as_integer = value && !isa<Constant>(value) ? as_number(builder, value) : nullptr;
    if (!as_integer) continue;
    compared |= 1U << bit;
    values.push_back(as_integer);
  }
  operands.push_back(builder.getInt32(compared));
  values.resize(UPSWEEP_MOST_MEETING_ARGUMENTS, builder.getInt64(0));
  operands.append(values.begin(), values.end());
  SmallVector<Type *, 8> types;
  for (Value *operand : operands) types.push_back(operand->getType());
  FunctionCallee callee =
      call.getModule()->getOrInsertFunction(name_of(Ups::kMeet), FunctionType::get(builder.getVoidTy(), types, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setCallingConv(call.getCallingConv());
  function->setConvergent();
  CallInst *marker = builder.CreateCall(callee, operands);
  marker->setCallingConv(call.getCallingConv());
  marker->setConvergent();
  marker->addFnAttr(Attribute::NoMerge);  // two barriers stay two
  const StringRef name = plain_function_name(call.getCalledFunction()->getName());
  marker->setMetadata(kMeetingName, MDNode::get(call.getContext(), MDString::get(call.getContext(), name.ltrim('_'))));
}

}  // namespace

const MeetingFunction &meeting_function(size_t row) { return meeting_functions()[row]; }

void mark_meetings(Module &module, Program &) {
  SmallVector<std::pair<CallInst *, unsigned>, 16> found;
  for (Function &function : module) {
    if (!function.isDeclaration() || function.isIntrinsic()) continue;
    const std::optional<unsigned> row = row_of(function);
    if (!row) continue;
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == &function) found.push_back({call, *row});
  }
  for (const auto &[number, call] : enumerate(found)) mark(*call.first, call.second, number);
}

}  // namespace upsweep::passes
