// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of cl_khr_extended_bit_ops, cl_khr_integer_dot_product, cl_amd_media_ops and cl_amd_media_ops2 as data.
// References follow the formulas of the extensions' texts on 64-bit numbers.
#ifndef UPSWEEP_TESTS_BUILTINS_EXTENSION_FUNCTIONS_H
#define UPSWEEP_TESTS_BUILTINS_EXTENSION_FUNCTIONS_H

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace upsweep::tests {

/// An element type of OpenCL C: its name and number of bits. A value is kept in the low bits of a 64-bit number.
struct Element {
  std::string name;
  unsigned bits;
};

/// A parameter or the result.
struct Place {
  Element element;
  unsigned width = 0;  ///< elements; 0: the overload's width
};

using Bits = std::array<uint64_t, 4>;

/// How arguments are drawn.
enum class Draw : uint8_t {
  kAny,
  kField,  ///< the last two arguments are the offset and the width of a bit field in the first one
};

struct ExtensionFunction {
  std::string name;
  Place result;
  std::vector<Place> parameters;
  Draw draw;
  /// Computes the result's element from one element of each parameter. A parameter with a width of its own passes all
  /// elements, the first in the lowest bits.
  std::function<uint64_t(const Bits &)> reference;
};

std::vector<ExtensionFunction> extension_functions();

}  // namespace upsweep::tests
#endif
