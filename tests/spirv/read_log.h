// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's reader of SPIR-V, called in this process.
#ifndef UPSWEEP_TESTS_SPIRV_READ_LOG_H
#define UPSWEEP_TESTS_SPIRV_READ_LOG_H

#include "module_builder.h"

#include <string>

namespace upsweep::tests {

/// The log of a module that is refused; empty if it is read.
std::string read_log(const Words &module);

}  // namespace upsweep::tests
#endif
