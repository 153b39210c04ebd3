// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names come from the tables.
#include "base/finding_kinds.h"
#include "base/checks.h"
#include <array>

namespace upsweep {
namespace {

struct FindingKind {
  const char *name;
  Check check;
};
constexpr std::array kFindingKinds = {
#define UPSWEEP_FINDING_KIND(id, name, check) FindingKind{name, Check::check},
#include "base/finding_kinds.def"
};

}  // namespace

const char *name_of(UpsweepFindingKind kind) { return kind < kFindingKinds.size() ? kFindingKinds[kind].name : "unknown"; }

uint32_t finding_kinds(std::string_view word) {
  const auto checks = parse_checks(word);
  const bool is_check = checks && word.find(',') == std::string_view::npos;
  uint32_t kinds = 0;
  for (size_t i = 0; i < kFindingKinds.size(); ++i)
    if (kFindingKinds[i].name == word || (is_check && checks->has(kFindingKinds[i].check))) kinds |= uint32_t{1} << i;
  return kinds;
}

}  // namespace upsweep
