// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of texels. A texel is written as a whole, so that its first byte's shadow tells whether it was. Only accesses at
// integer coordinates inside of the image are followed, in images without mip levels.
#include "base/image_abi.h"
#include "passes/cpu/check/shadow_writer.h"
#include "passes/cpu/check/texels.h"

#include <cstddef>

using namespace llvm;

namespace upsweep::passes {
namespace {

Value *shadow_of(IRBuilder<> &builder, Value *address) {
  Value *is_low = builder.CreateICmpULT(address, builder.getInt64(UPSWEEP_SHADOW_SPLIT));
  Value *distance = builder.CreateSelect(is_low, builder.getInt64(UPSWEEP_SHADOW_LOW),
                                         builder.getInt64(static_cast<uint64_t>(UPSWEEP_SHADOW_HIGH)));
  return builder.CreateIntToPtr(builder.CreateAdd(address, distance), builder.getPtrTy());
}

}  // namespace

/// The channels that the image does not store are constants.
Value *ShadowWriter::write_texel_read(CallInst &call) {
  const TexelAccess access(call);
  for (Value *coordinate : access.coordinates)
    if (tests_) test(call, coordinate, UPSWEEP_DECIDES_ADDRESS);
  builder_.SetInsertPoint(call.getNextNode());
  builder_.SetCurrentDebugLocation(DebugLoc());
  const Texel texel = find_texel(builder_, access);
  Value *byte = builder_.CreateAlignedLoad(builder_.getInt8Ty(), shadow_of(builder_, texel.address), Align(1));
  auto *type = cast<FixedVectorType>(shadow_type(call.getType(), layout_));
  Value *is_unwritten = builder_.CreateAnd(builder_.CreateIsNotNull(byte), texel.is_inside);
  Value *sources = load_image_field(builder_, access.image, offsetof(UpsweepImage, swizzle),
                                    FixedVectorType::get(builder_.getInt8Ty(), type->getNumElements()));
  Value *is_stored = builder_.CreateICmpULT(sources, ConstantInt::get(sources->getType(), UPSWEEP_CHANNEL_ZERO));
  Value *all = builder_.CreateVectorSplat(type->getNumElements(), is_unwritten);
  return builder_.CreateSExt(builder_.CreateAnd(all, is_stored), type);
}

void ShadowWriter::write_texel_write(CallInst &call) {
  const TexelAccess access(call);
  for (Value *coordinate : access.coordinates)
    if (tests_) test(call, coordinate, UPSWEEP_DECIDES_ADDRESS);
  const auto *level = dyn_cast<ConstantInt>(access.level());
  if (!level || !level->isZero()) return;
  builder_.SetInsertPoint(&call);
  builder_.SetCurrentDebugLocation(DebugLoc());
  const Texel texel = find_texel(builder_, access);
  Value *address = builder_.CreateSelect(texel.is_inside, texel.address, builder_.getInt64(0));
  if (tests_) test(call, access.colour(), UPSWEEP_IS_STORED, builder_.CreateIntToPtr(address, builder_.getPtrTy()), 1);
  builder_.SetInsertPoint(&call);
  builder_.SetCurrentDebugLocation(DebugLoc());
  const auto none = [](Value *) -> Value * { return nullptr; };
  Value *is_unwritten = ShadowRules(builder_, layout_, none).any(shadow(access.colour()));
  Value *bytes = builder_.CreateSelect(texel.is_inside, texel.bytes, builder_.getInt64(0));
  builder_.CreateMemSet(shadow_of(builder_, texel.address), builder_.CreateSExt(is_unwritten, builder_.getInt8Ty()), bytes,
                        MaybeAlign());
}

}  // namespace upsweep::passes
