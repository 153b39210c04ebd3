// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads generate pieces of a table, which are written to the file in order.
#include "cli/files/table.h"

#include "cli/files/mapping.h"
#include "cli/files/parallel.h"

#include <algorithm>
#include <cctype>

namespace upsweep::cli {
namespace {

constexpr size_t kPiece = size_t{1} << 14;  // elements per piece of a thread
constexpr size_t kPieces = 64;              // limit of pieces in memory

}  // namespace

Result<void> write_pieces(size_t pieces, const std::function<std::string(size_t)> &piece, OutputFile &file) {
  uint64_t offset = 0;
  std::vector<std::string> texts(kPieces);
  for (size_t first = 0; first < pieces; first += kPieces) {
    const size_t n = std::min(kPieces, pieces - first);
    share_out(n, 1, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) texts[i] = piece(first + i);
    });
    for (size_t i = 0; i < n; ++i) {
      if (auto done = file.write(offset, texts[i].data(), texts[i].size()); !done) return done;
      offset += texts[i].size();
    }
  }
  return file.finish();
}

Result<void> write_table(const OutputFile &file, const TableOfText &table, OutputFile &text) {
  const auto &shape = table.shape;
  const size_t rows = shape.empty() ? 1 : shape[0], columns = shape.size() < 2 ? 1 : shape[1], count = rows * columns;
  const size_t width = table.type.bytes();
  const auto bytes = Mapping::of_descriptor(file.descriptor(), count * width, "-");
  if (!bytes) return Failure(bytes.error());
  const std::byte *elements = (*bytes)->bytes().data();
  // Elements are written in C's order.
  const auto piece = [&](size_t number) {
    std::string lines;
    for (size_t i = number * kPiece; i < std::min(count, (number + 1) * kPiece); ++i) {
      const size_t place = table.is_fortran ? i % columns * rows + i / columns : i;
      lines += table.field(elements + place * width);
      lines += (i + 1) % columns == 0 ? '\n' : table.separator;
    }
    return lines;
  };
  return write_pieces((count + kPiece - 1) / kPiece, piece, text);
}

std::string quote_field(const std::string &text, char separator) {
  const bool is_plain = !text.empty() && text.find_first_of(std::string("\"\r\n") + separator) == std::string::npos &&
                        text.front() != ' ' && text.front() != '\t' && text.back() != ' ' && text.back() != '\t';
  if (is_plain) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + '"';
}

std::string kind_of(const std::filesystem::path &path) {
  std::string kind = path.extension().string();
  std::ranges::transform(kind, kind.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return kind;
}

bool is_text_name(const std::filesystem::path &path) {
  const std::string kind = kind_of(path);
  return kind == ".csv" || kind == ".tsv" || kind == ".txt";
}

bool is_raw_name(const std::filesystem::path &path) {
  const std::string kind = kind_of(path);
  return kind == ".bin" || kind == ".raw";
}

char separator_of(const std::filesystem::path &path) { return kind_of(path) == ".tsv" ? '\t' : ','; }

}  // namespace upsweep::cli
