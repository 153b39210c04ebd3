// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the CUDA driver in software that streams and graphs share.
#ifndef UPSWEEP_TESTS_TARGETS_CUDA_FAKE_STATE_H
#define UPSWEEP_TESTS_TARGETS_CUDA_FAKE_STATE_H

#include "fake_cuda.h"
#include "fake_stream.h"
#include "targets/cuda/cuda_driver.h"
#include <functional>

namespace upsweep::tests {

FakeCuda &fake_cuda();

/// The first check of each call on streams: there is a context, and no kernel has faulted.
CUresult usable();
Stream &stream_of(CUstream stream);

/// Work that a stream runs, or a node of a graph. It has its own copy of the parameters.
using StreamTask = std::function<void(Stream &)>;
StreamTask kernel_task(const CudaKernel &kernel);
/// The copy is not to an array.
StreamTask copy_task(const CudaCopy3D &copy);

}  // namespace upsweep::tests
#endif
