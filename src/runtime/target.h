// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device interface: what a target (a kind of device) implements and what it is given to run.
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
class Event;
class TargetImages;
class TargetMemory;

/// Workers that share a NUMA node or a cache.
struct AffinityLevel {
  cl_device_affinity_domain domain = 0;
  uint64_t cache_bytes = 0;      ///< of one instance; 0 for NUMA
  std::vector<int> instance_of;  ///< of each worker; workers of one instance are neighbours
};

/// A device that is a card of its own: what tells it from others of its kind.
struct CardIdentity {
  std::array<cl_uchar, CL_UUID_SIZE_KHR> uuid{};
  cl_device_pci_bus_info_khr pci{};
};

/// The images that a device takes; sizes in texels.
struct ImageLimits {
  size_t width_2d, height_2d;  ///< also of 1D images, and of the layers of arrays
  size_t width_3d, height_3d, depth_3d;
  size_t buffer_texels;  ///< of 1D images of buffers
  size_t array_layers;
  // Of a kernel's arguments
  cl_uint read_arguments, write_arguments;
  cl_uint read_write_arguments;  ///< write_only and read_write ones together
  cl_uint samplers;
  // Of 2D images of buffers, in texels
  cl_uint pitch_alignment, base_address_alignment;
};

/// Queues on a device, for kernels; zeros where there are none.
struct OnDeviceLimits {
  cl_uint preferred_queue_bytes = 0;
  cl_uint max_queue_bytes = 0;
  cl_uint max_queues = 0;
  cl_uint max_events = 0;  ///< in use at a time by the commands of one launch
};

/// What a target measures, has or decides; the queries that follow from it, or are the same for all, are in
/// src/api/device_info.def.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): there is one for each device
struct DeviceProperties {
  // What it is
  cl_device_type type = 0;
  std::string name;
  std::string vendor;
  cl_uint vendor_id = 0;
  FeatureColumn features = FeatureColumn::kCpu;  ///< the features and extensions that it lists
  std::optional<CardIdentity> card;

  // Execution
  cl_uint compute_units = 1;
  cl_uint clock_mhz = 0;
  bool runs_native_kernels = false;
  bool can_partition = false;  ///< into sub-devices of fewer compute units
  size_t max_work_group_size = 1;
  size_t usual_work_group_size = 1024;  ///< when the application leaves it open; more makes no loop over sub-groups cheaper
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
  cl_uint vector_bytes = 16;       ///< of a SIMD register
  bool has_byte_products = false;  ///< an instruction for dot products of four bytes
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
  uint64_t private_memory_bytes = 0;  ///< for what a kernel says in UpsweepKernel::stack_bytes
  cl_ulong max_constant_bytes = 0;    ///< of a constant argument
  cl_uint max_constant_arguments = 0;
  size_t max_global_variable_bytes = 0;
  bool has_unified_memory = false;
  bool corrects_errors = false;
  cl_device_svm_capabilities svm = 0;
  cl_device_atomic_capabilities atomic_memory = 0;
  cl_device_atomic_capabilities atomic_fence = 0;

  std::optional<ImageLimits> images;  ///< none where the device has no images
  OnDeviceLimits on_device;
};

/// The workers that a device or sub-device may use.
struct Share {
  uint32_t first = 0;
  uint32_t count = 1;
  bool is_confined = false;  ///< its work stays on its workers' processors (Target::confine)
};

/// What a target keeps for a command queue: a stream, say.
class QueueState {
public:
  virtual ~QueueState() = default;
};

class Target {
public:
  virtual ~Target() = default;
  virtual const DeviceProperties &properties() const = 0;

  /// False once the device has failed for good: commands end with errors, and it takes part in no new context.
  virtual bool is_available() const { return true; }

  /// Takes a command that is ready: the events that it waits for are complete, or are those of command.followed(), after which
  /// the target has to order it. The target calls command.start(), runs the body and calls command.finish(), on threads of its
  /// own or, for a body that needs no time, at once. The caller keeps the command until submit() returns. std::bad_alloc, or
  /// std::system_error for want of threads: then the target has not taken the command, which ends with an error. Before a body
  /// runs the memory that it uses must be made current where it runs (MemoryObject). Several commands run side by side.
  virtual void submit(Command &command, Share share) = 0;

  /// What its code is called in program binaries and requests to the compiler; empty: this computer's CPU.
  virtual std::string code_target() const { return {}; }

  /// Loads what the compiler made for this target. Each load is a copy of its own: two programs with the same content share no
  /// program-scope variable. The error's text is for the build log.
  virtual Result<Ref<CodeObject>> load_code(std::span<const uint8_t> image) = 0;

  /// Keeps the workers of `share` on its processors from now on: a sub-device is an affinity domain. Only for devices that can
  /// be partitioned.
  virtual void confine(Share) {}

  /// The calling thread is about to wait for `event` and may run commands that it depends on in the meantime. Returns when the
  /// event is done, or when there is nothing that this thread can do about it.
  virtual void assist(const Event &) {}

  /// Someone who does not wait on a thread wants to know when `event` is done: a callback, a command that waits for it, the
  /// application that asks for its status.
  virtual void hasten(const Event &) {}

  /// The memory of its devices; null where they work in host memory.
  virtual TargetMemory *memory() { return nullptr; }

  /// The images of its devices; null where DeviceProperties::images is none.
  virtual TargetImages *images() { return nullptr; }

  // Order

  /// For a new command queue on a device of this target; null when nothing is to be kept.
  virtual std::unique_ptr<QueueState> open_queue(cl_command_queue_properties) { return nullptr; }

  /// Whether `command` may be submitted now although `before`, which is issued (Event::issue), is not done: because this target
  /// will order it after that event. Called with the event locked. A command that is issued has declared its accesses to memory
  /// (Residency); so one that brings bytes to the host, whose writers have to end first, neither follows nor is issued. One
  /// that follows declares kReadWrite instead of kWrite: should an event of its wait list fail, it writes nothing, and the old
  /// bytes must be there.
  virtual bool can_follow(const Command &, const Event &) const { return false; }

protected:
  Target() = default;
  Target(const Target &) = delete;
  Target &operator=(const Target &) = delete;
};

}  // namespace upsweep
#endif
