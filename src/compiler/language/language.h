// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenCL C extensions and features that the compiler accepts, from the same table as the device queries.
#ifndef UPSWEEP_COMPILER_LANGUAGE_LANGUAGE_H
#define UPSWEEP_COMPILER_LANGUAGE_LANGUAGE_H

#include "base/features.h"

#include <string>
#include <vector>

namespace upsweep::compiler {

/// The value of cc1's -cl-ext: only the features of the column's devices that are not in `without`.
[[nodiscard]] std::string clang_extensions(FeatureColumn column, const std::vector<std::string> &without);

/// The header before every source: macros of the extensions and features unknown to Clang.
[[nodiscard]] std::string prelude(FeatureColumn column, const std::vector<std::string> &without);

}  // namespace upsweep::compiler
#endif
