// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks the user's calls that all work-items of a group must reach, before the library's bodies replace them.
#ifndef UPSWEEP_PASSES_CPU_CHECK_MARK_MEETINGS_H
#define UPSWEEP_PASSES_CPU_CHECK_MARK_MEETINGS_H

#include "base/check_abi.h"
#include "passes/program.h"

#include <llvm/ADT/SmallVector.h>

namespace upsweep::passes {

/// A function that all work-items of a work-group or sub-group must call with the same values of some arguments.
struct MeetingFunction {
  struct Argument {
    unsigned index;
    llvm::StringRef name;
  };
  llvm::StringRef name;
  bool is_prefix;  ///< the function's name begins with `name`
  uint32_t flags;  ///< UpsweepMeetingFlags
  llvm::SmallVector<Argument, UPSWEEP_MOST_MEETING_ARGUMENTS> arguments;
};

/// The function of a row, which Ups::kMeet has as its second operand.
[[nodiscard]] const MeetingFunction &meeting_function(size_t row);

/// Operands of Ups::kMeet; the values follow, kMostArguments of them.
enum MeetOperand : unsigned { kMeetNumber, kMeetFunction, kMeetCompared, kMeetValues };

/// Metadata of such a call: the function's name in the source.
inline constexpr const char *kMeetingName = "upsweep.meeting";

/// Puts Ups::kMeet before each such call. Expects a portable module.
void mark_meetings(llvm::Module &module, Program &program);

}  // namespace upsweep::passes
#endif
