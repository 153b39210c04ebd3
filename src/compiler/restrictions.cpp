// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of restrictions, and the options that lift them.
#include "compiler/restrictions.h"

#include <optional>

namespace upsweep::compiler {
namespace {

constexpr RestrictionRule kRules[] = {
#define UPSWEEP_RESTRICTION(id, name, treatment, below, in_cpp, text, example)                                                 \
  {name, Treatment::treatment, below, in_cpp, text},
#include "compiler/restrictions.def"
#undef UPSWEEP_RESTRICTION
};

bool take(std::string_view &text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

const RestrictionRule &rule(Restriction restriction) { return kRules[static_cast<size_t>(restriction)]; }

std::string restriction_names() {
  std::string names;
  for (const RestrictionRule &rule : kRules) names += (names.empty() ? "" : ", ") + std::string(rule.name);
  return names;
}

Treatments::Treatments() {
  for (size_t i = 0; i < each_.size(); ++i) each_[i] = kRules[i].treatment;
}

bool Treatments::set(std::string_view option) {
  std::optional<Treatment> treatment;
  if (take(option, "no-error="))
    treatment = Treatment::kWarned;
  else if (take(option, "no-"))
    treatment = Treatment::kPermitted;
  else if (take(option, "error="))
    treatment = Treatment::kRefused;
  bool is_known = false;
  for (size_t i = 0; i < each_.size(); ++i) {
    if (option != "restrictions" && option != kRules[i].name) continue;
    each_[i] = treatment.value_or(kRules[i].treatment);
    is_known = true;
  }
  return is_known;
}

std::string message_format(Restriction restriction, Treatment treatment) {
  const std::string name(rule(restriction).name), text = rule(restriction).text;
  if (treatment == Treatment::kWarned) return text + " [-W" + name + "]";
  return text + " [-W" + name + "; permitted by -Wno-error=" + name + "]";
}

}  // namespace upsweep::compiler
