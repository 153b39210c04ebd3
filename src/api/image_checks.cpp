// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of image commands.
#include "api/image_checks.h"
#include "api/memory_checks.h"

namespace upsweep {

Result<Image *> check_image(const Queue &queue, cl_mem handle) {
  auto image = Image::from(handle);
  if (!image) return fail(image);
  if (auto checked = check_memory(queue, handle); !checked) return fail(checked);
  return image;
}

Result<ImageRegion> check_image_region(const Image &image, const size_t *origin, const size_t *region, const char *name) {
  if (!origin) return fail(CL_INVALID_VALUE, std::string(name) + " is null");
  if (!region) return fail(CL_INVALID_VALUE, "region is null");
  const unsigned dims = image.shape().type->dims;
  ImageRegion checked{0, {0, 0, 0}, {1, 1, 1}};
  const auto at = [](const char *array, unsigned dim, size_t value) {
    return std::string(array) + "[" + std::to_string(dim) + "] is " + std::to_string(value);
  };
  // For images with several mip levels, the coordinate after the image's own is the level.
  const bool has_levels = image.levels().size() > 1;
  if (has_levels) {
    checked.level = origin[dims];
    if (checked.level >= image.levels().size())
      return fail(CL_INVALID_MIP_LEVEL,
                  at(name, dims, checked.level) + ", the image has " + std::to_string(image.levels().size()) + " mip levels");
  }
  const Size3 &extent = image.levels()[checked.level].extent;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (dim >= dims) {
      if (region[dim] != 1) return fail(CL_INVALID_VALUE, at("region", dim, region[dim]) + ", not 1");
      if (origin[dim] != 0 && !(has_levels && dim == dims))
        return fail(CL_INVALID_VALUE, at(name, dim, origin[dim]) + ", not 0");
      continue;
    }
    if (region[dim] == 0) return fail(CL_INVALID_VALUE, at("region", dim, 0));
    if (origin[dim] > extent[dim] || region[dim] > extent[dim] - origin[dim])
      return fail(CL_INVALID_VALUE, at(name, dim, origin[dim]) + " and " + at("region", dim, region[dim]) +
                                        ", the image's extent is " + std::to_string(extent[dim]));
    checked.origin[dim] = origin[dim];
    checked.extent[dim] = region[dim];
  }
  return checked;
}

Result<void> check_image_device(const Queue &queue, const Image &image) {
  const Device &device = queue.device();
  const auto &limits = device.properties().images;
  if (!limits) return fail(CL_INVALID_OPERATION, "the device does not support images");
  if (!fits(image.shape(), *limits)) return fail(CL_INVALID_IMAGE_SIZE, "the device does not support images of this size");
  const TargetImages &images = *device.target().images();
  for (ImageUse use : {ImageUse::kRead, ImageUse::kWrite, ImageUse::kReadWrite})
    if (images.supports(image.format(), image.type(), use)) return {};
  return fail(CL_IMAGE_FORMAT_NOT_SUPPORTED, std::string("the device does not support images of format ") +
                                                 image.format().order().name + ", " + image.format().type().name);
}

}  // namespace upsweep
