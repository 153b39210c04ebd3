// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of devices: by type for clGetDeviceIDs and clCreateContextFromType, or explicit for programs.
#ifndef UPSWEEP_API_DEVICE_LIST_H
#define UPSWEEP_API_DEVICE_LIST_H

#include "runtime/objects/context.h"
#include "runtime/objects/platform.h"

namespace upsweep {

/// The platform's devices of the given types; CL_INVALID_DEVICE_TYPE or CL_DEVICE_NOT_FOUND otherwise.
Result<std::vector<Ref<Device>>> devices_of_type(const Platform &platform, cl_device_type type);

/// The devices of `device_list`; CL_INVALID_DEVICE unless all are the context's.
Result<std::vector<Ref<Device>>> devices_of_context(const Context &context, cl_uint count, const cl_device_id *device_list);

}  // namespace upsweep
#endif
