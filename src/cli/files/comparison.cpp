// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses comparisons, and compares elements with bounds of the elements' type, so that nothing is rounded.
#include "cli/files/comparison.h"

#include "cli/files/parallel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace upsweep::cli {
namespace {

constexpr size_t kPiece = size_t{1} << 16;
constexpr std::array<std::string_view, 6> kSigns = {"<=", ">=", "==", "!=", "<", ">"};

struct Tokens {
  std::string_view rest;

  void skip_blanks() { rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size())); }
  std::string_view take_sign() {
    skip_blanks();
    for (const auto sign : kSigns)
      if (rest.starts_with(sign)) {
        rest.remove_prefix(sign.size());
        return sign;
      }
    return {};
  }
  // Parses a number, or x, for which the result is empty.
  std::optional<long double> take_number() {
    const std::string copy(rest);
    char *end = nullptr;
    const long double value = std::strtold(copy.c_str(), &end);
    if (end == copy.c_str()) return std::nullopt;
    rest.remove_prefix(static_cast<size_t>(end - copy.c_str()));
    return value;
  }
  bool take_x() {
    skip_blanks();
    if (!rest.starts_with('x')) return false;
    rest.remove_prefix(1);
    skip_blanks();
    return true;
  }
};

std::string_view turned(std::string_view sign) {
  return sign == "<" ? ">" : sign == ">" ? "<" : sign == "<=" ? ">=" : sign == ">=" ? "<=" : sign;
}

// Applies "x SIGN number".
bool narrow(Comparison &comparison, std::string_view sign, long double number) {
  if (sign.empty() || std::isnan(number)) return false;
  if (sign == "==" || sign == "!=") {
    comparison.least = comparison.most = number;
    comparison.is_negated = sign == "!=";
  } else if (sign.front() == '<') {
    comparison.most = number;
    comparison.has_most = sign == "<=";
  } else {
    comparison.least = number;
    comparison.has_least = sign == ">=";
  }
  return true;
}

// The bounds as values of an integer type; empty if no value is between them.
template <class T>
std::optional<std::pair<T, T>> integer_ends(const Comparison &c) {
  long double least = std::ceil(c.least), most = std::floor(c.most);
  if (!c.has_least && least == c.least) least += 1;
  if (!c.has_most && most == c.most) most -= 1;
  least = std::max(least, static_cast<long double>(std::numeric_limits<T>::min()));
  most = std::min(most, static_cast<long double>(std::numeric_limits<T>::max()));
  if (!(least <= most)) return std::nullopt;
  return std::pair(static_cast<T>(least), static_cast<T>(most));
}

// The bounds as values of a floating-point type: the nearest values inside.
template <class T>
std::optional<std::pair<T, T>> real_ends(const Comparison &c) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  T first = static_cast<T>(c.least), last = static_cast<T>(c.most);
  if (first < c.least || (!c.has_least && first == c.least && first < kInfinity)) {
    first = std::nextafter(first, kInfinity);
  } else if (!c.has_least && first == c.least) {
    return std::nullopt;
  }
  if (last > c.most || (!c.has_most && last == c.most && last > -kInfinity)) {
    last = std::nextafter(last, -kInfinity);
  } else if (!c.has_most && last == c.most) {
    return std::nullopt;
  }
  if (!(first <= last)) return std::nullopt;
  return std::pair(first, last);
}

template <bool kSwapped, class T, class Value>
void mark(const std::byte *elements, uint8_t *flags, size_t n, Value first, Value last, bool is_negated) {
  share_out(n, kPiece, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      std::array<std::byte, sizeof(T)> bytes;
      std::memcpy(bytes.data(), elements + i * sizeof(T), sizeof(T));
      if constexpr (kSwapped) std::reverse(bytes.begin(), bytes.end());
      const auto value = static_cast<Value>(std::bit_cast<T>(bytes));
      const bool is_between = (value >= first) & (value <= last);
      flags[i] = is_between != is_negated ? 1 : 0;
    }
  });
}

// Calls f with the bounds as values that compare with elements; empty if no value is between them.
template <class F>
auto with_ends(const Comparison &comparison, ElementType type, const F &f) {
  return with_type(type.scalar, [&](auto zero) {
    using T = decltype(zero);
    // float represents every half.
    using Value = std::conditional_t<std::is_same_v<T, _Float16>, float, T>;
    std::optional<std::pair<Value, Value>> ends;
    if constexpr (std::is_integral_v<T>)
      ends = integer_ends<Value>(comparison);
    else
      ends = real_ends<Value>(comparison);
    return f(zero, ends);
  });
}

// A value in OpenCL C, written by its bits.
template <class T>
std::string literal(T value) {
  if constexpr (std::is_same_v<T, float>) return fmt::format("as_float({}u)", std::bit_cast<uint32_t>(value));
  if constexpr (std::is_same_v<T, double>) return fmt::format("as_double({}ul)", std::bit_cast<uint64_t>(value));
  if constexpr (std::is_same_v<T, uint64_t>) return fmt::format("{}ul", value);
  if constexpr (std::is_integral_v<T>) return fmt::format("as_long({}ul)", static_cast<uint64_t>(static_cast<int64_t>(value)));
}

}  // namespace

void Comparison::find(ElementType type, const std::byte *elements, uint8_t *flags, size_t n) const {
  with_ends(*this, type, [&](auto zero, const auto &ends) {
    using T = decltype(zero);
    using Value = typename std::decay_t<decltype(ends)>::value_type::first_type;
    if (!ends) return static_cast<void>(std::fill_n(flags, n, is_negated ? 1 : 0));
    const auto [first, last] = *ends;
    type.is_swapped ? mark<true, T, Value>(elements, flags, n, first, last, is_negated)
                    : mark<false, T, Value>(elements, flags, n, first, last, is_negated);
  });
}

std::string Comparison::text(ElementType type, std::string_view number) const {
  return with_ends(*this, type, [&](auto, const auto &ends) -> std::string {
    if (!ends) return is_negated ? "true" : "false";
    return fmt::format("({0} >= {1} && {0} <= {2}) != {3}", number, literal(ends->first), literal(ends->second),
                       is_negated ? "true" : "false");
  });
}

Result<Comparison> parse_comparison(std::string_view text) {
  const auto wrong = [&] {
    return misuse("--where '{}': write a comparison of x with numbers, such as 'x > 3', '0 <= x < 5' or 'x != 7'", text);
  };
  Tokens tokens{text};
  Comparison comparison;
  tokens.skip_blanks();
  const auto before = tokens.take_number();
  const auto first_sign = before ? tokens.take_sign() : std::string_view();
  if (before && !narrow(comparison, turned(first_sign), *before)) return wrong();
  if (!tokens.take_x()) return wrong();
  if (before && tokens.rest.empty()) return comparison;
  const auto sign = tokens.take_sign();
  const auto after = tokens.take_number();
  tokens.skip_blanks();
  if (!after || !tokens.rest.empty()) return wrong();
  // A range has two bounds whose signs have the same direction.
  if (before && (first_sign.front() != sign.substr(0, 1).front() || sign.ends_with("==") || sign == "!=" ||
                 first_sign == "!=" || first_sign == "=="))
    return wrong();
  if (!narrow(comparison, sign, *after)) return wrong();
  return comparison;
}

}  // namespace upsweep::cli
