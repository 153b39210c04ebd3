// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fields of a table: numbers, and marks of missing values.
#ifndef UPSWEEP_CLI_FILES_CSV_FIELD_H
#define UPSWEEP_CLI_FILES_CSV_FIELD_H

#include <cstdint>
#include <string_view>

namespace upsweep::cli {

// A field without surrounding blanks and quotes; doubled quotes inside stay doubled, since numbers have none.
std::string_view value_of(std::string_view field, char separator);

// Decimal numbers, "inf" and "nan", with or without a sign; false for other text, and for integers beyond 64 bits.
bool parse_number(std::string_view value, int64_t &number);
// Numbers too large for a double become infinite, too small numbers 0, as in Python's float().
bool parse_number(std::string_view value, double &number);

// Whether the value is an integer that differs from `number`, the double that was read from it.
bool is_rounded_integer(std::string_view value, double number);

// Whether the value starts like a number, although it may not be one: "0x10", "12:30", "1,5".
bool looks_like_number(std::string_view value);
// looks_like_number() without "inf" and "nan", which may be names.
bool begins_with_digits(std::string_view value);

// "", "NA", "N/A", "null" and similar, which spreadsheets, R, databases and pandas write. "nan" is a number.
bool is_missing(std::string_view value);

}  // namespace upsweep::cli
#endif
