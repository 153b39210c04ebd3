// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines of a text.
#ifndef UPSWEEP_CLI_LINES_H
#define UPSWEEP_CLI_LINES_H

#include <algorithm>
#include <string_view>
#include <vector>

namespace upsweep::cli {

/// Without their ends. A text that ends with a line's end has no further line.
inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace upsweep::cli
#endif
