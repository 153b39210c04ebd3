// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks of a launch's sizes.
#ifndef UPSWEEP_API_NDRANGE_H
#define UPSWEEP_API_NDRANGE_H

#include "runtime/commands/command_body.h"
#include "runtime/objects/device.h"

namespace upsweep {

/// The application's index space.
struct LaunchSizes {
  cl_uint work_dim;
  const size_t *offset;
  const size_t *global;
  const size_t *local;
};

/// Checks the sizes and the resources of a launch of `call`, and chooses a local size if there is none. A range without
/// work-items passes, and has no local size.
Result<NDRange> check_range_of_launch(const Device &device, const KernelCall &call, const LaunchSizes &sizes);

}  // namespace upsweep
#endif
