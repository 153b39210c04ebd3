// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text as a table, read in each way. The first line is the wanted column. The result is elements with rows inside of the
// text, or an error with a text.
#include "cli/files/csv.h"

#include <algorithm>
#include <cstdlib>

using namespace upsweep::cli;

namespace {

void read(std::string_view text, const CsvOptions &options) {
  const auto column = read_csv(text, options);
  if (!column) {
    if (column.error().empty()) std::abort();
    return;
  }
  const size_t elements = column->integers.size() + column->reals.size() + column->texts.size();
  const auto ends = [](char letter) { return letter == '\n' || letter == '\r'; };
  const auto lines = static_cast<size_t>(std::ranges::count_if(text, ends)) + 1;
  if (elements + column->table.skipped.size() > lines || (column->is_real && !column->integers.empty())) std::abort();
  if (column->table.rows.size() != elements) std::abort();
  size_t end = column->table.text.size();
  for (const CsvRow &row : column->table.rows) {
    if (row.begin < end || row.end < row.begin || row.end > text.size()) std::abort();
    end = row.end;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view all(reinterpret_cast<const char *>(data), size);
  const size_t end = std::min(all.find('\n'), size);
  const std::string_view text = all.substr(std::min(end + 1, size));
  CsvOptions options{.wants_rows = true};
  const std::string column(all.substr(0, end));  // an empty one is no choice, and "" the column without a name
  if (!column.empty()) options.column = column == "\"\"" ? std::string() : column;
  for (const Header header : {Header::kAuto, Header::kYes, Header::kNo}) {
    for (const Missing missing : {Missing::kError, Missing::kNan, Missing::kSkip}) {
      for (const bool is_text : {false, true}) {
        options.header = header;
        options.missing = missing;
        options.is_text = is_text;
        read(text, options);
      }
    }
  }
  return 0;
}
