// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenCL C extensions and features that the compiler accepts, from the same table as the device queries.
#ifndef UPSWEEP_COMPILER_LANGUAGE_LANGUAGE_H
#define UPSWEEP_COMPILER_LANGUAGE_LANGUAGE_H

#include "base/features.h"
#include "compiler/options.h"

#include <string>
#include <vector>

namespace upsweep::compiler {

/// The value of cc1's -cl-ext: only the features of the column's devices that are not in `without`.
[[nodiscard]] std::string clang_extensions(FeatureColumn column, const std::vector<std::string> &without);

/// The version for cc1's -cl-std: Clang 19 ends at OpenCL C 3.0, and the prelude makes 3.1 of it.
[[nodiscard]] std::string clang_language(const Options &options);

/// Whether the column's devices have the language that the options name.
[[nodiscard]] bool has_language(FeatureColumn column, const Options &options);

/// The header before every source: macros of the extensions and features unknown to Clang, and of the language's version.
[[nodiscard]] std::string prelude(FeatureColumn column, const Options &options);

}  // namespace upsweep::compiler
#endif
