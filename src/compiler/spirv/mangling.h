// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of the OpenCL C library's functions in object files, by the Itanium C++ ABI as Clang extends it for OpenCL.
#ifndef UPSWEEP_COMPILER_SPIRV_MANGLING_H
#define UPSWEEP_COMPILER_SPIRV_MANGLING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace upsweep::compiler::spirv {

/// A parameter's type: a number, a type with a name, a vector of numbers, or a pointer to such a type.
struct CType {
  std::string code;  ///< of a number, such as "f"; of a type with a name that name, such as "ocl_event"
  unsigned lanes = 1;
  bool is_named = false;
  bool is_pointer = false;  ///< to the type described by the other fields, with these qualifiers:
  unsigned space = 0;
  bool is_const = false, is_volatile = false, is_atomic = false;
};

[[nodiscard]] inline CType named(llvm::StringRef name) { return {name.str(), 1, true}; }
[[nodiscard]] inline CType number(llvm::StringRef code, unsigned lanes = 1) { return {code.str(), lanes}; }
[[nodiscard]] CType pointer_to(CType type, unsigned space);
[[nodiscard]] CType as_const(CType type);

[[nodiscard]] std::string mangle(llvm::StringRef name, llvm::ArrayRef<CType> parameters);

}  // namespace upsweep::compiler::spirv
#endif
