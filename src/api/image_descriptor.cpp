// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Validates formats, descriptors and sizes of new images.
#include "api/image_descriptor.h"
#include "api/memory_flags.h"
#include "base/image_abi.h"
#include "runtime/memory/svm.h"
#include <algorithm>
#include <cstdint>

namespace upsweep {
namespace {

/// The shape of `desc`, without dimensions that the type lacks and before pitches are computed.
Result<ImageShape> read_descriptor(const cl_image_desc &desc) {
  const ImageType *type = ImageType::find(desc.image_type);
  if (!type) return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_type is " + std::to_string(desc.image_type));
  ImageShape shape{.type = type, .width = desc.image_width, .mip_levels = desc.num_mip_levels};
  if (type->dims_of_layer() > 1) shape.height = desc.image_height;
  if (type->value == CL_MEM_OBJECT_IMAGE3D) shape.depth = desc.image_depth;
  if (type->is_array) shape.layers = desc.image_array_size;
  shape.row_pitch = desc.image_row_pitch;
  shape.slice_pitch = type->is_array || type->dims == 3 ? desc.image_slice_pitch : 0;
  if (desc.num_samples != 0)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "num_samples is " + std::to_string(desc.num_samples) + ", not 0");
  return shape;
}

/// The product, or SIZE_MAX on overflow.
size_t product(size_t a, size_t b) {
  size_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? SIZE_MAX : result;
}

Result<void> check_pitches(const ImageShape &shape, const cl_image_desc &desc, size_t texel_bytes, bool has_host_ptr,
                           bool is_of_buffer) {
  // "image_row_pitch must be zero if host_ptr is NULL … and the image is not a 2D image created from a buffer"; Khronos's tests
  // also pass it for 1D buffer images, which have one row.
  const bool row_is_free = has_host_ptr || is_of_buffer;
  if (desc.image_row_pitch && !row_is_free)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_row_pitch is given without host_ptr");
  if (desc.image_slice_pitch && !has_host_ptr)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_slice_pitch is given without host_ptr");
  const size_t row = product(shape.width, texel_bytes);
  const auto pitch = [](const char *name, size_t value, size_t least, size_t unit) {
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, std::string(name) + " is " + std::to_string(value) +
                                                 ", neither 0 nor a multiple of " + std::to_string(unit) + " from " +
                                                 std::to_string(least) + " on");
  };
  if (shape.row_pitch && (shape.row_pitch < row || shape.row_pitch % texel_bytes != 0))
    return pitch("image_row_pitch", shape.row_pitch, row, texel_bytes);
  if (!shape.slice_pitch) return {};
  const size_t used_row = shape.row_pitch ? shape.row_pitch : row;
  const size_t slice = shape.type->value == CL_MEM_OBJECT_IMAGE1D_ARRAY ? used_row : product(used_row, shape.height);
  if (shape.slice_pitch < slice || used_row == 0 || shape.slice_pitch % used_row != 0)
    return pitch("image_slice_pitch", shape.slice_pitch, slice, used_row);
  return {};
}

Result<void> check_mip_levels(const ImageShape &shape, const ImageRequest &request, const MemoryObject *parent) {
  if (shape.mip_levels <= 1) return {};
  if (shape.type->value == CL_MEM_OBJECT_IMAGE1D_BUFFER || (parent && !ImageType::find(parent->type())))
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "images of buffers have no mip levels");
  if (request.host_ptr || (request.flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "images with mip levels take no host_ptr");
  // Allows more levels than halving the sizes gives: Khronos's tests create two levels for an image of one texel.
  if (shape.mip_levels > UPSWEEP_MOST_LEVELS)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR,
                "num_mip_levels is " + std::to_string(shape.mip_levels) + ", at most " + std::to_string(UPSWEEP_MOST_LEVELS));
  return {};
}

