// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenCL C library as LLVM bitcode, embedded in the compiler.
#ifndef UPSWEEP_BUILTINS_BUILTINS_H
#define UPSWEEP_BUILTINS_BUILTINS_H

#include <string_view>

namespace upsweep {

/// Bitcode of every OpenCL C function, for spir64, with the names that clang gives them. Meant for llvm::getLazyBitcodeModule and
/// linking only what is needed. What stays undefined: the intrinsics of intrinsics.h and LLVM's.
std::string_view builtins_bitcode();

} // namespace upsweep

#endif
