// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choosing devices by type, for clGetDeviceIDs and clCreateContextFromType.
#ifndef UPSWEEP_API_DEVICE_LIST_H
#define UPSWEEP_API_DEVICE_LIST_H

#include "runtime/platform.h"

namespace upsweep {

/// The platform's devices of the given types; CL_INVALID_DEVICE_TYPE or CL_DEVICE_NOT_FOUND otherwise.
Result<std::vector<Ref<Device>>> devices_of_type(const Platform &platform, cl_device_type type);

}  // namespace upsweep
#endif
