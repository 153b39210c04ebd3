// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V's types, and LLVM's that stand for them. Pointers keep the type that they point to, which overloads of OpenCL C need.
#ifndef UPSWEEP_COMPILER_SPIRV_TYPES_H
#define UPSWEEP_COMPILER_SPIRV_TYPES_H

#include "compiler/spirv/words.h"

#include "llvm/IR/Type.h"

namespace upsweep::compiler::spirv {

struct Type {
  Op op = Op::OpTypeVoid;
  uint32_t id = 0;
  llvm::Type *llvm = nullptr;
  unsigned width = 0;                                       ///< bits of a number
  uint64_t count = 0;                                       ///< components of a vector, elements of an array
  uint64_t leaves = 1;                                      ///< numbers and pointers in a value, at most 2^48
  uint64_t bytes = 0;                                       ///< of a value in memory; 0: it has none
  unsigned depth = 0;                                       ///< levels of nested types
  const Type *element = nullptr;                            ///< of a vector or an array; of a function the result
  uint32_t pointee = 0;                                     ///< the id of the type that a pointer points to
  spv::StorageClass storage = spv::StorageClass::Function;  ///< of a pointer
  std::vector<const Type *> members;                        ///< of a structure; of a function the parameters
  spv::Dim dim = spv::Dim::Dim1D;                           ///< of an image, as are the following
  bool has_depth = false, is_array = false, has_samples = false;
  spv::AccessQualifier access = spv::AccessQualifier::ReadOnly;  ///< of a pipe, too

  [[nodiscard]] bool is(Op kind) const { return op == kind; }
  [[nodiscard]] bool is_pointer() const { return op == Op::OpTypePointer; }
  [[nodiscard]] bool is_vector() const { return op == Op::OpTypeVector; }
  [[nodiscard]] bool is_composite() const { return op == Op::OpTypeArray || op == Op::OpTypeStruct; }
  /// The component of a vector; of another type itself.
  [[nodiscard]] const Type &scalar() const { return is_vector() ? *element : *this; }
  [[nodiscard]] unsigned lanes() const { return is_vector() ? static_cast<unsigned>(count) : 1; }
  /// True of such numbers, and of vectors of them.
  [[nodiscard]] bool is_integer() const { return scalar().op == Op::OpTypeInt; }
  [[nodiscard]] bool is_float() const { return scalar().op == Op::OpTypeFloat; }
  [[nodiscard]] bool is_bool() const { return scalar().op == Op::OpTypeBool; }
};

/// OpenCL's address space of a storage class. Throws Invalid for a class that kernels do not have.
[[nodiscard]] unsigned address_space(spv::StorageClass storage);

/// OpenCL C's name of a type, such as "uint4*" or "image2d_t". Integers are unsigned, since SPIR-V's have no sign.
[[nodiscard]] std::string source_name(const Type &type, const Type *pointee);

/// "image2d_array_depth": the name of an image type without its suffix.
[[nodiscard]] std::string image_name(const Type &type);

}  // namespace upsweep::compiler::spirv
#endif
