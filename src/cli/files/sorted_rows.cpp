// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads concatenate rows.
#include "cli/files/sorted_rows.h"

#include "cli/files/mapping.h"
#include "cli/files/table.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace upsweep::cli {
namespace {

constexpr size_t kPiece = size_t{1} << 14;  // rows per piece of a thread

}  // namespace

Result<void> write_rows(const Array &array, const std::vector<uint64_t> &order, OutputFile &file) {
  const CsvTable &table = *array.table;
  const auto bytes = array.file->bytes();
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  // The first piece is the text before the rows. If the file has only a header, its line break may be missing.
  const auto piece = [&](size_t number) {
    if (number == 0) return table.text;
    std::string rows;
    const size_t begin = (number - 1) * kPiece;
    for (size_t i = begin; i < std::min(order.size(), begin + kPiece); ++i) {
      const CsvRow row = table.rows[order[i]];
      rows += text.substr(row.begin, row.end - row.begin);
      rows += table.line_end;
    }
    return rows;
  };
  return write_pieces(1 + (order.size() + kPiece - 1) / kPiece, piece, file);
}

}  // namespace upsweep::cli
