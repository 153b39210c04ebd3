// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorted runs of rows in a temporary file, and their merge.
#ifndef UPSWEEP_CLI_FILES_ROW_RUNS_H
#define UPSWEEP_CLI_FILES_ROW_RUNS_H

#include "cli/files/row_blocks.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace upsweep::cli {

// A merge returns at most this number of rows at a time.
constexpr size_t kMergedRows = size_t{1} << 15;

// The output of a merge: consume(rows, n) takes the rows while they are in memory.
class MergedRows {
public:
  explicit MergedRows(std::function<void(const Row *, size_t)> consume) : consume_(std::move(consume)), rows_(kMergedRows) {}

  [[nodiscard]] uint64_t room() const { return kMergedRows; }
  Row *place() { return rows_.data(); }
  void commit(uint64_t n) { consume_(rows_.data(), n); }

private:
  std::function<void(const Row *, size_t)> consume_;
  std::vector<Row> rows_;
};

class RowRuns {
public:
  // The temporary file is in `folder`. Merges use at most `memory` bytes.
  RowRuns(const std::filesystem::path &folder, size_t memory, bool is_descending);

  // Stores sorted rows as the next run; row(i) returns the i-th of `count` rows.
  template <class RowAt>
  Result<void> add(size_t count, const RowAt &row) {
    if (!forming_) forming_.emplace(file_);
    if (auto done = forming_->stored.append(count, row); !done) return done;
    if (const RowRun run = forming_->stored.end_run(); run.blocks > 0) runs_.push_back(run);
    return {};
  }
  // Forgets all runs.
  void clear() { runs_.clear(); }
  // Waits until all runs are stored.
  void finish();
  // consume(rows, n) gets all rows in order, while they are in memory. After finish().
  void merge(const std::function<void(const Row *, size_t)> &consume);

private:
  struct Forming {
    external::background writer{};
    RunWriter stored;
    explicit Forming(RowFile &file, uint64_t end = 0) : stored(file, writer, end) {}
  };

  [[nodiscard]] size_t fan_in() const;
  void reduce(external::background &reader);
  void merge(const RowRun *first, uint64_t n, external::background &reader, std::function<void(const Row *, size_t)> consume);

  const RowLess less_;
  const size_t memory_;
  RowFile file_;
  std::optional<Forming> forming_;
  std::vector<RowRun> runs_;
  uint64_t end_ = 0;
};

}  // namespace upsweep::cli
#endif
