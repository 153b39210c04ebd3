// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies of commands: kernels with their arguments, transfers, host functions.
#ifndef UPSWEEP_RUNTIME_COMMANDS_COMMAND_BODY_H
#define UPSWEEP_RUNTIME_COMMANDS_COMMAND_BODY_H

#include "base/check_abi.h"
#include "base/kernel_description.h"
#include "base/reference.h"
#include "base/result.h"
#include "base/small_vector.h"
#include "runtime/code_object.h"
#include "runtime/commands/transfer.h"
#include "runtime/objects/device_queue.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

namespace upsweep {

/// Index space of a launch; unused dimensions have size 1 and offset 0.
struct NDRange {
  uint32_t work_dim = 1;
  std::array<uint64_t, 3> global{1, 1, 1};
  std::array<uint64_t, 3> offset{0, 0, 0};
  std::array<uint64_t, 3> local{1, 1, 1};

  /// Number of work-groups in a dimension. Two dimensions usually have groups of size 1, and a division is slow.
  uint64_t num_groups(size_t dim) const {
    return local[dim] == 1 ? global[dim] : global[dim] / local[dim] + (global[dim] % local[dim] != 0);
  }
  uint64_t total_groups() const { return num_groups(0) * num_groups(1) * num_groups(2); }
  /// Whether it has no work-items.
  bool is_empty() const { return !global[0] || !global[1] || !global[2]; }
};

/// A kernel's use of a memory object.
struct MemoryUse {
  Ref<MemoryObject> memory;
  Access access;
};

/// A copy of a kernel's argument block, with the alignment that CPU code expects. Launches read it in place.
class ArgumentBlock {
public:
  void assign(const std::vector<std::byte> &block) {
    units_.clear();
    units_.reserve((block.size() + sizeof(Unit) - 1) / sizeof(Unit));
    for (size_t bytes = 0; bytes < block.size(); bytes += sizeof(Unit)) units_.emplace_back();
    if (!block.empty()) std::memcpy(data(), block.data(), block.size());
  }
  /// Never null, even if there are no arguments.
  std::byte *data() { return units_.data()->bytes; }
  const std::byte *data() const { return units_.data()->bytes; }

private:
  struct alignas(kLargestAlign) Unit {
    std::byte bytes[kLargestAlign];
  };
  SmallVector<Unit, 1> units_;
};

/// A kernel with its arguments at the time of the enqueue.
struct KernelCall {
  const KernelDescription *kernel = nullptr;
  Ref<CodeObject> code;                     ///< of the kernel, as loaded by the device's target
  ArgumentBlock arguments;                  ///< memory objects are addresses on the device
  uint64_t local_bytes = 0;                 ///< static local variables and dynamic local arguments
  SmallVector<MemoryUse, 6> memory;         ///< memory that must be current on the device when the kernel starts
  std::vector<uint32_t> memory_arguments;   ///< the argument of each of them, with UPSWEEP_CHECK=race; else empty
  SmallVector<Ref<DeviceQueue>, 1> queues;  ///< queue arguments
  Ref<DeviceQueue> default_queue;           ///< of get_default_queue()
  uint64_t largest_object = 0;              ///< bytes; an upper bound for the objects whose memory the kernel may use
  std::vector<UpsweepBounds> bounds;        ///< of the arguments, for checked kernels (kernel_abi.h); else empty
  bool arguments_apart = false;             ///< the buffers of its arguments share no byte
};

struct Launch {
  Launch() {}  // `= default` would make Launch() zero all bytes first
  KernelCall call;
  NDRange range;
};

/// A function that runs on one host thread: native kernels, clEnqueueSVMFree. Its error becomes the event's status.
using HostWork = std::function<Result<void>()>;

class CommandGraph;

/// The commands of a command buffer (command_graph.h), for a target that runs them as one command.
using GraphBody = std::shared_ptr<const CommandGraph>;

/// The work of a command; std::monostate for markers and barriers.
using CommandBody = std::variant<std::monostate, HostWork, Transfer, Launch, GraphBody>;

}  // namespace upsweep
#endif
