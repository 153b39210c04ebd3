// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads copy rows to a buffer, of which there are two.
#include "cli/files/row_text.h"

#include "cli/files/streams.h"

namespace upsweep::cli {
namespace {

constexpr size_t kRoom = size_t{1} << 20;   // bytes, unless a row is longer
constexpr size_t kPiece = size_t{1} << 12;  // rows

}  // namespace

RowText::RowText(OutputFile &file, std::string line_end, external::background &writer)
    : file_(file), line_end_(std::move(line_end)), writer_(writer), rooms_{std::vector<char>(kRoom), std::vector<char>(kRoom)} {
}

void RowText::append(std::string_view text) {
  make_room(text.size());
  text.copy(rooms_[next_].data() + filled_, text.size());
  filled_ += text.size();
}

void RowText::append(const Row *rows, size_t n) {
  for (size_t begin = 0; begin < n;) {
    make_room(rows[begin].row_bytes + line_end_.size());
    std::vector<char> &room = rooms_[next_];
    ends_.assign(1, filled_);
    while (begin + ends_.size() - 1 < n) {
      const size_t end = ends_.back() + rows[begin + ends_.size() - 1].row_bytes + line_end_.size();
      if (end > room.size()) break;
      ends_.push_back(end);
    }
    const size_t taken = ends_.size() - 1;
    share_out(taken, kPiece, [&](size_t first, size_t last) {
      for (size_t i = first; i < last; ++i) {
        const Row &row = rows[begin + i];
        std::memcpy(&room[ends_[i]], row.row, row.row_bytes);
        std::memcpy(&room[ends_[i] + row.row_bytes], line_end_.data(), line_end_.size());
      }
    });
    filled_ = ends_.back();
    begin += taken;
  }
}

void RowText::make_room(size_t bytes) {
  if (filled_ + bytes <= rooms_[next_].size()) return;
  flush();
  if (bytes > rooms_[next_].size()) rooms_[next_].resize(bytes);
}

void RowText::flush() {
  tickets_[next_] = writer_.post([this, from = rooms_[next_].data(), n = filled_, offset = offset_] {
    if (auto done = file_.write(offset, from, n); !done) throw StreamError(done.error());
  });
  offset_ += filled_;
  filled_ = 0;
  next_ = 1 - next_;
  writer_.wait(tickets_[next_]);
}

size_t RowText::finish() {
  flush();
  writer_.wait_for_all();
  return offset_;
}

}  // namespace upsweep::cli
