// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes all memory flat, as on a CPU (end of step 1). Pointers of all address spaces become plain pointers, and so do opaque
// types (sampler_t, event_t, images, queues); casts between address spaces disappear. Metadata records the space of variables
// for later steps: kLocalMetadata for local, kGlobalMetadata for program-scope variables. Atomic updates of local memory get
// the scope of a single thread (local_atomics).
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

/// The target's address space for each of spir64's. Spaces that already are targets of the map do not change.
using SpaceMap = std::array<unsigned, 5>;

/// Maps the spaces for a target that keeps some distinct; casts between those remain.
void change_spaces(llvm::Module &module, const SpaceMap &spaces);

/// Whether an instruction's operand is a local variable or an address in one.
[[nodiscard]] bool uses_local_variable(const llvm::Value *operand);

}  // namespace upsweep::passes
#endif
