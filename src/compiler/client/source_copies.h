// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources as files, for tools that show lines (UPSWEEP_SOURCES).
#ifndef UPSWEEP_COMPILER_CLIENT_SOURCE_COPIES_H
#define UPSWEEP_COMPILER_CLIENT_SOURCE_COPIES_H

#include <filesystem>
#include <string>

namespace upsweep::compiler {

/// Writes a source to a file in `folder`. The hash of the source is the file's name; an existing file stays. Returns the source
/// behind a #line directive that names the file. If the file cannot be written, it logs the reason and returns the source
/// alone.
[[nodiscard]] std::string kept_source(const std::filesystem::path &folder, std::string source);

}  // namespace upsweep::compiler
#endif
