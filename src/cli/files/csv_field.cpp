// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads numbers by std::from_chars, which depends on no locale.
#include "cli/files/csv_field.h"

#include "cli/files/csv_record.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>
#include <system_error>

namespace upsweep::cli {
namespace {

// The marks of pandas.read_csv but for NaNs and numbers.
constexpr std::array<std::string_view, 9> kMissing = {"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NULL", "null", "None"};

// std::from_chars knows no plus sign.
std::string_view without_plus(std::string_view value) {
  if (value.starts_with('+') && !value.starts_with("+-")) value.remove_prefix(1);
  return value;
}

}  // namespace

std::string_view value_of(std::string_view field, char separator) {
  field = trim_blanks(field, separator);
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
    field = trim_blanks(field.substr(1, field.size() - 2), '"');  // inside of quotes nothing separates
  return field;
}

bool parse_number(std::string_view value, int64_t &number) {
  value = without_plus(value);
  const char *end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  return !value.empty() && stop == end && error == std::errc{};
}

bool parse_number(std::string_view value, double &number) {
  value = without_plus(value);
  const char *end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (value.empty() || stop != end) return false;
  // std::from_chars does not say whether infinity or 0 is nearer. The program sets no locale, so that the point is a point.
  if (error == std::errc::result_out_of_range) number = std::strtod(std::string(value).c_str(), nullptr);
  return error == std::errc{} || error == std::errc::result_out_of_range;
}

bool looks_like_number(std::string_view value) {
  double number = 0;
  return begins_with_digits(value) || parse_number(value, number);
}

bool begins_with_digits(std::string_view value) {
  if (value.starts_with('+') || value.starts_with('-')) value.remove_prefix(1);
  if (value.starts_with('.') || value.starts_with(',')) value.remove_prefix(1);
  return !value.empty() && value.front() >= '0' && value.front() <= '9';
}

bool is_missing(std::string_view value) { return std::ranges::find(kMissing, value) != kMissing.end(); }

}  // namespace upsweep::cli
