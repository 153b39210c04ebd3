// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which OpenCL C extensions and features the compiler accepts, from the same table as the device's queries.
#ifndef UPSWEEP_COMPILER_LANGUAGE_H
#define UPSWEEP_COMPILER_LANGUAGE_H

#include <string>

namespace upsweep::compiler {

/// The value of cc1's -cl-ext: everything off but what the device has.
[[nodiscard]] const std::string &clang_extensions();

/// The header before every source: macros of the extensions and features that Clang itself does not know.
[[nodiscard]] const std::string &prelude();

}  // namespace upsweep::compiler
#endif
