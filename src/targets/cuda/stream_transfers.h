// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers that a stream runs: within the GPU's memory, or between it and host memory.
#ifndef UPSWEEP_TARGETS_CUDA_STREAM_TRANSFERS_H
#define UPSWEEP_TARGETS_CUDA_STREAM_TRANSFERS_H

#include "runtime/commands/transfer.h"
#include "targets/cuda/fill_kernel.h"
#include "targets/cuda/host_copies.h"
#include "targets/cuda/staging.h"

namespace upsweep {

/// Runs the transfers that placement.h assigns to streams.
class StreamTransfers {
public:
  /// `target` is the GPU's target.
  StreamTransfers(const Gpu &gpu, Target &target, HostCopies &host_copies)
      : gpu_(gpu), target_(target), host_copies_(host_copies), staging_(gpu), fill_kernel_(gpu) {}

  /// Whether issue() may block until the stream has run the transfer: it is long, and the CUDA driver does not know the host
  /// memory.
  bool may_block(const Transfer &transfer) const;

  /// Declares the transfer's accesses and passes it to the stream. `may_fail`: the transfer may end without writing. The GPU's
  /// context must be the calling thread's. The transfer must stay in place until the returned function has run.
  Result<AfterStream> issue(const Transfer &transfer, bool may_fail, CUstream stream);

  FillKernel &fill_kernel() { return fill_kernel_; }

private:
  Result<AfterStream> copy(const CopyTransfer &copy, CUstream stream);
  Result<AfterStream> map(const MapTransfer &map, CUstream stream);
  void hint(const HintTransfer &hint, CUstream stream);
  Result<void> copy_box(const CopyTransfer &copy, CUstream stream);
  Result<void> fill(const FillTransfer &fill, CUstream stream);
  Result<AfterStream> fill(const FillRectTransfer &fill, CUstream stream);
  Result<void> check(CUresult result, const char *what) const { return gpu_.driver.check(result, CL_OUT_OF_RESOURCES, what); }

  const Gpu &gpu_;
  Target &target_;
  HostCopies &host_copies_;
  Staging staging_;
  FillKernel fill_kernel_;
};

}  // namespace upsweep
#endif
