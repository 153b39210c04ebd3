// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of targets that support them: a part of the device interface (runtime/target.h).
#ifndef UPSWEEP_RUNTIME_MEMORY_TARGET_IMAGES_H
#define UPSWEEP_RUNTIME_MEMORY_TARGET_IMAGES_H

#include "base/result.h"
#include "formats/image_format.h"
#include <cstdint>
#include <memory>

namespace upsweep {

class Image;

/// A kernel's access to an image: read_only, write_only, read_write.
enum class ImageUse { kRead, kWrite, kReadWrite };

/// A target's state for an image, created once and kept for the image's lifetime.
class TargetImage {
public:
  virtual ~TargetImage() = default;
  /// The 8-byte kernel argument.
  virtual Result<uint64_t> argument(ImageUse use) = 0;

protected:
  TargetImage() = default;
  TargetImage(const TargetImage &) = delete;
  TargetImage &operator=(const TargetImage &) = delete;
};

class TargetImages {
public:
  virtual ~TargetImages() = default;

  /// Whether kernels can access images of this format and object type in this way.
  virtual bool supports(const ImageFormat &format, cl_mem_object_type type, ImageUse) const {
    // OpenCL C has depth types only for these object types.
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
