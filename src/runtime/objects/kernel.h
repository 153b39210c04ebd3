// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels (cl_kernel): a function of a program and the arguments set so far.
#ifndef UPSWEEP_RUNTIME_OBJECTS_KERNEL_H
#define UPSWEEP_RUNTIME_OBJECTS_KERNEL_H

#include "base/handle.h"
#include "runtime/commands/command_body.h"
#include "runtime/objects/program.h"
#include <cstddef>
#include <string>
#include <vector>

namespace upsweep {

class Kernel final : public Object<Kernel, _cl_kernel, CL_INVALID_KERNEL> {
public:
  /// CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME or CL_INVALID_KERNEL_DEFINITION.
  static Result<Ref<Kernel>> create(Program &program, const std::string &name);
  /// One kernel per function of the program, in source order.
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
  Result<void> set_svm_pointer(cl_uint index, const void *pointer);

  /// Makes `call`, which is as it was made, the kernel for a launch on `device` with its arguments as they are now.
  /// CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_ARGS.
  Result<void> capture(const Device &device, KernelCall &call) const;
  /// Local memory of a launch of one of its functions with the arguments set so far: static variables and dynamic arguments;
  /// UINT64_MAX where that is more than any memory.
  uint64_t local_bytes(const KernelDescription &function) const;

private:
  /// Whether the buffers of the arguments have no byte in common, after capture() has put them into `call`.
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
    uint64_t host_bytes = 0;   ///< of an object of the host's that the argument points into: its size or more
  };

  Kernel(Program &program, std::vector<Function> functions);
  const Function *find(const Device &device) const;
  ~Kernel() override;
  /// Writes a value of an argument into the block.
  template <typename T>
  void store(const ArgumentDescription &argument, T value);
  Result<void> set_memory(const ArgumentDescription &argument, Argument &state, size_t size, const void *value);
  Result<void> set_image(const ArgumentDescription &argument, Argument &state, size_t size, const void *value);
  Result<void> set_pipe(const ArgumentDescription &argument, Argument &state, size_t size, const void *value);
  Result<void> set_queue(const ArgumentDescription &argument, Argument &state, size_t size, const void *value);
  Result<void> set_sampler(const ArgumentDescription &argument, Argument &state, size_t size, const void *value);

  Ref<Program> program_;
  std::vector<Function> functions_;
  std::vector<Argument> arguments_;
  std::vector<std::byte> block_;
};

}  // namespace upsweep
#endif
