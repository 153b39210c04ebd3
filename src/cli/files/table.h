// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as text: one number, or one row of a matrix, per line.
#ifndef UPSWEEP_CLI_FILES_TABLE_H
#define UPSWEEP_CLI_FILES_TABLE_H

#include "cli/files/element.h"
#include "cli/files/output.h"

#include <functional>
#include <string>
#include <vector>

namespace upsweep::cli {

struct TableOfText {
  ElementType type;
  std::vector<size_t> shape;  // at most two dimensions
  bool is_fortran;
  char separator;
  std::function<std::string(const std::byte *)> field;  // text of an element
};

// Writes the elements of `file` to `text`, and finishes it.
Result<void> write_table(const OutputFile &file, const TableOfText &table, OutputFile &text);

// Quotes a text if a field needs it.
std::string quote_field(const std::string &text, char separator);

// Writes the texts of the pieces 0 to `pieces` - 1 in order, generating them on several threads, and finishes the file.
Result<void> write_pieces(size_t pieces, const std::function<std::string(size_t)> &piece, OutputFile &file);

// The suffix of a file's name in lower case, such as ".csv".
std::string kind_of(const std::filesystem::path &path);
// Whether it is .csv, .tsv or .txt.
bool is_text_name(const std::filesystem::path &path);
// Whether it is .bin or .raw: elements without a header.
bool is_raw_name(const std::filesystem::path &path);
// The default separator of fields in a file of this name.
char separator_of(const std::filesystem::path &path);

}  // namespace upsweep::cli
#endif
