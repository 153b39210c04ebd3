// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device interface: what a target (a kind of device) implements and what it is given to run.
#ifndef UPSWEEP_RUNTIME_TARGET_H
#define UPSWEEP_RUNTIME_TARGET_H

#include "base/reference.h"
#include "base/result.h"
#include "runtime/code_object.h"
#include "runtime/features.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace upsweep {

class Command;
class Event;

/// Workers that share a NUMA node or a cache.
struct AffinityLevel {
  cl_device_affinity_domain domain = 0;
  uint64_t cache_bytes = 0;      ///< of one instance; 0 for NUMA
  std::vector<int> instance_of;  ///< of each worker; workers of one instance are neighbours
};

/// What a target measures, has or decides; the queries that follow from it, or are the same for all, are in
/// src/api/device_info.def.
struct DeviceProperties {
  // What it is
  cl_device_type type = 0;
  std::string name;
  std::string vendor;
  cl_uint vendor_id = 0;
  FeatureColumn features = FeatureColumn::kCpu;  ///< the features and extensions that it lists

  // Execution
  cl_uint compute_units = 1;
  cl_uint clock_mhz = 0;
  bool runs_native_kernels = false;
  bool can_partition = false;  ///< into sub-devices of fewer compute units
  size_t max_work_group_size = 1;
  std::array<size_t, 3> max_work_item_sizes{1, 1, 1};
  uint64_t max_work_groups = 1;          ///< of a launch
  cl_uint preferred_sub_group_size = 1;  ///< lanes, when the kernel does not choose
  cl_uint max_sub_groups = 1;
  bool sub_groups_progress = false;  ///< CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS
  size_t max_parameter_bytes = 1024;
  size_t printf_bytes = size_t{1} << 20;
  size_t timer_resolution_ns = 1;
  std::vector<AffinityLevel> affinity;  ///< outermost first

  // Numbers
  cl_uint vector_bytes = 16;  ///< of a SIMD register
  cl_device_fp_config half = 0;
  cl_device_fp_config single = 0;
  cl_device_fp_config double_ = 0;

  // Memory
  cl_ulong global_memory_bytes = 0;
  cl_ulong max_allocation_bytes = 0;
  cl_ulong cache_bytes = 0;  ///< where `affinity` does not tell
  cl_uint cacheline_bytes = 64;
  cl_ulong local_memory_bytes = 0;
  cl_device_local_mem_type local_memory_type = CL_LOCAL;
  uint64_t private_memory_bytes = 0;  ///< for the work-items of a sub-group together
  cl_ulong max_constant_bytes = 0;    ///< of a constant argument
  cl_uint max_constant_arguments = 0;
  size_t max_global_variable_bytes = 0;
  bool has_unified_memory = false;
  bool corrects_errors = false;
  cl_device_svm_capabilities svm = 0;
  cl_device_atomic_capabilities atomic_memory = 0;
  cl_device_atomic_capabilities atomic_fence = 0;
};

/// The workers that a device or sub-device may use.
struct Share {
  uint32_t first = 0;
  uint32_t count = 1;
  bool is_confined = false;  ///< its work stays on its workers' processors (Target::confine)
};

/// Index space of a launch; unused dimensions have size 1 and offset 0.
struct NDRange {
  uint32_t work_dim = 1;
  std::array<uint64_t, 3> global{1, 1, 1};
  std::array<uint64_t, 3> offset{0, 0, 0};
  std::array<uint64_t, 3> local{1, 1, 1};
};

/// A kernel with its arguments as they were when it was enqueued.
struct KernelCall {
  const UpsweepKernel *kernel = nullptr;
  std::vector<std::byte> arguments;      ///< the argument block
  uint64_t local_bytes = 0;              ///< static local variables and dynamic local arguments
  const UpsweepHooks *hooks = nullptr;   ///< services for the kernel (printf)
  std::vector<Ref<Counted>> keep_alive;  ///< code, memory objects: all that must outlive the run
};

struct Launch {
  KernelCall call;
  NDRange range;
};

/// Work of a command that is one function on one worker: memory commands, native kernels. An error becomes the event's status.
using HostWork = std::function<Result<void>()>;

/// What a command does; nothing for markers and barriers.
using CommandBody = std::variant<std::monostate, HostWork, Launch>;

class Target {
public:
  virtual ~Target() = default;
  virtual const DeviceProperties &properties() const = 0;

  /// Takes a command all of whose dependencies are complete. Some worker of `share` calls command.start(), runs the body and
  /// calls command.finish(); several commands run side by side.
  virtual void submit(Ref<Command> command, Share share) = 0;

  /// Loads what the compiler made for this target. Each load is a copy of its own: two programs with the same content share no
  /// program-scope variable. The error's text is for the build log.
  virtual Result<Ref<CodeObject>> load_code(std::span<const uint8_t> image) = 0;

  /// Keeps the workers of `share` on its processors from now on: a sub-device is an affinity domain.
  virtual void confine(Share share) = 0;

  /// The calling thread is about to wait for `event` and may run commands that it depends on in the meantime. Returns when the
  /// event is done, or when there is nothing that this thread can do about it.
  virtual void assist(const Event &event) = 0;

protected:
  Target() = default;
  Target(const Target &) = delete;
  Target &operator=(const Target &) = delete;
};

}  // namespace upsweep
#endif
