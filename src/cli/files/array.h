// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The array in a file: .npy (mapped), a column of CSV, or the pixels of a PNG or JPEG.
#ifndef UPSWEEP_CLI_FILES_ARRAY_H
#define UPSWEEP_CLI_FILES_ARRAY_H

#include "cli/files/element.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace upsweep::cli {

struct InputOptions {
  std::string column;           // of CSV: a name, or a number from 1 on
  std::string separator = ",";  // of CSV
};

struct Array {
  ElementType type;
  std::vector<size_t> shape;  // of a picture: height, width, channels
  bool is_fortran = false;    // the first index is that of neighbours in memory
  bool is_picture = false;
  bool is_text = false;  // CSV
  const std::byte *data = nullptr;
  size_t count = 0;
  std::string name;                    // of the file
  std::shared_ptr<const void> memory;  // what `data` points into

  // Whether the order of memory is not that of C.
  [[nodiscard]] bool is_transposed() const { return is_fortran && shape.size() > 1; }
  [[nodiscard]] size_t bytes() const { return count * type.bytes(); }
};

// The kind of file is told by its first bytes; CSV is what has --column, a name in .csv, .tsv or .txt, or is none of the others
// on standard input, "-".
Result<Array> open_array(const std::filesystem::path &path, const InputOptions &options);

// "(2, 3)"
std::string shape_text(const std::vector<size_t> &shape);

}  // namespace upsweep::cli
#endif
