// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels (cl_kernel): a function of a program and the arguments set up to now.
#ifndef UPSWEEP_RUNTIME_OBJECTS_KERNEL_H
#define UPSWEEP_RUNTIME_OBJECTS_KERNEL_H

#include "base/handle.h"
#include "runtime/commands/command_body.h"
#include "runtime/objects/program.h"
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace upsweep {

class Kernel final : public Object<Kernel, _cl_kernel, CL_INVALID_KERNEL> {
public:
  /// CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME or CL_INVALID_KERNEL_DEFINITION.
  static Result<Ref<Kernel>> create(Program &program, const std::string &name);
  /// Creates a kernel for each function of the program, in source order.
  static Result<std::vector<Ref<Kernel>>> create_all(Program &program);
  /// A kernel with the same function and arguments.
  Ref<Kernel> clone() const;

  Program &program() const { return *program_; }
  Context &context() const { return program_->context(); }
  /// The function's description; the same for all devices.
  const KernelDescription &description() const { return *functions_.front().kernel; }
  /// The function for a device, or null when the program has no executable for it.
  const KernelDescription *function(const Device &device) const;

  Result<void> set_argument(cl_uint index, size_t size, const void *value);
  /// SVM, unified shared memory, or any address of the host where devices reach its memory.
  Result<void> set_pointer(cl_uint index, const void *pointer);

  /// Whether every argument is set.
  bool has_all_arguments() const {
    return std::ranges::all_of(arguments_, [](const Argument &argument) { return argument.is_set; });
  }
  /// Fills `call`, which is newly constructed, for a launch on `device` with the current arguments.
  /// CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_ARGS.
  Result<void> capture(const Device &device, KernelCall &call) const;
  /// Local memory in bytes for a launch of `function` with the current arguments: static variables and dynamic arguments;
  /// UINT64_MAX if that exceeds any memory.
  uint64_t local_bytes(const KernelDescription &function) const;

private:
  /// KernelCall::bounds, after capture() has stored the addresses in `call`.
  std::vector<UpsweepBounds> bounds_of(const KernelCall &call) const;
  /// Whether the buffers of the arguments share no byte, after capture() has stored them in `call`.
  bool are_apart(const KernelCall &call) const;
  struct Function {
    Ref<Device> device;
    Ref<CodeObject> code;
    const KernelDescription *kernel;
  };
  struct Argument {
    bool is_set = false;
    cl_mem memory = nullptr;   ///< global, constant and image arguments set by clSetKernelArg
    Ref<DeviceQueue> queue;    ///< queue arguments
    uint64_t local_bytes = 0;  ///< local arguments
    uint64_t host_bytes = 0;   ///< upper bound for the size of the host object that the argument points into
  };

  static std::optional<ByteRange> range_of(const Argument &argument, uint64_t address);
  Kernel(Program &program, std::vector<Function> functions);
  const Function *find(const Device &device) const;
  ~Kernel() override;
  /// Writes an argument's value into the block.
  template <typename T>
  void store(const ArgumentDescription &argument, T value);
  Result<void> set_memory(const ArgumentDescription &argument, Argument &state, size_t size, const void *value);
  void put_memory(const ArgumentDescription &argument, Argument &state, cl_mem handle);
  template <typename Handle, typename T, typename Put>
  Result<void> set_object(size_t size, const void *value, Result<T *> (*find)(Handle), const char *what, cl_int invalid,
                          Put put);
  Result<void> set_object(const ArgumentDescription &argument, Argument &state, size_t size, const void *value);

  Ref<Program> program_;
  std::vector<Function> functions_;
  std::vector<Argument> arguments_;
  std::vector<std::byte> block_;
};

}  // namespace upsweep
#endif
