// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random code of one work-item, as LLVM IR, and what each lane of a sub-group computes in it: the reference for the shapes.
#ifndef UPSWEEP_TESTS_PASSES_LANE_PROGRAMS_H
#define UPSWEEP_TESTS_PASSES_LANE_PROGRAMS_H

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <random>

namespace upsweep::tests {

/// A function of four uniform numbers and a pointer: arithmetic of 8 to 64 bits with flags on local ids, guards within guards,
/// loops of uniform trip counts, none in another, and loads and stores. Loops are simplified and closed (LCSSA).
[[nodiscard]] llvm::Function *draw_item(llvm::Module &module, std::mt19937_64 &random);

/// The value of one lane; nothing where it is poison.
using LaneValue = std::optional<llvm::APInt>;

/// What the lanes that ran an instruction have of it, in one round of the loop around it.
struct Instance {
  std::map<unsigned, LaneValue> lanes;
  const llvm::BasicBlock *from = nullptr;  ///< of a phi: the block that control came from, in the last of them
  std::map<const llvm::Value *, std::map<unsigned, LaneValue>> operands;
};

/// All that the lanes did; nothing where the program is undefined for these arguments: a branch on poison, an access by a
/// poison address, or one of which two places are too far apart (lane_shapes.h).
using Trace = std::map<std::pair<const llvm::Instruction *, unsigned>, Instance>;
[[nodiscard]] std::optional<Trace> run_lanes(const llvm::Function &item, llvm::ArrayRef<llvm::APInt> arguments,
                                             uint64_t first_id, unsigned lanes);

/// The result of an instruction without control flow; nothing where it is poison.
[[nodiscard]] LaneValue evaluate(const llvm::Instruction &instruction, llvm::ArrayRef<LaneValue> operands);

}  // namespace upsweep::tests
#endif
