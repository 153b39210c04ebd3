// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What commands do: kernels with their arguments, transfers, functions of the host.
#ifndef UPSWEEP_RUNTIME_COMMANDS_COMMAND_BODY_H
#define UPSWEEP_RUNTIME_COMMANDS_COMMAND_BODY_H

#include "base/reference.h"
#include "base/result.h"
#include "base/small_vector.h"
#include "runtime/code_object.h"
#include "runtime/commands/transfer.h"
#include "runtime/objects/device_queue.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <variant>

namespace upsweep {

/// Index space of a launch; unused dimensions have size 1 and offset 0.
struct NDRange {
  uint32_t work_dim = 1;
  std::array<uint64_t, 3> global{1, 1, 1};
  std::array<uint64_t, 3> offset{0, 0, 0};
  std::array<uint64_t, 3> local{1, 1, 1};

  /// Work-groups along a dimension. Most are of size 1 in two of them, and a division takes a while.
  uint64_t num_groups(size_t dim) const {
    return local[dim] == 1 ? global[dim] : global[dim] / local[dim] + (global[dim] % local[dim] != 0);
  }
  uint64_t total_groups() const { return num_groups(0) * num_groups(1) * num_groups(2); }
};

/// A memory object that a kernel uses, and how.
struct MemoryUse {
  Ref<MemoryObject> memory;
  Access access;
};

/// A kernel with its arguments as they were when it was enqueued.
struct KernelCall {
  const KernelDescription *kernel = nullptr;
  Ref<CodeObject> code;                     ///< the kernel's, as the device's target has loaded it
  SmallVector<std::byte, 96> arguments;     ///< the argument block; memory objects as addresses on the device
  uint64_t local_bytes = 0;                 ///< static local variables and dynamic local arguments
  SmallVector<MemoryUse, 6> memory;         ///< what must be current on the device when the kernel starts
  SmallVector<Ref<DeviceQueue>, 1> queues;  ///< of its arguments
  Ref<DeviceQueue> default_queue;           ///< get_default_queue()
  uint64_t largest_object = 0;              ///< bytes; no memory that the kernel may use is in a larger one
  bool arguments_apart = false;             ///< the buffers of its arguments are known to have no byte in common
};

struct Launch {
  Launch() {}  // with = default, Launch() would first set all bytes to 0
  KernelCall call;
  NDRange range;
};

/// One function on one thread of the host: native kernels, clEnqueueSVMFree. An error becomes the event's status.
using HostWork = std::function<Result<void>()>;

/// What a command does; nothing for markers and barriers.
using CommandBody = std::variant<std::monostate, HostWork, Transfer, Launch>;

}  // namespace upsweep
#endif
