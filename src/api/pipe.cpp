// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes, which no device supports.
#include "api/absent.h"

using namespace upsweep;

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags, cl_uint, cl_uint, const cl_pipe_properties *,
                                cl_int *errcode_ret) {
  // "CL_INVALID_OPERATION if no devices in context support pipes"
  return refuse_creation<cl_mem>(__func__, context, CL_INVALID_OPERATION, "no device supports pipes", errcode_ret);
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void *, size_t *) {
  return entry(__func__, []() -> Result<void> { return fail(CL_INVALID_MEM_OBJECT, "not a pipe: no device supports them"); });
}
