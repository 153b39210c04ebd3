// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files inside upsweepc.
#ifndef UPSWEEP_COMPILER_EMBEDDED_EMBEDDED_FILES_H
#define UPSWEEP_COMPILER_EMBEDDED_EMBEDDED_FILES_H

#include <array>
#include <string_view>

namespace upsweep::compiler {

/// Clang's opencl-c-base.h: types, constants and enums of OpenCL C, followed by a null byte.
[[nodiscard]] std::string_view opencl_base_header();

/// The built-in functions that Clang does not declare (builtins/functions.def), in the format of builtins/overloads.py.
[[nodiscard]] std::string_view own_functions_list();

/// ELF shared objects with the names and symbols of libc, libm and libgcc_s, for linking (system_functions.def).
[[nodiscard]] std::array<std::string_view, 3> system_libraries();

}  // namespace upsweep::compiler
#endif
