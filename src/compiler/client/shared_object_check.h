// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a shared object can be loaded without running code of its own and without reaching beyond the list of functions that
// kernels may call. Both the compiler, of what it linked, and the driver, of whatever it is about to load, ask.
#ifndef UPSWEEP_COMPILER_CLIENT_SHARED_OBJECT_CHECK_H
#define UPSWEEP_COMPILER_CLIENT_SHARED_OBJECT_CHECK_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace upsweep::compiler {

/// Nothing, or what is wrong, such as "it runs code when it is loaded (DT_INIT_ARRAY)". By the program headers and the dynamic
/// section, which the dynamic linker goes by; sections are not looked at. All that it would read or write while loading must
/// lie in the image.
[[nodiscard]] std::optional<std::string> problem_of_shared_object(std::span<const uint8_t> elf);

}  // namespace upsweep::compiler
#endif
