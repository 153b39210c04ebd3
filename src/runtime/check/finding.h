// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A defect that the kernel checker found, and its texts.
#ifndef UPSWEEP_RUNTIME_CHECK_FINDING_H
#define UPSWEEP_RUNTIME_CHECK_FINDING_H

#include "base/finding_kinds.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace upsweep {

/// The earlier access of a race.
struct OtherAccess {
  std::string file, calls;
  uint32_t line = 0, column = 0;
  uint32_t access = 0;  ///< UpsweepAccess
  uint64_t width = 0;   ///< 0 if unknown
  bool is_atomic = false;
  bool is_copy = false;  ///< an async copy's; only the group is known
  std::array<uint64_t, 3> global{}, local{}, group{};
};

struct Finding {
  UpsweepFindingKind kind = UPSWEEP_OUT_OF_BOUNDS;
  std::string kernel, file, calls, object;
  uint32_t line = 0, column = 0;
  uint32_t access = 0;  ///< UpsweepAccess
  UpsweepObjectKind object_kind = UPSWEEP_OBJECT_UNKNOWN;
  int32_t argument = -1;
  uint64_t width = 0;
  uint64_t align = 1;
  uint64_t element = 0;  ///< bytes of an array's element, or 0
  int64_t offset = 0;    ///< in the object
  uint64_t bytes = 0;    ///< of the object
  uint64_t address = 0;  ///< 0 if unknown
  std::string value;     ///< that was written; empty if unknown
  std::array<uint64_t, 3> global{}, local{}, group{};
  bool of_sub_group = false;                ///< the work-items diverge within a sub-group
  std::vector<std::string> notes;           ///< further lines, such as other work-items
  bool is_atomic = false, is_copy = false;  ///< of a race's access
  std::optional<OtherAccess> other;         ///< of a race
  uint32_t off = 0;                         ///< kinds, as bits, that a pragma of the source turns off
};

/// One sentence, such as "write of 4 bytes outside of argument 'out' (64 bytes) at offset 64".
std::string sentence_of(const Finding &finding);
/// Some lines for a person.
std::string text_of(const Finding &finding);
/// "global id (1, 0, 0), local id (1, 0, 0), group (0, 0, 0)".
std::string ids_text(const Finding &finding);
/// "file:line:column" of the other access of a race.
std::string place_of(const OtherAccess &other);
/// "file:line:column".
std::string place_of(const Finding &finding);
/// The value's bits as a number of the site's type; empty if it has none.
std::string value_text(const UpsweepCheckSite &site, uint64_t bits);

}  // namespace upsweep
#endif
