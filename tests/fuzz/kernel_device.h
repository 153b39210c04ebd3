// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a program on the default device, runs it, and reports differences from the interpreter.
#ifndef UPSWEEP_TESTS_FUZZ_KERNEL_DEVICE_H
#define UPSWEEP_TESTS_FUZZ_KERNEL_DEVICE_H

#include "kernel_program.h"

#include <CL/cl.h>

#include <span>

namespace upsweep::fuzz {

class Device {
public:
  explicit Device(std::string options);
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  [[nodiscard]] bool ready() const { return queue_ != nullptr; }
  [[nodiscard]] bool has_images() const;
  /// Empty if all is right; else the kind of failure in one line: "does not build", "differs", ...
  [[nodiscard]] std::string judge(const Program &program);
  /// The same for several programs that are built together, which takes less time.
  [[nodiscard]] std::vector<std::string> judge(std::span<const Program> programs);

private:
  std::string judge(const Program &program, cl_program built, const std::string &name);
  std::string run(const Program &program, cl_kernel kernel);

  std::string options_;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

}  // namespace upsweep::fuzz
#endif
