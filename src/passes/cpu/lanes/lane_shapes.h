// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a value varies over the lanes of a sub-group: not at all, by a constant step, or anyhow. Steps make contiguous vector
// accesses out of per-lane addresses.
#ifndef UPSWEEP_PASSES_LANE_SHAPES_H
#define UPSWEEP_PASSES_LANE_SHAPES_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>

#include "passes/cpu/lanes/lane_control.h"

namespace upsweep::passes {

struct Shape {
  enum Kind : uint8_t {
    kUnknown,    ///< not reached yet
    kUniform,    ///< one value
    kStep,       ///< lane 0's value + lane × step, modulo the type's size
    kLooseStep,  ///< the same between any two active lanes of a memory access, but not over lanes that an extension of a
                 ///< narrower integer wraps between (an unsigned `i - 5` that is below 0 in lanes that a guard has switched
                 ///< off)
    kVarying
  };
  Kind kind = kUnknown;
  int64_t step = 0;

  bool is_uniform() const { return kind == kUniform; }
  bool has_scalar() const { return kind == kUniform || kind == kStep; }
  bool operator==(const Shape &other) const { return kind == other.kind && step == other.step; }
};

class LaneShapes {
public:
  LaneShapes(llvm::Function &function, const LaneUniformity &uniformity, const LaneControl &control, Cover cover);

  Shape of(const llvm::Value *value) const;
  /// Bytes per element when a private variable is kept element by element, the lanes of an element side by side, so that lanes
  /// that use the same index touch contiguous memory; 0 when it is kept lane by lane.
  uint64_t interleaved_bytes(const llvm::AllocaInst *variable) const { return interleaved_.lookup(variable); }
  /// The same for an address computed within such a variable (the offset counts times the number of lanes), else 0.
  uint64_t interleaved_address(const llvm::GetElementPtrInst *address) const { return interleaved_gep_.lookup(address); }

private:
  void find_interleaved(llvm::AllocaInst &variable);
  Shape compute(llvm::Instruction &instruction) const;
  Shape compute_extension(const llvm::Instruction &instruction) const;
  Shape compute_variable(const llvm::AllocaInst &variable) const;
  Shape compute_call(const llvm::CallBase &call) const;
  Shape compute_address(llvm::GetElementPtrInst &address) const;
  Shape compute_phi(llvm::PHINode &phi) const;

  const LaneUniformity &uniformity_;
  const LaneControl &control_;
  const llvm::DataLayout &layout_;
  Cover cover_;
  llvm::DenseMap<const llvm::Value *, Shape> shapes_;
  llvm::DenseMap<const llvm::AllocaInst *, uint64_t> interleaved_;
  llvm::DenseMap<const llvm::GetElementPtrInst *, uint64_t> interleaved_gep_;
};

}  // namespace upsweep::passes

#endif
