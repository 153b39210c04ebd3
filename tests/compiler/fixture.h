// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common fixture of tests of the client: environment variables, set before its first use, a folder per test, loading of
// built code.
#ifndef UPSWEEP_TESTS_COMPILER_FIXTURE_H
#define UPSWEEP_TESTS_COMPILER_FIXTURE_H

#include "base/kernel_description.h"
#include "compiler/client/binary.h"
#include "targets/cpu/kernel_abi.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace upsweep::compiler::test {

/// A kernel that needs nothing from the library.
inline const std::string kAdd = "kernel void add(global int *a, int b) { a[0] += b; }\n";

class CompilerTest : public testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;

  /// Writes a file below the test's folder.
  std::filesystem::path write(const std::string &name, const std::string &text) const;

  std::filesystem::path folder_;
};

/// The shared object of an executable, loaded.
class CodeObject {
public:
  explicit CodeObject(ByteSpan binary);
  ~CodeObject();
  CodeObject(const CodeObject &) = delete;
  CodeObject &operator=(const CodeObject &) = delete;
  [[nodiscard]] const UpsweepCodeObject *get() const { return object_; }
  [[nodiscard]] std::span<const KernelDescription> descriptions() const { return descriptions_; }
  [[nodiscard]] const UpsweepKernelCode *kernel(const std::string &name) const;

private:
  std::vector<KernelDescription> descriptions_;
  void *handle_ = nullptr;
  const UpsweepCodeObject *object_ = nullptr;
};

/// Runs one work-item of add(a, b).
int run_add(const CodeObject &object, int a, int b);

}  // namespace upsweep::compiler::test
#endif
