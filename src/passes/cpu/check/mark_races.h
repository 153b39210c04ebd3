// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps for check_races() the facts that only the library's functions know: the order and scope of atomics and fences, and
// which accesses belong to async copies and pipes. Runs before functions are inlined.
#ifndef UPSWEEP_PASSES_CPU_CHECK_MARK_RACES_H
#define UPSWEEP_PASSES_CPU_CHECK_MARK_RACES_H

#include "passes/program.h"

namespace upsweep::passes {

/// Metadata of an instruction of the library, with a RaceRole.
inline constexpr llvm::StringLiteral kRaceRole = "upsweep.race";
enum class RaceRole : uint8_t {
  kNone,
  kOwn,         ///< an access that needs no check, or has __ups_race_atomic around it
  kCopy,        ///< an access of an async copy
  kCopyWait,    ///< the barrier of wait_group_events
  kCollective,  ///< the barrier of a work-group collective
};
[[nodiscard]] RaceRole race_role(const llvm::Instruction &instruction);

void mark_races(llvm::Module &module, Program &program);

}  // namespace upsweep::passes
#endif
