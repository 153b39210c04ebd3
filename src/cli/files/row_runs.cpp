// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges runs of rows, in more than one pass if they are many.
#include "cli/files/row_runs.h"

#include "cli/files/streams.h"

#include <algorithm>
#include <upsweep/external/parts.h>

namespace upsweep::cli {
namespace {

constexpr size_t kLeastBlock = size_t{256} << 10;
constexpr size_t kMostBlock = size_t{16} << 20;
constexpr size_t kShare = 512;      // of the memory in a block
constexpr size_t kBlocksOfRun = 4;  // two blocks and their rows, each as large as a block

// Copies the rows of each block, and frees its place in the file.
class BlockReader {
public:
  BlockReader(RowFile &file, RowRun run)
      : file_(file), run_(run),
        rooms_{external::make_pages<std::byte>(file.block_bytes()), external::make_pages<std::byte>(file.block_bytes())} {}

  uint64_t read(Row *to) {
    if (done_ == run_.blocks) return 0;
    std::byte *room = rooms_[done_ % 2].get();
    const uint64_t block = run_.first + done_++;
    file_.read(block, room);
    file_.release(block);
    return file_.rows_of(room, to);
  }

private:
  RowFile &file_;
  const RowRun run_;
  std::array<BlockRoom, 2> rooms_;
  uint64_t done_ = 0;
};

}  // namespace

RowRuns::RowRuns(const std::filesystem::path &folder, size_t memory, bool is_descending)
    : less_{is_descending}, memory_(memory),
      file_(folder, std::clamp(memory / kShare / external::kPage * external::kPage, kLeastBlock, kMostBlock)) {}

size_t RowRuns::fan_in() const { return std::max<size_t>(2, memory_ / 4 * 3 / (kBlocksOfRun * file_.block_bytes())); }

void RowRuns::finish() {
  if (!forming_) return;
  forming_->stored.finish();
  end_ = forming_->stored.end();
  forming_.reset();
}

void RowRuns::merge(const std::function<void(const Row *, size_t)> &consume) {
  external::background reader;
  if (runs_.size() > fan_in()) reduce(reader);
  merge(runs_.data(), runs_.size(), reader, consume);
}

void RowRuns::reduce(external::background &reader) {
  Forming more(file_, end_);
  external::reduce_runs(runs_, fan_in(), [&](const RowRun *first, uint64_t n) {
    merge(first, n, reader, [&](const Row *rows, size_t count) {
      if (auto done = more.stored.append(count, [rows](size_t i) { return rows[i]; }); !done) throw StreamError(done.error());
    });
    return more.stored.end_run();
  });
  more.stored.finish();
}

void RowRuns::merge(const RowRun *first, uint64_t n, external::background &reader,
                    std::function<void(const Row *, size_t)> consume) {
  std::vector<std::unique_ptr<BlockReader>> readers;
  external::runs_of<Row> runs;
  for (uint64_t j = 0; j < n; ++j) {
    readers.push_back(std::make_unique<BlockReader>(file_, first[j]));
    const auto read = [blocks = readers.back().get()](Row *to, uint64_t) { return blocks->read(to); };
    runs.push_back(std::make_unique<external::run_reader<Row>>(read, file_.most_rows(), reader));
  }
  MergedRows merged(std::move(consume));
  external::merge_runs(runs, merged, less_, cpu::default_pool());
}

}  // namespace upsweep::cli
