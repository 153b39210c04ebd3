// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and sorts parts of a table.
#include "cli/files/row_parts.h"

#include "cli/files/csv_record.h"
#include "cli/files/parallel.h"

#include <algorithm>
#include <bit>
#include <malloc.h>
#include <upsweep/cpu/sort.h>

namespace upsweep::cli {
namespace {

constexpr size_t kSample = size_t{1} << 20;
constexpr size_t kLeastPart = size_t{256} << 10;  // bytes of text
constexpr size_t kPiece = size_t{1} << 16;
// Bytes for each row beside its text: its position and its key in vectors that grow, the joined ones, keys, places and the
// copies of the sort. More than most tables need: a sort of rows of 33 bytes took 70 of 200 MB.
constexpr size_t kRowBytes = 192;
constexpr size_t kTextBytes = 3 * sizeof(std::string);

template <class Number>
uint64_t bits_of(Number number) {
  return common::number_order<Number, false>::encode(std::bit_cast<uint64_t>(number));
}

// The first 8 bytes; texts with the same ones are compared.
uint64_t bits_of(const std::string &text) {
  uint64_t bits = 0;
  for (size_t i = 0; i < sizeof(bits); ++i) bits = bits << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
  return bits;
}

template <class T>
void set_keys_of(const std::vector<T> &values, bool is_descending, std::vector<uint64_t> &keys) {
  keys.resize(values.size());
  share_out(values.size(), kPiece, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) keys[i] = is_descending ? ~bits_of(values[i]) : bits_of(values[i]);
  });
}

}  // namespace

void set_keys(const CsvColumn &column, bool is_descending, std::vector<uint64_t> &keys) {
  if (column.is_real)
    set_keys_of(column.reals, is_descending, keys);
  else if (!column.texts.empty())
    set_keys_of(column.texts, is_descending, keys);
  else
    set_keys_of(column.integers, is_descending, keys);
}

Row row_of(std::string_view text, const CsvColumn &column, size_t place, uint64_t key) {
  const CsvRow row = column.table.rows[place];
  Row made{key, text.data() + row.begin, nullptr, static_cast<uint32_t>(row.end - row.begin), 0};
  if (column.texts.empty()) return made;
  made.text = column.texts[place].data();
  made.text_bytes = static_cast<uint32_t>(column.texts[place].size());
  return made;
}

SortedPart::SortedPart(std::string_view text, CsvColumn column, bool is_descending) : text_(text), column_(std::move(column)) {
  set_keys(column_, is_descending, keys_);
  column_.reals = {};
  column_.integers = {};
  order_.resize(keys_.size());
  cpu::arg_sort(keys_.data(), keys_.data(), order_.data(), keys_.size());
  if (!column_.texts.empty()) sort_texts(is_descending);
}

void SortedPart::sort_texts(bool is_descending) {
  const auto less = [&](uint32_t x, uint32_t y) {
    const int order = column_.texts[x].compare(column_.texts[y]);
    return order == 0 ? x < y : (order < 0) != is_descending;
  };
  for (size_t begin = 0, end = 0; begin < keys_.size(); begin = end) {
    for (end = begin + 1; end < keys_.size() && keys_[end] == keys_[begin];) ++end;
    const auto first = order_.begin() + static_cast<ptrdiff_t>(begin), last = order_.begin() + static_cast<ptrdiff_t>(end);
    if (end - begin > kPiece)  // texts that begin alike
      cpu::merge_sort(&*first, &*first, end - begin, less);
    else if (end - begin > 1)
      std::sort(first, last, less);
  }
}

Row SortedPart::operator()(size_t i) const { return row_of(text_, column_, order_[i], keys_[i]); }

PartsOfRows::PartsOfRows(std::shared_ptr<const Mapping> file, CsvOptions options, CsvLayout layout, size_t memory)
    : file_(std::move(file)), text_(reinterpret_cast<const char *>(file_->bytes().data()), file_->bytes().size()),
      options_(std::move(options)), layout_(std::move(layout)), memory_(memory),
      place_{.at = layout_.begin, .lines = layout_.lines},
      not_numbers_(options_.is_text ? "has a number in its column, but another file has texts" : "") {}

size_t PartsOfRows::text_of_part(std::string_view text, const CsvLayout &layout, bool is_text, size_t memory) {
  const std::string_view sample = text.substr(layout.begin, kSample);
  const size_t rows = 1 + count_lines(sample), length = sample.size() / rows + 1;
  const size_t more = kRowBytes + (is_text ? kTextBytes + length : 0);
  return std::max(kLeastPart, static_cast<size_t>(static_cast<double>(memory) * static_cast<double>(length) /
                                                  static_cast<double>(length + more)));
}

std::optional<CsvColumn> PartsOfRows::begin_anew() {
  place_ = {.at = layout_.begin, .lines = layout_.lines};
  rows_ = 0;
  skipped_ = 0;
  return {};
}

Result<std::optional<CsvColumn>> PartsOfRows::next() {
  const size_t end = place_.at + std::min(text_.size() - place_.at, text_of_part(text_, layout_, options_.is_text, memory_));
  CsvPlace after = place_;
  auto column = read_records(text_, end, layout_, options_, after);
  if (!column) {
    if (options_.is_text) return Failure(column.error());
    options_.is_text = true;
    options_.is_real = false;
    not_numbers_ = column.error();
    auto layout = find_layout(text_, options_);
    if (!layout) return Failure(layout.error());
    layout_ = std::move(*layout);
    return begin_anew();
  }
  if (options_.is_text && column->numbers > 0) return fail("{}", not_numbers_);
  if (after.at == place_.at) return fail("line {}: the row is too long for this much memory", place_.lines + 1);
  if (column->is_real && !options_.is_real && rows_ > 0) {
    options_.is_real = true;
    return begin_anew();
  }
  options_.is_real = column->is_real;
  rows_ += column->table.rows.size() + column->table.skipped.size();
  skipped_ += column->table.skipped.size();
  place_ = std::move(after);
  return std::optional(std::move(*column));
}

Result<void> PartsOfRows::finish() const {
  if (options_.is_real && !options_.is_text && !place_.rounded.empty()) return fail_rounded(layout_, place_);
  return {};
}

void PartsOfRows::forget() const {
  file_->give_back();
  malloc_trim(0);
}

}  // namespace upsweep::cli
