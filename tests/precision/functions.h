// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The math functions as data: the call in a kernel, the permitted error, and the exact value.
#ifndef UPSWEEP_TESTS_PRECISION_FUNCTIONS_H
#define UPSWEEP_TESTS_PRECISION_FUNCTIONS_H

#include <mpfr.h>

#include <iosfwd>
#include <span>
#include <string_view>
#include <variant>

namespace upsweep::precision {

enum class Arguments { Unary, Binary, Integer, Ternary };

// Bounds under -cl-fast-relaxed-math (functions.def).
struct Same {};
struct Ulps {
  double count;
};
struct Steep {};
struct Trigonometric {};
struct TrigonometricPi {};
struct Logarithmic {};
struct Quotient {};
struct Reciprocal {};
using Relaxed = std::variant<Same, Ulps, Steep, Trigonometric, TrigonometricPi, Logarithmic, Quotient, Reciprocal>;

struct Point {
  double x = 0, y = 0, z = 0;
  int n = 0;
};

/// The result to far more digits than any type has, with the special values and signs of zero of C's annex F.
using Exact = void (*)(mpfr_t result, const Point &point);
/// The same as a double: close enough to decide whether MPFR is needed, for types up to float.
using Close = double (*)(const Point &point);

struct Function {
  std::string_view name;
  std::string_view call;
  Arguments arguments;
  double float_bound;
  Relaxed relaxed;
  double double_bound;
  double half_bound;
  bool float_only;
  Exact exact;
  Close close;
};
void PrintTo(const Function &function, std::ostream *out);

/// Whether C permits either zero for these arguments, as for fmax.
bool is_either_zero(const Function &function, const Point &point);

std::span<const Function> functions();

}  // namespace upsweep::precision
#endif
