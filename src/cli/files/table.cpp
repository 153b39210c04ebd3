// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads write pieces of a table, which go to the file in their order.
#include "cli/files/table.h"

#include "cli/files/mapping.h"
#include "cli/files/parallel.h"

#include <algorithm>
#include <string>

namespace upsweep::cli {
namespace {

constexpr size_t kPiece = size_t{1} << 14;  // elements that a thread writes at a time
constexpr size_t kPieces = 64;              // that are in memory at a time

struct Table {
  const std::byte *elements;
  ElementType type;
  size_t rows, columns;
  bool is_fortran;
  char separator;

  // Elements `begin` to `end` - 1 in the order of C.
  [[nodiscard]] std::string text(size_t begin, size_t end) const {
    std::string lines;
    for (size_t i = begin; i < end; ++i) {
      const size_t place = is_fortran ? i % columns * rows + i / columns : i;
      lines += format_element(type, elements + place * type.bytes());
      lines += (i + 1) % columns == 0 ? '\n' : separator;
    }
    return lines;
  }
};

}  // namespace

Result<void> write_table(const OutputFile &file, ElementType type, const std::vector<size_t> &shape, bool is_fortran,
                         char separator, OutputFile &text) {
  const size_t rows = shape.empty() ? 1 : shape[0], columns = shape.size() < 2 ? 1 : shape[1], count = rows * columns;
  const auto bytes = Mapping::of_descriptor(file.descriptor(), count * type.bytes(), "-");
  if (!bytes) return Failure(bytes.error());
  type.is_bool = false;
  const Table table{(*bytes)->bytes().data(), type, rows, columns, is_fortran, separator};
  uint64_t offset = 0;
  std::vector<std::string> pieces(kPieces);
  for (size_t begin = 0; begin < count; begin += kPieces * kPiece) {
    const size_t n = std::min(kPieces * kPiece, count - begin);
    share_out(n, kPiece, [&](size_t first, size_t last) { pieces[first / kPiece] = table.text(begin + first, begin + last); });
    for (size_t piece = 0; piece * kPiece < n; ++piece) {
      if (auto done = text.write(offset, pieces[piece].data(), pieces[piece].size()); !done) return done;
      offset += pieces[piece].size();
    }
  }
  return text.finish();
}

}  // namespace upsweep::cli
