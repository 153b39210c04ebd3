// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ladder of scans, from one thread to one pass over memory: each rung in the documents' form, corrected. It serves for
// reading, tests and measurements, as do the documents' sorts and compactions on top of it; arguments.cuh documents the calls.
#pragma once

#include "blelloch.cuh"
#include "block_from_warps.cuh"
#include "block_sums.cuh"
#include "compaction.cuh"
#include "decoupled_look_back.cuh"
#include "hillis_steele.cuh"
#include "hybrid.cuh"
#include "merge_sort.cuh"
#include "sequential.cuh"
#include "split_sort.cuh"
#include "summed_area.cuh"
#include "three_pass.cuh"
#include "warp_shuffle.cuh"
