// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random code of a work-item, as LLVM IR, and the values of each lane of a sub-group: the reference for the shapes.
#ifndef UPSWEEP_TESTS_PASSES_LANE_PROGRAMS_H
#define UPSWEEP_TESTS_PASSES_LANE_PROGRAMS_H

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <random>

namespace upsweep::tests {

/// A function of four uniform numbers and a pointer: arithmetic of 8 to 64 bits on local ids, with flags, nested guards, loops
/// with uniform trip counts that are not nested, loads and stores. Loops are in simplified, closed form (LCSSA).
[[nodiscard]] llvm::Function *draw_item(llvm::Module &module, std::mt19937_64 &random);

/// The value of a lane; empty if it is poison.
using LaneValue = std::optional<llvm::APInt>;

/// The values of an instruction in the lanes that ran it, in one round of the loop around it.
struct Instance {
  std::map<unsigned, LaneValue> lanes;
  const llvm::BasicBlock *from = nullptr;  ///< for a phi: the block that control came from, in the last of them
  std::map<const llvm::Value *, std::map<unsigned, LaneValue>> operands;
};

/// The values of all instructions; empty if the program is undefined for these arguments: a branch on poison, an access with a
/// poison address, or with addresses too far apart (lane_shapes.h).
using Trace = std::map<std::pair<const llvm::Instruction *, unsigned>, Instance>;
[[nodiscard]] std::optional<Trace> run_lanes(const llvm::Function &item, llvm::ArrayRef<llvm::APInt> arguments,
                                             uint64_t first_id, unsigned lanes);

/// The result of an instruction without control flow; empty if it is poison.
[[nodiscard]] LaneValue evaluate(const llvm::Instruction &instruction, llvm::ArrayRef<LaneValue> operands);

}  // namespace upsweep::tests
#endif
