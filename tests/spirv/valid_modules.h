// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules without a mistake, which together have most instructions: seeds of random changes.
#ifndef UPSWEEP_TESTS_SPIRV_VALID_MODULES_H
#define UPSWEEP_TESTS_SPIRV_VALID_MODULES_H

#include "module_builder.h"

namespace upsweep::tests {

std::vector<Words> valid_modules();

}  // namespace upsweep::tests
#endif
