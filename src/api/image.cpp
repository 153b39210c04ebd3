// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateImage, clCreateImageWithProperties, clCreateImage2D, clCreateImage3D.
#include "runtime/objects/image.h"
#include "api/entry.h"
#include "api/image_descriptor.h"
#include "api/memory_flags.h"

using namespace upsweep;

namespace {

Result<cl_mem> create_image(cl_context context, const cl_mem_properties *properties, ImageRequest request) {
  auto owner = Context::from(context);
  if (!owner) return fail(owner);
  if (auto checked = check_has_images(**owner); !checked) return fail(checked);
  auto list = check_memory_properties(properties);
  if (!list) return fail(list);
  if (auto checked = check_memory_flags(request.flags); !checked) return fail(checked);
  auto parent = check_image_parent(**owner, request.desc);
  if (parent && *parent)
    if (auto checked = check_inherited_flags((*parent)->flags(), request.flags); !checked) return fail(checked);
  // Check the format first: its error precedes the descriptor's.
  auto format = check_image_format(request.format);
  if (!format) return fail(format);
  if (!parent) return fail(parent);
  if (*parent) request.flags = inherit_flags((*parent)->flags(), request.flags);
  if (!(request.flags & kDeviceAccess)) request.flags |= CL_MEM_READ_WRITE;  // the default
  auto description = check_image_request(**owner, request, *format, *parent);
  if (!description) return fail(description);
  if (*parent) {
    const Ref<Image> view = Image::create_view(**parent, request.flags, *std::move(description), *std::move(list));
    return hand_out(view);
  }
  return Image::create(**owner, request.flags, *std::move(description), request.host_ptr, *std::move(list))
      .map([](const Ref<Image> &image) -> cl_mem { return hand_out(image); });
}

/// OpenCL 1.0's calls have no descriptor, so an error in the descriptor becomes an error of the size.
Result<cl_mem> create_old_image(cl_context context, const ImageRequest &request) {
  auto created = create_image(context, nullptr, request);
  if (!created && created.error().code == CL_INVALID_IMAGE_DESCRIPTOR) return fail(CL_INVALID_IMAGE_SIZE, created.error().text);
  return created;
}

}  // namespace

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                                 const cl_image_desc *image_desc, void *host_ptr, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret,
               [&] { return create_image(context, nullptr, {flags, image_format, image_desc, host_ptr}); });
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                                               const cl_image_format *image_format, const cl_image_desc *image_desc,
                                               void *host_ptr, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret,
               [&] { return create_image(context, properties, {flags, image_format, image_desc, host_ptr}); });
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                                   size_t image_width, size_t image_height, size_t image_row_pitch, void *host_ptr,
                                   cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&] {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = image_width;
    desc.image_height = image_height;
    desc.image_row_pitch = image_row_pitch;
    return create_old_image(context, {flags, image_format, &desc, host_ptr});
  });
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                                   size_t image_width, size_t image_height, size_t image_depth, size_t image_row_pitch,
                                   size_t image_slice_pitch, void *host_ptr, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&] {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_width = image_width;
    desc.image_height = image_height;
    // "CL_INVALID_IMAGE_SIZE … if image_depth <= 1"
    desc.image_depth = image_depth > 1 ? image_depth : 0;
    desc.image_row_pitch = image_row_pitch;
    desc.image_slice_pitch = image_slice_pitch;
    return create_old_image(context, {flags, image_format, &desc, host_ptr});
  });
}
