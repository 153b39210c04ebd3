// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes rows as text while the next ones are merged.
#ifndef UPSWEEP_CLI_FILES_ROW_TEXT_H
#define UPSWEEP_CLI_FILES_ROW_TEXT_H

#include "cli/files/output.h"
#include "cli/files/row_blocks.h"

#include <array>
#include <string>

namespace upsweep::cli {

// Copies rows with the end of a line behind each.
class RowText {
public:
  RowText(OutputFile &file, std::string line_end, external::background &writer);
  RowText(const RowText &) = delete;
  RowText &operator=(const RowText &) = delete;
  ~RowText() { writer_.settle_all(); }

  void append(std::string_view text);
  void append(const Row *rows, size_t n);
  // Waits for all writes; returns the written bytes.
  size_t finish();

private:
  void make_room(size_t bytes);
  void flush();

  OutputFile &file_;
  const std::string line_end_;
  external::background &writer_;
  std::array<std::vector<char>, 2> rooms_;
  std::array<external::background::ticket, 2> tickets_{};
  size_t next_ = 0, filled_ = 0;
  uint64_t offset_ = 0;
  std::vector<size_t> ends_;
};

}  // namespace upsweep::cli
#endif
