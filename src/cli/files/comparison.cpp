// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads comparisons, and compares elements: integers with integer ends, so that no rounding comes between.
#include "cli/files/comparison.h"

#include "cli/files/parallel.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

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
  // A number, or x, which is none.
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

// Adds "x SIGN number".
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

// The ends as values of an integer type; none when no value lies between.
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

// Calls compare(value) for each element.
template <class T, class Compare>
void mark(const std::byte *elements, bool is_swapped, uint8_t *flags, size_t n, const Compare &compare) {
  share_out(n, kPiece, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      std::array<std::byte, sizeof(T)> bytes;
      std::memcpy(bytes.data(), elements + i * sizeof(T), sizeof(T));
      if (is_swapped) std::reverse(bytes.begin(), bytes.end());
      T value;
      std::memcpy(&value, bytes.data(), sizeof(T));
      flags[i] = compare(value) ? 1 : 0;
    }
  });
}

}  // namespace

void Comparison::find(ElementType type, const std::byte *elements, uint8_t *flags, size_t n) const {
  with_scalar(type.scalar, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      const auto ends = integer_ends<T>(*this);
      if (!ends) return static_cast<void>(std::fill_n(flags, n, is_negated ? 1 : 0));
      const auto [first, last] = *ends;
      const bool negated = is_negated;
      mark<T>(elements, type.is_swapped, flags, n, [=](T x) { return (x >= first && x <= last) != negated; });
    } else {
      // Comparisons of a double with an end that no double has are those with the doubles about it; so they are exact.
      const Comparison c = *this;
      mark<T>(elements, type.is_swapped, flags, n, [c](T x) {
        const auto value = static_cast<long double>(x);
        const bool is_between =
            (c.has_least ? value >= c.least : value > c.least) && (c.has_most ? value <= c.most : value < c.most);
        return is_between != c.is_negated;
      });
    }
  });
}

Result<Comparison> parse_comparison(std::string_view text) {
  const auto wrong = [&] {
    return fail("--where '{}': write a comparison of x with numbers, such as 'x > 3', '0 <= x < 5' or 'x != 7'", text);
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
  // A range has two ends that face each other.
  if (before && (first_sign.front() != sign.substr(0, 1).front() || sign.ends_with("==") || sign == "!=" ||
                 first_sign == "!=" || first_sign == "=="))
    return wrong();
  if (!narrow(comparison, sign, *after)) return wrong();
  return comparison;
}

}  // namespace upsweep::cli
