// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a shared object can be loaded without running its code, and only uses functions that kernels may call. The
// compiler checks its own output, and the driver checks every file before loading.
#ifndef UPSWEEP_COMPILER_CLIENT_SHARED_OBJECT_CHECK_H
#define UPSWEEP_COMPILER_CLIENT_SHARED_OBJECT_CHECK_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace upsweep::compiler {

/// The problem, such as "it runs code when it is loaded (DT_INIT_ARRAY)", or empty. Checks the program headers and the dynamic
/// section, which the dynamic linker uses, and ignores sections. All data that loading would read or write must be inside the
/// image.
[[nodiscard]] std::optional<std::string> problem_of_shared_object(std::span<const uint8_t> elf);

}  // namespace upsweep::compiler
#endif
