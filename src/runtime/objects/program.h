// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs (cl_program): source or binaries, and the build for each device.
#ifndef UPSWEEP_RUNTIME_OBJECTS_PROGRAM_H
#define UPSWEEP_RUNTIME_OBJECTS_PROGRAM_H

#include "base/handle.h"
#include "compiler/client/compiler.h"
#include "runtime/code_object.h"
#include "runtime/objects/context.h"
#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace upsweep {

/// A program's state for one device.
struct DeviceBuild {
  cl_build_status status = CL_BUILD_NONE;
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  std::string options;
  std::string log;
  Bytes binary;          ///< CL_PROGRAM_BINARIES
  Ref<CodeObject> code;  ///< executables only
};

class Program final : public Object<Program, _cl_program, CL_INVALID_PROGRAM> {
public:
  enum class Origin { kSource, kIntermediate, kBinary, kLink };
  using Notify = void(CL_CALLBACK *)(cl_program program, void *user_data);

  Program(Context &context, std::vector<Ref<Device>> devices, Origin origin, std::string source = {});

  Context &context() const { return *context_; }
  Origin origin() const { return origin_; }
  /// The text of kSource, the SPIR-V module of kIntermediate.
  const std::string &source() const { return source_; }
  std::span<const Ref<Device>> devices() const { return devices_; }
  /// Index of a device in devices().
  std::optional<size_t> index_of(const Device &device) const;

  /// A copy of the state for devices()[index].
  DeviceBuild build_of(size_t index) const;
  /// The code of that state; null unless it is an executable.
  Ref<CodeObject> code_of(size_t index) const;
  /// For a new program: stores the binary that the application passed for devices()[index].
  void set_binary(size_t index, Bytes binary, cl_program_binary_type type);

  /// Sets a specialisation constant of kIntermediate for later builds. CL_INVALID_SPEC_ID, or CL_INVALID_VALUE for another
  /// size than the constant's.
  Result<void> specialise(uint32_t id, ByteSpan value);
  std::vector<compiler::Specialisation> specialisations() const;

  /// Marks builds for the devices as started. CL_INVALID_OPERATION if one is already running, or if kernels are attached.
  Result<void> begin_build(std::span<const size_t> indices, const std::string &options);
  /// Ends the build for one device.
  void end_build(size_t index, DeviceBuild build);
  /// Marks the unfinished builds of these devices as failed.
  void end_failed_builds(std::span<const size_t> indices) noexcept;

  /// Each kernel counts itself: a program with kernels cannot be built again.
  void attach_kernel() { ++kernels_; }
  void detach_kernel() { --kernels_; }

private:
  Ref<Context> context_;
  std::vector<Ref<Device>> devices_;
  Origin origin_;
  std::string source_;
  std::atomic<uint32_t> kernels_{0};
  mutable std::mutex mutex_;  ///< guards the following members
  std::vector<compiler::Specialisation> specialisations_;
  std::vector<DeviceBuild> builds_;  ///< one per device
};

}  // namespace upsweep
#endif
