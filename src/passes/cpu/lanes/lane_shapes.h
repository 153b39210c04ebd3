// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a value varies over the lanes of a sub-group: not at all, by a constant step, or anyhow. Steps make contiguous vector
// accesses out of per-lane addresses.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_SHAPES_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_SHAPES_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>

#include "passes/cpu/lanes/lane_control.h"

#include <optional>

namespace upsweep::passes {

/// How the lanes' values of one SSA value lie to each other. A shape speaks of the **active** lanes alone: those that run the
/// instruction, and whose value is not poison. It says nothing about any other lane, lane 0 included: flags (nuw, nsw, exact,
/// disjoint, inbounds, nneg), ranges, alignments and what LLVM derived from a guard hold where the work-item runs, and nowhere
/// else. So nothing that a writer computes for lanes in general, or for lane 0, may rest on them.
///
///   kUniform    All active lanes have the same value. Computed once, with all flags: an active lane's operands are the same.
///   kStep       There is a number `first` such that lane L has first + L × step, modulo 2^bits. `first` need not be what lane
///   0
///               would compute: it comes from the operands' firsts by operations of the ring of integers modulo 2^bits (sums,
///               differences, products and shifts by constants, truncations), without flags (first_of_step()). That an `or`
///               has disjoint operands, for one, is known of the active lanes only, and for these it is a sum: so is `first`.
///   kLooseStep  Two active lanes L and M differ by (L - M) × step + k × 2^wrap for some integer k, modulo 2^bits: the step has
///               passed through an extension or a shift, and may have wrapped between the two. There is no `first`. A vector
///               access takes k for 0 where both lanes take part in it, and computes its place from a lane that is active in it
///               (scalar_at()). That is right for objects smaller than LaneShapes::largest_object(), as two places of one
///               object are less than 2^wrap apart then. A kernel that gets a larger object runs other code
///               (docs/decisions/wrapping-indices.md). A pointer that all lanes use, or none, has a strict step by the same
///               reasoning.
///   kVarying    Nothing is known.
///
/// Steps of integers are sign-extended from their type's bits; types of more than 64 bits have none.
struct Shape {
  enum Kind : uint8_t {
    kUnknown,  ///< not reached yet
    kUniform,
    kStep,
    kLooseStep,
    kVarying
  };
  Kind kind = kUnknown;
  int64_t step = 0;
  uint8_t wrap = kNoWrap;  ///< of a loose step, 32 to kNoWrap

  static constexpr uint8_t kNoWrap = 64;

  bool is_uniform() const { return kind == kUniform; }
  bool has_scalar() const { return kind == kUniform || kind == kStep; }
  bool operator==(const Shape &other) const = default;
};

/// A copy of an instruction with a strict step, to be given the firsts of its operands: without flags, and a sum where it joins
/// disjoint bits.
llvm::Instruction *first_of_step(const llvm::Instruction &instruction);

class LaneShapes {
public:
  LaneShapes(llvm::Function &function, const LaneUniformity &uniformity, const LaneControl &control, Cover cover);

  Shape of(const llvm::Value *value) const;
  /// The bytes of an object from which on a vector access may be wrong because a step wraps between two lanes; nothing where no
  /// object is large enough. For sub-groups of Cover::kAny, whose loose steps are not used, always nothing.
  std::optional<uint64_t> largest_object() const;
  /// Bytes per element when a private variable is kept element by element, the lanes of an element side by side, so that lanes
  /// that use the same index touch contiguous memory; 0 when it is kept lane by lane.
  uint64_t interleaved_bytes(const llvm::AllocaInst *variable) const { return interleaved_.lookup(variable); }
  /// The same for an address computed within such a variable (the offset counts times the number of lanes), else 0.
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
  uint8_t least_wrap_ = Shape::kNoWrap;  ///< of the steps that accesses rely on
  llvm::DenseMap<const llvm::AllocaInst *, uint64_t> interleaved_;
  llvm::DenseMap<const llvm::GetElementPtrInst *, uint64_t> interleaved_gep_;
};

}  // namespace upsweep::passes

#endif
