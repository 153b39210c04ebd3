// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and enumerants of extensions that Khronos's headers lack: cl_intel_global_variable_access, and
// clGetDeviceGlobalVariablePointerINTEL, which SYCL's runtime calls.
#ifndef UPSWEEP_API_INTEL_FUNCTIONS_H
#define UPSWEEP_API_INTEL_FUNCTIONS_H

#include <CL/cl.h>

#define CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL 0x418E
#define CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL 0x418F

extern "C" {

cl_int CL_API_CALL clGetDeviceGlobalVariablePointerINTEL(cl_device_id device, cl_program program, const char *name,
                                                         size_t *size_ret, void **pointer_ret);

cl_int CL_API_CALL clEnqueueReadGlobalVariableINTEL(cl_command_queue command_queue, cl_program program, const char *name,
                                                    cl_bool blocking_read, size_t size, size_t offset, void *ptr,
                                                    cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                    cl_event *event);

cl_int CL_API_CALL clEnqueueWriteGlobalVariableINTEL(cl_command_queue command_queue, cl_program program, const char *name,
                                                     cl_bool blocking_write, size_t size, size_t offset, const void *ptr,
                                                     cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                     cl_event *event);
}

#endif
