// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each promoted argument starts at the next multiple of 8 bytes.
#include "passes/common/printf_arguments.h"

using namespace llvm;

namespace upsweep::passes {
namespace {

uint64_t packed_bytes(const CallInst &call, unsigned argument) {
  return alignTo(call.getDataLayout().getTypeAllocSize(call.getArgOperand(argument)->getType()), 8);
}

}  // namespace

uint64_t packed_bytes(const CallInst &call) {
  uint64_t bytes = 0;
  for (unsigned i = 1; i < call.arg_size(); ++i) bytes += packed_bytes(call, i);
  return bytes;
}

void store_packed(IRBuilder<> &builder, const CallInst &call, Value *place) {
  uint64_t offset = 0;
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    Value *here = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), place, offset);
    builder.CreateAlignedStore(call.getArgOperand(i), here, Align(8));
    offset += packed_bytes(call, i);
  }
}

}  // namespace upsweep::passes
