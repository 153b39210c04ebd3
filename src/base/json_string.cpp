// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Escapes quotes, backslashes and control characters.
#include "base/json_string.h"
#include <cstdio>

namespace upsweep {

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (code < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", code);
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace upsweep
