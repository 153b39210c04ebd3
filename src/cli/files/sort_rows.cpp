// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts parts of the table in memory, stores each as a run, and merges the runs.
#include "cli/files/sort_rows.h"

#include "cli/files/memory.h"
#include "cli/files/row_parts.h"
#include "cli/files/row_runs.h"
#include "cli/files/row_text.h"

namespace upsweep::cli {
namespace {

Failure named(const std::filesystem::path &input, const Error &error) { return fail("'{}' {}", name_of(input), error); }

class TableSort {
public:
  TableSort(const SortOptions &options, PartsOfRows parts, size_t memory, Progress &progress)
      : options_(options), parts_(std::move(parts)), progress_(progress),
        runs_(folder_beside(options.out), memory, options.is_descending) {}

  Result<SortedTable> run() {
    const std::string_view text = parts_.text();
    auto output = OutputFile::create(options_.out);
    if (!output) return Failure(output.error());
    (*output)->write_directly();
    if (auto done = form_runs(); !done) return Failure(done.error());
    if (parts_.skipped() > 0 && is_same_file(options_.out, options_.in))
      return fail("cannot write '{}': it is the input, and {} of its rows would be lost", options_.out.string(),
                  parts_.skipped());
    external::background writer;
    RowText out(**output, parts_.layout().line_end, writer);
    out.append(text.substr(0, parts_.layout().begin));
    runs_.merge([&](const Row *rows, size_t n) {
      out.append(rows, n);
      merged_ += n;
      progress_.show_left(parts_.rows() + merged_, 2 * parts_.rows());
    });
    const size_t bytes = out.finish();
    if (auto finished = (*output)->finish(); !finished) return Failure(finished.error());
    return SortedTable{parts_.rows() - parts_.skipped(), parts_.layout().columns, bytes};
  }

private:
  Result<void> form_runs() {
    while (!parts_.is_done()) {
      auto column = parts_.next();
      if (!column) return named(options_.in, column.error());
      if (!*column) {
        runs_.clear();
        continue;
      }
      const SortedPart part(parts_.text(), std::move(**column), options_.is_descending);
      if (auto done = runs_.add(part.count(), part); !done) return done;
      parts_.forget();
      progress_.show_left(parts_.place(), 2 * parts_.text().size());
    }
    runs_.finish();
    if (auto exact = parts_.finish(); !exact) return named(options_.in, exact.error());
    return {};
  }

  const SortOptions &options_;
  PartsOfRows parts_;
  Progress &progress_;
  RowRuns runs_;
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
