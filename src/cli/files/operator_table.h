// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generates the function table of one operator and type. operators_*.cpp split the operators, so that each compiles fast.
#ifndef UPSWEEP_CLI_FILES_OPERATOR_TABLE_H
#define UPSWEEP_CLI_FILES_OPERATOR_TABLE_H

#include "cli/files/operators.h"

#include <cstring>
#include <limits>
#include <type_traits>
#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/scan.h>

namespace upsweep::cli {

const Operator *find_arithmetic(Operation operation, Compute compute);
const Operator *find_order(Operation operation, Compute compute);
const Operator *find_bitwise(Operation operation, Compute compute);

template <class T, class Op>
struct OperatorOf {
  static std::array<std::byte, 8> bytes_of_value(T value) {
    std::array<std::byte, 8> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
  }
  // A sum that starts with +0 loses the sign of -0; minimum and maximum prefer any number to a NaN.
  static T nothing() {
    if constexpr (std::is_floating_point_v<T> && std::is_same_v<Op, cpu::plus>) return T(-0.0);
    if constexpr (std::is_floating_point_v<T> && (std::is_same_v<Op, cpu::minimum> || std::is_same_v<Op, cpu::maximum>))
      return std::numeric_limits<T>::quiet_NaN();
    return cpu::identity<Op, T>::value();
  }

  static void scan(const void *in, void *to, size_t n, const void *from) {
    T first;
    std::memcpy(&first, from, sizeof(T));
    T *out = static_cast<T *>(to);
    cpu::exclusive_scan(static_cast<const T *>(in), out, n, Op(), first, cpu::default_pool(), cpu::total_to(out + n));
  }
  static void scan_axis(void *values, uint64_t batches, uint64_t length, uint64_t inner) {
    T *all = static_cast<T *>(values);
    cpu::inclusive_scan_of_axis(all, all, cpu::axis{batches, length, inner}, Op());
  }
  static void scan_by_flag(const uint8_t *flags, void *values, size_t n) {
    T *all = static_cast<T *>(values);
    cpu::inclusive_scan_by_flag(flags, all, all, n, Op());
  }
  static void reduce(const void *in, size_t n, void *total) {
    T first;
    std::memcpy(&first, total, sizeof(T));
    cpu::reduce(static_cast<const T *>(in), static_cast<T *>(total), n, Op(), first);
  }
  static void combine(void *totals, const void *in, size_t n) {
    T *all = static_cast<T *>(totals);
    const T *values = static_cast<const T *>(in);
    for (size_t i = 0; i < n; ++i) all[i] = Op()(all[i], values[i]);
  }

  static const Operator *table() {
    static const Operator operators{bytes_of_value(nothing()), scan, scan_axis, scan_by_flag, reduce, combine};
    return &operators;
  }
};

}  // namespace upsweep::cli
#endif
