// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the file once, and compares by fnmatch().
#include "runtime/check/suppressions.h"
#include "base/never_destroyed.h"
#include "base/options.h"
#include <algorithm>
#include <fnmatch.h>
#include <fstream>
#include <sstream>

namespace upsweep {
namespace {

std::vector<Suppression> read_file(const std::string &path) {
  if (path.empty()) return {};
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return parse_suppressions(text.str());
}

bool matches_pattern(const std::string &pattern, const std::string &text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

}  // namespace

std::vector<Suppression> parse_suppressions(std::string_view text) {
  std::vector<Suppression> found;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find('#'));
    std::istringstream words(line);
    Suppression one{"*", "*", "*"};
    if (!(words >> one.kind)) continue;
    words >> one.kernel >> one.place;
    if (one.kernel.empty()) one.kernel = "*";
    if (one.place.empty()) one.place = "*";
    found.push_back(std::move(one));
  }
  return found;
}

bool matches(const Suppression &suppression, const Finding &finding) {
  return matches_pattern(suppression.kind, name_of(finding.kind)) && matches_pattern(suppression.kernel, finding.kernel) &&
         (matches_pattern(suppression.place, place_of(finding)) || matches_pattern(suppression.place, finding.file) ||
          matches_pattern(suppression.place, finding.file + ":" + std::to_string(finding.line)));
}

bool is_suppressed(const Finding &finding) {
  if (finding.off >> finding.kind & 1) return true;
  static NeverDestroyed<std::vector<Suppression>> all(read_file(options().check_suppress));
  return std::ranges::any_of(*all, [&](const Suppression &one) { return matches(one, finding); });
}

}  // namespace upsweep
