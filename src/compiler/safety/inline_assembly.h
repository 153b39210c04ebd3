// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly for the CPU may contain instructions, labels and data within its function, but must not reach beyond it.
#ifndef UPSWEEP_COMPILER_SAFETY_INLINE_ASSEMBLY_H
#define UPSWEEP_COMPILER_SAFETY_INLINE_ASSEMBLY_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace upsweep::compiler {

/// The reason to refuse an assembly string (in LLVM IR's spelling: $0, ${0:c}, $$), such as "the directive '.incbin'"; empty if
/// it stays within its function. The check is lexical and conservative: comments count as code.
[[nodiscard]] std::optional<std::string> reason_to_refuse(llvm::StringRef assembly);

}  // namespace upsweep::compiler
#endif
