// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device interface, which a target (a kind of device) implements.
#ifndef UPSWEEP_RUNTIME_TARGET_H
#define UPSWEEP_RUNTIME_TARGET_H

#include "base/features.h"
#include "base/reference.h"
#include "base/result.h"
#include "runtime/code_object.h"
#include <CL/cl_ext.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace upsweep {

class Command;
class CommandGraph;
class Event;
class TargetImages;
class TargetMemory;

/// Workers that share a NUMA node or a cache.
struct AffinityLevel {
  cl_device_affinity_domain domain = 0;
  uint64_t cache_bytes = 0;      ///< of one cache; 0 for NUMA
  std::vector<int> instance_of;  ///< index of each worker's node or cache; workers that share one have consecutive numbers
};

using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;

/// Limits of the device's images, in texels.
struct ImageLimits {
  size_t width_2d, height_2d;  ///< also for 1D images and layers of arrays
  size_t width_3d, height_3d, depth_3d;
  size_t buffer_texels;  ///< of 1D buffer images
  size_t array_layers;
  // Numbers of a kernel's arguments
  cl_uint read_arguments, write_arguments;
  cl_uint read_write_arguments;  ///< write_only and read_write together
  cl_uint samplers;
  // For 2D images created from buffers, in texels
  cl_uint pitch_alignment, base_address_alignment;
};

/// Limits of on-device queues; zeros if the device has none.
struct OnDeviceLimits {
  cl_uint preferred_queue_bytes = 0;
  cl_uint max_queue_bytes = 0;
  cl_uint max_queues = 0;
  cl_uint max_events = 0;  ///< in use at a time by one launch's commands
};

/// How a device accesses each kind of unified shared memory; zeros if it does not list cl_intel_unified_shared_memory.
struct UsmCapabilities {
  cl_device_unified_shared_memory_capabilities_intel host = 0;
  cl_device_unified_shared_memory_capabilities_intel device = 0;
  cl_device_unified_shared_memory_capabilities_intel single_shared = 0;  ///< shared allocations of this device
  cl_device_unified_shared_memory_capabilities_intel cross_shared = 0;   ///< shared allocations of other devices, or of none
  cl_device_unified_shared_memory_capabilities_intel system = 0;         ///< memory of the host's allocators

  bool any_shared() const { return single_shared || cross_shared; }
};
constexpr cl_device_unified_shared_memory_capabilities_intel kAllUsmAccesses =
    CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
    CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;

/// Properties that a target measures or decides. src/api/device_info.def has the queries that follow from them or are the same
/// for all devices.
/// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): one object per device
struct DeviceProperties {
  // Identity
  cl_device_type type = 0;
  std::string name;
  std::string vendor;
  cl_uint vendor_id = 0;
  FeatureColumn features = FeatureColumn::kCpu;  ///< the column of features.def that it supports
  Uuid uuid{};
  std::optional<cl_device_pci_bus_info_khr> pci;  ///< of a device that is a card

  // Execution
  cl_uint compute_units = 1;
  cl_uint clock_mhz = 0;
  bool runs_native_kernels = false;
  bool can_partition = false;  ///< into sub-devices of fewer compute units
  size_t max_work_group_size = 1;
  /// used if the application passes no local size; larger groups do not make loops over sub-groups cheaper
  size_t usual_work_group_size = 1024;
  std::array<size_t, 3> max_work_item_sizes{1, 1, 1};
  uint64_t max_work_groups = 1;          ///< per launch
  cl_uint preferred_sub_group_size = 1;  ///< lanes, if the kernel does not choose
  cl_uint max_sub_groups = 1;
  std::vector<size_t> sub_group_sizes;  ///< that intel_reqd_sub_group_size may have
  bool sub_groups_progress = false;     ///< CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS
  size_t max_parameter_bytes = 1024;
  size_t printf_bytes = size_t{1} << 20;
  size_t timer_resolution_ns = 1;
  std::vector<AffinityLevel> affinity;  ///< outermost first

  // Instruction set
  cl_uint vector_bytes = 16;       ///< of a SIMD register
  bool has_byte_products = false;  ///< has an instruction for dot products of four bytes
  cl_device_fp_config half = 0;
  cl_device_fp_config single = 0;
  cl_device_fp_config double_ = 0;

