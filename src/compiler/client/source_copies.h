// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources as files, for tools that show lines (UPSWEEP_SOURCES).
#ifndef UPSWEEP_COMPILER_CLIENT_SOURCE_COPIES_H
#define UPSWEEP_COMPILER_CLIENT_SOURCE_COPIES_H

#include <filesystem>
#include <string>

namespace upsweep::compiler {

/// Writes a source to a file in `folder`, whose name depends on its bytes, unless it is there. Returns the source with a #line
/// directive that names the file; if the file cannot be written, logs the reason and returns the source as it is.
[[nodiscard]] std::string kept_source(const std::filesystem::path &folder, std::string source);

}  // namespace upsweep::compiler
#endif
