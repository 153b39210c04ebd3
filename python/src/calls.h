// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that libupsweep-python-cpu.so and libupsweep-python-cuda.so export to the Python module, which loads them by
// ctypes. Both export the same functions, for arrays in host memory and in GPU memory. Each returns null or the text of an
// error, valid until the next call of the same thread. The text begins with the error's kind: "value: ", "type: ", "zero: " (a
// division), "memory: " or "run: ".
#pragma once

#include <cstdint>

// Types of elements, in the order of upsweep._library.TYPES. An unsigned type follows the signed type of its size.
enum class Type : std::int32_t { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };
inline constexpr int kTypes = 10;

// Operators, in the order of upsweep._library.OPERATORS.
enum class Operator : std::int32_t { plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor };
inline constexpr int kOperators = 7;

// Instructions of an expression, in the order of upsweep._expression.INSTRUCTIONS: values, then functions of two values, of
// one, and of three.
enum class Instruction : std::uint32_t {
  first,
  second,
  constant,
  add,
  subtract,
  multiply,
  floor_divide,
  remainder,
  divide,
  minimum,
  maximum,
  equal,
  not_equal,
  less,
  less_equal,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  negate,
  absolute,
  logical_not,
  invert,
  sqrt,
  exp,
  log,
  log1p,
  choose
};

// An operator as instructions in postfix order, each with an operand (for constants an index) above its lowest 8 bits.
struct Expression {
  const std::uint32_t *code;
  const void *constants;  // has the elements' type
  std::uint32_t length, constant_count;
};

// Arrays in the form of upsweep/cpu/axis.h; counts are elements, not bytes.
struct Scan {
  std::uint64_t batches, length, inner, in_batch, in_along, out_batch, out_along;
  const void *in;
  void *out;
  const void *initial;        // has the input's type; null: the operator's identity
  const std::uint8_t *flags;  // for a scan of one batch that starts again at non-zero flags; else null
  std::int32_t type, op;      // Type and Operator
  std::int32_t is_exclusive, is_backward;
  std::int32_t is_wide;  // the output and the sums have 64 bits; for integers only
  std::int32_t device;   // CUDA's number of the device; -1: the input's device
  void *stream;          // CUDA's
};

// Types of a recurrence's states, in the order of upsweep._recurrence.STATES.
enum class State : std::int32_t { float32, float64, complex64, complex128 };
inline constexpr int kStates = 4;

// x[t] = a[t] * x[t - 1] + b[t] along an axis, in the form of upsweep/cpu/axis.h. `a` and `b` have the strides in_*.
struct Recurrence {
  std::uint64_t batches, length, inner, in_batch, in_along, out_batch, out_along;
  const void *a, *b;
  void *out;
  const void *initial;  // a state for each of batches x inner; null: zeros
  void *last;           // as many; null: not stored
  std::int32_t type;    // State, of all arrays but a real `a`
  std::int32_t has_real_factors, is_backward;
  std::int32_t device;  // CUDA's number of the device; -1: the device of `b`
  void *stream;         // CUDA's
};

// Running minima or maxima along an axis of an array without gaps, and the index along the axis of each.
struct Extremes {
  std::uint64_t batches, length, inner;
  const void *in;
  void *out;
  std::int64_t *indices;
  std::int32_t type, is_minimum, device, reserved;
  void *stream;
};

// An array and the result of a call on it.
struct Array {
  std::uint64_t n;
  const void *in;
  void *out;
  const void *other;   // for each call: flags, edges, offsets
  void *results;       // for each call: indices, counts
  std::uint64_t size;  // for each call: bins, the length of rows, segments
  std::int32_t type, is_descending, device, reserved;
  void *stream;
};

// The keys at `count` places of each row's stable sort, from place `first` on, and the keys' indices in the row.
struct Ranks {
  std::uint64_t rows, length, first, count;
  const void *in;
  void *out;
  std::uint64_t *indices;
  std::int32_t type, is_descending, device, reserved;
  void *stream;
};

// Two sorted arrays, with values for the keys or null.
struct Merge {
  std::uint64_t a_count, b_count;
  const void *a, *b;
  void *out;
  const std::uint64_t *a_values, *b_values;
  std::uint64_t *values_out;
  std::int32_t type, is_descending, device, reserved;
  void *stream;
};

// counts[i] becomes the number of elements from edge i up to the next edge, which may be equal; the last bin includes its
// upper edge. Elements and edges are compared as doubles, or as integers.
struct Histogram {
  std::uint64_t n, bins;
  const void *in;
  const void *edges;  // bins + 1 non-decreasing doubles; with are_exact, numbers of the elements' type, which then has 64 bits
  const double *weights;  // for each element; null: 1. Not in the CUDA part
  void *counts;           // uint64; with weights double
  std::int32_t type, are_exact, device, reserved;
  void *stream;
};

struct Image {
  std::uint64_t height, width, channels, in_pitch, images;
  const void *in;
  void *out;
  const std::int64_t *radii;    // for filters: for each pixel; null: `radius` for all
  std::uint64_t radius, times;  // of filters
  std::int32_t type, is_wide, device, reserved;
  void *stream;
};

extern "C" {
// A bit for each Type that the library was built with.
std::int32_t upsweep_types();
// Sets the number of threads of later calls, 1 to 4096, or 0 for the number at the beginning. Not in the CUDA part.
const char *upsweep_set_threads(std::uint32_t threads);
std::uint32_t upsweep_threads();
const char *upsweep_scan(const Scan *of);
// `out` has a total for each batch and inner element; is_exclusive, is_backward and flags are not read.
const char *upsweep_reduce(const Scan *of);
// upsweep_scan() and upsweep_reduce() with an expression as operator, which has no identity. Exclusive scans need `initial`,
// other scans must not have it, and a reduction of no elements returns it. Not in the CUDA part.
const char *upsweep_scan_by(const Scan *of, const Expression *expression);
const char *upsweep_reduce_by(const Scan *of, const Expression *expression);
// Sums of float64 whose error does not grow with their number; `op`, `initial`, `flags` and `is_exclusive` are not read.
// A reduction writes two numbers for each total, whose unevaluated sum it is. Not in the CUDA part.
const char *upsweep_scan_compensated(const Scan *of);
const char *upsweep_reduce_compensated(const Scan *of);
// Keeps the elements whose byte of `other` is not 0; *results becomes their number.
const char *upsweep_select(const Array *of);
// Keeps the first element of each run of equal ones; *results becomes their number.
const char *upsweep_unique(const Array *of);
// Sorts each row of `size` elements; *results, if not null, becomes the keys' former indices (64 bits) in their row. With
// offsets (64 bits, size + 1 of them) it sorts the segments between them, and moves *results, values of 64 bits, with the
// keys.
const char *upsweep_sort(const Array *of);
// `count` is 1 unless `first` is 0.
const char *upsweep_ranks(const Ranks *of);
const char *upsweep_merge(const Merge *of);
const char *upsweep_histogram(const Histogram *of);
const char *upsweep_summed_area(const Image *of);
const char *upsweep_box_filter(const Image *of);
}
