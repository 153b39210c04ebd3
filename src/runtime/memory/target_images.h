// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The images of a target whose devices have them: its part of the device interface (runtime/target.h).
#ifndef UPSWEEP_RUNTIME_MEMORY_TARGET_IMAGES_H
#define UPSWEEP_RUNTIME_MEMORY_TARGET_IMAGES_H

#include "base/image_format.h"
#include "base/result.h"
#include <cstdint>
#include <memory>

namespace upsweep {

class Image;

/// A kernel's use of an image: read_only, write_only, read_write.
enum class ImageUse { kRead, kWrite, kReadWrite };

/// What a target keeps for an image, made once and kept as long as the image lives.
class TargetImage {
public:
  virtual ~TargetImage() = default;
  /// The 8 bytes that a kernel gets.
  virtual Result<uint64_t> argument(ImageUse use) = 0;

protected:
  TargetImage() = default;
  TargetImage(const TargetImage &) = delete;
  TargetImage &operator=(const TargetImage &) = delete;
};

class TargetImages {
public:
  virtual ~TargetImages() = default;

  /// Whether kernels can use images of this format and object type so.
  virtual bool supports(const ImageFormat &format, cl_mem_object_type type, ImageUse) const {
    // OpenCL C has no other types for depth.
    return !format.is_depth() || type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  }

  /// CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES.
  virtual Result<std::unique_ptr<TargetImage>> open(Image &image) = 0;

protected:
  TargetImages() = default;
  TargetImages(const TargetImages &) = delete;
  TargetImages &operator=(const TargetImages &) = delete;
};

}  // namespace upsweep
#endif
