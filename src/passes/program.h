// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that passes share in addition to the IR: the options, the target machine and the program's kernels. It is the result of
// a module analysis that is never invalidated.
#ifndef UPSWEEP_PASSES_PROGRAM_H
#define UPSWEEP_PASSES_PROGRAM_H

#include "base/checks.h"
#include "base/kernel_description.h"
#include "passes/common/intrinsics.h"
#include "passes/common/library.h"
#include "passes/common/local_variables.h"
#include "targets/cuda/texture_abi.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Alignment.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::passes {

/// The work-items that one call of the CPU's generated unit function runs.
enum class Lanes {
  kVector,  ///< a sub-group, with its work-items as vector lanes; kernels that cannot be vectorised become scalar
  kScalar,  ///< one work-item
};

struct PassOptions {
  llvm::TargetMachine *machine = nullptr;
  /// in the module's context: the target's own before the shared; empty if the module is complete
  llvm::SmallVector<Library *, 2> libraries;
  llvm::SmallVector<Library *, 2> image_rows;  ///< CPU: for the x86-64 levels whose functions for lanes the code may call
  bool optimise = true;                        ///< false: only passes needed for correctness and for lanes (-cl-opt-disable)
  bool fatal_errors = false;                   ///< for opt, which has no other way to report an error
  bool verify = false;                         ///< check each pass's output and the claims of accesses (claimed_alignment.h)
  Lanes lanes = Lanes::kVector;                ///< CPU
  unsigned sub_group_size = 0;  ///< CPU: 4, 8, 16 or 32; 0: 16 with AVX-512, otherwise 8. Kernels may require another size.
  Checks checks;                ///< CPU
  unsigned capability = 75;     ///< GPU: 90 is sm_90
};

/// The memory of a coroutine.
struct Frame {
  uint64_t bytes = 0;
  llvm::Align align;
};

/// The unit functions of a kernel, `void (ptr %group, i32 %first, i32 %x, i32 %y, i32 %z)`. Vector code has a unit for
/// sub-groups whose lanes all exist and share y and z, and a unit for all others, and may have more; scalar code has one. Units
/// that wait are coroutines.
struct Units {
  llvm::Function *full = nullptr;    ///< null if `part` runs all sub-groups
  llvm::Function *row = nullptr;     ///< the rest of a row; null in kernels that can observe sub-groups or that wait
  llvm::Function *column = nullptr;  ///< lanes along `column_axis`, whose id and x are swapped in the parameters; or null
  unsigned column_axis = 1;          ///< 1 or 2
  bool tells = true;                 ///< the kernel can observe the grouping into sub-groups
  llvm::Function *part = nullptr;    ///< null in scalar code, and if `row` suffices
  unsigned lanes = 1;                ///< work-items per unit
  GroupSize sizes{};                 ///< of all work-groups if known, otherwise 0
  bool wait = false;                 ///< the units are coroutines (with %frame)
  bool yield = false;                ///< they may yield, besides waiting at barriers
  Frame frame;                       ///< large enough for each unit
  llvm::Function *run_sub_group = nullptr;  ///< scalar code with sub-group operations: make_sub_group_runner()
  unsigned sub_group_size = 1;

  [[nodiscard]] bool is_one_item() const { return sizes == GroupSize{1, 1, 1}; }
};

/// The work-groups that vector code runs. In others a lane may wait for another lane of its sub-group, so that they take scalar
/// code. A sub-group is in one row where a work-group has one row, or rows of whole sub-groups; the same for planes.
enum class LaneGroups : uint8_t {
  kNone,
  kRows,    ///< where each sub-group is in one row
  kPlanes,  ///< where each sub-group is in one plane
  kAll
};

/// The state of a kernel during the passes.
struct Kernel {
  KernelDescription description;
  llvm::Function *item = nullptr;      ///< @f.item; on a GPU the kernel
  llvm::Function *edges = nullptr;     ///< GPU: see gpu/gpu_kernels.h
  llvm::Function *textures = nullptr;  ///< GPU: see gpu/texture_kernels.h
  llvm::Function *orders = nullptr;    ///< GPU: see gpu/texture_kernels.h
  std::vector<UpsweepTextureUse> texture_uses;
  bool global_ids_alone = false;          ///< see cpu/group_joining.h
  llvm::Function *scalar_item = nullptr;  ///< the item for scalar code, if it differs because units run in order
  LocalLayout locals;
  Units units;
  std::optional<Units> large;  ///< for launches with large memory objects, if `units` do not support these
  LaneGroups lane_groups = LaneGroups::kAll;
  std::unique_ptr<Kernel> scalar;          ///< the code for other work-groups than `lane_groups`; without an entry of its own
  std::vector<const UpsFunction *> sites;  ///< scalar code: the sub-group intrinsic of each call site, in order
  llvm::Function *entry = nullptr;
  llvm::Function *large_entry = nullptr;  ///< for memory objects of `large_bytes` or more; null: `entry` is for all
  uint64_t large_bytes = UINT64_MAX;
  uint32_t joins = 0;  ///< UpsweepJoin
  bool polls = false;  ///< a work-group may wait for another's store
  bool meets = false;  ///< checked: calls Ups::kMeetAt
};

struct Program {
  PassOptions options;
  llvm::SmallVector<Kernel, 8> kernels;  ///< in source order
  uint64_t program_scope_bytes = 0;      ///< of all variables, including those that optimisation removes
  llvm::ModuleAnalysisManager *modules = nullptr;
  llvm::FunctionAnalysisManager *functions = nullptr;

  /// The user's error, for the build log; all later passes do nothing.
  std::string error;
  [[nodiscard]] llvm::Error take_error();

  /// The only way for passes to erase functions: also removes their analyses.
  void erase(llvm::Function &function) const;

  static bool invalidate(llvm::Module &, const llvm::PreservedAnalyses &, llvm::ModuleAnalysisManager::Invalidator &) {
    return false;
  }
};

/// Finds the kernels of a module by the names of their functions, such as f.item and f.full (ARCHITECTURE.md), so that a pass
/// can run on text without earlier passes.
[[nodiscard]] llvm::SmallVector<Kernel, 8> find_kernels(llvm::Module &module, unsigned sub_group_size);

class ProgramAnalysis : public llvm::AnalysisInfoMixin<ProgramAnalysis> {
public:
  using Result = Program;
  explicit ProgramAnalysis(PassOptions options) : options_(std::move(options)) {}
  Program run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses) const;

private:
  friend llvm::AnalysisInfoMixin<ProgramAnalysis>;
  static llvm::AnalysisKey Key;  // LLVM requires this name
  PassOptions options_;
};

}  // namespace upsweep::passes
#endif
