// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel for one device, as work-group and sub-group queries need it.
#ifndef UPSWEEP_API_KERNEL_DEVICE_H
#define UPSWEEP_API_KERNEL_DEVICE_H

#include "runtime/objects/kernel.h"

namespace upsweep {

struct KernelOnDevice {
  const Kernel &kernel;
  const Device &device;
  const KernelDescription &function;
};

/// CL_KERNEL_WORK_GROUP_SIZE. On a GPU a work-item's registers limit it.
inline size_t max_work_group_size(const Device &device, const KernelDescription &function) {
  return function.max_work_group_size ? function.max_work_group_size : device.properties().max_work_group_size;
}

/// CL_INVALID_KERNEL or CL_INVALID_DEVICE; `device` may be null if the kernel has only one device.
inline Result<KernelOnDevice> kernel_on_device(cl_kernel kernel, cl_device_id device) {
  auto object = Kernel::from(kernel);
  if (!object) return fail(object);
  const auto devices = (*object)->program().devices();
  if (!device && devices.size() != 1) return fail(CL_INVALID_DEVICE, "device is null but the kernel is for several devices");
  auto wanted = device ? Device::from(device) : Result<Device *>(devices.front().get());
  if (!wanted) return fail(wanted);
  const KernelDescription *function = (*object)->function(**wanted);
  if (!function) return fail(CL_INVALID_DEVICE, "the kernel is not built for the device");
  return KernelOnDevice{**object, **wanted, *function};
}

}  // namespace upsweep
#endif
