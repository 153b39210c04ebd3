// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table in parts that fit into memory, each in the order of a column.
#ifndef UPSWEEP_CLI_FILES_ROW_PARTS_H
#define UPSWEEP_CLI_FILES_ROW_PARTS_H

#include "cli/files/csv.h"
#include "cli/files/csv_layout.h"
#include "cli/files/mapping.h"
#include "cli/files/row_blocks.h"

#include <memory>

namespace upsweep::cli {

// How the fields of a column are compared.
struct KeyKind {
  bool is_real = false, is_text = false;
  bool operator==(const KeyKind &) const = default;
};

// The keys of a column as numbers in the order of a sort; texts need their bytes as well.
void set_keys(const CsvColumn &column, bool is_descending, std::vector<uint64_t> &keys);
// A row of the text with its key.
Row row_of(std::string_view text, const CsvColumn &column, size_t place, uint64_t key);

// The rows of a part of the text, in order.
class SortedPart {
public:
  // The column has the positions of the rows.
  SortedPart(std::string_view text, CsvColumn column, bool is_descending);
  [[nodiscard]] size_t count() const { return order_.size(); }
  [[nodiscard]] Row operator()(size_t i) const;

private:
  void sort_texts(bool is_descending);

  std::string_view text_;
  CsvColumn column_;
  std::vector<uint64_t> keys_;
  std::vector<uint32_t> order_;
};

// Reads a table part by part. All parts have keys of one kind; a part that needs another kind makes the reader begin anew.
class PartsOfRows {
public:
  PartsOfRows(std::shared_ptr<const Mapping> file, CsvOptions options, CsvLayout layout, size_t memory);

  // The bytes of the text for a part of this much memory, judged by the first rows.
  static size_t text_of_part(std::string_view text, const CsvLayout &layout, bool is_text, size_t memory);

  [[nodiscard]] bool is_done() const { return place_.at >= text_.size(); }
  [[nodiscard]] size_t place() const { return place_.at; }
  // The next part. Nothing if all parts must be read again, as numbers of another type or as texts.
  Result<std::optional<CsvColumn>> next();
  // Fails if the order of all rows is not exact.
  [[nodiscard]] Result<void> finish() const;
  // Gives the memory of the parts before back.
  void forget() const;

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const CsvLayout &layout() const { return layout_; }
  [[nodiscard]] KeyKind kind() const { return {options_.is_real, options_.is_text}; }
  [[nodiscard]] size_t rows() const { return rows_; }
  [[nodiscard]] size_t skipped() const { return skipped_; }

private:
  std::optional<CsvColumn> begin_anew();

  std::shared_ptr<const Mapping> file_;
  std::string_view text_;
  CsvOptions options_;
  CsvLayout layout_;
  size_t memory_;
  CsvPlace place_;
  std::string not_numbers_;  // the error of the column as numbers, if it is read as texts
  size_t rows_ = 0, skipped_ = 0;
};

}  // namespace upsweep::cli
#endif
