// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and enumerants of extensions that Khronos's headers, or Debian 12's version of them, lack:
// cl_ext_buffer_device_address, cl_intel_global_variable_access, and clGetDeviceGlobalVariablePointerINTEL, which SYCL's
// runtime calls.
#ifndef UPSWEEP_API_NEWER_FUNCTIONS_H
#define UPSWEEP_API_NEWER_FUNCTIONS_H

#include <CL/cl.h>

#ifndef CL_MEM_DEVICE_ADDRESS_EXT
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
#endif
#define CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL 0x418E
#define CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL 0x418F

extern "C" {

using cl_mem_device_address_ext = cl_ulong;

cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index, cl_mem_device_address_ext arg_value);

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
