// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The intrinsics of builtins/intrinsics.def for passes, which must not compare names themselves.
#ifndef UPSWEEP_PASSES_COMMON_INTRINSICS_H
#define UPSWEEP_PASSES_COMMON_INTRINSICS_H

#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>

namespace upsweep::passes {

/// Ups::kLane is __ups_lane; a family of sub-group functions has one value, such as Ups::kSgReduce.
enum class Ups : uint8_t {
  kNone,
#define UPSWEEP_INTRINSIC(id, name, result, parameters, effect, spread) id,
#define UPSWEEP_PASS_INTRINSIC(id, name, effect, spread) id,
#define UPSWEEP_SUB_GROUP_COMBINATION(id, family, spread) id,
#define UPSWEEP_SUB_GROUP_CLUSTERS(id, family, spread) id,
#define UPSWEEP_SUB_GROUP_MOVE(id, family, spread) id,
#define UPSWEEP_IMAGE_HANDLES(id, family, spread) id,
#define UPSWEEP_IMAGE_ACCESSES(id, family, effect, spread) id,
#include "builtins/intrinsics.def"
};

enum class Effect : uint8_t { kAny, kPure, kLatePure, kReads, kWrites, kSubGroup, kMeeting, kPlace, kArithmetic };
enum class Spread : uint8_t { kUniform, kVarying, kByArguments, kByRow };
enum class Operation : uint8_t { kNone, kAdd, kMul, kAnd, kOr, kXor, kSMin, kSMax, kUMin, kUMax, kFAdd, kFMul, kFMin, kFMax };
enum class Element : uint8_t { kNone, kI8, kI16, kI32, kI64, kF16, kF32, kF64 };

struct UpsFunction {
  llvm::StringRef name;
  Ups id = Ups::kNone;
  Effect effect = Effect::kAny;
  Spread spread = Spread::kVarying;
  Operation operation = Operation::kNone;  ///< of sub-group functions
  Element element = Element::kNone;

  /// Exchanges values among the active work-items of a sub-group, such as __ups_sg_*.
  [[nodiscard]] bool is_of_sub_group() const { return effect == Effect::kSubGroup; }
  /// A read or write of texels.
  [[nodiscard]] bool is_image_access() const { return effect == Effect::kReads || effect == Effect::kWrites; }
};

/// The table's row for a function without a body, or for the callee of a direct call; valid forever. A row with Ups::kNone for
/// other values.
[[nodiscard]] const UpsFunction &ups_function(const llvm::Value &value);
/// The row for a name, even if the function has a body.
[[nodiscard]] const UpsFunction &ups_function(llvm::StringRef name);

[[nodiscard]] inline Ups intrinsic_of(const llvm::Value &value) { return ups_function(value).id; }
[[nodiscard]] llvm::StringRef name_of(Ups intrinsic);

[[nodiscard]] bool calls(const llvm::Function &function, Ups intrinsic);

}  // namespace upsweep::passes
#endif
