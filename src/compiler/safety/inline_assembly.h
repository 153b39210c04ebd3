// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly for the CPU may hold instructions, labels and data within its function, and nothing that reaches beyond it.
#ifndef UPSWEEP_COMPILER_SAFETY_INLINE_ASSEMBLY_H
#define UPSWEEP_COMPILER_SAFETY_INLINE_ASSEMBLY_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace upsweep::compiler {

/// Why an assembly string (as LLVM's IR spells it: $0, ${0:c}, $$) is refused, such as "the directive '.incbin'"; nothing when
/// it stays within its function. The check is lexical and errs on the side of refusal: comments count as code.
[[nodiscard]] std::optional<std::string> reason_to_refuse(llvm::StringRef assembly);

}  // namespace upsweep::compiler
#endif
