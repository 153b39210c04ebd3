// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clRetainMemObject, clReleaseMemObject, clSetMemObjectDestructorCallback, clGetMemObjectInfo.
#include "runtime/objects/memory_object.h"
#include "api/entry.h"
#include "api/info.h"
#include "api/newer_functions.h"
#include "runtime/check/addressed_buffers.h"

using namespace upsweep;

namespace {

using Memory = MemoryObject;

const InfoEntry<Memory> kMemoryInfo[] = {
    {CL_MEM_TYPE, [](const Memory &m, const InfoOut &out) { return out.write<cl_mem_object_type>(m.type()); }},
    {CL_MEM_FLAGS, [](const Memory &m, const InfoOut &out) { return out.write<cl_mem_flags>(m.flags()); }},
    {CL_MEM_SIZE, [](const Memory &m, const InfoOut &out) { return out.write<size_t>(m.size()); }},
    {CL_MEM_HOST_PTR, [](const Memory &m, const InfoOut &out) { return out.write<void *>(m.host_ptr()); }},
    {CL_MEM_MAP_COUNT, [](const Memory &m, const InfoOut &out) { return out.write<cl_uint>(m.map_count()); }},
    {CL_MEM_REFERENCE_COUNT, [](const Memory &m, const InfoOut &out) { return out.write<cl_uint>(m.application_count()); }},
    {CL_MEM_CONTEXT, [](const Memory &m, const InfoOut &out) { return out.write<cl_context>(&m.context()); }},
    {CL_MEM_ASSOCIATED_MEMOBJECT, [](const Memory &m, const InfoOut &out) { return out.write<cl_mem>(m.parent()); }},
    {CL_MEM_OFFSET,
     [](const Memory &m, const InfoOut &out) {  // "Return offset if memobj is a sub-buffer object … This returns 0 if memobj is
                                                // not a subbuffer object."
       return out.write<size_t>(m.type() == CL_MEM_OBJECT_BUFFER ? m.origin() : 0);
     }},
    {CL_MEM_USES_SVM_POINTER, [](const Memory &m, const InfoOut &out) { return out.write<cl_bool>(m.uses_svm_pointer()); }},
    {CL_MEM_PROPERTIES, [](const Memory &m, const InfoOut &out) { return out.write_array(m.properties()); }},
};

/// "a list of device addresses for the buffer, one for each device in the context in the same order as the list of devices
/// passed to clCreateContext": all devices use host memory.
Result<void> write_device_addresses(Memory &memory, const InfoOut &out) {
  const auto properties = memory.properties();
  // "CL_INVALID_OPERATION … if the buffer was not allocated with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT"
  if (properties.size() < 2 || properties[0] != CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT || properties[1] == CL_FALSE)
    return fail(CL_INVALID_OPERATION, "the object is no buffer with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT");
  auto host = memory.host();
  if (!host) return fail(host);
  note_addressed(memory, *host);
  const std::vector<cl_mem_device_address_ext> addresses(memory.context().devices().size(),
                                                         reinterpret_cast<cl_mem_device_address_ext>(*host));
  return out.write_array<cl_mem_device_address_ext>(addresses);
}

}  // namespace

cl_int CL_API_CALL clRetainMemObject(cl_mem memobj) {
  return entry(__func__, [&] { return Memory::from(memobj).map([](Memory *memory) { memory->retain(); }); });
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj) {
  return entry(__func__, [&] { return Memory::from(memobj).and_then([](Memory *memory) { return memory->release(); }); });
}

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memobj, Memory::Destructor pfn_notify, void *user_data) {
  return entry(__func__, [&]() -> Result<void> {
    auto memory = Memory::from(memobj);
    if (!memory) return fail(memory);
    if (!pfn_notify) return fail(CL_INVALID_VALUE, "pfn_notify is null");
    return (*memory)->add_destructor(pfn_notify, user_data);
  });
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name, size_t param_value_size, void *param_value,
                                      size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto memory = Memory::from(memobj);
    if (!memory) return fail(memory);
    const InfoOut out{param_value_size, param_value, param_value_size_ret};
    if (param_name == CL_MEM_DEVICE_ADDRESS_EXT) return write_device_addresses(**memory, out);
    return answer_info(kMemoryInfo, **memory, param_name, out);
  });
}
