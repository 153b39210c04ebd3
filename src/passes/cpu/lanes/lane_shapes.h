// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a value varies over the lanes of a sub-group: uniform, by a constant step, or arbitrarily. Steps turn per-lane addresses
// into contiguous vector accesses.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_SHAPES_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_SHAPES_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>

#include "passes/cpu/lanes/lane_control.h"

#include <optional>

namespace upsweep::passes {

/// The relation between the lanes' values of one SSA value. A shape only describes **active** lanes: lanes that run the
/// instruction and whose value is not poison. It says nothing about other lanes, lane 0 included. Flags (nuw, nsw, exact,
/// disjoint, inbounds, nneg), ranges, alignments and facts that LLVM derived from a guard only hold in work-items that run the
/// instruction. So code that computes a value for all lanes, or for lane 0, must not rely on them.
///
///   kUniform    All active lanes have the same value. It is computed once, with all flags, from an active lane's operands.
///   kStep       There is a number `first` such that lane L has first + L × step, modulo 2^bits. `first` need not be lane
///               0's value. It is computed from the operands' firsts by operations modulo 2^bits (sums, differences, products
///               and shifts by constants, truncations), without flags (first_of_step()). For example, an `or` may be known to
///               have disjoint operands in active lanes only; it is a sum there, so `first` is computed as a sum.
///   kLooseStep  Two active lanes L and M differ by (L - M) × step + k × 2^wrap for some integer k, modulo 2^bits: the step has
///               passed through an extension or a shift, and may have wrapped between the two. There is no `first`. A vector
///               access assumes that k is 0 if both lanes take part, and computes its address from an active lane
///               (scalar_at()). This is right for objects smaller than LaneShapes::largest_object(), in which two addresses are
///               less than 2^wrap apart. Kernels that get larger objects run other code (docs/decisions/wrapping-indices.md).
///               By the same reasoning, a pointer that either all lanes use or none has a strict step.
///   kVarying    Nothing is known.
///
/// Steps of integers are sign-extended from their type's width; types of more than 64 bits have no steps.
struct Shape {
  enum Kind : uint8_t {
    kUnknown,  ///< not computed yet
    kUniform,
    kStep,
    kLooseStep,
    kVarying
  };
  Kind kind = kUnknown;
  int64_t step = 0;
  uint8_t wrap = kNoWrap;  ///< of a loose step: 32 to kNoWrap

  static constexpr uint8_t kNoWrap = 64;

  bool is_uniform() const { return kind == kUniform; }
  bool has_scalar() const { return kind == kUniform || kind == kStep; }
  bool operator==(const Shape &other) const = default;
};

/// A copy of an instruction with a strict step, for computing its first from its operands' firsts: without flags, and with a
/// sum in place of an `or` of disjoint bits.
llvm::Instruction *first_of_step(const llvm::Instruction &instruction);

class LaneShapes {
public:
  LaneShapes(llvm::Function &function, const LaneUniformity &uniformity, const LaneControl &control, Cover cover);

  Shape of(const llvm::Value *value) const;
  /// The object size in bytes from which a vector access may be wrong because a step wraps between two lanes; empty if no
  /// object is that large. Always empty for sub-groups of Cover::kAny, whose loose steps are not used.
  std::optional<uint64_t> largest_object() const;
  /// Bytes per element if a private variable is stored element by element; 0 if it is stored lane by lane. The lanes of an
  /// element are contiguous, so lanes with the same index access contiguous memory.
  uint64_t interleaved_bytes(const llvm::AllocaInst *variable) const { return interleaved_.lookup(variable); }
  /// The element size for an address inside such a variable (its offset is multiplied by the number of lanes), otherwise 0.
  uint64_t interleaved_address(const llvm::GetElementPtrInst *address) const { return interleaved_gep_.lookup(address); }

private:
  void find_interleaved(llvm::AllocaInst &variable);
  Shape compute(llvm::Instruction &instruction);
  Shape normal(Shape shape, const llvm::Type &type) const;
  Shape compute_extension(const llvm::Instruction &instruction) const;
  Shape compute_shift(const llvm::Instruction &instruction) const;
  Shape compute_variable(const llvm::AllocaInst &variable) const;
  Shape compute_call(const llvm::CallBase &call) const;
  Shape compute_address(llvm::GetElementPtrInst &address);
  Shape compute_phi(llvm::PHINode &phi) const;
  void find_wraps(llvm::Function &function);
  bool runs_with(const llvm::BasicBlock *block, const llvm::BasicBlock *earlier) const;
  bool moves_uniformly(const llvm::User *user, const llvm::Value &pointer) const;
  bool is_used_by_all(const llvm::Instruction &pointer, const llvm::BasicBlock *block, unsigned depth) const;
  bool has_uses_by_all_alone(const llvm::Instruction &pointer) const;

  const LaneUniformity &uniformity_;
  const LaneControl &control_;
  const llvm::DataLayout &layout_;
  Cover cover_;
  llvm::DenseMap<const llvm::Value *, Shape> shapes_;
  llvm::DenseMap<const llvm::GetElementPtrInst *, uint8_t> taken_for_strict_;
  uint8_t least_wrap_ = Shape::kNoWrap;  ///< of the steps on which accesses rely
  llvm::DenseMap<const llvm::AllocaInst *, uint64_t> interleaved_;
  llvm::DenseMap<const llvm::GetElementPtrInst *, uint64_t> interleaved_gep_;
};

}  // namespace upsweep::passes

#endif
