// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text as a table, of which the first line is the column that is wanted: numbers, or an error that says something.
#include "cli/files/csv.h"

#include <algorithm>
#include <cstdlib>

using namespace upsweep::cli;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view all(reinterpret_cast<const char *>(data), size);
  const size_t end = std::min(all.find('\n'), size);
  const std::string_view text = all.substr(std::min(end + 1, size));
  const auto column = read_csv(text, {std::string(all.substr(0, end)), ","});
  if (!column) {
    if (column.error().empty()) std::abort();
    return 0;
  }
  const auto lines = static_cast<size_t>(std::ranges::count(text, '\n')) + 1;
  if (column->integers.size() + column->reals.size() > lines || (column->is_real && !column->integers.empty())) std::abort();
  return 0;
}
