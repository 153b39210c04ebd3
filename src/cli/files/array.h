// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The array in a file: .npy (mapped), a column of CSV, or the pixels of a PNG or JPEG.
#ifndef UPSWEEP_CLI_FILES_ARRAY_H
#define UPSWEEP_CLI_FILES_ARRAY_H

#include "cli/files/csv.h"
#include "cli/files/element.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::cli {

// All are of CSV.
struct InputOptions {
  std::optional<std::string> column;     // a name, or a number from 1 on
  std::optional<std::string> separator;  // none: a tab in .tsv, else a comma
  Missing missing = Missing::kError;
  bool may_be_missing = true;  // or else messages say that values cannot be
  Header header = Header::kAuto;
  // A column may hold texts, which become numbers in their order (Array::texts).
  enum class Text { kRefused, kIfNoNumbers, kIfNotAllNumbers } text = Text::kRefused;
  bool wants_rows = false;
  std::string_view column_option = "--column";  // for messages
};

class Mapping;

struct Array {
  ElementType type;
  std::vector<size_t> shape;  // of a picture: height, width, channels
  bool is_fortran = false;    // the first index is that of neighbours in memory
  bool is_picture = false;
  std::shared_ptr<const CsvTable> table{};  // of CSV
  std::shared_ptr<const std::vector<std::string>>
      texts{};  // of a column of texts: elements are indices of them, in their order
  const std::byte *data = nullptr;
  size_t count = 0;
  std::string name{};  // of the file
  std::filesystem::path path{};
  std::shared_ptr<const void> memory{};   // what `data` points into
  std::shared_ptr<const Mapping> file{};  // of CSV whose rows are wanted

  // Whether the order of memory is not that of C.
  [[nodiscard]] bool is_transposed() const { return is_fortran && shape.size() > 1; }
  [[nodiscard]] bool is_text() const { return table != nullptr; }
  [[nodiscard]] size_t bytes() const { return count * type.bytes(); }
};

// The kind of file is told by its first bytes; CSV is what has --column, a name in .csv, .tsv or .txt, or is none of the others
// on standard input, "-".
Result<Array> open_array(const std::filesystem::path &path, const InputOptions &options);

// "(2, 3)"
std::string shape_text(const std::vector<size_t> &shape);

}  // namespace upsweep::cli
#endif
