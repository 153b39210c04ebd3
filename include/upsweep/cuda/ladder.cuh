// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ladder of scans, from one thread to one pass over memory: each rung as the documents have it, put right. They are
// here to be read, tested and measured; ladder/arguments.cuh says how they are called.
#pragma once

#include <upsweep/cuda/ladder/blelloch.cuh>
#include <upsweep/cuda/ladder/block_from_warps.cuh>
#include <upsweep/cuda/ladder/block_sums.cuh>
#include <upsweep/cuda/ladder/decoupled_look_back.cuh>
#include <upsweep/cuda/ladder/hillis_steele.cuh>
#include <upsweep/cuda/ladder/hybrid.cuh>
#include <upsweep/cuda/ladder/sequential.cuh>
#include <upsweep/cuda/ladder/three_pass.cuh>
#include <upsweep/cuda/ladder/warp_shuffle.cuh>
