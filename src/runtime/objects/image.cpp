// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates images and targets' state for them.
#include "runtime/objects/image.h"
#include "base/image_abi.h"
#include "runtime/check/initialisation.h"
#include "runtime/memory/svm.h"
#include "runtime/target.h"
#include <algorithm>

namespace upsweep {

Result<Image *> Image::from(cl_mem handle) {
  Result<MemoryObject *> object = MemoryObject::from(handle);
  if (!object) return fail(object);
  if (!ImageType::find((*object)->type())) return fail(CL_INVALID_MEM_OBJECT, "the memory object is not an image");
  return static_cast<Image *>(*object);
}

Result<Ref<Image>> Image::create(Context &context, cl_mem_flags flags, Description description, void *host_ptr,
                                 std::vector<cl_mem_properties> properties) {
  const bool uses_host_ptr = flags & CL_MEM_USE_HOST_PTR;
  Parts parts{.context = Ref(&context),
              .type = description.shape.type->value,
              .flags = flags,
              .size = description.layout.bytes,
              .properties = std::move(properties),
              .host_ptr = uses_host_ptr ? static_cast<char *>(host_ptr) : nullptr,
              .parent = nullptr,
              .uses_svm_pointer = uses_host_ptr && find_svm(context, host_ptr).has_value()};
  auto image = make_ref<Image>(std::move(parts), std::move(description));
  // As for buffers: allocate host memory now only if it is needed.
  if (context.works_in_host_memory() || (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR))) {
    auto memory = image->host();
    if (!memory) return fail(memory);
    // Kernels follow the texels of one level alone.
    const bool has_data = flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR) || image->levels().size() > 1;
    if (!image->can_have_copies()) begin_object(*memory, image->size(), has_data);
    if (flags & CL_MEM_COPY_HOST_PTR) {
      // Skip the gaps between rows and slices; the application's memory may lack the last gap.
      const ImageRegion whole{0, {0, 0, 0}, image->shape().extent()};
      const RectLayout rect = image->rect_of(whole);
      copy_rect(*memory, rect, static_cast<const char *>(host_ptr), rect, image->bytes_of(whole));
    }
  }
  return image;
}

Ref<Image> Image::create_view(MemoryObject &parent, cl_mem_flags flags, Description description,
                              std::vector<cl_mem_properties> properties) {
  Parts parts{.context = Ref(&parent.context()),
              .type = description.shape.type->value,
              .flags = flags,
              .size = description.layout.bytes,
              .properties = std::move(properties),
              .host_ptr = static_cast<char *>(parent.host_ptr()),
              .parent = Ref<MemoryObject>(&parent),
              .origin = parent.origin(),
              .uses_svm_pointer = parent.uses_svm_pointer()};
  return make_ref<Image>(std::move(parts), std::move(description));
}

RectLayout Image::rect_of(const ImageRegion &region) const {
  return upsweep::rect_of(levels()[region.level], region, format().texel_bytes());
}

Size3 Image::bytes_of(const ImageRegion &region) const { return upsweep::bytes_of(region, format().texel_bytes()); }

Result<uint64_t> Image::argument_on(Target &target, ImageUse use) {
  std::lock_guard lock(mutex_);
  auto found = std::ranges::find(on_targets_, &target, &OnTarget::target);
  if (found == on_targets_.end()) {
    auto opened = target.images()->open(*this);
    if (!opened) return fail(opened);
    found = on_targets_.insert(on_targets_.end(), {&target, *std::move(opened)});
  }
  return found->image->argument(use);
}

bool fits(const ImageShape &shape, const ImageLimits &limits) {
  if (shape.type->is_array && shape.layers > limits.array_layers) return false;
  if (shape.height > 1 && shape.row_pitch > UINT32_MAX) return false;
  switch (shape.type->value) {
  case CL_MEM_OBJECT_IMAGE1D_BUFFER: return shape.width <= limits.buffer_texels;
  case CL_MEM_OBJECT_IMAGE3D:
    return shape.width <= limits.width_3d && shape.height <= limits.height_3d && shape.depth <= limits.depth_3d;
  default: return shape.width <= limits.width_2d && shape.height <= limits.height_2d;
  }
}

// The levels of the largest image must fit into UpsweepImage, and coordinates into an int.
ImageLimits linear_image_limits(const DeviceProperties &p) {
  ImageLimits limits{};
  limits.width_2d = limits.height_2d = 32768;
  limits.width_3d = limits.height_3d = limits.depth_3d = 16384;
  static_assert(32768 >> (UPSWEEP_MOST_LEVELS - 1) == 1);
  limits.buffer_texels = std::min<size_t>(p.max_allocation_bytes, INT32_MAX);
  limits.array_layers = 32768;
  limits.read_arguments = limits.write_arguments = limits.read_write_arguments = 128;
  limits.samplers = 64;
  limits.pitch_alignment = limits.base_address_alignment = 1;
  return limits;
}

}  // namespace upsweep
