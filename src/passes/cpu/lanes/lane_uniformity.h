// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values and branches are the same for all active lanes of a sub-group: LLVM's uniformity analysis, told what makes
// lanes differ on a CPU, or for kernels of many blocks `huge_divergence`. `full` sub-groups lie in one row of the work-group,
// so that only dimension 0 of a local id varies.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_UNIFORMITY_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_UNIFORMITY_H

#include "passes/common/intrinsics.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace upsweep::passes {

/// The sub-groups that a variant of the code is for.
enum class Cover : uint8_t {
  kFull,  ///< all lanes exist and share y and z
  kRow,   ///< lane 0 and some after it exist and share y and z
  kAny
};
inline bool shares_row(Cover cover) { return cover != Cover::kAny; }

/// What the result of a call says about lanes, whatever its arguments are.
enum class CallLanes { kUniform, kVarying, kByArguments };
CallLanes call_lanes(const llvm::CallBase &call, Cover cover);

class LaneUniformity {
public:
  LaneUniformity(llvm::Function &function, const llvm::DominatorTree &tree, Cover cover);

  bool is_uniform(const llvm::Value &value) const;
  /// Lanes may leave the block by different edges.
  bool has_divergent_branch(const llvm::BasicBlock &block) const;

private:
  bool add_meetings(llvm::Function &function, const llvm::DominatorTree &tree);
  bool lanes_part(const llvm::Loop &loop, const llvm::DominatorTree &tree) const;

  llvm::SmallPtrSet<const llvm::Value *, 8> meetings_;  ///< phis that vary because lanes meet again there
  llvm::TargetTransformInfo lanes_;
  llvm::CycleInfo cycles_;
  mutable llvm::UniformityInfo info_;                                   // its queries are const in effect only
  std::optional<llvm::DenseSet<const llvm::Instruction *>> divergent_;  ///< in place of info_
};

}  // namespace upsweep::passes

#endif
