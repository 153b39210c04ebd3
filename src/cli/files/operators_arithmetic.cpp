// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and products. Integers wrap, so signed results have the bits of unsigned results.
#include "cli/files/operator_table.h"

namespace upsweep::cli {
namespace {

template <class T>
const Operator *choose(bool is_sum) {
  return is_sum ? OperatorOf<T, cpu::plus>::table() : OperatorOf<T, cpu::multiplies>::table();
}

}  // namespace

const Operator *find_arithmetic(Operation operation, Compute compute) {
  const bool is_sum = operation == Operation::Sum;
  switch (compute) {
  case Compute::U32: return choose<uint32_t>(is_sum);
  case Compute::U64: return choose<uint64_t>(is_sum);
  case Compute::F32: return choose<float>(is_sum);
  case Compute::F64: return choose<double>(is_sum);
  default: return nullptr;
  }
}

}  // namespace upsweep::cli
