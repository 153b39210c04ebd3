// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of an on-device queue (CL_QUEUE_ON_DEVICE) that kernels access. Commands that may enqueue keep a reference to it.
#ifndef UPSWEEP_RUNTIME_OBJECTS_DEVICE_QUEUE_H
#define UPSWEEP_RUNTIME_OBJECTS_DEVICE_QUEUE_H

#include "base/enqueue_abi.h"
#include "base/reference.h"
#include <CL/cl.h>
#include <cstdint>

namespace upsweep {

class DeviceQueue final : public Counted {
public:
  explicit DeviceQueue(cl_uint bytes) { memory_.bytes = bytes; }

  /// CL_QUEUE_SIZE
  cl_uint bytes() const { return static_cast<cl_uint>(memory_.bytes); }
  /// The queue_t that kernels use.
  uint64_t address() const { return reinterpret_cast<uint64_t>(&memory_); }

private:
  alignas(64) UpsweepDeviceQueue memory_{};
};

}  // namespace upsweep
#endif
