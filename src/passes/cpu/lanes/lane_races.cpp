// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of the race check for a sub-group: one call for a row of accesses.
#include "passes/cpu/check/access.h"
#include "passes/cpu/lanes/lane_writer.h"

using namespace llvm;

namespace upsweep::passes {
namespace {

/// Operands of __ups_race.
enum RaceOperand : unsigned { kRacePointer, kRaceWidth, kRaceSite, kRaceValue, kRaceKind, kRaceOrder, kRaceScope };

}  // namespace

/// The lanes' numbers in memory that all events share.
Value *LaneWriter::race_array(AllocaInst *&array, Value *numbers) {
  if (!array) {
    array = memory(b_.getInt64Ty(), lanes_, "race.lanes");
    array->setAlignment(Align(64));
  }
  b_.CreateAlignedStore(numbers, array, Align(64));
  return array;
}

void LaneWriter::write_race(CallInst &call) {
  const auto first_of = [&](unsigned operand) {
    Value *value = call.getArgOperand(operand);
    if (shapes_.of(value).is_uniform()) return scalar(value);
    return lane_element(vector(value), value->getType(), first_lane(mask_));
  };
  Constant *null = ConstantPointerNull::get(b_.getPtrTy());
  Value *pointer = call.getArgOperand(kRacePointer), *value = call.getArgOperand(kRaceValue);
  const Shape shape = shapes_.of(pointer);
  Value *first = b_.getInt64(0), *pointers = null, *values = null, *bits = b_.getInt64(0);
  int64_t step = 0;
  if (shape.has_scalar()) {
    first = b_.CreatePtrToInt(scalar(pointer), b_.getInt64Ty());
    step = shape.is_uniform() ? 0 : shape.step;
  } else {
    pointers = race_array(race_pointers_, b_.CreatePtrToInt(vector(pointer), widened(b_.getInt64Ty())));
  }
  if (shapes_.of(value).is_uniform())
    bits = scalar(value);
  else
    values = race_array(race_values_, vector(value));
  Value *width = call.getArgOperand(kRaceWidth), *mask = mask_bits(mask_);
  const auto add = [&](Value *lanes, Value *bytes) {
    add_race_row(b_, {first_of(kRaceSite), first, b_.getInt64(static_cast<uint64_t>(step)), pointers, bits, values, lanes,
                      bytes, first_of(kRaceKind), first_of(kRaceOrder), first_of(kRaceScope)});
  };
  if (shapes_.of(width).is_uniform()) return add(mask, scalar(width));
  for (unsigned lane = 0; lane < lanes_; ++lane)
    add(b_.CreateAnd(mask, b_.getInt64(uint64_t{1} << lane)), b_.CreateExtractElement(vector(width), uint64_t{lane}));
}

}  // namespace upsweep::passes
