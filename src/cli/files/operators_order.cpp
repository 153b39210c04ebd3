// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Minima and maxima.
#include "cli/files/operator_table.h"

namespace upsweep::cli {

const Operator *find_order(Operation operation, Compute compute) {
  return with_compute(compute, [&](auto zero) {
    using T = decltype(zero);
    return operation == Operation::Min ? OperatorOf<T, cpu::minimum>::table() : OperatorOf<T, cpu::maximum>::table();
  });
}

}  // namespace upsweep::cli
