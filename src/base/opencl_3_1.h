// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of OpenCL 3.1 and of its extensions that the headers of Debian 12 and Ubuntu 24.04 lack.
#ifndef UPSWEEP_BASE_OPENCL_3_1_H
#define UPSWEEP_BASE_OPENCL_3_1_H

#include <CL/cl.h>

// cl_khr_spirv_queries
#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

extern "C" cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue, cl_kernel kernel,
                                                                cl_uint work_dim, const size_t *global_work_offset,
                                                                const size_t *global_work_size,
                                                                size_t *suggested_local_work_size);

#endif
