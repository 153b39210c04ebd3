// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's intrinsics for exponents (builtins/intrinsics.def), for a processor of level 0, which lacks these
// instructions.
#include <cstdlib>

extern "C" {
unsigned __ups_level() { return 0; }
#define UPSWEEP_UNREACHED(name)                                                                                                \
  float name##_f32() { std::abort(); }                                                                                         \
  double name##_f64() { std::abort(); }
UPSWEEP_UNREACHED(__ups_scale)
UPSWEEP_UNREACHED(__ups_exponent)
UPSWEEP_UNREACHED(__ups_mantissa)
UPSWEEP_UNREACHED(__ups_significand)
UPSWEEP_UNREACHED(__ups_rsqrt)
}
