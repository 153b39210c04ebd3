// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Colours, bars and rules for the command line's output.
#include "cli/terminal.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace upsweep::cli {
namespace {

std::string repeat(std::string_view glyph, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += glyph;
  return text;
}

bool variable_says(const char *name, std::string_view part) {
  const char *value = std::getenv(name);
  return value && std::string_view(value).find(part) != std::string_view::npos;
}

// POSIX's precedence of locale variables: LC_ALL, LC_CTYPE, LANG.
bool locale_is_utf8() {
  for (const char *name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char *value = std::getenv(name); value && *value)
      return variable_says(name, "UTF-8") || variable_says(name, "utf8");
  return false;
}

}  // namespace

Terminal Terminal::of_stdout() {
  const char *no_colour = std::getenv("NO_COLOR");
  const bool wants_none = (no_colour && *no_colour) || variable_says("TERM", "dumb");
  return {isatty(STDOUT_FILENO) != 0 && !wants_none, locale_is_utf8()};
}

std::string Terminal::paint(Colour colour, std::string_view text) const {
  constexpr std::string_view kCodes[] = {"", "2", "1", "1;32", "1;31", "36"};
  if (!colour_ || colour == Colour::Plain) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<size_t>(colour)], text);
}

std::string Terminal::bar(double share, int cells) const {
  const int filled = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * cells));
  return paint(Colour::Accent, repeat(unicode_ ? "█" : "#", filled)) +
         paint(Colour::Dim, repeat(unicode_ ? "░" : ".", cells - filled));
}

std::string Terminal::rule(int cells) const { return paint(Colour::Dim, repeat(unicode_ ? "─" : "-", cells)); }

}  // namespace upsweep::cli
