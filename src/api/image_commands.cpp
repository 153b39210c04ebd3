// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands on images, which no device supports.
#include "api/absent.h"

using namespace upsweep;

namespace {

// Each of these commands lists "CL_INVALID_MEM_OBJECT if image is not a valid image object", and no handle is one.
cl_int refuse(const char *name, cl_command_queue command_queue) {
  return entry(name,
               [&] { return refuse_command(command_queue, CL_INVALID_MEM_OBJECT, "not an image: no device supports them"); });
}

}  // namespace

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem, cl_bool, const size_t *, const size_t *, size_t,
                                      size_t, void *, cl_uint, const cl_event *, cl_event *) {
  return refuse(__func__, command_queue);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem, cl_bool, const size_t *, const size_t *, size_t,
                                       size_t, const void *, cl_uint, const cl_event *, cl_event *) {
  return refuse(__func__, command_queue);
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem, const void *, const size_t *, const size_t *,
                                      cl_uint, const cl_event *, cl_event *) {
  return refuse(__func__, command_queue);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem, cl_mem, const size_t *, const size_t *,
                                      const size_t *, cl_uint, const cl_event *, cl_event *) {
  return refuse(__func__, command_queue);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem, cl_mem, const size_t *, const size_t *,
                                              size_t, cl_uint, const cl_event *, cl_event *) {
  return refuse(__func__, command_queue);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem, cl_mem, size_t, const size_t *,
                                              const size_t *, cl_uint, const cl_event *, cl_event *) {
  return refuse(__func__, command_queue);
}

void *CL_API_CALL clEnqueueMapImage(cl_command_queue command_queue, cl_mem, cl_bool, cl_map_flags, const size_t *,
                                    const size_t *, size_t *, size_t *, cl_uint, const cl_event *, cl_event *,
                                    cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<void *> {
    return fail(refuse_command(command_queue, CL_INVALID_MEM_OBJECT, "not an image: no device supports them"));
  });
}
