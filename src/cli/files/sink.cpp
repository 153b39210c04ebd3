// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two buffers: a thread writes one to the file while the caller fills the other.
#include "cli/files/sink.h"

#include "cli/files/npy_header.h"
#include "cli/files/table.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace upsweep::cli {
namespace {

constexpr size_t kLine = 64;

// A result has one column, and must not replace a table with more.
Result<void> keep_columns(const std::filesystem::path &path, const Array &input) {
  if (!input.is_text() || input.table->columns < 2 || !is_same_file(path, input.path)) return {};
  return fail("cannot write '{}': it is the input, and the result has only one of its {} columns", path.string(),
              input.table->columns);
}

}  // namespace

Sink::Sink(std::unique_ptr<OutputFile> file, ElementType type, size_t data_offset)
    : file_(std::move(file)), type_(type), data_offset_(data_offset) {
  if (file_) thread_ = std::thread([this] { write_pieces(); });
}

Result<std::unique_ptr<Sink>> Sink::create(const std::filesystem::path &path, ElementType type, size_t dimensions,
                                           const Array &input, const Array *other_input) {
  if (path.empty()) return std::unique_ptr<Sink>(new Sink(nullptr, type, 0));
  for (const Array *each : {&input, other_input})
    if (each != nullptr)
      if (auto kept = keep_columns(path, *each); !kept) return Failure(kept.error());
  const std::string kind = kind_of(path);
  const bool is_stream = is_standard_stream(path);
  const bool is_text = is_stream || is_null_device(path) ? input.is_text() : is_text_name(path);
  if (!is_text && !is_stream && kind != ".npy" && !is_raw_name(path) && !is_null_device(path))
    return misuse("cannot write '{}': the file's name must end in .npy, .bin, .raw, .csv, .tsv or .txt; - is standard output",
                  path.string());
  if (is_text && dimensions > 2)
    return fail("cannot write '{}': the result has {} dimensions, but a table of text has 2", path.string(), dimensions);
  auto text = is_text ? OutputFile::create(path) : Result<std::unique_ptr<OutputFile>>();
  auto file = is_text ? OutputFile::create_unnamed(path) : OutputFile::create(path);
  if (!text || !file) return Failure(text ? file.error() : text.error());
  std::unique_ptr<Sink> sink(new Sink(std::move(*file), type, is_text || is_raw_name(path) ? 0 : npy_data_offset(dimensions)));
  sink->text_ = std::move(*text);
  sink->separator_ = separator_of(path);
  return sink;
}

Sink::~Sink() { stop(); }

void Sink::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Sink::write_pieces() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return piece_ || is_ending_; });
    if (!piece_) return;
    const Piece piece = *piece_;
    const bool has_failed = !written_;
    lock.unlock();
    Result<void> done;
    if (!has_failed) done = file_->write(piece.offset, piece.from, piece.bytes);
    lock.lock();
    if (!done) written_ = done;
    piece_.reset();
    changed_.notify_all();
  }
}

void Sink::write_directly() {
  if (file_) file_->write_directly();  // the file of a table's elements has no name, and stays in the page cache
}

std::byte *Sink::room(size_t bytes) {
  // The writing thread may still use the other buffer, but has finished with this one.
  auto &room = rooms_[next_room_];
  next_room_ = file_ ? 1 - next_room_ : 0;
  if (room.size() < bytes + kLine) room.resize(bytes + kLine);
  const auto address = reinterpret_cast<uintptr_t>(room.data());
  return room.data() + (kLine - address % kLine) % kLine;
}

void Sink::keep_ends(size_t index, const std::byte *from, size_t n) {
  const size_t bytes = type_.bytes();
  for (size_t i = index; i < std::min(index + n, 2 * kShown); ++i)
    std::memcpy(&first_[i * bytes], from + (i - index) * bytes, bytes);
  for (size_t i = n - std::min(n, kShown); i < n; ++i) {
    std::array<std::byte, 8> element{};
    std::memcpy(element.data(), from + i * bytes, bytes);
    last_.emplace_back(index + i, element);
  }
  std::ranges::sort(last_, {}, &std::pair<size_t, std::array<std::byte, 8>>::first);
  if (last_.size() > kShown) last_.erase(last_.begin(), last_.end() - kShown);
}

Result<void> Sink::commit(size_t index, const std::byte *from, size_t n) {
  keep_ends(index, from, n);
  if (!file_ || n == 0) return {};
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !piece_; });
  piece_ = Piece{data_offset_ + index * type_.bytes(), from, n * type_.bytes()};
  changed_.notify_all();
  return written_;
}

Result<void> Sink::finish(const std::vector<size_t> &shape, bool is_fortran) {
  stop();
  if (!file_) return {};
  if (!written_) return written_;
  if (text_)
    return write_table(
        *file_, {type_, shape, is_fortran && shape.size() > 1, separator_, [this](const std::byte *at) { return field(at); }},
        *text_);
  if (data_offset_ == 0) return file_->finish();
  const std::string header = npy_header_text(
      {.type = type_, .is_fortran = is_fortran && shape.size() > 1, .shape = shape, .data_offset = data_offset_});
  if (auto done = file_->write(0, header.data(), header.size()); !done) return done;
  return file_->finish();
}

Result<void> Sink::show_texts(std::shared_ptr<const std::vector<std::string>> texts) {
  if (file_ && !text_) return fail("the elements are texts; write them to a .csv, .tsv or .txt file");
  texts_ = std::move(texts);
  return {};
}

std::string Sink::format(const std::byte *element) const {
  if (!texts_) return format_element(type_, element);
  int64_t index = 0;
  std::memcpy(&index, element, sizeof(index));
  return (*texts_)[static_cast<size_t>(index)];
}

std::string Sink::field(const std::byte *element) const {
  if (texts_) return quote_field(format(element), separator_);
  ElementType type = type_;
  type.is_bool = false;
  return format_element(type, element);
}

std::string Sink::view(size_t count) const {
  const size_t bytes = type_.bytes();
  const bool is_whole = count <= 2 * kShown;
  std::string text = "[";
  for (size_t i = 0; i < (is_whole ? count : kShown); ++i)
    text += fmt::format("{}{}", i > 0 ? " " : "", format(&first_[i * bytes]));
  if (!is_whole) text += " ...";
  for (const auto &[index, element] : last_)
    if (!is_whole) text += " " + format(element.data());
  return text + "]";
}

}  // namespace upsweep::cli