/// An image created from an image has the same texels with another channel order.
Result<void> check_view(const ImageShape &shape, const ImageFormat &format, const Image &parent) {
  const ImageShape &own = parent.shape();
  const bool same_pitch = shape.row_pitch == 0 || shape.row_pitch == own.row_pitch;
  if (shape.width != own.width || shape.height != own.height || shape.levels() != own.levels() || !same_pitch)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc does not describe the image mem_object");
  if (format.type().value != parent.format().type().value ||
      !is_view_order(format.order().value, parent.format().order().value))
    return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                std::string("an image of order ") + parent.format().order().name + " and type " + parent.format().type().name +
                    " cannot be viewed with order " + format.order().name + " and type " + format.type().name);
  return {};
}

/// Checks the alignment of a buffer's image against the strictest device.
Result<void> check_alignment(const Context &context, const ImageShape &shape, size_t texel_bytes, const MemoryObject &buffer) {
  size_t pitch_texels = 1, base_texels = 1;
  for (const Ref<Device> &device : context.devices()) {
    if (const auto &limits = device->properties().images) {
      pitch_texels = std::max<size_t>(pitch_texels, limits->pitch_alignment);
      base_texels = std::max<size_t>(base_texels, limits->base_address_alignment);
    }
  }
  if (shape.row_pitch % (pitch_texels * texel_bytes) != 0)
    return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the row pitch is " + std::to_string(shape.row_pitch) +
                                                        ", not a multiple of " + std::to_string(pitch_texels * texel_bytes));
  // If the texel size is not a power of two, the alignment of channels counts.
  const size_t unit = texel_bytes % 3 == 0 ? texel_bytes / 3 : texel_bytes;
  if (reinterpret_cast<uintptr_t>(buffer.host_ptr()) % (base_texels * unit) != 0)
    return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                "the buffer's host_ptr is not a multiple of " + std::to_string(base_texels * unit));
  return {};
}

Result<void> check_size(const Context &context, const ImageShape &shape) {
  const Size3 extent = shape.extent();
  const bool fits_one = std::ranges::any_of(context.devices(), [&](const Ref<Device> &device) {
    const auto &limits = device->properties().images;
    return limits && fits(shape, *limits);
  });
  if (extent[0] != 0 && extent[1] != 0 && extent[2] != 0 && fits_one) return {};
  return fail(CL_INVALID_IMAGE_SIZE, std::string("a ") + shape.type->name + " of " + std::to_string(extent[0]) + " x " +
                                         std::to_string(extent[1]) + " x " + std::to_string(extent[2]) +
                                         " texels is empty or larger than any device supports");
}

/// "CL_IMAGE_FORMAT_NOT_SUPPORTED if there are no devices in context that support image_format"
Result<void> check_support(const Context &context, const ImageFormat &format, const ImageShape &shape, cl_mem_flags flags) {
  const bool reads = !(flags & CL_MEM_WRITE_ONLY), writes = !(flags & CL_MEM_READ_ONLY);
  const bool found = std::ranges::any_of(context.devices(), [&](const Ref<Device> &device) {
    const TargetImages *images = device->target().images();
    return images && (!reads || images->supports(format, shape.type->value, ImageUse::kRead)) &&
           (!writes || images->supports(format, shape.type->value, ImageUse::kWrite));
  });
  if (found) return {};
  return fail(CL_IMAGE_FORMAT_NOT_SUPPORTED, std::string("no device supports images of type ") + shape.type->name +
                                                 " and format " + format.order().name + ", " + format.type().name);
}

/// Checks a device's allocation limit; no image of a supported size exceeds it.
Result<void> check_bytes(const Context &context, size_t bytes) {
  size_t limit = 0;
  for (const Ref<Device> &device : context.devices())
    limit = std::max<size_t>(limit, device->properties().max_allocation_bytes);
  if (bytes <= limit) return {};
  return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE,
              "the image has " + std::to_string(bytes) + " bytes, at most " + std::to_string(limit) + " can be allocated");
}

/// An image on SVM memory must not extend beyond its allocation; the specification demands this only for buffers, with another
/// error.
Result<void> check_svm(const Context &context, size_t bytes, const void *host_ptr) {
  const auto svm = host_ptr ? find_svm(context, host_ptr) : std::nullopt;
  const size_t room = svm ? svm->bytes - static_cast<size_t>(static_cast<const char *>(host_ptr) - svm->base) : SIZE_MAX;
  if (bytes <= room) return {};
  return fail(CL_INVALID_HOST_PTR, "the image has " + std::to_string(bytes) + " bytes, but host_ptr has only " +
                                       std::to_string(room) + " bytes left in its SVM allocation");
}

}  // namespace

