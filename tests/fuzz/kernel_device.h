// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a program on the default device, runs it, and reports differences from the interpreter.
#ifndef UPSWEEP_TESTS_FUZZ_KERNEL_DEVICE_H
#define UPSWEEP_TESTS_FUZZ_KERNEL_DEVICE_H

#include "kernel_program.h"

#include "../spirv_translator.h"

#include <CL/cl.h>

#include <optional>
#include <span>

namespace upsweep::fuzz {

class Device {
public:
  /// `level` is empty for programs of OpenCL C; else they become SPIR-V at this level of Clang, such as -O1.
  Device(std::string options, std::string level);
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  [[nodiscard]] bool ready() const { return queue_ != nullptr; }
  /// False if programs should become SPIR-V, and a program for this is missing.
  [[nodiscard]] bool can_translate() const { return level_.empty() || translator_; }
  [[nodiscard]] bool has_images() const;
  /// Empty if all is right; else the kind of failure in one line: "does not build", "differs", ...
  [[nodiscard]] std::string judge(const Program &program);
  /// The same for several programs that are built together, which takes less time.
  [[nodiscard]] std::vector<std::string> judge(std::span<const Program> programs);

  /// The modules that the translator refuses at the level; they became SPIR-V at -O0.
  [[nodiscard]] uint64_t num_unoptimised() const { return num_unoptimised_; }
  /// The kernels that it refuses at -O0, too; they are not run.
  [[nodiscard]] uint64_t num_refused() const { return num_refused_; }

private:
  std::optional<cl_program> make_program(const std::string &source);
  std::string judge(const Program &program, cl_program built, const std::string &name);
  std::string run(const Program &program, cl_kernel kernel);

  std::string options_, level_;
  std::optional<tests::SpirvTranslator> translator_;
  uint64_t num_unoptimised_ = 0, num_refused_ = 0;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

}  // namespace upsweep::fuzz
#endif
