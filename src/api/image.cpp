// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image objects, which no device supports: clCreateImage(WithProperties), clCreateImage2D, clCreateImage3D,
// clGetSupportedImageFormats, clGetImageInfo.
#include "api/absent.h"
#include <algorithm>
#include <array>

using namespace upsweep;

namespace {

// "CL_INVALID_OPERATION if there are no devices in context that support images"
cl_mem refuse_image(const char *name, cl_context context, cl_int *errcode_ret) {
  return refuse_creation<cl_mem>(name, context, CL_INVALID_OPERATION, "no device supports images", errcode_ret);
}

}  // namespace

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags, const cl_image_format *, const cl_image_desc *, void *,
                                 cl_int *errcode_ret) {
  return refuse_image(__func__, context, errcode_ret);
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties *, cl_mem_flags,
                                               const cl_image_format *, const cl_image_desc *, void *, cl_int *errcode_ret) {
  return refuse_image(__func__, context, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags, const cl_image_format *, size_t, size_t, size_t, void *,
                                   cl_int *errcode_ret) {
  return refuse_image(__func__, context, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags, const cl_image_format *, size_t, size_t, size_t, size_t,
                                   size_t, void *, cl_int *errcode_ret) {
  return refuse_image(__func__, context, errcode_ret);
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
                                              cl_uint num_entries, cl_image_format *image_formats, cl_uint *num_image_formats) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Context::from(context);
    if (!object) return fail(object);
    // "CL_INVALID_VALUE if flags or image_type are not valid, or if num_entries is 0 and image_formats is not NULL"
    constexpr cl_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_KERNEL_READ_AND_WRITE;
    constexpr cl_mem_flags kHost = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY |
                                   CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    if (flags & ~(kAccess | kHost)) return fail(CL_INVALID_VALUE, "unknown bits in flags: " + std::to_string(flags));
    constexpr std::array<cl_mem_object_type, 6> kTypes = {CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                                          CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                                          CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
    if (std::ranges::find(kTypes, image_type) == kTypes.end())
      return fail(CL_INVALID_VALUE, "image_type is " + std::to_string(image_type));
    if (num_entries == 0 && image_formats) return fail(CL_INVALID_VALUE, "num_entries is 0, image_formats is not null");
    if (num_image_formats) *num_image_formats = 0;
    return {};
  });
}

cl_int CL_API_CALL clGetImageInfo(cl_mem, cl_image_info, size_t, void *, size_t *) {
  return entry(__func__, []() -> Result<void> { return fail(CL_INVALID_MEM_OBJECT, "not an image: no device supports them"); });
}
