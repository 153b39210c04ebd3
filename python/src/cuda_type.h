// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA part's functions for one type of elements, and the workspaces of its calls. Compiling for GPUs takes long, so each
// group of a type's functions is a translation unit.
#pragma once

#include "calls.h"

#include <upsweep/cuda/workspace.cuh>

#include <mutex>

namespace upsweep::python {

using ScanCall = cudaError_t (*)(const Scan &);
using ArrayCall = cudaError_t (*)(const Array &);
using HistogramCall = cudaError_t (*)(const Histogram &);
using RanksCall = cudaError_t (*)(const Ranks &);
using MergeCall = cudaError_t (*)(const Merge &);
using RecurrenceCall = cudaError_t (*)(const Recurrence &);
using ImageCall = cudaError_t (*)(const Image &);

// Null if the library was built without it. Signed integers use the sums, products and bits of the unsigned ones.
struct Table {
  ScanCall scan[kTypes][kOperators], scan_segments[kTypes][kOperators], reduce[kTypes][kOperators], scan_wide[kTypes],
      reduce_wide[kTypes];
  ArrayCall select[kTypes], unique[kTypes], sort[kTypes];
  HistogramCall histogram[kTypes];
  RanksCall ranks[kTypes];
  MergeCall merge[kTypes];
  RecurrenceCall linear_recurrence[kStates][2];  // by whether factors are real
  ImageCall summed_area[kTypes], summed_area_wide[kTypes], box_filter[kTypes];
};
Table &table();

// An initialised workspace of the device's stream, with at least `bytes`. Until the lease ends, no other call queues work that
// uses it.
class Lease {
public:
  Lease(int device, cudaStream_t stream, std::size_t bytes);
  const cuda::workspace &space() const { return space_; }

private:
  std::unique_lock<std::mutex> lock_;
  cuda::workspace space_ = cuda::stream_pool;
};

}  // namespace upsweep::python
