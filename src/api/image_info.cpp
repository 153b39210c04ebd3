// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetSupportedImageFormats, clGetImageInfo.
#include "api/entry.h"
#include "api/info.h"
#include "api/memory_flags.h"
#include "runtime/objects/image.h"
#include <algorithm>

using namespace upsweep;

namespace {

const InfoEntry<Image> kImageInfo[] = {
    {CL_IMAGE_FORMAT, [](const Image &i, const InfoOut &out) { return out.write<cl_image_format>(i.format().value()); }},
    {CL_IMAGE_ELEMENT_SIZE, [](const Image &i, const InfoOut &out) { return out.write<size_t>(i.format().texel_bytes()); }},
    {CL_IMAGE_ROW_PITCH, [](const Image &i, const InfoOut &out) { return out.write<size_t>(i.shape().row_pitch); }},
    {CL_IMAGE_SLICE_PITCH, [](const Image &i, const InfoOut &out) { return out.write<size_t>(i.shape().slice_pitch); }},
    {CL_IMAGE_WIDTH, [](const Image &i, const InfoOut &out) { return out.write<size_t>(i.shape().width); }},
    {CL_IMAGE_HEIGHT, [](const Image &i, const InfoOut &out) { return out.write<size_t>(i.shape().height); }},
    {CL_IMAGE_DEPTH, [](const Image &i, const InfoOut &out) { return out.write<size_t>(i.shape().depth); }},
    {CL_IMAGE_ARRAY_SIZE, [](const Image &i, const InfoOut &out) { return out.write<size_t>(i.shape().layers); }},
    {CL_IMAGE_BUFFER,
     [](const Image &i, const InfoOut &out) {
       const bool is_of_buffer = i.parent() && i.parent()->type() == CL_MEM_OBJECT_BUFFER;
       return out.write<cl_mem>(is_of_buffer ? i.parent() : nullptr);
     }},
    {CL_IMAGE_NUM_MIP_LEVELS, [](const Image &i, const InfoOut &out) { return out.write<cl_uint>(i.shape().mip_levels); }},
    {CL_IMAGE_NUM_SAMPLES, [](const Image &, const InfoOut &out) { return out.write<cl_uint>(0); }},
};

/// The uses by kernels that the flags of clGetSupportedImageFormats ask about.
Result<std::vector<ImageUse>> check_uses(cl_mem_flags flags) {
  constexpr cl_mem_flags kAccess = kDeviceAccess | CL_MEM_KERNEL_READ_AND_WRITE;
  if (flags & ~(kAccess | kHostPointer | kHostAccess))
    return fail(CL_INVALID_VALUE, "unknown bits in flags: " + std::to_string(flags));
  if (has_several(flags, kAccess)) return fail(CL_INVALID_VALUE, "flags names more than one kind of access");
  switch (flags & kAccess) {
  case CL_MEM_READ_ONLY: return std::vector{ImageUse::kRead};
  case CL_MEM_WRITE_ONLY: return std::vector{ImageUse::kWrite};
  case CL_MEM_KERNEL_READ_AND_WRITE: return std::vector{ImageUse::kReadWrite};
  default: return std::vector{ImageUse::kRead, ImageUse::kWrite};  // CL_MEM_READ_WRITE, also the meaning of 0
  }
}

/// "a union of image formats supported by all devices in the context"
std::vector<cl_image_format> supported_formats(const Context &context, cl_mem_object_type type,
                                               const std::vector<ImageUse> &uses) {
  std::vector<cl_image_format> formats;
  for (const ImageFormat &format : image_formats()) {
    const auto supports = [&](const Ref<Device> &device) {
      const TargetImages *images = device->target().images();
      return images && std::ranges::all_of(uses, [&](ImageUse use) { return images->supports(format, type, use); });
    };
    if (std::ranges::any_of(context.devices(), supports)) formats.push_back(format.value());
  }
  return formats;
}

}  // namespace

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
                                              cl_uint num_entries, cl_image_format *image_formats, cl_uint *num_image_formats) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Context::from(context);
    if (!object) return fail(object);
    auto uses = check_uses(flags);
    if (!uses) return fail(uses);
    if (!ImageType::find(image_type)) return fail(CL_INVALID_VALUE, "image_type is " + std::to_string(image_type));
    if (num_entries == 0 && image_formats) return fail(CL_INVALID_VALUE, "num_entries is 0, but image_formats is not null");
    const std::vector<cl_image_format> formats = supported_formats(**object, image_type, *uses);
    if (image_formats)
      std::ranges::copy_n(formats.begin(), std::min<ptrdiff_t>(num_entries, std::ssize(formats)), image_formats);
    if (num_image_formats) *num_image_formats = static_cast<cl_uint>(formats.size());
    return {};
  });
}

cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Image::from(image);
    if (!object) return fail(object);
    return answer_info(kImageInfo, **object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}
