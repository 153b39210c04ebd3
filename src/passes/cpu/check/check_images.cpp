// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares coordinates with the image's description (base/image_abi.h).
#include "passes/cpu/check/check_images.h"

#include "passes/common/intrinsics.h"
#include "passes/cpu/check/access.h"
#include "passes/cpu/check/texels.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// The bits of a sampler that are its addressing mode, which is 0 for CLK_ADDRESS_NONE and in reads without a sampler.
constexpr uint64_t kAddressMode = 14;

Value *extent(IRBuilder<> &builder, Value *image, const ImageAxis &axis, Value *level) {
  Value *texels = load_image_field(builder, image, axis.extent, builder.getInt32Ty());
  if (!level || axis.kind == UPSWEEP_OBJECT_IMAGE_LAYER) return texels;
  return builder.CreateBinaryIntrinsic(Intrinsic::umax, builder.CreateLShr(texels, level), builder.getInt32(1));
}

void check_image(CallInst &call, ProvenanceFinder &finder, SiteTable &sites) {
  const TexelAccess access(call);
  const bool is_write = access.is_write;
  Value *image = access.image, *sampler = is_write ? nullptr : call.getArgOperand(1);
  Value *level = is_write ? access.level() : nullptr;
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
  for (const auto &[axis, number] : zip(access.axes, access.coordinates)) {
    facts.kind = axis.kind;
    Value *coordinate = builder.CreateSExt(number, builder.getInt64Ty());
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
