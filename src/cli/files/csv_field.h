// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fields of a table: numbers, and marks of missing values.
#ifndef UPSWEEP_CLI_FILES_CSV_FIELD_H
#define UPSWEEP_CLI_FILES_CSV_FIELD_H

#include <cstdint>
#include <string_view>

namespace upsweep::cli {

// A field without blanks and quotes around it; two quotes inside stay two, which no number has.
std::string_view value_of(std::string_view field, char separator);

// Decimal numbers, "inf" and "nan", with a sign or without; false if there is anything else, and of integers beyond 64 bits.
bool parse_number(std::string_view value, int64_t &number);
// Numbers too large for a double are infinite, those too small 0: as Python's float() has them.
bool parse_number(std::string_view value, double &number);

// Whether the value begins as a number does, although it may not be read as one, as "0x10", "12:30" and "1,5".
bool looks_like_number(std::string_view value);
// The same without "inf" and "nan", which may be names.
bool begins_with_digits(std::string_view value);

// "", "NA", "N/A", "null" and others that spreadsheets, R, databases and pandas write. "nan" is a number.
bool is_missing(std::string_view value);

}  // namespace upsweep::cli
#endif
