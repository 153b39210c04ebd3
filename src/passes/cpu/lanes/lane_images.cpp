// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes of texels: one call for all lanes of a sub-group, of a function in builtins/images/lanes/. Lanes pass their
// data in a frame in memory, laid out as in builtins/images/lanes/lanes.h, which avoids the vector calling conventions that
// differ between x86-64 levels.
#include "passes/cpu/image_functions.h"
#include "passes/cpu/lanes/lane_writer.h"

#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

// kColour is the index of the colour's first vector, kSlots the number of vectors in a frame. A bit in a set of lanes says that
// colours are vectors of four instead of four vectors of channels.
constexpr unsigned kColour = 4, kSlots = 8;
constexpr uint32_t kSideBySide = uint32_t{1} << 31;

/// Whether only the colour's channels are used, all in the colour's block.
bool is_taken_apart(const CallBase &colour) {
  return all_of(colour.users(), [&](const User *user) {
    auto *channel = dyn_cast<ExtractElementInst>(user);
    auto *number = channel ? dyn_cast<ConstantInt>(channel->getIndexOperand()) : nullptr;
    return number && number->getValue().ult(4) && channel->getParent() == colour.getParent();
  });
}

/// The function for lanes: (image, sampler bits if there is a sampler, frame, set of lanes).
FunctionCallee lanes_function(Module &module, const CallBase &call, const UpsFunction &function, StringRef suffix,
                              unsigned lanes) {
  LLVMContext &context = module.getContext();
  SmallVector<Type *, 4> types;
  for (const Value *argument : call.args())
    if (argument->getType()->isPointerTy() || argument->getType()->isIntegerTy(64)) types.push_back(argument->getType());
  types.push_back(PointerType::getUnqual(context));
  types.push_back(Type::getInt32Ty(context));
  const std::string name = (function.name + suffix + Twine(lanes)).str();
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

/// Some lanes of a vector; lanes beyond it are poison.
Value *LaneWriter::lanes_from(Value *vector, unsigned first, unsigned count) {
  const unsigned has = cast<FixedVectorType>(vector->getType())->getNumElements();
  if (first == 0 && count == has) return vector;
  SmallVector<int, 32> picked;
  for (unsigned i = first; i < first + count; ++i) picked.push_back(i < has ? static_cast<int>(i) : -1);
  return b_.CreateShuffleVector(vector, picked);
}

/// The channels of a colour that is assembled in this block.
std::optional<LaneWriter::Channels> LaneWriter::channels_of(Value *colour) {
  Channels channels{};
  unsigned missing = 4;
  while (auto *insert = dyn_cast<InsertElementInst>(colour)) {
    auto *number = dyn_cast<ConstantInt>(insert->getOperand(2));
    if (!number || number->getValue().uge(4) || insert->getParent() != plan_->block) return std::nullopt;
    Value *&channel = channels[number->getZExtValue()];
    if (!channel) channel = vector(insert->getOperand(1)), --missing;
    colour = insert->getOperand(0);
  }
  auto *rest = dyn_cast<Constant>(colour);
  if (missing == 4 || !rest) return std::nullopt;
  for (unsigned k = 0; k < 4; ++k)
    if (!channels[k]) channels[k] = spread(rest->getAggregateElement(k));
  return channels;
}

/// Empty if an image or sampler differs between lanes, which OpenCL C cannot express.
std::optional<LaneWriter::ImageArguments> LaneWriter::image_arguments(CallBase &call) {
  ImageArguments arguments;
  unsigned next = 0;
  for (Value *argument : call.args()) {
    Type *type = argument->getType();
    if (type->isPointerTy() || type->isIntegerTy(64)) {
      if (!shapes_.of(argument).is_uniform()) return std::nullopt;
      arguments.shared.push_back(scalar(argument));
    } else if (!type->isVectorTy()) {
      const Shape shape = shapes_.of(argument);
      arguments.spread |= next == 0 ? shape.kind != Shape::kStep || shape.step != 1 : !shape.is_uniform();
      arguments.slots.push_back({next++, vector(argument)});
    } else if (const auto channels = channels_of(argument)) {
      for (unsigned k = 0; k < 4; ++k) arguments.slots.push_back({kColour + k, (*channels)[k]});
    } else {
      arguments.colours = vector(argument);
    }
  }
  return arguments;
}

Value *LaneWriter::write_image_access(CallBase &call, const UpsFunction &function) {
  const unsigned level = image_level(target_.getFnAttribute("target-features").getValueAsString());
  const unsigned width = image_lanes(level, lanes_);
  const auto given = width ? image_arguments(call) : std::nullopt;
  if (!given) return write_lane_loop(call);
  const bool reads = function.effect == Effect::kReads;
  const bool by_channel = reads ? is_taken_apart(call) : !given->colours;
  auto *words = FixedVectorType::get(b_.getInt32Ty(), width);
  if (!image_frame_) {
    // with a single type, so that it can be promoted to registers
    image_frame_ = memory(ArrayType::get(words, kSlots), 1, "image.frame");
    image_frame_->setAlignment(Align(64));
  }
  const auto place = [&](unsigned slot) { return b_.CreateConstInBoundsGEP1_64(words, image_frame_, slot); };
  const Align align(words->getPrimitiveSizeInBits() / 8);
  const FunctionCallee callee = lanes_function(
      *item_.getParent(), call, function, cover_ == Cover::kFull && has_rows(function) ? kRowsSuffix : kLanesSuffix, width);
  ConstantInt *bytes = b_.getInt64(kSlots * align.value());
  SmallVector<Value *, 8> read[4];
  for (unsigned first = 0; first < lanes_; first += width) {
    b_.CreateLifetimeStart(image_frame_, bytes);
    for (auto [slot, value] : given->slots) b_.CreateAlignedStore(lanes_from(value, first, width), place(slot), align);
    for (unsigned k = 0; given->colours && k < 4; ++k)
      b_.CreateAlignedStore(lanes_from(given->colours, first * 4 + width * k, width), place(kColour + k), align);
    Value *set = all_lanes() ? b_.getInt64(maskTrailingOnes<uint64_t>(lanes_)) : mask_bits(mask_);
    set = b_.CreateAnd(b_.CreateTrunc(b_.CreateLShr(set, first), b_.getInt32Ty()), maskTrailingOnes<uint32_t>(width));
    if (!by_channel) set = b_.CreateOr(set, b_.getInt32(kSideBySide));
    SmallVector<Value *, 4> arguments(given->shared);
    arguments.append({image_frame_, set});
    CallInst *access = b_.CreateCall(callee, arguments);
    if (given->spread) access->addFnAttr(Attribute::get(context_, kSpreadTexels));
    if (reads) {
      auto *part = FixedVectorType::get(call.getType()->getScalarType(), width);
      for (unsigned k = 0; k < 4; ++k)
        read[by_channel ? k : 0].push_back(b_.CreateAlignedLoad(part, place(kColour + k), align));
    }
    b_.CreateLifetimeEnd(image_frame_, bytes);
  }
  if (!reads) return nullptr;
  if (!by_channel) return lanes_from(concatenateVectors(b_, read[0]), 0, lanes_ * 4);
  for (unsigned k = 0; k < 4; ++k) channels_[&call][k] = lanes_from(concatenateVectors(b_, read[k]), 0, lanes_);
  return PoisonValue::get(widened(call.getType()));
}

}  // namespace upsweep::passes
