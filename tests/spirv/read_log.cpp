// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_log.h"

#include "compiler/spirv/read_module.h"

#include <gtest/gtest.h>

namespace upsweep::tests {

std::string read_log(const Words &module) {
  llvm::LLVMContext context;
  std::string log;
  const auto *bytes = reinterpret_cast<const uint8_t *>(module.data());
  const std::unique_ptr<llvm::Module> read =
      compiler::spirv::read_module(context, {{bytes, module.size() * sizeof(uint32_t)}, {}}, {}, log);
  EXPECT_EQ(read == nullptr, !log.empty()) << log;
  return log;
}

}  // namespace upsweep::tests
