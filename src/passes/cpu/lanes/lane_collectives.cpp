// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-group functions on the lanes of a vector: reductions and scans in log2(lanes) shuffles, permutations in registers.
// Inactive lanes hold the operation's identity.
#include "passes/cpu/collective_operation.h"
#include "passes/cpu/lanes/lane_writer.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsX86.h>

using namespace llvm;

namespace upsweep::passes {
Value *LaneWriter::write_collective(CallBase &call, const UpsFunction &function) {
  if (function.id == Ups::kSgCommon || function.id == Ups::kSgCommonPointer) return common(call.getArgOperand(0));
  Value *data = vector(call.getArgOperand(0));
  switch (function.id) {
  case Ups::kSgReduce: return reduce(function.operation, data);
  case Ups::kSgScanInclusive: return scan(function.operation, data, true);
  case Ups::kSgScanExclusive: return scan(function.operation, data, false);
  case Ups::kSgClusteredReduce: return clustered_reduce(function.operation, data, call.getArgOperand(1));
  case Ups::kSgShuffle: return permute(data, vector(call.getArgOperand(1)));
  case Ups::kSgBroadcast: return broadcast(data, call.getArgOperand(1));
  default: break;
  }
  assert(function.id == Ups::kSgBallot && "the library calls no other sub-group intrinsic");
  Value *set = b_.CreateFreeze(b_.CreateICmpNE(data, Constant::getNullValue(data->getType())));
  return mask_bits(b_.CreateAnd(mask_, set));
}

/// The first active work-item's value, which the others share.
Value *LaneWriter::common(Value *value) {
  return shapes_.of(value).is_uniform() ? scalar(value) : b_.CreateExtractElement(vector(value), first_lane(mask_));
}

/// The specification requires a uniform lane; otherwise the first active work-item's lane is used.
Value *LaneWriter::broadcast(Value *data, Value *index) {
  Value *lane = shapes_.of(index).is_uniform() ? scalar(index) : b_.CreateExtractElement(vector(index), first_lane(mask_));
  lane = b_.CreateAnd(b_.CreateZExtOrTrunc(lane, b_.getInt64Ty()), b_.getInt64(lanes_ - 1));
  return b_.CreateExtractElement(data, lane);
}

Value *LaneWriter::masked_or_identity(Operation operation, Value *data) {
  if (all_lanes()) return data;
  return b_.CreateSelect(mask_, data, identity(operation, data->getType()));
}

Value *LaneWriter::reduce(Operation operation, Value *data) {
  data = masked_or_identity(operation, data);
  for (unsigned distance = lanes_ / 2; distance > 0; distance /= 2) {
    SmallVector<int, 32> upper;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      upper.push_back(lane + distance < 2 * distance ? static_cast<int>(lane + distance) : -1);
    data = combine(b_, operation, data, b_.CreateShuffleVector(data, upper));
  }
  return b_.CreateExtractElement(data, uint64_t{0});
}

/// Zero, hidden from the code generator. With a known zero it would use vexpandps for a shuffle that shifts zeros into a vector
/// of floats. That takes longer than the rest of a scan: on a Zen 5, a scan in cache has a quarter of the speed of a scan of
/// ints.
Value *LaneWriter::hidden_zero(Type *type) {
  Type *element = type->getScalarType();
  Type *known = element->isHalfTy() ? b_.getFloatTy() : element;  // inline assembly has no half
  auto *copy = InlineAsm::get(FunctionType::get(known, {known}, false), "", "=x,0", /*hasSideEffects=*/false);
  CallInst *call = b_.CreateCall(copy, {Constant::getNullValue(known)});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  Value *zero = element->isHalfTy() ? b_.CreateFPTrunc(call, element) : call;
  return b_.CreateVectorSplat(cast<FixedVectorType>(type)->getElementCount(), zero);
}

/// Hillis and Steele's scan: log2(lanes) steps, each of which adds the value `distance` lanes below.
Value *LaneWriter::scan(Operation operation, Value *data, bool inclusive) {
  bool adds_floats = operation == Operation::kFAdd;
  Value *none = adds_floats ? hidden_zero(data->getType()) : scan_start(operation, data->getType());
  data = masked_or_identity(operation, data);
  auto shifted = [&](unsigned distance) {
    SmallVector<int, 32> picked;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      picked.push_back(lane < distance ? static_cast<int>(lane) : static_cast<int>(lanes_ + lane - distance));
    return b_.CreateShuffleVector(none, data, picked);
  };
  // Lower lanes are the first operand, since some operations do not commute in floating point's last bit.
  for (unsigned distance = 1; distance < lanes_; distance *= 2) data = combine(b_, operation, shifted(distance), data);
  return inclusive ? data : shifted(1);
}

Value *LaneWriter::clustered_reduce(Operation operation, Value *data, Value *cluster) {
  data = masked_or_identity(operation, data);
  Value *size =
      shapes_.of(cluster).is_uniform() ? scalar(cluster) : b_.CreateExtractElement(vector(cluster), first_lane(mask_));
  for (unsigned distance = 1; distance < lanes_; distance *= 2) {
    SmallVector<int, 32> partner;
    for (unsigned lane = 0; lane < lanes_; ++lane) partner.push_back(lane ^ distance);
    Value *joined = combine(b_, operation, data, b_.CreateShuffleVector(data, partner));
    data = b_.CreateSelect(b_.CreateICmpUGT(size, ConstantInt::get(size->getType(), distance)), joined, data);
  }
  return data;
}

/// Each lane reads the value of the lane given by its index; indices wrap.
Value *LaneWriter::permute(Value *data, Value *index) {
  Type *element = data->getType()->getScalarType();
  index = b_.CreateAnd(index, ConstantInt::get(index->getType(), lanes_ - 1));
  if (auto *constant = dyn_cast<Constant>(index)) {
    SmallVector<int, 32> picked;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      auto *number = dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(lane));
      picked.push_back(number ? static_cast<int>(number->getZExtValue()) : -1);
    }
    return b_.CreateShuffleVector(data, picked);
  }
  unsigned bits = element->getScalarSizeInBits();
  auto words = [&](unsigned width) { return FixedVectorType::get(b_.getIntNTy(width), lanes_); };
  if (element->isPointerTy()) return b_.CreateIntToPtr(permute(b_.CreatePtrToInt(data, words(64)), index), data->getType());
  if (!element->isIntegerTy()) return b_.CreateBitCast(permute(b_.CreateBitCast(data, words(bits)), index), data->getType());
  if (bits < 32) return b_.CreateTrunc(permute_words(b_.CreateZExt(data, words(32)), index), data->getType());
  if (bits == 32) return permute_words(data, index);
  Value *low = permute_words(b_.CreateTrunc(data, words(32)), index);
  Value *high = permute_words(b_.CreateTrunc(b_.CreateLShr(data, ConstantInt::get(data->getType(), 32)), words(32)), index);
  Value *shift = ConstantInt::get(data->getType(), 32);
  return b_.CreateOr(b_.CreateZExt(low, data->getType()), b_.CreateShl(b_.CreateZExt(high, data->getType()), shift));
}

/// permute() for 32-bit words: one instruction if the CPU has it, otherwise through memory.
Value *LaneWriter::permute_words(Value *data, Value *index) {
  StringRef features = target_.getFnAttribute("target-features").getValueAsString();
  auto *words = FixedVectorType::get(b_.getInt32Ty(), lanes_);
  index = b_.CreateZExtOrTrunc(index, words);
  if (lanes_ == 16 && features.contains("+avx512f"))
    return b_.CreateIntrinsic(Intrinsic::x86_avx512_permvar_si_512, {}, {data, index});
  if (lanes_ == 8 && features.contains("+avx2")) return b_.CreateIntrinsic(Intrinsic::x86_avx2_permd, {}, {data, index});
  AllocaInst *store = memory(words, 1, "permute");
  b_.CreateAlignedStore(data, store, Align(64));
  store->setAlignment(Align(64));
  Value *made = PoisonValue::get(words);
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    Value *at = b_.CreateGEP(b_.getInt32Ty(), store, b_.CreateExtractElement(index, lane));
    made = b_.CreateInsertElement(made, b_.CreateLoad(b_.getInt32Ty(), at), lane);
  }
  return made;
}

}  // namespace upsweep::passes