  // Memory
  cl_ulong global_memory_bytes = 0;
  cl_ulong max_allocation_bytes = 0;
  cl_ulong cache_bytes = 0;  ///< if `affinity` has no caches
  cl_uint cacheline_bytes = 64;
  cl_ulong local_memory_bytes = 0;
  cl_device_local_mem_type local_memory_type = CL_LOCAL;
  uint64_t private_memory_bytes = 0;  ///< limit of UpsweepKernel::stack_bytes
  cl_ulong max_constant_bytes = 0;    ///< of one constant argument
  cl_uint max_constant_arguments = 0;
  size_t max_global_variable_bytes = 0;
  bool has_unified_memory = false;
  bool corrects_errors = false;
  cl_device_svm_capabilities svm = 0;
  UsmCapabilities usm;
  cl_device_atomic_capabilities atomic_memory = 0;
  cl_device_atomic_capabilities atomic_fence = 0;

  std::optional<ImageLimits> images;  ///< empty if the device has no images
  OnDeviceLimits on_device;
};

/// The workers that a device or sub-device may use.
struct Share {
  uint32_t first = 0;
  uint32_t count = 1;
  bool is_confined = false;  ///< its work stays on its workers' processors (Target::confine)
};

/// A target's state for a command queue, such as a stream.
class QueueState {
public:
  virtual ~QueueState() = default;
};

/// A target's state for a command buffer, such as an executable form of its graphs.
class GraphState {
public:
  virtual ~GraphState() = default;
};

class Target {
public:
  virtual ~Target() = default;
  virtual const DeviceProperties &properties() const = 0;

  /// False once the device has failed for good: commands end with errors, and no new context accepts the device.
  virtual bool is_available() const { return true; }

  /// Runs a command that is ready: each event that it waits for is complete or in command.followed(), whose events the target
  /// must order before the command. The target calls command.start(), runs the body and calls command.finish(), on its own
  /// threads or, for short bodies, on the caller's. The caller keeps the command until submit() returns. Several commands run
  /// concurrently. Before a body runs, the memory that it uses must be made current where it runs (MemoryObject).
  ///
  /// Throws std::bad_alloc, or std::system_error if no thread can start. The target has not taken the command then, and the
  /// command ends with an error.
  virtual void submit(Command &command, Share share) = 0;

  /// Whether submit() runs all commands of the graph as one command (GraphBody). Otherwise the runtime enqueues each of them.
  /// The first call for a graph may take long.
  virtual bool runs_whole(const CommandGraph &) { return false; }

  /// State for a new command buffer on a device of this target, which its graphs share; null if the target needs none.
  virtual std::shared_ptr<GraphState> open_graphs() { return nullptr; }

  /// The target's name in program binaries and requests to the compiler; empty: this computer's CPU.
  virtual std::string code_target() const { return {}; }

  /// Loads code that the compiler made for this target. Each load is a separate copy: two programs with the same content share
  /// no program-scope variables. The error's text is for the build log.
  virtual Result<Ref<CodeObject>> load_code(std::span<const uint8_t> image) = 0;

  /// Keeps the workers of `share` on its processors from now on, for a sub-device that is an affinity domain. Only for devices
  /// that can be partitioned.
  virtual void confine(Share) {}

  /// The calling thread will block on `event`; it may run commands that `event` depends on. Returns when the event is done or
  /// this thread cannot help any further.
  virtual void assist(const Event &) {}

  /// Something other than a blocked thread needs the completion of `event`: a callback, a dependent command, or an application
  /// that polls the status.
  virtual void request_completion(const Event &) {}

  /// The memory of its devices; null if they use host memory.
  virtual TargetMemory *memory() { return nullptr; }

  /// The images of its devices; null if DeviceProperties::images is empty.
  virtual TargetImages *images() { return nullptr; }

  // Order

  /// State for a new command queue on a device of this target; null if it needs none.
  virtual std::unique_ptr<QueueState> open_queue(cl_command_queue_properties) { return nullptr; }

  /// Whether `command` may be submitted now although `before` is only issued (Event::issue), not done, because this target
  /// orders it after that event. Called with the event locked. An issued command has declared its accesses to memory
  /// (Residency). A command that brings bytes to the host neither follows nor is issued, since the writers of those bytes have
  /// to end first. A command that follows declares kReadWrite instead of kWrite: if an event of its wait list fails, it writes
  /// nothing, and the old bytes must be valid.
  virtual bool can_follow(const Command &, const Event &) const { return false; }

protected:
  Target() = default;
  Target(const Target &) = delete;
  Target &operator=(const Target &) = delete;
};

}  // namespace upsweep
#endif
