// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares coordinates with the image's description (base/image_abi.h).
#include "passes/cpu/check/check_images.h"

#include "base/image_abi.h"
#include "passes/common/intrinsics.h"
#include "passes/cpu/check/access.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <cstddef>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// The bits of a sampler that are its addressing mode, which is 0 for CLK_ADDRESS_NONE and in reads without a sampler.
constexpr uint64_t kAddressMode = 14;

struct Axis {
  UpsweepObjectKind kind;
  size_t extent;  ///< offset of the texels along the axis in UpsweepImage
};
constexpr Axis kX{UPSWEEP_OBJECT_IMAGE_X, offsetof(UpsweepImage, width)};
constexpr Axis kY{UPSWEEP_OBJECT_IMAGE_Y, offsetof(UpsweepImage, height)};
constexpr Axis kZ{UPSWEEP_OBJECT_IMAGE_Z, offsetof(UpsweepImage, depth)};
constexpr Axis kLayer{UPSWEEP_OBJECT_IMAGE_LAYER, offsetof(UpsweepImage, layers)};

/// The axes of the coordinates of an access, whose name ends with the image's shape (images/shapes.h).
SmallVector<Axis, 3> axes_of(StringRef name) {
  if (name.ends_with("_1d")) return {kX};
  if (name.ends_with("_1d_array")) return {kX, kLayer};
  if (name.ends_with("_2d")) return {kX, kY};
  if (name.ends_with("_2d_array")) return {kX, kY, kLayer};
  if (name.ends_with("_3d")) return {kX, kY, kZ};
  return {};
}

Value *extent(IRBuilder<> &builder, Value *image, const Axis &axis, Value *level) {
  Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), image, axis.extent);
  LoadInst *texels = builder.CreateAlignedLoad(builder.getInt32Ty(), address, Align(4));
  texels->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  if (!level || axis.kind == UPSWEEP_OBJECT_IMAGE_LAYER) return texels;
  return builder.CreateBinaryIntrinsic(Intrinsic::umax, builder.CreateLShr(texels, level), builder.getInt32(1));
}

void check_image(CallInst &call, ProvenanceFinder &finder, SiteTable &sites) {
  const UpsFunction &function = ups_function(call);
  const bool is_write = function.id == Ups::kWriteTexel;
  const SmallVector<Axis, 3> axes = axes_of(function.name);
  Value *image = call.getArgOperand(0), *sampler = is_write ? nullptr : call.getArgOperand(1), *level = nullptr;
  const unsigned first = is_write ? 1 : 2;
  if (is_write) level = call.getArgOperand(first + static_cast<unsigned>(axes.size()));
  if (const auto *number = dyn_cast_or_null<ConstantInt>(level); number && number->isZero()) level = nullptr;
  IRBuilder<> builder(&call);
  Value *is_defined = nullptr;  // outside of the image
  if (sampler) is_defined = builder.CreateIsNotNull(builder.CreateAnd(sampler, builder.getInt64(kAddressMode)));
  if (const auto *known = dyn_cast_or_null<ConstantInt>(is_defined)) {
    if (known->isOne()) return;
    is_defined = nullptr;
  }
  const std::optional<Origin> origin = finder.origin(image);
  SiteFacts facts;
  facts.access = is_write ? UPSWEEP_WRITES : UPSWEEP_READS;
  facts.element = facts.width = 1;
  if (origin) {
    facts.object = origin->name;
    facts.argument = origin->argument;
  }
  for (auto [i, axis] : enumerate(axes)) {
    facts.kind = axis.kind;
    Value *coordinate = builder.CreateSExt(call.getArgOperand(first + static_cast<unsigned>(i)), builder.getInt64Ty());
    Value *texels = builder.CreateZExt(extent(builder, image, axis, level), builder.getInt64Ty());
    if (is_defined) coordinate = builder.CreateSelect(is_defined, builder.getInt64(0), coordinate);
    add_check(builder, Ups::kCheckIndex,
              {ConstantPointerNull::get(builder.getPtrTy()), coordinate, texels, builder.getInt64(1), builder.getInt64(1),
               sites.site(call, facts)});
  }
}

}  // namespace

void check_images(Function &item, ProvenanceFinder &finder, SiteTable &sites) {
  SmallVector<CallInst *, 16> accesses;
  for (Instruction &instruction : instructions(item))
    if (is_contained({Ups::kReadTexel, Ups::kWriteTexel}, intrinsic_of(instruction)))
      accesses.push_back(cast<CallInst>(&instruction));
  for (CallInst *access : accesses) check_image(*access, finder, sites);
}

}  // namespace upsweep::passes
