// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the passes know beside the IR and hand on from one to the next: the options, the target's machine and the program's
// kernels. It is the result of an analysis of the module that nothing invalidates.
#ifndef UPSWEEP_PASSES_PROGRAM_H
#define UPSWEEP_PASSES_PROGRAM_H

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

#include <optional>
#include <string>
#include <vector>

namespace upsweep::passes {

/// What one call of the CPU's generated inner function runs.
enum class Lanes {
  kVector,  ///< a sub-group, its work-items the lanes of vectors; kernels that cannot be vectorised become scalar
  kScalar,  ///< a work-item
};

struct PassOptions {
  llvm::TargetMachine *machine = nullptr;
  llvm::SmallVector<Library *, 2> libraries;   ///< of the same context: the target's own before what all targets share. None:
                                               ///< the module must be complete
  llvm::SmallVector<Library *, 2> image_rows;  ///< CPU: for the levels of x86-64 whose functions for lanes code may call
  bool optimise = true;                        ///< false: only what correctness and the lanes need (-cl-opt-disable)
  bool fatal_errors = false;                   ///< for opt, which cannot be told of an error otherwise
  bool verify = false;                         ///< check each pass's work and what accesses claim (claimed_alignment.h)
  Lanes lanes = Lanes::kVector;                ///< CPU
  unsigned sub_group_size = 0;  ///< CPU: 4, 8, 16 or 32; 0: 16 with AVX-512, else 8. Kernels may require another one.
  unsigned capability = 75;     ///< GPU: 90 is sm_90
};

/// The memory of a coroutine.
struct Frame {
  uint64_t bytes = 0;
  llvm::Align align;
};

/// The unit functions of a kernel, `void (ptr %group, i32 %first, i32 %x, i32 %y, i32 %z)`. Vector code has one for sub-groups
/// whose lanes all exist and share y and z, and one for any other, and may have more; scalar code has one. Those that wait are
/// coroutines.
struct Units {
  llvm::Function *full = nullptr;    ///< null where `part` is for all sub-groups
  llvm::Function *row = nullptr;     ///< the rest of a row; null in kernels that can tell or that wait
  llvm::Function *column = nullptr;  ///< lanes along `column_axis`, whose id and x change places in the parameters; or null
  unsigned column_axis = 1;          ///< 1 or 2
  bool tells = true;                 ///< the kernel can tell which work-items make a sub-group
  llvm::Function *part = nullptr;    ///< null in scalar code, and where `row` will do
  unsigned lanes = 1;                ///< work-items per unit
  GroupSize sizes{};                 ///< of all work-groups, where they are known: else 0
  bool wait = false;                 ///< they are coroutines (with %frame)
  bool yield = false;                ///< they may yield, not only meet barriers
  Frame frame;                       ///< large enough for each
  llvm::Function *run_sub_group = nullptr;  ///< scalar code with sub-group operations: make_sub_group_runner()
  unsigned sub_group_size = 1;

  [[nodiscard]] bool is_one_item() const { return sizes == GroupSize{1, 1, 1}; }
};

/// A kernel on its way through the passes.
struct Kernel {
  KernelDescription description;
  llvm::Function *item = nullptr;      ///< @f.item; on a GPU the kernel
  llvm::Function *edges = nullptr;     ///< on a GPU, see gpu/gpu_kernels.h
  llvm::Function *textures = nullptr;  ///< on a GPU, see gpu/texture_kernels.h
  llvm::Function *orders = nullptr;    ///< the same
  std::vector<UpsweepTextureUse> texture_uses;
  bool global_ids_alone = false;          ///< see cpu/group_joining.h
  llvm::Function *scalar_item = nullptr;  ///< the item for scalar code, if units in order have another one
  LocalLayout locals;
  Units units;
  std::optional<Units> large;              ///< for launches with large memory objects, if `units` are not for them
  std::vector<const UpsFunction *> sites;  ///< scalar code: the sub-group intrinsic of each call site, in order
  llvm::Function *entry = nullptr;
  llvm::Function *large_entry = nullptr;  ///< for memory objects of `large_bytes` or more; null: `entry` is for all
  uint64_t large_bytes = UINT64_MAX;
  uint32_t joins = 0;  ///< UpsweepJoin
};

struct Program {
  PassOptions options;
  llvm::SmallVector<Kernel, 8> kernels;  ///< in source order
  uint64_t program_scope_bytes = 0;      ///< of all variables, also those that optimisation removes
  llvm::ModuleAnalysisManager *modules = nullptr;
  llvm::FunctionAnalysisManager *functions = nullptr;

  /// The user's error, whose text belongs in the build log: the passes that follow do nothing.
  std::string error;
  [[nodiscard]] llvm::Error take_error();

  /// Passes erase functions by this alone, so that no analysis is left of them.
  void erase(llvm::Function &function) const;

  static bool invalidate(llvm::Module &, const llvm::PreservedAnalyses &, llvm::ModuleAnalysisManager::Invalidator &) {
    return false;
  }
};

/// The kernels that a module's functions show by their names, such as f.item and f.full (ARCHITECTURE.md): so a pass can run on
/// text, without those before it.
[[nodiscard]] llvm::SmallVector<Kernel, 8> find_kernels(llvm::Module &module, unsigned sub_group_size);

class ProgramAnalysis : public llvm::AnalysisInfoMixin<ProgramAnalysis> {
public:
  using Result = Program;
  explicit ProgramAnalysis(PassOptions options) : options_(std::move(options)) {}
  Program run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses) const;

private:
  friend llvm::AnalysisInfoMixin<ProgramAnalysis>;
  static llvm::AnalysisKey Key;  // the name is LLVM's
  PassOptions options_;
};

}  // namespace upsweep::passes
#endif
