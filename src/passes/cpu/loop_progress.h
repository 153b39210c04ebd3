// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs that a loop needs no other work-item: accesses that reach a new address in each round, and updates of memory that end
// the loop or prove another work-item's progress.
#ifndef UPSWEEP_PASSES_CPU_LOOP_PROGRESS_H
#define UPSWEEP_PASSES_CPU_LOOP_PROGRESS_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace upsweep::passes {

/// Whether the address differs in each round: all back edges move it by the same constant, and no operation between the counter
/// and the address wraps. Counters of 32 bits and more are assumed not to wrap, since an object would need 2^32 elements.
[[nodiscard]] bool walks_on(const llvm::Value &address, const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/// Whether each round of the loop tries an update or counts.
/// An update that is tried is a compare-exchange whose success leaves the loop. In later rounds it expects its own earlier
/// result, or a load of its address, so that a failure proves a change by another work-item.
/// A counter gets a constant added and is not written otherwise in the loop; a sum beyond a limit leaves the loop.
[[nodiscard]] bool progresses_by_updates(const llvm::Loop &loop, const llvm::DominatorTree &dominators,
                                         const llvm::LoopInfo &loops);

/// Whether an update moves a counter, which the loop does not write otherwise, by a constant: up if `grows`, else down.
[[nodiscard]] bool counts(const llvm::AtomicRMWInst &update, const llvm::Loop &loop, bool grows);

/// The operand of a comparison whose values on the far side of a limit leave the loop at the end of a block: beyond the limit
/// if `grows`, else below. Null for other branches.
[[nodiscard]] llvm::Value *limited_operand(const llvm::BranchInst &branch, const llvm::Loop &loop, bool &grows);

}  // namespace upsweep::passes
#endif
