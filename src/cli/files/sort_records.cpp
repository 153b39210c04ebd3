// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts records in memory by their indices, or in runs that are merged.
#include "cli/files/sort_records.h"

#include "cli/files/memory.h"
#include "cli/files/row_runs.h"
#include "cli/files/row_text.h"
#include "cli/files/sort_keys.h"
#include "cli/files/table.h"

#include <algorithm>
#include <limits>
#include <upsweep/cpu/sort.h>

namespace upsweep::cli {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;
// Bytes for each record beside its own: its key, index and field, and the copies of the sort.
constexpr size_t kIndexBytes = 48;

size_t bytes_in_memory(const Records &records) { return records.type.bytes + kIndexBytes; }

Result<void> sort_in_memory(const SortOptions &options, const Records &records, OutputFile &file, Progress &progress) {
  std::vector<uint64_t> order;
  Keys keys(field_of(records), options.is_descending);
  if (auto done = keys.sort(order, nullptr, progress); !done) return done;
  const size_t bytes = records.type.bytes, piece = std::max<size_t>(1, kPieceBytes / bytes);
  const auto text_of = [&](size_t number) {
    if (number == 0) return records.header(records.count);
    std::string text;
    const size_t begin = (number - 1) * piece;
    for (size_t i = begin; i < std::min(order.size(), begin + piece); ++i)
      text.append(reinterpret_cast<const char *>(records.data) + order[i] * bytes, bytes);
    return text;
  };
  return write_pieces(1 + (order.size() + piece - 1) / piece, text_of, file);
}

// A part of the records, in order.
class SortedRecords {
public:
  SortedRecords(const Records &records, bool is_descending) : records_(records), loader_(records, is_descending) {}

  void sort(size_t begin, size_t n) {
    begin_ = begin;
    keys_.resize(n);
    order_.resize(n);
    loader_.load(begin, n, keys_.data());
    cpu::arg_sort(keys_.data(), keys_.data(), order_.data(), n);
  }
  [[nodiscard]] Row operator()(size_t i) const { return records_.row(begin_ + order_[i], keys_[i]); }

private:
  const Records &records_;
  RecordKeys loader_;
  std::vector<uint64_t> keys_;
  std::vector<uint32_t> order_;
  size_t begin_ = 0;
};

Result<void> sort_in_runs(const SortOptions &options, const Records &records, OutputFile &file, Progress &progress) {
  const size_t memory = memory_for_arrays();
  const size_t part = std::clamp<size_t>(memory / 4 * 3 / bytes_in_memory(records), 1, std::numeric_limits<uint32_t>::max());
  RowRuns runs(folder_beside(options.out), memory, options.is_descending);
  {
    SortedRecords sorted(records, options.is_descending);
    for (size_t done = 0, n = 0; done < records.count; done += n) {
      n = std::min(part, records.count - done);
      sorted.sort(done, n);
      if (auto stored = runs.add(n, sorted); !stored) return stored;
      records.file->give_back();
      progress.show_left(done + n, 2 * records.count);
    }
  }
  runs.finish();
  file.write_directly();
  external::background writer;
  RowText out(file, "", writer);
  out.append(records.header(records.count));
  size_t merged = 0;
  runs.merge([&](const Row *rows, size_t n) {
    out.append(rows, n);
    merged += n;
    progress.show_left(records.count + merged, 2 * records.count);
  });
  out.finish();
  return file.finish();
}

}  // namespace

Result<void> require_npy(const std::filesystem::path &out) {
  if (is_standard_stream(out) || is_null_device(out) || kind_of(out) == ".npy") return {};
  return misuse("cannot write '{}': files of records end in .npy; - is standard output", out.string());
}

Result<void> sort_records(const SortOptions &options, const Records &records, Progress &progress) {
  if (auto named = require_npy(options.out); !named) return named;
  auto file = OutputFile::create(options.out);
  if (!file) return Failure(file.error());
  const bool fits = records.count * bytes_in_memory(records) <= memory_for_arrays();
  return fits ? sort_in_memory(options, records, **file, progress) : sort_in_runs(options, records, **file, progress);
}

}  // namespace upsweep::cli
