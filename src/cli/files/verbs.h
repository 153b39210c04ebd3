// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verbs on files: `upsweep scan`, `reduce`, `select`, `unique`, `sort`, `merge`, `histogram`, `sat` and `blur`. User
// documentation: docs/files.md.
#ifndef UPSWEEP_CLI_FILES_VERBS_H
#define UPSWEEP_CLI_FILES_VERBS_H

#include "cli/files/array.h"
#include "cli/files/output.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::cli {

constexpr double kMostRadius = 2000;  // 4001 x 4001 pixels of 255 are less than 2^32
constexpr size_t kMostBins = size_t{1} << 24;

// Options of all verbs. The command line has checked the value of each option.
struct FileOptions {
  std::filesystem::path in;
  std::filesystem::path out;  // empty: only print the result
  InputOptions input;
  std::optional<std::string> key_column;  // of a second CSV file
  std::string device;                     // empty: run on the processors with the CPU library
  bool is_quiet = false;

  // Options for a second file, which has the separator and header of the first.
  [[nodiscard]] InputOptions second_input(InputOptions::Text text) const {
    InputOptions second;
    second.column = key_column;
    second.separator = input.separator;
    second.header = input.header;
    second.may_be_missing = false;
    second.text = text;
    second.is_exact = true;
    second.column_option = "--key-column";
    return second;
  }
  // Whether standard output has the result, so that no other output may go there.
  [[nodiscard]] bool writes_to_stdout() const { return is_standard_stream(out); }
};

struct ScanOptions : FileOptions {
  std::string operation = "sum";
  std::string dtype;
  std::optional<int> axis;
  std::filesystem::path keys;
  bool is_exclusive = false;
  bool is_backward = false;
};

struct ReduceOptions : FileOptions {
  std::string operation = "sum";
  std::string dtype;
  std::optional<int> axis;
  std::filesystem::path keys;
  std::filesystem::path keys_out;

  [[nodiscard]] bool writes_to_stdout() const { return is_standard_stream(out) || is_standard_stream(keys_out); }
};

struct SelectOptions : FileOptions {
  std::string where;
  std::filesystem::path flags;
};

struct UniqueOptions : FileOptions {
  std::filesystem::path counts;

  [[nodiscard]] bool writes_to_stdout() const { return is_standard_stream(out) || is_standard_stream(counts); }
};

struct SortOptions : FileOptions {
  std::filesystem::path keys;
  bool is_descending = false;
  bool wants_indices = false;
};

struct MergeOptions : FileOptions {
  std::vector<std::filesystem::path> more;  // files behind the first
  bool is_descending = false;
};

struct HistogramOptions : FileOptions {
  size_t bins = 256;
  std::string range;  // "a,b"; empty: from the least to the greatest element
};

struct SatOptions : FileOptions {
  std::string dtype;
};

struct BlurOptions : FileOptions {
  double radius = 0;  // in pixels; with a depth map, the maximum
  std::filesystem::path depth;
  double focus = 0.5;
  double range = 0;  // of sharp depths around the focus
};

Result<void> scan(const ScanOptions &options);
Result<void> reduce(const ReduceOptions &options);
Result<void> select(const SelectOptions &options);
Result<void> unique(const UniqueOptions &options);
Result<void> sort(const SortOptions &options);
Result<void> merge(const MergeOptions &options);
Result<void> histogram(const HistogramOptions &options);
Result<void> sat(const SatOptions &options);
Result<void> blur(const BlurOptions &options);

}  // namespace upsweep::cli
#endif
