// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes of texels: one call for the lanes of a sub-group, of a function that builtins/images/lanes/ defines. What
// lanes hand over is in a frame in memory, in the form of builtins/images/lanes/lanes.h, so that no convention for vectors in
// registers, which each level of x86-64 has its own of, ties the two.
#include "passes/cpu/image_functions.h"
#include "passes/cpu/lanes/lane_writer.h"

#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr unsigned kColour = 4, kSlots = 8;  // the colour's first vector, and the vectors of a frame

/// The function for lanes: (image, sampler bits if there are some, frame, set of lanes).
FunctionCallee lanes_function(Module &module, const CallBase &call, const UpsFunction &function) {
  LLVMContext &context = module.getContext();
  SmallVector<Type *, 4> types;
  for (const Value *argument : call.args())
    if (argument->getType()->isPointerTy() || argument->getType()->isIntegerTy(64)) types.push_back(argument->getType());
  types.push_back(PointerType::getUnqual(context));
  types.push_back(Type::getInt32Ty(context));
  const std::string name = (function.name + kLanesSuffix).str();
  FunctionCallee made = module.getOrInsertFunction(name, FunctionType::get(Type::getVoidTy(context), types, false));
  auto *declaration = cast<Function>(made.getCallee());
  declaration->setVisibility(GlobalValue::HiddenVisibility);
  declaration->setDoesNotThrow();
  declaration->setWillReturn();
  if (function.effect == Effect::kReads) declaration->setMemoryEffects(MemoryEffects::readOnly() | MemoryEffects::argMemOnly());
  declaration->addParamAttr(0, Attribute::ReadOnly);
  declaration->addParamAttr(types.size() - 2, Attribute::NoCapture);
  return made;
}

}  // namespace

/// A component of each lane's vector.
Value *LaneWriter::component(Value *vectors, unsigned width, unsigned number) {
  SmallVector<int, 32> picked;
  for (unsigned lane = 0; lane < lanes_; ++lane) picked.push_back(static_cast<int>(lane * width + number));
  return b_.CreateShuffleVector(vectors, picked);
}

/// Some lanes of a vector; those that it has not are poison.
Value *LaneWriter::lanes_from(Value *vector, unsigned first, unsigned count) {
  const unsigned has = cast<FixedVectorType>(vector->getType())->getNumElements();
  if (first == 0 && count == has) return vector;
  SmallVector<int, 32> picked;
  for (unsigned i = first; i < first + count; ++i) picked.push_back(i < has ? static_cast<int>(i) : -1);
  return b_.CreateShuffleVector(vector, picked);
}

Value *LaneWriter::write_image_access(CallBase &call, const UpsFunction &function) {
  const unsigned width = image_lanes(image_level(target_.getFnAttribute("target-features").getValueAsString()));
  SmallVector<Value *, 4> shared;
  SmallVector<std::pair<unsigned, Value *>, 8> slots;  // and their vectors
  unsigned next = 0;
  for (Value *argument : call.args()) {
    Type *type = argument->getType();
    if (type->isPointerTy() || type->isIntegerTy(64)) {
      // An image or sampler that lanes choose is nothing that OpenCL C can say.
      if (!width || !shapes_.of(argument).is_uniform()) return write_lane_loop(call);
      shared.push_back(scalar(argument));
    } else if (type->isVectorTy()) {
      for (unsigned k = 0; k < 4; ++k) slots.push_back({kColour + k, component(vector(argument), 4, k)});
    } else {
      slots.push_back({next++, vector(argument)});
    }
  }
  auto *words = FixedVectorType::get(b_.getInt32Ty(), width);
  if (!image_frame_) {
    image_frame_ = memory(words, kSlots, "image.frame");
    image_frame_->setAlignment(Align(64));
  }
  const auto place = [&](unsigned slot) { return b_.CreateConstInBoundsGEP1_64(words, image_frame_, slot); };
  const Align align(words->getPrimitiveSizeInBits() / 8);
  const FunctionCallee callee = lanes_function(*item_.getParent(), call, function);
  const bool reads = function.effect == Effect::kReads;
  ConstantInt *bytes = b_.getInt64(kSlots * align.value());
  SmallVector<Value *, 8> colours[4];
  for (unsigned first = 0; first < lanes_; first += width) {
    b_.CreateLifetimeStart(image_frame_, bytes);
    for (auto [slot, value] : slots) b_.CreateAlignedStore(lanes_from(value, first, width), place(slot), align);
    Value *set = all_lanes() ? b_.getInt64(maskTrailingOnes<uint64_t>(lanes_)) : mask_bits(mask_);
    set = b_.CreateAnd(b_.CreateTrunc(b_.CreateLShr(set, first), b_.getInt32Ty()), maskTrailingOnes<uint32_t>(width));
    SmallVector<Value *, 4> arguments(shared);
    arguments.append({image_frame_, set});
    b_.CreateCall(callee, arguments);
    if (reads) {
      auto *part = FixedVectorType::get(call.getType()->getScalarType(), width);
      for (unsigned k = 0; k < 4; ++k) colours[k].push_back(b_.CreateAlignedLoad(part, place(kColour + k), align));
    }
    b_.CreateLifetimeEnd(image_frame_, bytes);
  }
  if (!reads) return nullptr;
  SmallVector<Value *, 4> channels;
  for (auto &parts : colours) channels.push_back(lanes_from(concatenateVectors(b_, parts), 0, lanes_));
  SmallVector<int, 64> side_by_side;
  for (unsigned i = 0; i < lanes_ * 4; ++i) side_by_side.push_back(static_cast<int>(i % 4 * lanes_ + i / 4));
  return b_.CreateShuffleVector(concatenateVectors(b_, channels), side_by_side);
}

}  // namespace upsweep::passes
