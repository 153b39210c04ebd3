// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header of NumPy's .npy files, formats 1.0 to 3.0.
#ifndef UPSWEEP_CLI_FILES_NPY_HEADER_H
#define UPSWEEP_CLI_FILES_NPY_HEADER_H

#include "cli/files/element.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

struct NpyHeader {
  ElementType type;
  bool is_fortran = false;
  std::vector<size_t> shape;
  size_t data_offset = 0;
  size_t count = 0;  // of elements

  [[nodiscard]] size_t data_bytes() const { return count * type.bytes(); }
};

// The three entries of a header. `descr` begins with the text of the type, and goes on.
struct NpyEntries {
  std::string_view descr;
  bool is_fortran = false;
  std::vector<size_t> shape;
  size_t data_offset = 0;
  int version = 1;
};

// The longest header that is read, including the bytes before it.
constexpr size_t kMaxNpyHeaderBytes = (size_t{1} << 20) + 12;

// `start` is the whole file or its first kMaxNpyHeaderBytes. The error continues a sentence that starts with the file's name.
// The caller must check that the data is complete.
Result<NpyEntries> parse_npy_entries(std::span<const std::byte> start);
Result<NpyHeader> parse_npy_header(std::span<const std::byte> start);

// The number of elements; fails if the number of bytes overflows.
Result<size_t> count_of(const std::vector<size_t> &shape, size_t element_bytes);

// A header of format `version`.0 for a type with the text `descr`, which ends as npy_header_text() says.
std::string npy_header_of(std::string_view descr, bool is_fortran, const std::vector<size_t> &shape, size_t data_offset,
                          int version);
// A header of format 1.0 that ends at `data_offset`, or at the next multiple of 64 bytes if that is 0.
std::string npy_header_text(const NpyHeader &header);

// An offset that suffices for headers of `dimensions` dimensions with any extents.
size_t npy_data_offset(size_t dimensions);

}  // namespace upsweep::cli
#endif
