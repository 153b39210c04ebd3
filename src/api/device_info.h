// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of clGetDeviceInfo.
#ifndef UPSWEEP_API_DEVICE_INFO_H
#define UPSWEEP_API_DEVICE_INFO_H

#include "api/info.h"
#include "runtime/objects/device.h"

namespace upsweep {

std::span<const InfoEntry<Device>> device_info_table();

}  // namespace upsweep
#endif
