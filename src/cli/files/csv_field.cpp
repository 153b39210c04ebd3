// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses numbers by std::from_chars, which does not depend on the locale.
#include "cli/files/csv_field.h"

#include "cli/files/csv_record.h"
#include "cli/result.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <system_error>

namespace upsweep::cli {
namespace {

// The marks of pandas.read_csv, except NaNs and numbers.
constexpr std::array<std::string_view, 9> kMissing = {"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NULL", "null", "None"};

// std::from_chars does not accept a plus sign.
std::string_view without_plus(std::string_view value) {
  if (value.starts_with('+') && !value.starts_with("+-")) value.remove_prefix(1);
  return value;
}

}  // namespace

std::string_view value_of(std::string_view field, char separator) {
  field = trim_blanks(field, separator);
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
    field = trim_blanks(field.substr(1, field.size() - 2), '"');  // inside quotes, separators do not count
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
  // std::from_chars does not distinguish overflow from underflow. The program sets no locale, so strtod uses a decimal point.
  if (error == std::errc::result_out_of_range) number = std::strtod(std::string(value).c_str(), nullptr);
  return error == std::errc{} || error == std::errc::result_out_of_range;
}

bool is_rounded_integer(std::string_view value, double number) {
  constexpr double kAllHeld = 0x1p53;  // the next integer rounds to it
  if (std::abs(number) < kAllHeld || !std::isfinite(number)) return false;
  if (value.starts_with('+') || value.starts_with('-')) value.remove_prefix(1);
  if (value.find_first_not_of("0123456789") != std::string_view::npos) return false;
  value.remove_prefix(std::min(value.find_first_not_of('0'), value.size()));
  return value != fmt::format("{:.0f}", std::abs(number));
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
