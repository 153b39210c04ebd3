// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addresses of texels, from an image's description (base/image_abi.h), for checks of Ups::kReadTexel and kWriteTexel.
#ifndef UPSWEEP_PASSES_CPU_CHECK_TEXELS_H
#define UPSWEEP_PASSES_CPU_CHECK_TEXELS_H

#include "base/check_abi.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace upsweep::passes {

/// An axis of the coordinates: offsets in UpsweepImage of the number of texels along it, and of the bytes between two of them,
/// which is 0 along x, where texels are adjacent.
struct ImageAxis {
  UpsweepObjectKind kind;
  size_t extent;
  size_t pitch;
};

/// A call's image, its coordinates, and the axes they belong to.
struct TexelAccess {
  llvm::CallInst &call;
  bool is_write;
  llvm::Value *image;
  llvm::SmallVector<ImageAxis, 3> axes;
  llvm::SmallVector<llvm::Value *, 3> coordinates;  ///< i32

  explicit TexelAccess(llvm::CallInst &call);
  [[nodiscard]] llvm::Value *level() const;   ///< of a write
  [[nodiscard]] llvm::Value *colour() const;  ///< of a write
};

/// A texel of level 0. Outside of the image the address is that of the image's description.
struct Texel {
  llvm::Value *address;    ///< i64
  llvm::Value *is_inside;  ///< i1
  llvm::Value *bytes;      ///< i64
};
Texel find_texel(llvm::IRBuilder<> &builder, const TexelAccess &access);

llvm::Value *load_image_field(llvm::IRBuilder<> &builder, llvm::Value *image, size_t offset, llvm::Type *type);

}  // namespace upsweep::passes
#endif
