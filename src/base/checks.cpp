// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the list of checks.
#include "base/checks.h"
#include "base/options.h"
#include "base/shadow_memory.h"
#include <algorithm>
#include <array>
#include <cstdio>

namespace upsweep {
namespace {

struct Row {
  Check id;
  std::string_view name;
};
constexpr std::array kRows = {
#define UPSWEEP_CHECK_ROW(id, name, effect) Row{Check::id, name},
#include "base/checks.def"
};

std::string known_words() {
  std::string text;
  for (const Row &row : kRows) text += std::string(row.name) + ", ";
  return text + "all";
}

/// Many correct programs wrap signed numbers or shift too far, so `all` leaves their check out.
bool is_part_of_all(Check check) { return check != Check::kArithmetic; }

bool add_word(std::string_view word, Checks &checks) {
  bool is_known = word == "all";
  for (const Row &row : kRows) {
    if (word == "all" ? !is_part_of_all(row.id) : word != row.name) continue;
    checks.add(row.id);
    is_known = true;
  }
  return is_known;
}

/// Without the check of initialisation if the system has no address space for its shadow.
Checks possible(const Checks &wanted) {
  if (!wanted.has(Check::kInit) || reserve_shadow()) return wanted;
  static_cast<void>(
      std::fputs("upsweep check: the system refuses the address space of the check 'init', which is off\n", stderr));
  Checks others;
  for (const Row &row : kRows)
    if (wanted.has(row.id) && row.id != Check::kInit) others.add(row.id);
  return others;
}

}  // namespace

std::string Checks::text() const {
  std::string text;
  for (const Row &row : kRows)
    if (has(row.id)) text += (text.empty() ? "" : ",") + std::string(row.name);
  return text;
}

tl::expected<Checks, std::string> parse_checks(std::string_view text) {
  Checks checks;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    if (!add_word(word, checks))
      return tl::unexpected("'" + std::string(word) + "' is not a check; the checks are " + known_words());
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return checks;
}

const Checks &enabled_checks() {
  static const Checks checks = possible(parse_checks(options().check).value_or(Checks()));
  return checks;
}

}  // namespace upsweep
