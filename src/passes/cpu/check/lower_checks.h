// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks in the code of single work-items, and the checker's intrinsics in units.
#ifndef UPSWEEP_PASSES_CPU_CHECK_LOWER_CHECKS_H
#define UPSWEEP_PASSES_CPU_CHECK_LOWER_CHECKS_H

#include "passes/program.h"

#include <llvm/IR/IRBuilder.h>

namespace upsweep::passes {

/// Turns the checks of a kernel that still has an item into tests and branches.
void lower_checks(Kernel &kernel, Program &program);

/// Replaces __ups_bounds, __ups_find_object and __ups_report in a unit; null for other intrinsics and for reports, which have
/// no result. `axis`: the dimension of the lanes.
llvm::Value *lower_report(llvm::IRBuilder<> &builder, Ups intrinsic, llvm::CallInst &call, unsigned axis);

/// The pointer of a hook, by its offset in UpsweepHooks.
llvm::Value *load_group_hook(llvm::IRBuilder<> &builder, llvm::Value *group, size_t offset);
/// A variable of a unit that all calls of hooks share, and the values in it.
llvm::AllocaInst *report_place(llvm::Function &unit, llvm::Type *element, uint64_t count, llvm::StringRef name);
void store_report(llvm::IRBuilder<> &builder, llvm::Value *place, llvm::ArrayRef<llvm::Value *> values);

// Checked barriers (lower_meetings.cpp).

/// The number of values that a call of Ups::kMeetAt compares.
uint32_t num_meeting_values(const llvm::CallInst &meeting);
/// A call of Ups::kMeetRow, for the lanes of a unit.
void add_meeting_row(llvm::IRBuilder<> &builder, llvm::Value *site, llvm::Value *values, llvm::Value *lanes, uint32_t stride,
                     uint32_t unit_lanes);
/// Turns Ups::kMeetAt into Ups::kMeetRow in the code of single work-items.
void lower_meetings_of_one(llvm::Function &item);
/// Calls the hook in a unit.
void lower_meeting(llvm::IRBuilder<> &builder, llvm::CallInst &call, unsigned sub_group_size, unsigned axis);
/// Calls the hook at each return of an entry.
void end_meetings(llvm::Function &entry);
/// The race check's events in the code of a single work-item.
void lower_item_races(llvm::Function &item);

/// Replaces __ups_race_row and __ups_race_meet in a unit by a call of the hook.
void lower_race(llvm::IRBuilder<> &builder, llvm::CallInst &call, unsigned axis, unsigned sub_group_size);

}  // namespace upsweep::passes
#endif
