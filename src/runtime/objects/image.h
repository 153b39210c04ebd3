// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images. The bytes of one are linear host memory, of its own or of a buffer or another image; what a device keeps beside them
// is a TargetImage.
#ifndef UPSWEEP_RUNTIME_OBJECTS_IMAGE_H
#define UPSWEEP_RUNTIME_OBJECTS_IMAGE_H

#include "base/image_format.h"
#include "runtime/memory/target_images.h"
#include "runtime/objects/image_layout.h"
#include "runtime/objects/memory_object.h"
#include <span>
#include <vector>

namespace upsweep {

struct DeviceProperties;
struct ImageLimits;

class Image final : public MemoryObject {
public:
  /// The image behind a handle; CL_INVALID_MEM_OBJECT for any other memory object.
  static Result<Image *> from(cl_mem handle);

  struct Description {
    ImageFormat format;
    ImageShape shape;  ///< with complete pitches
    ImageLayout layout;
  };

  /// `flags` and `host_ptr`, whose texels are laid out as the image's, are checked already. CL_MEM_OBJECT_ALLOCATION_FAILURE.
  static Result<Ref<Image>> create(Context &context, cl_mem_flags flags, Description description, void *host_ptr,
                                   std::vector<cl_mem_properties> properties);
  /// An image whose texels are those of a buffer or an image, from its first byte on. `flags` include the inherited ones.
  static Ref<Image> create_view(MemoryObject &parent, cl_mem_flags flags, Description description,
                                std::vector<cl_mem_properties> properties);

  const ImageFormat &format() const { return description_.format; }
  const ImageShape &shape() const { return description_.shape; }
  std::span<const ImageLevel> levels() const { return description_.layout.levels; }

  /// A region as bytes of this object.
  RectLayout rect_of(const ImageRegion &region) const;
  Size3 bytes_of(const ImageRegion &region) const;

  /// The argument of kernels of `target`, which has images.
  Result<uint64_t> argument_on(Target &target, ImageUse use);

  Image(Parts parts, Description description) : MemoryObject(std::move(parts)), description_(std::move(description)) {}

private:
  struct OnTarget {
    const Target *target;
    std::unique_ptr<TargetImage> image;
  };

  const Description description_;
  std::mutex mutex_;  ///< guards on_targets_
  std::vector<OnTarget> on_targets_;
};

/// Of a target whose kernels find images in linear memory.
ImageLimits linear_image_limits(const DeviceProperties &properties);
/// Whether a device with these limits takes images of the shape.
bool fits(const ImageShape &shape, const ImageLimits &limits);

}  // namespace upsweep
#endif
