// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts parts of the table in memory, stores each as a run, and merges the runs.
#include "cli/files/sort_rows.h"

#include "cli/files/memory.h"
#include "cli/files/row_parts.h"
#include "cli/files/row_text.h"
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

Failure named(const std::filesystem::path &input, const Error &error) { return fail("'{}' {}", name_of(input), error); }

class TableSort {
public:
  TableSort(const SortOptions &options, PartsOfRows parts, size_t memory, Progress &progress)
      : options_(options), parts_(std::move(parts)), progress_(progress), less_{options.is_descending}, memory_(memory),
        file_(folder_beside(options.out),
              std::clamp(memory / kShare / external::kPage * external::kPage, kLeastBlock, kMostBlock)) {}

  Result<SortedTable> run() {
    const std::string_view text = parts_.text();
    auto output = OutputFile::create(options_.out);
    if (!output) return Failure(output.error());
    if (auto done = form_runs(); !done) return Failure(done.error());
    if (parts_.skipped() > 0 && is_same_file(options_.out, options_.in))
      return fail("cannot write '{}': it is the input, and {} of its rows would be lost", options_.out.string(),
                  parts_.skipped());
    external::background reader, writer;
    if (runs_.size() > fan_in()) reduce_runs(reader, writer);
    RowText out(**output, parts_.layout().line_end, writer);
    out.append(text.substr(0, parts_.layout().begin));
    merge(runs_.data(), runs_.size(), reader, [&](const Row *rows, size_t n) {
      out.append(rows, n);
      merged_ += n;
      progress_.show_left(parts_.rows() + merged_, 2 * parts_.rows());
    });
    const size_t bytes = out.finish();
    if (auto finished = (*output)->finish(); !finished) return Failure(finished.error());
    return SortedTable{parts_.rows() - parts_.skipped(), parts_.layout().columns, bytes};
  }

private:
  [[nodiscard]] size_t fan_in() const { return std::max<size_t>(2, memory_ / 4 * 3 / (kBlocksOfRun * file_.block_bytes())); }

  Result<void> form_runs() {
    external::background writer;
    RunWriter stored(file_, writer);
    while (!parts_.is_done()) {
      auto column = parts_.next();
      if (!column) return named(options_.in, column.error());
      if (!*column) {
        runs_.clear();
        continue;
      }
      const SortedPart part(parts_.text(), std::move(**column), options_.is_descending);
      if (auto done = stored.append(part.count(), part); !done) return done;
      if (const RowRun run = stored.end_run(); run.blocks > 0) runs_.push_back(run);
      parts_.forget();
      progress_.show_left(parts_.place(), 2 * parts_.text().size());
    }
    stored.finish();
    end_ = stored.end();
    if (auto exact = parts_.finish(); !exact) return named(options_.in, exact.error());
    return {};
  }

  void reduce_runs(external::background &reader, external::background &writer) {
    RunWriter stored(file_, writer, end_);
    external::reduce_runs(runs_, fan_in(), [&](const RowRun *first, uint64_t n) {
      merge(first, n, reader, [&](const Row *rows, size_t count) {
        if (auto done = stored.append(count, [rows](size_t i) { return rows[i]; }); !done) throw StreamError(done.error());
      });
      return stored.end_run();
    });
    stored.finish();
  }

  void merge(const RowRun *first, uint64_t n, external::background &reader, std::function<void(const Row *, size_t)> consume) {
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

  const SortOptions &options_;
  PartsOfRows parts_;
  Progress &progress_;
  const RowLess less_;
  const size_t memory_;
  RowFile file_;
  std::vector<RowRun> runs_;
  uint64_t end_ = 0;
  size_t merged_ = 0;
};

}  // namespace

bool exceeds_memory(std::string_view text) {
  return PartsOfRows::text_of_part(text, {}, false, memory_for_arrays()) < text.size();
}

Result<SortedTable> sort_rows_externally(const SortOptions &options, const std::shared_ptr<const Mapping> &input,
                                         const CsvOptions &csv, Progress &progress) {
  const auto bytes = input->bytes();
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  auto layout = find_layout(text, csv);
  if (!layout) return named(options.in, layout.error());
  const size_t memory = memory_for_arrays();
  PartsOfRows parts(input, csv, std::move(*layout), memory / 4 * 3);
  return TableSort(options, std::move(parts), memory, progress).run();
}

}  // namespace upsweep::cli