Result<void> check_has_images(const Context &context) {
  const bool has =
      std::ranges::any_of(context.devices(), [](const Ref<Device> &device) { return device->properties().images.has_value(); });
  if (has) return {};
  return fail(CL_INVALID_OPERATION, "no device of the context supports images");
}

Result<ImageFormat> check_image_format(const cl_image_format *format) {
  if (!format) return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is null");
  const auto found = ImageFormat::find(*format);
  if (!found)
    return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "channel order " + std::to_string(format->image_channel_order) +
                                                        " with data type " + std::to_string(format->image_channel_data_type) +
                                                        " is not an image format");
  return *found;
}

Result<MemoryObject *> check_image_parent(const Context &context, const cl_image_desc *desc) {
  if (!desc) return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc is null");
  const bool is_buffer_type = desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  if (!desc->mem_object) {
    if (is_buffer_type) return fail(CL_INVALID_IMAGE_DESCRIPTOR, "mem_object is null; a 1D image buffer needs a buffer");
    return nullptr;
  }
  auto parent = MemoryObject::from(desc->mem_object);
  if (!parent || &(*parent)->context() != &context)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "mem_object is not a memory object of the context");
  const bool is_2d = desc->image_type == CL_MEM_OBJECT_IMAGE2D;
  const cl_mem_object_type type = (*parent)->type();
  if (type == CL_MEM_OBJECT_BUFFER ? is_buffer_type || is_2d : type == CL_MEM_OBJECT_IMAGE2D && is_2d) return *parent;
  return fail(CL_INVALID_IMAGE_DESCRIPTOR, "an image of this type cannot be created from a memory object of that type");
}

Result<Image::Description> check_image_request(const Context &context, const ImageRequest &request, const ImageFormat &format,
                                               MemoryObject *parent) {
  auto shape = read_descriptor(*request.desc);
  if (!shape) return fail(shape);
  const size_t texel_bytes = format.texel_bytes();
  const bool is_of_buffer = parent && parent->type() == CL_MEM_OBJECT_BUFFER;
  const bool is_view = parent && !is_of_buffer;
  if (is_view)
    if (auto checked = check_view(*shape, format, static_cast<const Image &>(*parent)); !checked) return fail(checked);
  if (is_view) {
    shape->row_pitch = static_cast<const Image &>(*parent).shape().row_pitch;
  } else if (auto checked = check_pitches(*shape, *request.desc, texel_bytes, request.host_ptr != nullptr, is_of_buffer);
             !checked) {
    return fail(checked);
  }
  if (auto checked = check_size(context, *shape); !checked) return fail(checked);
  if (auto checked = check_mip_levels(*shape, request, parent); !checked) return fail(checked);
  auto layout = lay_out(*shape, texel_bytes);
  if (!layout) return fail(CL_INVALID_IMAGE_SIZE, "the image has more than 2^64 bytes");
  if (is_of_buffer) {
    if (auto checked = check_alignment(context, *shape, texel_bytes, *parent); !checked) return fail(checked);
    if (layout->bytes > parent->size())
      return fail(CL_INVALID_IMAGE_SIZE,
                  "the image has " + std::to_string(layout->bytes) + " bytes, the buffer " + std::to_string(parent->size()));
  }
  if (auto checked = check_host_ptr(context, parent ? 0 : request.flags, layout->bytes, request.host_ptr); !checked)
    return fail(checked);
  if (auto checked = check_svm(context, layout->bytes, request.host_ptr); !checked) return fail(checked);
  if (auto checked = check_support(context, format, *shape, request.flags); !checked) return fail(checked);
  if (!parent)
    if (auto checked = check_bytes(context, layout->bytes); !checked) return fail(checked);
  return Image::Description{format, *shape, *std::move(layout)};
}

}  // namespace upsweep
