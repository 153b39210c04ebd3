// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateBuffer, clCreateBufferWithProperties, clCreateSubBuffer.
#include "runtime/objects/buffer.h"
#include "api/entry.h"
#include "api/memory_flags.h"
#include "api/newer_functions.h"
#include "runtime/memory/svm.h"
#include <algorithm>

using namespace upsweep;

namespace {

Result<void> check_size(const Context &context, cl_mem_flags flags, size_t size, const void *host_ptr) {
  size_t limit = 0;
  for (const Ref<Device> &device : context.devices())
    limit = std::max<size_t>(limit, device->properties().max_allocation_bytes);
  // A buffer on SVM memory must not extend beyond its allocation.
  if (const auto svm = flags & CL_MEM_USE_HOST_PTR ? find_svm(context, host_ptr) : std::nullopt)
    limit = std::min(limit, svm->bytes - static_cast<size_t>(static_cast<const char *>(host_ptr) - svm->base));
  if (size == 0 || size > limit)
    return fail(CL_INVALID_BUFFER_SIZE, "size is " + std::to_string(size) + ", allowed are 1 to " + std::to_string(limit));
  return {};
}

/// The list with its end. The only property is CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT.
Result<std::vector<cl_mem_properties>> check_buffer_properties(const Context &context, const cl_mem_properties *properties) {
  std::vector<cl_mem_properties> list;
  if (!properties) return list;
  for (; *properties != 0; properties += 2) {
    if (*properties != CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT || !list.empty() || properties[1] > CL_TRUE)
      return fail(CL_INVALID_PROPERTY,
                  "property " + std::to_string(*properties) + " is not supported, has a wrong value or is repeated");
    // "CL_INVALID_OPERATION if … there are no devices in the context that support" the extension. Kernels that reach a buffer
    // by its address alone would miss the newest bytes where devices have memory of their own.
    const auto supports = [](const Ref<Device> &device) {
      return has_extension(device->properties().features, "cl_ext_buffer_device_address");
    };
    if (!std::ranges::any_of(context.devices(), supports) || !context.works_in_host_memory())
      return fail(CL_INVALID_OPERATION, "the context's devices have no fixed addresses of buffers");
    list.insert(list.end(), {properties[0], properties[1]});
  }
  list.push_back(0);
  return list;
}

Result<cl_mem> create_buffer(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags, size_t size,
                             void *host_ptr) {
  auto owner = Context::from(context);
  if (!owner) return fail(owner);
  auto list = check_buffer_properties(**owner, properties);
  if (!list) return fail(list);
  for (const Result<void> &checked :
       {check_memory_flags(flags), check_size(**owner, flags, size, host_ptr), check_host_ptr(**owner, flags, size, host_ptr)})
    if (!checked) return fail(checked);
  if (!(flags & kDeviceAccess)) flags |= CL_MEM_READ_WRITE;  // the default
  return Buffer::create(**owner, flags, size, host_ptr, *std::move(list)).map([](const Ref<Buffer> &buffer) -> cl_mem {
    return hand_out(buffer);
  });
}

Result<void> check_region(const Buffer &parent, const cl_buffer_region &region) {
  if (!parent.contains(region.origin, region.size))
    return fail(CL_INVALID_VALUE, "the region leaves the buffer of " + std::to_string(parent.size()) + " bytes");
  if (region.size == 0) return fail(CL_INVALID_BUFFER_SIZE, "the region is empty");
  // All devices have the same alignment, so no sub-buffer is misaligned for a command's device.
  if (region.origin % kBaseAddressAlignment != 0)
    return fail(CL_MISALIGNED_SUB_BUFFER_OFFSET,
                "the region's origin must be a multiple of " + std::to_string(kBaseAddressAlignment));
  return {};
}

}  // namespace

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&] { return create_buffer(context, nullptr, flags, size, host_ptr); });
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                                                size_t size, void *host_ptr, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&] { return create_buffer(context, properties, flags, size, host_ptr); });
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type buffer_create_type,
                                     const void *buffer_create_info, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_mem> {
    auto parent = Buffer::from(buffer);
    if (!parent) return fail(parent);
    if ((*parent)->parent()) return fail(CL_INVALID_MEM_OBJECT, "buffer is itself a sub-buffer");
    if (auto checked = check_inherited_flags((*parent)->flags(), flags); !checked) return fail(checked);
    if (buffer_create_type != CL_BUFFER_CREATE_TYPE_REGION)
      return fail(CL_INVALID_VALUE, "buffer_create_type is not CL_BUFFER_CREATE_TYPE_REGION");
    if (!buffer_create_info) return fail(CL_INVALID_VALUE, "buffer_create_info is null");
    const auto &region = *static_cast<const cl_buffer_region *>(buffer_create_info);
    if (auto checked = check_region(**parent, region); !checked) return fail(checked);
    return hand_out(Buffer::create_sub_buffer(**parent, inherit_flags((*parent)->flags(), flags), region.origin, region.size));
  });
}
