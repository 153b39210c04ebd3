// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a table with their keys, in blocks of a temporary file.
#ifndef UPSWEEP_CLI_FILES_ROW_BLOCKS_H
#define UPSWEEP_CLI_FILES_ROW_BLOCKS_H

#include "cli/files/parallel.h"
#include "cli/result.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <upsweep/external/parts.h>
#include <vector>

namespace upsweep::cli {

// A row, and its place in the order: by the key, and then by the text.
struct Row {
  uint64_t key;
  const char *row, *text;
  uint32_t row_bytes, text_bytes;

  [[nodiscard]] std::string_view key_text() const { return {text, text_bytes}; }
};

struct RowLess {
  bool is_descending;
  bool operator()(const Row &x, const Row &y) const {
    if (x.key != y.key || x.text_bytes + y.text_bytes == 0) return x.key < y.key;
    const int order = x.key_text().compare(y.key_text());
    return is_descending ? order > 0 : order < 0;
  }
};

// Consecutive blocks of sorted rows.
struct RowRun {
  uint64_t first = 0, blocks = 0;
};

// A block begins with the number of its rows and a Record of each; texts and rows fill it from its end on.
class RowFile {
public:
  RowFile(const std::filesystem::path &folder, size_t block_bytes) : file_(folder), block_bytes_(block_bytes) {}

  // Rows of a block at most. Their table of Rows is as large as the block.
  [[nodiscard]] size_t most_rows() const { return block_bytes_ / sizeof(Row); }
  [[nodiscard]] size_t block_bytes() const { return block_bytes_; }

  // The number of rows from `begin` on that fill a block; 0 if the first is longer than a block. row(i) returns a Row.
  template <class RowAt>
  size_t fit(size_t begin, size_t end, const RowAt &row) const {
    size_t bytes = sizeof(uint64_t), n = 0;
    for (; begin + n < end && n < most_rows(); ++n) {
      const Row one = row(begin + n);
      bytes += sizeof(Record) + one.row_bytes + one.text_bytes;
      if (bytes > block_bytes_) break;
    }
    return n;
  }

  template <class RowAt>
  void fill(std::byte *block, size_t begin, size_t n, const RowAt &row) const {
    const uint64_t count = n;
    std::memcpy(block, &count, sizeof(count));
    std::byte *record = block + sizeof(count), *end = block + block_bytes_;
    const auto put = [&end](const char *from, size_t bytes) {
      end -= bytes;
      if (bytes > 0) std::memcpy(end, from, bytes);
    };
    for (size_t i = 0; i < n; ++i, record += sizeof(Record)) {
      const Row one = row(begin + i);
      const Record made{one.key, one.row_bytes, one.text_bytes};
      std::memcpy(record, &made, sizeof(made));
      put(one.row, one.row_bytes);
      put(one.text, one.text_bytes);
    }
  }
  // The rows of a block, in its memory; returns their number.
  size_t rows_of(const std::byte *block, Row *to) const;

  void write(uint64_t block, const std::byte *from) { file_.write(block * block_bytes_, from, block_bytes_); }
  void read(uint64_t block, std::byte *to) { file_.read(block * block_bytes_, to, block_bytes_); }
  void release(uint64_t block) noexcept { file_.release(block * block_bytes_, block_bytes_); }

private:
  struct Record {
    uint64_t key;
    uint32_t row_bytes, text_bytes;
  };

  external::temporary_file file_;
  size_t block_bytes_;
};

using BlockRoom = external::pages_of<std::byte>;

// Stores rows as runs at the file's end, in blocks that all threads fill and another thread writes.
class RunWriter {
public:
  // The first run begins at block `end` of the file.
  RunWriter(RowFile &file, external::background &writer, uint64_t end = 0)
      : file_(file), writer_(writer), begin_(end), end_(end) {
    for (BlockRoom &room : rooms_) room = external::make_pages<std::byte>(file.block_bytes());
  }
  RunWriter(const RunWriter &) = delete;
  RunWriter &operator=(const RunWriter &) = delete;
  ~RunWriter() { writer_.settle_all(); }

  // row(i) returns the i-th of `count` sorted rows.
  template <class RowAt>
  Result<void> append(size_t count, const RowAt &row) {
    for (size_t begin = 0; begin < count;) {
      const size_t n = file_.fit(begin, count, row);
      if (n == 0)
        return fail("a row has {} bytes, but with this much memory at most {}", row(begin).row_bytes, file_.block_bytes());
      pieces_.push_back({begin, n});
      begin += n;
      if (pieces_.size() == kRooms / 2 || begin == count) store(row);
    }
    return {};
  }
  RowRun end_run() {
    const RowRun run{begin_, end_ - begin_};
    begin_ = end_;
    return run;
  }
  void finish() { writer_.wait_for_all(); }
  [[nodiscard]] uint64_t end() const { return end_; }

private:
  struct Piece {
    size_t begin, n;
  };

  template <class RowAt>
  void store(const RowAt &row) {
    const size_t first = half_ * kRooms / 2;
    for (size_t i = 0; i < pieces_.size(); ++i) writer_.wait(tickets_[first + i]);
    share_out(pieces_.size(), 1, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) file_.fill(rooms_[first + i].get(), pieces_[i].begin, pieces_[i].n, row);
    });
    for (size_t i = 0; i < pieces_.size(); ++i)
      tickets_[first + i] = writer_.post([this, block = end_++, from = rooms_[first + i].get()] { file_.write(block, from); });
    pieces_.clear();
    half_ = 1 - half_;
  }

  static constexpr size_t kRooms = 8;  // half of them are filled while the others are written

  RowFile &file_;
  external::background &writer_;
  std::array<BlockRoom, kRooms> rooms_;
  std::array<external::background::ticket, kRooms> tickets_{};
  size_t half_ = 0;
  std::vector<Piece> pieces_;
  uint64_t begin_, end_;  // of the run, in blocks
};

}  // namespace upsweep::cli
#endif
