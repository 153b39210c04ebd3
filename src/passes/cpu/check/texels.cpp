// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The axes come from the end of a function's name (images/shapes.h).
#include "passes/cpu/check/texels.h"

#include "base/image_abi.h"
#include "passes/common/intrinsics.h"

#include <cstddef>

using namespace llvm;

namespace upsweep::passes {
namespace {

SmallVector<ImageAxis, 3> axes_of(StringRef name) {
  constexpr ImageAxis kX{UPSWEEP_OBJECT_IMAGE_X, offsetof(UpsweepImage, width), 0};
  constexpr ImageAxis kY{UPSWEEP_OBJECT_IMAGE_Y, offsetof(UpsweepImage, height), offsetof(UpsweepImage, row_pitch)};
  constexpr ImageAxis kZ{UPSWEEP_OBJECT_IMAGE_Z, offsetof(UpsweepImage, depth), offsetof(UpsweepImage, slice_pitch)};
  constexpr ImageAxis kLayer{UPSWEEP_OBJECT_IMAGE_LAYER, offsetof(UpsweepImage, layers), offsetof(UpsweepImage, slice_pitch)};
  if (name.ends_with("_1d")) return {kX};
  if (name.ends_with("_1d_array")) return {kX, kLayer};
  if (name.ends_with("_2d")) return {kX, kY};
  if (name.ends_with("_2d_array")) return {kX, kY, kLayer};
  if (name.ends_with("_3d")) return {kX, kY, kZ};
  return {};
}

}  // namespace

TexelAccess::TexelAccess(CallInst &its_call)
    : call(its_call), is_write(intrinsic_of(call) == Ups::kWriteTexel), image(call.getArgOperand(0)),
      axes(axes_of(ups_function(call).name)) {
  const unsigned first = is_write ? 1 : 2;  // a read has a sampler
  for (unsigned i = 0; i < axes.size(); ++i) coordinates.push_back(call.getArgOperand(first + i));
}

Value *TexelAccess::level() const { return call.getArgOperand(1 + static_cast<unsigned>(axes.size())); }
Value *TexelAccess::colour() const { return call.getArgOperand(2 + static_cast<unsigned>(axes.size())); }

Value *load_image_field(IRBuilder<> &builder, Value *image, size_t offset, Type *type) {
  Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), image, offset);
  LoadInst *load = builder.CreateAlignedLoad(type, address, commonAlignment(Align(64), offset));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

Texel find_texel(IRBuilder<> &builder, const TexelAccess &access) {
  Type *i64 = builder.getInt64Ty();
  const auto field = [&](size_t offset, Type *type) { return load_image_field(builder, access.image, offset, type); };
  Value *bytes = builder.CreateZExt(field(offsetof(UpsweepImage, texel_bytes), builder.getInt8Ty()), i64);
  Value *address = field(offsetof(UpsweepImage, data), i64), *is_inside = builder.getTrue();
  for (const auto &[axis, coordinate] : zip(access.axes, access.coordinates)) {
    is_inside = builder.CreateAnd(is_inside, builder.CreateICmpULT(coordinate, field(axis.extent, builder.getInt32Ty())));
    Value *pitch = axis.pitch ? field(axis.pitch, i64) : bytes;
    address = builder.CreateAdd(address, builder.CreateMul(builder.CreateZExt(coordinate, i64), pitch));
  }
  return {builder.CreateSelect(is_inside, address, builder.CreatePtrToInt(access.image, i64)), is_inside, bytes};
}

}  // namespace upsweep::passes
