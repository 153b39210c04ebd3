// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images. The texels are in linear host memory, which belongs to the image or to a buffer or another image. A TargetImage is a
// device's additional state.
#ifndef UPSWEEP_RUNTIME_OBJECTS_IMAGE_H
#define UPSWEEP_RUNTIME_OBJECTS_IMAGE_H

#include "formats/image_format.h"
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

  /// `flags` and `host_ptr` are already validated; the texels at `host_ptr` have the image's layout.
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE.
  static Result<Ref<Image>> create(Context &context, cl_mem_flags flags, Description description, void *host_ptr,
                                   std::vector<cl_mem_properties> properties);
  /// An image that shares the texels of a buffer or an image, from its first byte. `flags` include the inherited flags.
  static Ref<Image> create_view(MemoryObject &parent, cl_mem_flags flags, Description description,
                                std::vector<cl_mem_properties> properties);

  const ImageFormat &format() const { return description_.format; }
  const ImageShape &shape() const { return description_.shape; }
  std::span<const ImageLevel> levels() const { return description_.layout.levels; }

  /// A region as a rectangle of bytes of this object.
  RectLayout rect_of(const ImageRegion &region) const;
  Size3 bytes_of(const ImageRegion &region) const;

  /// The kernel argument for `target`, which must support images.
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

/// Limits for a target whose kernels access images in linear memory.
ImageLimits linear_image_limits(const DeviceProperties &properties);
/// Whether a device with these limits supports images of the shape.
bool fits(const ImageShape &shape, const ImageLimits &limits);

}  // namespace upsweep
#endif
