// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random changes of the words of modules.
#ifndef UPSWEEP_TESTS_SPIRV_MODULE_CHANGES_H
#define UPSWEEP_TESTS_SPIRV_MODULE_CHANGES_H

#include "module_builder.h"

#include <random>

namespace upsweep::tests {

using Random = std::mt19937_64;

/// Changes one operand, opcode or instruction, or copies an instruction of the other module. No header changes.
void change(Words &module, const Words &other, Random &random);

}  // namespace upsweep::tests
#endif
