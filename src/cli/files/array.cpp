// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens arrays in files.
#include "cli/files/array.h"

#include "cli/files/csv.h"
#include "cli/files/csv_stored.h"
#include "cli/files/mapping.h"
#include "cli/files/memory.h"
#include "cli/files/npy_header.h"
#include "cli/files/output.h"
#include "cli/files/records.h"
#include "cli/files/table.h"
#include "cli/picture.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <string_view>

namespace upsweep::cli {
namespace {

// A column of numbers in memory needs its text, and up to 8 bytes for every second byte of it, twice.
constexpr size_t kMemoryOfText = 8;
constexpr std::string_view kNpy = "\x93NUMPY";

template <class T>
Array own(std::vector<T> values, ElementType type, const std::vector<size_t> &shape) {
  const auto memory = std::make_shared<const std::vector<T>>(std::move(values));
  return {.type = type,
          .shape = shape,
          .data = reinterpret_cast<const std::byte *>(memory->data()),
          .count = memory->size(),
          .name = {},
          .path = {},
          .memory = memory};
}

// Replaces control characters, which a terminal would execute.
std::string printable(std::string text) {
  for (char &letter : text)
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = '?';
  return text;
}

Result<Array> open_npy(const std::shared_ptr<const Mapping> &file, const InputOptions &options) {
  const auto bytes = file->bytes();
  if (has_records(bytes)) {
    const auto records = open_records(file, options);
    if (!records) return Failure(records.error());
    return field_of(*records);
  }
  auto header = parse_npy_header(bytes.first(std::min(bytes.size(), kMaxNpyHeaderBytes)));
  if (!header) return Failure(header.error());
  const size_t present = bytes.size() - header->data_offset;
  if (options.column)
    return fail("is an array of numbers, which has no {} '{}'", options.column_option.substr(2), *options.column);
  if (header->data_bytes() > present)
    return fail("is truncated: its header announces {} bytes of data, but it has {}", header->data_bytes(), present);
  return Array{.type = header->type,
               .shape = std::move(header->shape),
               .is_fortran = header->is_fortran,
               .data = bytes.data() + header->data_offset,
               .count = header->count,
               .name = {},
               .path = {},
               .memory = file,
               .file = file};
}

bool is_picture(std::string_view text) { return text.starts_with("\x89PNG") || text.starts_with("\xff\xd8"); }

// A file without a header: elements of one type.
Result<Array> open_raw(const std::shared_ptr<const Mapping> &file, const InputOptions &options) {
  if (options.column) return misuse("--raw and --column cannot be used together");
  const auto type = parse_element_type(options.raw);
  if (!type) return Failure(type.error());
  const size_t size = file->bytes().size();
  if (size % type->bytes() != 0) return fail("has {} bytes, which are no whole number of {} elements", size, type->name());
  return Array{.type = *type,
               .shape = {size / type->bytes()},
               .data = file->bytes().data(),
               .count = size / type->bytes(),
               .name = {},
               .path = {},
               .memory = file,
               .file = file};
}

Result<Array> open_picture(std::string_view bytes) {
  auto picture = decode_picture(std::string(bytes), Channels::kOfFile);
  if (!picture) return Failure(picture.error());
  std::vector<size_t> shape = {picture->height, picture->width};
  if (picture->channels > 1) shape.push_back(picture->channels);
  if (picture->most > 255) return own(std::move(picture->values), {Scalar::UShort}, shape);
  return own(std::vector<uint8_t>(picture->values.begin(), picture->values.end()), {Scalar::UChar}, shape);
}

// Replaces texts by their ranks in byte order.
Array rank(std::vector<std::string> texts) {
  auto distinct = std::make_shared<std::vector<std::string>>(texts);
  std::ranges::sort(*distinct);
  distinct->erase(std::ranges::unique(*distinct).begin(), distinct->end());
  std::vector<int64_t> ranks(texts.size());
  std::ranges::transform(texts, ranks.begin(), [&](const std::string &text) {
    return std::ranges::lower_bound(*distinct, text) - distinct->begin();
  });
  Array array = own(std::move(ranks), {Scalar::Long}, {texts.size()});
  array.texts = std::move(distinct);
  return array;
}

Array array_of(StoredColumn column) {
  return {.type = {column.is_real ? Scalar::Double : Scalar::Long},
          .shape = {column.count},
          .table = std::make_shared<const CsvTable>(std::move(column.table)),
          .data = column.numbers->bytes().data(),
          .count = column.count,
          .name = {},
          .path = {},
          .memory = column.numbers,
          .file = column.numbers};
}

Result<Array> open_csv(const Mapping &file, CsvOptions wanted, const InputOptions &options) {
  const std::string_view text(reinterpret_cast<const char *>(file.bytes().data()), file.bytes().size());
  Result<CsvColumn> column;
  if (!options.wants_rows && text.size() > memory_for_arrays() / kMemoryOfText) {
    auto stored = store_csv(file, wanted, memory_for_arrays());
    if (stored) return array_of(std::move(*stored));
    column = Failure(stored.error());
  } else {
    column = read_csv(text, wanted);
  }
  if (!column && options.text != InputOptions::Text::kRefused) {
    wanted.is_text = true;
    auto texts = read_csv(text, wanted);
    if (!texts) return Failure(texts.error());
    // A single mistyped number does not turn a column into texts, nor does a missing number if all other fields are numbers.
    const bool may_have_numbers = options.text == InputOptions::Text::kIfNotAllNumbers && texts->words > 0;
    if (texts->numbers > 0 && !may_have_numbers) return Failure(column.error());
    column = std::move(texts);
  }
  if (!column) return Failure(column.error());
  const size_t count = column->is_real ? column->reals.size() : column->integers.size();
  Array array = wanted.is_text    ? rank(std::move(column->texts))
                : column->is_real ? own(std::move(column->reals), {Scalar::Double}, {count})
                                  : own(std::move(column->integers), {Scalar::Long}, {count});
  array.table = std::make_shared<const CsvTable>(std::move(column->table));
  return array;
}

}  // namespace

bool is_table(const std::filesystem::path &path, std::string_view text, const InputOptions &options) {
  if (text.starts_with(kNpy)) return is_text_name(path);
  if (options.column || is_text_name(path)) return true;
  return is_standard_stream(path) && !is_picture(text);
}

CsvOptions csv_options(const std::filesystem::path &path, const InputOptions &options) {
  return {.column = options.column,
          .separator = options.separator.value_or(std::string(1, separator_of(path))),
          .missing = options.missing,
          .may_be_missing = options.may_be_missing,
          .header = options.header,
          .wants_rows = options.wants_rows,
          .is_exact = options.is_exact,
          .option = options.column_option};
}

Result<Array> open_array(const std::filesystem::path &path, const InputOptions &options) {
  const auto file = Mapping::of_file(path);
  if (!file) return Failure(file.error());
  return open_array(path, *file, options);
}

Result<Array> open_array(const std::filesystem::path &path, const std::shared_ptr<const Mapping> &file,
                         const InputOptions &options) {
  const auto bytes = file->bytes();
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  const std::string kind = kind_of(path);
  const bool is_stream = is_standard_stream(path);
  const std::string name = is_stream ? "standard input" : path.string();
  const auto named = [&](Result<Array> array) {
    if (!array) return Result<Array>(fail("'{}' {}", name, printable(array.error())));
    array->name = name;
    array->path = path;
    return array;
  };
  if (!options.raw.empty()) return named(open_raw(file, options));
  if (is_table(path, text, options)) {
    auto array = named(open_csv(*file, csv_options(path, options), options));
    if (array && options.wants_rows) array->file = file;
    return array;
  }
  if (text.starts_with(kNpy) || kind == ".npy") return named(open_npy(file, options));
  if (is_picture(text)) {
    auto array = named(open_picture(text));
    if (array) array->is_picture = true;
    return array;
  }
  if (text.starts_with("PK")) return named(fail("is an archive (.npz?); arrays are read from .npy files"));
  return named(fail(
      "is not an array: it is neither .npy, PNG nor JPEG; for a CSV file give --column, for a file without a header --raw"));
}

std::string shape_text(const std::vector<size_t> &shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace upsweep::cli
