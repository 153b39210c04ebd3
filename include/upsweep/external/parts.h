// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of which sort.h and merge.h are made, for sorts of records whose lengths differ.
//
//   temporary_file   a file without a name; offsets, sizes and addresses are multiples of kPage
//   make_pages<T>(n) uninitialised elements that begin and end with pages, of type pages_of<T>
//   background       a thread that runs tasks in the order of post(); wait() throws the exception of a task
//   run_reader<T>    a sorted run of which one block is in memory while the next one is read
//   merge_runs(runs, out, less, executor)   merges a runs_of<T>. `out` has room() for elements from place() on, and commit(n)
//   takes the
//                    next n of them while the blocks of the runs are in memory
//   reduce_runs(runs, fan_in, merge)        calls merge(first, n) for neighbouring runs until at most fan_in are left
//
// Errors: see sort.h. The order of a number's bits is common::number_order (common/key_order.h).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/external/detail/merge_plan.h>
#include <upsweep/external/detail/merge_runs.h>

namespace upsweep::external {

using detail::background, detail::kPage, detail::make_pages, detail::merge_runs, detail::pages_of, detail::reduce_runs,
    detail::run_reader, detail::runs_of, detail::temporary_file;

}  // namespace upsweep::external
#endif
