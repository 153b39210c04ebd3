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

// Options for CSV.
struct InputOptions {
  std::optional<std::string> column;     // a name, or a number from 1
  std::optional<std::string> separator;  // empty: a tab in .tsv, otherwise a comma
  Missing missing = Missing::kError;
  bool may_be_missing = true;  // false: messages say that values cannot be missing
  Header header = Header::kAuto;
  // A column may contain texts, which are replaced by their ranks (Array::texts).
  enum class Text { kRefused, kIfNoNumbers, kIfNotAllNumbers } text = Text::kRefused;
  bool wants_rows = false;
  bool is_exact = false;                        // numbers are compared (CsvOptions)
  std::string_view column_option = "--column";  // for messages
  std::string raw{};                            // the type of elements of a file without a header; empty: it has one
};

class Mapping;

struct Array {
  ElementType type;
  std::vector<size_t> shape;  // of a picture: height, width, channels
  bool is_fortran = false;    // the first index is contiguous in memory
  bool is_picture = false;
  std::shared_ptr<const CsvTable> table{};  // of CSV
  std::shared_ptr<const std::vector<std::string>>
      texts{};  // of a column of texts, in ascending order; elements are indices of them
  const std::byte *data = nullptr;
  size_t count = 0;
  std::string name{};  // of the file
  std::filesystem::path path{};
  std::shared_ptr<const void> memory{};   // owns the memory of `data`
  std::shared_ptr<const Mapping> file{};  // of .npy; of CSV if its rows are needed

  // Whether the order in memory differs from C's.
  [[nodiscard]] bool is_transposed() const { return is_fortran && shape.size() > 1; }
  [[nodiscard]] bool is_text() const { return table != nullptr; }
  [[nodiscard]] size_t bytes() const { return count * type.bytes(); }
};

// The first bytes determine the type of the file. A file is CSV if --column is given or its name ends in .csv, .tsv or .txt;
// standard input, "-", is also CSV if it is no other type.
Result<Array> open_array(const std::filesystem::path &path, const InputOptions &options);
Result<Array> open_array(const std::filesystem::path &path, const std::shared_ptr<const Mapping> &file,
                         const InputOptions &options);
// Whether the file is a table of text, and how to read it.
bool is_table(const std::filesystem::path &path, std::string_view text, const InputOptions &options);
CsvOptions csv_options(const std::filesystem::path &path, const InputOptions &options);

// "(2, 3)"
std::string shape_text(const std::vector<size_t> &shape);

}  // namespace upsweep::cli
#endif
