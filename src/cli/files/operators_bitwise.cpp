// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitwise operators; signed results have the bits of unsigned results.
#include "cli/files/operator_table.h"

namespace upsweep::cli {
namespace {

template <class T>
const Operator *choose(Operation operation) {
  if (operation == Operation::And) return OperatorOf<T, cpu::bit_and>::table();
  return operation == Operation::Or ? OperatorOf<T, cpu::bit_or>::table() : OperatorOf<T, cpu::bit_xor>::table();
}

}  // namespace

const Operator *find_bitwise(Operation operation, Compute compute) {
  switch (compute) {
  case Compute::U32: return choose<uint32_t>(operation);
  case Compute::U64: return choose<uint64_t>(operation);
  default: return nullptr;
  }
}

}  // namespace upsweep::cli
