// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep explain`: a kernel's source with the compiler's decisions below its lines.
#ifndef UPSWEEP_CLI_EXPLAIN_H
#define UPSWEEP_CLI_EXPLAIN_H

#include "cli/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

struct ExplainOptions {
  std::filesystem::path file;
  std::string build_options;
  std::filesystem::path page;  // may be empty
  bool is_json = false;
};

// A remark of the build log.
struct Remark {
  size_t line = 0;  // 0: of the whole program
  size_t column = 0;
  std::string text;
};

// The remarks about the source itself, in the log's order; lines that are none, or about a header, have line 0.
std::vector<Remark> parse_remarks(std::string_view log);

Result<void> explain(const ExplainOptions &options);

}  // namespace upsweep::cli
#endif
