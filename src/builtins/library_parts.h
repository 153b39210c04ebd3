// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the OpenCL C library that contains a function: a rule shared by the build, which distributes the functions, and the
// compiler, which looks them up.
#ifndef UPSWEEP_BUILTINS_LIBRARY_PARTS_H
#define UPSWEEP_BUILTINS_LIBRARY_PARTS_H

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MD5.h>

namespace upsweep {

/// Independent of the machine, unlike LLVM's hash of a string.
inline size_t library_part(llvm::StringRef name, size_t parts) {
  return llvm::MD5::hash(llvm::arrayRefFromStringRef(name)).low() % parts;
}

}  // namespace upsweep
#endif
