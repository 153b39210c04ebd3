// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inputs.h"

#include <climits>
#include <cmath>
#include <random>

namespace upsweep::precision {
namespace {

std::vector<uint64_t> special_numbers(const Format &format) {
  std::vector<double> magnitudes = {0, 0.25, 1.0 / 3, 0.5, 0.75, 1,  1.5, 2,     2.5, 3,  4,
                                    5, 7,    8,       10,  16.5, 35, 100, 171.6, 700, 745};
  magnitudes.insert(magnitudes.end(), {M_PI, M_PI_2, M_PI_4, 11 * M_PI_2, M_LN2, M_E, INFINITY, NAN});
  for (const int exponent : {format.min_exponent - format.digits, format.min_exponent - 1, -format.digits, -format.digits / 2,
                             format.digits - 1, format.digits, format.digits + 1, 31, 63, format.max_exponent - 1})
    if (exponent < format.max_exponent) magnitudes.push_back(std::ldexp(1.0, exponent));
  std::vector<uint64_t> all;
  const uint64_t sign = uint64_t{1} << (format.bytes * 8 - 1);
  for (const double magnitude : magnitudes) {
    const uint64_t bits = encode(format, magnitude);
    for (const uint64_t near : {bits - 1, bits, bits + 1}) {
      if (near != bits && (magnitude == 0 || !std::isfinite(magnitude))) continue;
      all.push_back(near);
      all.push_back(near | sign);
    }
  }
  const uint64_t greatest = encode(format, INFINITY) - 1;
  all.insert(all.end(), {greatest, greatest | sign});
  return all;
}

constexpr int kSpecialIntegers[] = {0,  1,   -1,  2,    -2,   3,     -3,   4,       5,           -5,      7,
                                    10, -24, 127, -149, 1000, -1075, 2098, INT_MAX, INT_MAX - 1, INT_MIN, -INT_MAX};

class RandomPoints {
public:
  explicit RandomPoints(const Format &format) : format_(format) {}

  /// A third are random bits, a third of moderate size, a third near one.
  uint64_t number() {
    const uint64_t bits = random_();
    switch (random_() % 3) {
    case 0: return bits >> (64 - format_.bytes * 8);
    case 1:
      return encode(format_,
                    std::ldexp(static_cast<double>(static_cast<int64_t>(bits)), -64 + static_cast<int>(random_() % 12)));
    default:
      return encode(format_,
                    1 + std::ldexp(static_cast<double>(static_cast<int64_t>(bits)), -63 - static_cast<int>(random_() % 30)));
    }
  }
  int integer() { return static_cast<int>(static_cast<int64_t>(random_()) >> (32 + random_() % 31)); }
  /// An exponent for which x^y is within the range, since most random powers are 0 or infinite.
  uint64_t exponent_for(double x) {
    const double digits = std::ldexp(static_cast<double>(static_cast<int64_t>(random_())), -63) * format_.max_exponent;
    return encode(format_, digits / std::log2(std::fabs(x)));
  }

private:
  const Format &format_;
  std::mt19937_64 random_{20240229};
};

void add_special(Points &points, const std::vector<uint64_t> &numbers, Arguments arguments) {
  for (const uint64_t x : numbers) {
    if (arguments == Arguments::Unary) points.x.push(x);
    if (arguments == Arguments::Integer)
      for (const int n : kSpecialIntegers) points.x.push(x), points.n.push_back(n);
    if (arguments == Arguments::Binary || arguments == Arguments::Ternary)
      for (const uint64_t y : numbers) points.x.push(x), points.y.push(y);
  }
  if (arguments == Arguments::Ternary)
    for (size_t i = 0; i < points.x.size(); ++i) points.z.push(numbers[i * 7 % numbers.size()]);
}

}  // namespace

Points chosen_points(const Format &format, Arguments arguments, size_t random) {
  Points points(format);
  add_special(points, special_numbers(format), arguments);
  RandomPoints numbers(format);
  for (size_t i = 0; i < random; ++i) {
    points.x.push(numbers.number());
    if (arguments == Arguments::Integer) points.n.push_back(numbers.integer());
    if (arguments == Arguments::Unary || arguments == Arguments::Integer) continue;
    points.y.push(i % 4 == 0 ? numbers.exponent_for(points.x[points.x.size() - 1]) : numbers.number());
    if (arguments == Arguments::Ternary) points.z.push(numbers.number());
  }
  return points;
}

Points all_points(const Format &format, uint64_t first, size_t count) {
  Points points(format);
  points.x.resize(count);
  points.x.count_from(first);
  return points;
}

}  // namespace upsweep::precision
