// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in NumPy's .npy files, formats 1.0 to 3.0: little-endian numbers in C order.
#ifndef UPSWEEP_CLI_NPY_H
#define UPSWEEP_CLI_NPY_H

#include "cli/result.h"
#include "cli/value_type.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace upsweep::cli {

struct NpyArray {
  Scalar scalar = Scalar::Int;
  std::vector<size_t> shape;
  std::vector<std::byte> bytes;
};

Result<NpyArray> read_npy(const std::filesystem::path &path);
Result<void> write_npy(const std::filesystem::path &path, const NpyArray &array);

}  // namespace upsweep::cli
#endif
