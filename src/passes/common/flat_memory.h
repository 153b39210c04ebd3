// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After step 1: all memory of a CPU is flat. Pointers of every address space become plain pointers, so do the opaque types
// (sampler_t, event_t, images, queues), casts between address spaces vanish. Variables keep their space for later steps: local
// ones carry the metadata kLocalMetadata, program-scope ones kGlobalMetadata. Atomic updates of local memory get the scope of a
// single thread (local_atomics).
#ifndef UPSWEEP_PASSES_COMMON_FLAT_MEMORY_H
#define UPSWEEP_PASSES_COMMON_FLAT_MEMORY_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>

#include <array>

namespace upsweep::passes {

inline constexpr llvm::StringLiteral kLocalMetadata = "upsweep.local";
inline constexpr llvm::StringLiteral kGlobalMetadata = "upsweep.global";

/// The address spaces of spir64.
enum SpirSpace : unsigned { kPrivateSpace = 0, kGlobalSpace = 1, kConstantSpace = 2, kLocalSpace = 3, kGenericSpace = 4 };

void flatten_memory(llvm::Module &module);

/// The address space of a target for each of spir64's; a space that is mapped to stays itself.
using SpaceMap = std::array<unsigned, 5>;

/// The same for a target that keeps some spaces apart: casts between those remain.
void change_spaces(llvm::Module &module, const SpaceMap &spaces);

/// Whether an instruction's operand is a local variable or an address in one.
[[nodiscard]] bool uses_local_variable(const llvm::Value *operand);

}  // namespace upsweep::passes
#endif
