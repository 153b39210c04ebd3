// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of image arguments, when they are set and when a kernel is enqueued.
#include "runtime/objects/image_argument.h"
#include "runtime/objects/device.h"
#include <algorithm>
#include <string_view>

namespace upsweep {
namespace {

/// OpenCL C's image types.
struct ArgumentType {
  std::string_view name;
  cl_mem_object_type object;
  bool is_depth;
};
constexpr ArgumentType kArgumentTypes[] = {
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D, false},
    {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, false},
    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, false},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D, false},
    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, false},
    {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, true},
    {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, true},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D, false},
};

}  // namespace

ImageUse use_of(const ArgumentDescription &argument) {
  switch (argument.access_qualifier) {
  case CL_KERNEL_ARG_ACCESS_WRITE_ONLY: return ImageUse::kWrite;
  case CL_KERNEL_ARG_ACCESS_READ_WRITE: return ImageUse::kReadWrite;
  default: return ImageUse::kRead;  // OpenCL C's default
  }
}

Result<void> check_image_argument(const ArgumentDescription &argument, const Image &image) {
  const auto *type = std::ranges::find(kArgumentTypes, argument.image_type, &ArgumentType::name);
  if (type != std::end(kArgumentTypes) && (type->object != image.type() || type->is_depth != image.format().is_depth()))
    return fail(CL_INVALID_MEM_OBJECT, std::string("an image of type ") + image.shape().type->name + " and order " +
                                           image.format().order().name + " is no " + argument.image_type);
  const ImageUse use = use_of(argument);
  if (use != ImageUse::kWrite && (image.flags() & CL_MEM_WRITE_ONLY))
    return fail(CL_INVALID_ARG_VALUE, "the kernel reads the image, which was created with CL_MEM_WRITE_ONLY");
  if (use != ImageUse::kRead && (image.flags() & CL_MEM_READ_ONLY))
    return fail(CL_INVALID_ARG_VALUE, "the kernel writes the image, which was created with CL_MEM_READ_ONLY");
  return {};
}

Result<void> check_image_on(const Device &device, const Image &image, ImageUse use) {
  const auto &limits = device.properties().images;
  // "CL_INVALID_IMAGE_SIZE if an image object is specified as an argument value and the image dimensions are not supported by
  // device"
  if (!limits || !fits(image.shape(), *limits))
    return fail(CL_INVALID_IMAGE_SIZE, "the device does not support images of the argument's size");
  if (!device.target().images()->supports(image.format(), image.type(), use))
    return fail(CL_IMAGE_FORMAT_NOT_SUPPORTED, std::string("the device does not support images of type ") +
                                                   image.shape().type->name + " and format " + image.format().order().name +
                                                   ", " + image.format().type().name + " for this access");
  return {};
}

Result<void> check_image_counts(const KernelDescription &kernel, const Device &device) {
  const ImageLimits limits = device.properties().images.value_or(ImageLimits{});
  size_t read = 0, write = 0, read_write = 0, samplers = 0;
  for (const ArgumentDescription &argument : kernel.arguments) {
    if (argument.kind == ArgumentKind::kSampler) ++samplers;
    if (argument.kind != ArgumentKind::kImage) continue;
    const ImageUse use = use_of(argument);
    ++(use == ImageUse::kRead ? read : use == ImageUse::kWrite ? write : read_write);
  }
  const auto check = [](size_t count, size_t limit, const char *what) -> Result<void> {
    if (count <= limit) return {};
    return fail(CL_OUT_OF_RESOURCES,
                "the kernel has " + std::to_string(count) + what + ", at most " + std::to_string(limit) + " are allowed");
  };
  if (auto checked = check(read, limits.read_arguments, " read_only images"); !checked) return checked;
  if (auto checked = check(write, limits.write_arguments, " write_only images"); !checked) return checked;
  if (read_write > 0)
    if (auto checked = check(write + read_write, limits.read_write_arguments, " write_only and read_write images"); !checked)
      return checked;
  return check(samplers, limits.samplers, " samplers");
}

}  // namespace upsweep
