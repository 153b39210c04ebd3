// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the text of a structured type: a list of tuples (name, type) or (name, type, shape) in Python's syntax. A name may be a
// tuple (title, name), a type another list. Padding has fields without a name.
#include "cli/files/record_type.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace upsweep::cli {
namespace {

constexpr size_t kMostBytes = size_t{1} << 30;  // of a record
constexpr int kMostNested = 16;

Failure damaged() { return fail("has a damaged type of records in its header"); }

class TypeText {
public:
  explicit TypeText(std::string_view text) : all_(text), left_(text) {}

  [[nodiscard]] std::string_view read() const { return all_.substr(0, all_.size() - left_.size()); }
  // Takes the letter, behind blanks.
  bool take(char letter) {
    skip_blanks();
    if (!left_.starts_with(letter)) return false;
    left_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] bool is_at(char letter) {
    skip_blanks();
    return left_.starts_with(letter);
  }
  std::optional<std::string> string() {
    skip_blanks();
    if (!left_.starts_with('\'') && !left_.starts_with('"')) return {};
    const char quote = left_.front();
    std::string text;
    for (size_t i = 1; i < left_.size(); ++i) {
      if (left_[i] == quote) {
        left_.remove_prefix(i + 1);
        return text;
      }
      const bool is_escape = left_[i] == '\\' && i + 1 < left_.size() && (left_[i + 1] == '\\' || left_[i + 1] == quote);
      text += left_[is_escape ? ++i : i];
    }
    return {};
  }
  std::optional<size_t> number() {
    skip_blanks();
    size_t number = 0;
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), number);
    if (error != std::errc{} || number > kMostBytes) return {};
    left_.remove_prefix(static_cast<size_t>(end - left_.data()));
    return number;
  }

private:
  void skip_blanks() { left_.remove_prefix(std::min(left_.find_first_not_of(' '), left_.size())); }

  std::string_view all_, left_;
};

// Bytes of a type that is no list: "<f8", "|S10", "<U3", "<M8[ns]".
Result<size_t> bytes_of_type(std::string_view descr) {
  const bool has_order = !descr.empty() && std::string_view("<>|=").find(descr.front()) != std::string_view::npos;
  const std::string_view code = descr.substr(has_order ? 1 : 0);
  if (code.empty() || std::string_view("biufcSUVmM").find(code.front()) == std::string_view::npos)
    return fail("has records with a field of type '{}', which is not read", descr);
  size_t number = 0;
  const auto [end, error] = std::from_chars(code.data() + 1, code.data() + code.size(), number);
  if (error != std::errc{} || number > kMostBytes) return damaged();
  return code.front() == 'U' ? 4 * number : number;
}

Result<RecordType> parse(TypeText &text, int depth);

// Parses the type of a field's elements.
Result<void> parse_field_type(TypeText &text, RecordField &field, int depth) {
  if (text.is_at('[')) {
    const auto nested = parse(text, depth + 1);
    if (!nested) return Failure(nested.error());
    field.descr = "[...]";
    field.bytes = nested->bytes;
    return {};
  }
  const auto descr = text.string();
  if (!descr) return damaged();
  const auto bytes = bytes_of_type(*descr);
  if (!bytes) return Failure(bytes.error());
  field.descr = *descr;
  field.bytes = *bytes;
  if (const auto type = parse_element_type(*descr); type && type->bytes() == *bytes) field.type = *type;
  return {};
}

// The number of elements of a field: (2, 3), (2,) or 2.
std::optional<size_t> parse_extents(TypeText &text) {
  if (!text.is_at('(')) return text.number();
  text.take('(');
  size_t all = 1;
  while (!text.take(')')) {
    const auto extent = text.number();
    if (!extent || (*extent > 0 && all > kMostBytes / *extent)) return {};
    all *= *extent;
    if (!text.take(',') && !text.is_at(')')) return {};
  }
  return all;
}

Result<RecordField> parse_field(TypeText &text, int depth) {
  RecordField field;
  if (!text.take('(')) return damaged();
  const bool has_title = text.take('(');
  auto name = text.string();
  if (has_title) {
    if (!name || !text.take(',')) return damaged();
    name = text.string();
    if (!text.take(')')) return damaged();
  }
  if (!name || !text.take(',')) return damaged();
  field.name = *name;
  if (auto parsed = parse_field_type(text, field, depth); !parsed) return Failure(parsed.error());
  if (text.take(',') && !text.is_at(')')) {
    const auto extents = parse_extents(text);
    if (!extents || (*extents > 0 && field.bytes > kMostBytes / *extents)) return damaged();
    field.bytes *= *extents;
    field.type = {};
    field.descr += " and a shape";
    text.take(',');
  }
  if (!text.take(')')) return damaged();
  return field;
}

Result<RecordType> parse(TypeText &text, int depth) {
  RecordType type;
  if (depth > kMostNested || !text.take('[')) return damaged();
  while (!text.take(']')) {
    auto field = parse_field(text, depth);
    if (!field) return Failure(field.error());
    field->offset = type.bytes;
    type.bytes += field->bytes;
    if (type.bytes > kMostBytes) return fail("has records of more than {} bytes", kMostBytes);
    type.fields.push_back(std::move(*field));
    if (!text.take(',') && !text.is_at(']')) return damaged();
  }
  return type;
}

}  // namespace

Result<RecordType> parse_record_type(std::string_view text) {
  TypeText reader(text);
  auto type = parse(reader, 0);
  if (!type) return Failure(type.error());
  if (type->bytes == 0) return fail("has records without a byte");
  type->descr = reader.read();
  return type;
}

Result<RecordField> find_field(const RecordType &type, const InputOptions &options) {
  std::string names;
  for (const RecordField &field : type.fields) {
    if (field.name.empty()) continue;
    if (field.name == options.column) {
      if (field.type) return field;
      return fail("has a field '{}' of type {}, which is no single number", field.name, field.descr);
    }
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", field.name);
  }
  if (!options.column) return fail("holds records; choose one of their fields with {}: {}", options.column_option, names);
  return fail("has no field '{}'; its fields are {}", *options.column, names);
}

}  // namespace upsweep::cli
