// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves that a loop does not need other work-items: accesses with a new address in each iteration, and memory updates that end
// the loop or prove another work-item's progress.
#ifndef UPSWEEP_PASSES_CPU_LOOP_PROGRESS_H
#define UPSWEEP_PASSES_CPU_LOOP_PROGRESS_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace upsweep::passes {

/// Whether the address differs in each iteration: all back edges add the same constant, and no operation between the counter
/// and the address wraps. Counters of at least 32 bits are assumed not to wrap, since an object would need 2^32 elements.
[[nodiscard]] bool walks_on(const llvm::Value &address, const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/// Whether each iteration tries an update or counts.
///
/// Trying an update means a compare-exchange whose success leaves the loop. In later iterations it expects its own earlier
/// result, or a load of its address, so a failure proves a change by another work-item.
///
/// Counting means that a constant is added to a counter, which the loop does not write otherwise; a sum beyond a limit leaves
/// the loop.
[[nodiscard]] bool progresses_by_updates(const llvm::Loop &loop, const llvm::DominatorTree &dominators,
                                         const llvm::LoopInfo &loops);

/// Whether an update changes a counter, which the loop does not write otherwise, by a constant: up if `grows`, otherwise down.
[[nodiscard]] bool counts(const llvm::AtomicRMWInst &update, const llvm::Loop &loop, bool grows);

/// The operand of a comparison for which values beyond a limit leave the loop at the end of a block: above the limit if
/// `grows`, otherwise below. Null for other branches.
[[nodiscard]] llvm::Value *limited_operand(const llvm::BranchInst &branch, const llvm::Loop &loop, bool &grows);

}  // namespace upsweep::passes
#endif
