// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text as a table, read in each way. The first line names the column. The result is elements with rows inside of the text,
// or an error with a text.
#include "cli/files/csv.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

using namespace upsweep::cli;

namespace {

constexpr size_t kShortPart = 5;  // bytes: most cuts between parts are inside of quotes, if there are any

bool is_same(const Result<CsvColumn> &a, const Result<CsvColumn> &b) {
  if (!a || !b) return a.has_value() == b.has_value() && a.error() == b.error();
  const auto same_bits = [](double x, double y) { return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y); };
  const auto same_row = [](const CsvRow &x, const CsvRow &y) { return x.begin == y.begin && x.end == y.end; };
  return a->integers == b->integers && std::ranges::equal(a->reals, b->reals, same_bits) && a->texts == b->texts &&
         a->table.skipped == b->table.skipped && std::ranges::equal(a->table.rows, b->table.rows, same_row);
}

void read(std::string_view text, CsvOptions options) {
  const auto column = read_csv(text, options);
  options.part_bytes = kShortPart;
  if (!is_same(column, read_csv(text, options))) std::abort();
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
  const std::string column(all.substr(0, end));  // empty: no column is selected; "": the column without a name
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
