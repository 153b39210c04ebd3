// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C printf conversions: %[flags][width][.precision][vector][length]conversion, each printed by the host's snprintf.
#include "runtime/printf/printf_format.h"

#include <CL/cl_half.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace upsweep {
namespace {

enum class Length { kNone, kChar, kShort, kWord, kLong };  // "", hh, h, hl, l

struct Conversion {
  std::string flags;        ///< flags, width and precision as in the format; snprintf takes them unchanged
  unsigned components = 0;  ///< 0 for a scalar
  Length length = Length::kNone;
  char letter = 0;
};

/// Reads the packed arguments one by one.
class ArgumentReader {
public:
  explicit ArgumentReader(const void *arguments) : next_(static_cast<const char *>(arguments)) {}

  const char *take(size_t bytes) {
    const char *here = next_;
    next_ += (bytes + 7) / 8 * 8;
    return here;
  }

private:
  const char *next_;
};

template <typename T>
T load(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

void append_digits(const char *&at, std::string &to) {
  while (*at >= '0' && *at <= '9') to += *at++;
}

/// Parses an optional vector specifier at `at`; false if it is malformed.
bool parse_vector(const char *&at, Conversion &conversion) {
  if (*at != 'v') return true;
  std::string digits;
  append_digits(++at, digits);
  for (unsigned n : {2U, 3U, 4U, 8U, 16U})
    if (digits == std::to_string(n)) conversion.components = n;
  return conversion.components != 0;
}

Length parse_length(const char *&at) {
  auto accept = [&](std::string_view text) {
    if (std::string_view(at).substr(0, text.size()) != text) return false;
    at += text.size();
    return true;
  };
  if (accept("hh")) return Length::kChar;
  if (accept("hl")) return Length::kWord;
  if (accept("h")) return Length::kShort;
  // OpenCL C lacks C's names for 64-bit integers, but they are common and unambiguous.
  if (accept("ll") || accept("l") || accept("z") || accept("j") || accept("t")) return Length::kLong;
  return Length::kNone;
}

/// Parses the conversion that starts after '%'; advances `at` past it only on success.
bool parse_conversion(const char *&at, Conversion &conversion) {
  const char *p = at;
  while (*p && std::strchr("-+ #0", *p)) conversion.flags += *p++;
  append_digits(p, conversion.flags);
  if (*p == '.') {
    conversion.flags += *p++;
    append_digits(p, conversion.flags);
  }
  if (!parse_vector(p, conversion)) return false;
  conversion.length = parse_length(p);
  if (!*p || !std::strchr("diouxXfFeEgGaAcsp%", *p)) return false;
  if (conversion.components && std::strchr("csp%", *p)) return false;
  conversion.letter = *p++;
  at = p;
  return true;
}

template <typename T>
void append_printed(const std::string &specification, T value, std::string &out) {
  const int length = std::snprintf(nullptr, 0, specification.c_str(), value);
  if (length < 0) return;  // a width that does not fit into an int prints nothing
  const size_t start = out.size();
  out.resize(start + static_cast<size_t>(length) + 1);
  std::snprintf(out.data() + start, static_cast<size_t>(length) + 1, specification.c_str(), value);
  out.pop_back();
}

bool is_floating(char letter) { return std::strchr("fFeEgGaA", letter) != nullptr; }

/// Loads an integer of `bytes` bytes and extends it by the conversion's signedness.
int64_t load_integer(const char *from, size_t bytes, bool is_signed) {
  switch (bytes) {
  case 1: return is_signed ? load<int8_t>(from) : load<uint8_t>(from);
  case 2: return is_signed ? load<int16_t>(from) : load<uint16_t>(from);
  case 4: return is_signed ? int64_t{load<int32_t>(from)} : int64_t{load<uint32_t>(from)};
  default: return load<int64_t>(from);
  }
}

size_t length_bytes(Length length) {
  switch (length) {
  case Length::kChar: return 1;
  case Length::kShort: return 2;
  case Length::kLong: return 8;
  default: return 4;
  }
}

void print_element(const Conversion &conversion, const char *from, size_t bytes, std::string &out) {
  if (is_floating(conversion.letter)) {
    const double value = bytes == 2   ? double{cl_half_to_float(load<cl_half>(from))}
                         : bytes == 4 ? double{load<float>(from)}
                                      : load<double>(from);
    append_printed("%" + conversion.flags + conversion.letter, value, out);
    return;
  }
  const bool is_signed = conversion.letter == 'd' || conversion.letter == 'i';
  const long long value = load_integer(from, bytes, is_signed);
  append_printed("%" + conversion.flags + "ll" + conversion.letter, value, out);
}

void print_vector(const Conversion &conversion, ArgumentReader &arguments, std::string &out) {
  const size_t bytes = length_bytes(conversion.length);
  const unsigned stored = conversion.components == 3 ? 4 : conversion.components;
  const char *from = arguments.take(bytes * stored);
  for (unsigned i = 0; i < conversion.components; ++i) {
    if (i) out += ',';
    print_element(conversion, from + i * bytes, bytes, out);
  }
}

void print_scalar(const Conversion &conversion, ArgumentReader &arguments, std::string &out, const StringAt &string_at) {
  switch (conversion.letter) {
  case '%': out += '%'; return;
  case 'c': append_printed("%" + conversion.flags + "c", load<int>(arguments.take(8)), out); return;
  case 's': {
    const auto address = load<uint64_t>(arguments.take(8));
    const std::string text = address ? string_at(address) : "(null)";
    append_printed("%" + conversion.flags + "s", text.c_str(), out);
    return;
  }
  case 'p': append_printed("%" + conversion.flags + "p", load<const void *>(arguments.take(8)), out); return;
  default:
    // Argument promotion widened floating-point scalars to double and small integers to int; hh and h narrow the int again.
    print_element(conversion, arguments.take(8), is_floating(conversion.letter) ? 8 : length_bytes(conversion.length), out);
  }
}

}  // namespace

std::string string_in_host_memory(uint64_t address) { return reinterpret_cast<const char *>(address); }

bool format_printf(const char *format, const void *packed, std::string &out, const StringAt &string_at) {
  ArgumentReader arguments(packed);
  for (const char *at = format; *at;) {
    if (*at != '%') {
      out += *at++;
      continue;
    }
    const char *next = at + 1;
    Conversion conversion;
    if (!parse_conversion(next, conversion)) {
      out += at;
      return false;
    }
    if (conversion.components)
      print_vector(conversion, arguments, out);
    else
      print_scalar(conversion, arguments, out, string_at);
    at = next;
  }
  return true;
}

}  // namespace upsweep
