// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan of a file in steps: reads a piece, scans it starting from the previous pieces' totals, and stores it.
#ifndef UPSWEEP_CLI_FILES_SCAN_STEPS_H
#define UPSWEEP_CLI_FILES_SCAN_STEPS_H

#include "cli/files/engine.h"
#include "cli/files/heads.h"
#include "cli/files/progress.h"
#include "cli/files/reader.h"
#include "cli/files/sink.h"
#include "cli/files/view.h"

namespace upsweep::cli {

struct ScanPlan {
  const Array &array;
  Reader &reader;
  Engine &engine;
  Compute compute;
  std::array<std::byte, 8> identity;
  bool is_exclusive;
  bool is_backward;
  Sink &sink;
  Progress &progress;
};

class ScanSteps : ScanPlan {
public:
  explicit ScanSteps(const ScanPlan &plan) : ScanPlan(plan) {}

  // Scans all elements as one sequence.
  Result<void> scan_all();
  // scan_all() that restarts where a key differs.
  Result<void> scan_by_key(Heads &heads);
  // Scans along an axis.
  Result<void> scan_axis(const AxisView &view);

private:
  // Rows of `width` adjacent elements, with a distance of `pitch` elements between rows.
  struct Block {
    size_t first, rows, width, pitch;
    [[nodiscard]] size_t count() const { return rows * width; }
  };

  Result<void> scan_line(size_t first, size_t length);
  Result<void> scan_batches(size_t first, size_t batches, const AxisView &view);
  Result<void> scan_strip(size_t first, size_t length, size_t width, size_t pitch);
  void load(const Block &block, std::byte *to);
  Result<void> store(const Block &block, std::byte *values);
  void reverse(std::byte *values, size_t n) const;
  void fill(std::byte *values, size_t n, const std::array<std::byte, 8> &value) const;
  [[nodiscard]] const std::array<std::byte, 8> &start() const { return is_exclusive ? identity : engine.nothing(); }
  [[nodiscard]] bool is_stored_as_computed() const { return is_same_bits(sink.type(), compute); }

  std::vector<std::byte> values_;
  std::vector<std::byte> results_;
  std::vector<std::byte> carry_;
};

}  // namespace upsweep::cli
#endif
