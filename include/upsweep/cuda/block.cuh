// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans and reductions of the values that the threads of a block hold.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/block/reduce.cuh>
#include <upsweep/cuda/block/running_total.cuh>
#include <upsweep/cuda/block/scan.cuh>
#include <upsweep/cuda/block/segmented_scan.cuh>
#endif
