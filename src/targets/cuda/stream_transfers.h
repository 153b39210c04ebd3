// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers that a stream carries out: between memory of the GPU, or that and the host's.
#ifndef UPSWEEP_TARGETS_CUDA_STREAM_TRANSFERS_H
#define UPSWEEP_TARGETS_CUDA_STREAM_TRANSFERS_H

#include "runtime/commands/transfer.h"
#include "targets/cuda/fill_kernel.h"
#include "targets/cuda/host_copies.h"
#include "targets/cuda/staging.h"

namespace upsweep {

/// Of those that way.h lets streams carry out.
class StreamTransfers {
public:
  /// `target` is the GPU's.
  StreamTransfers(const Gpu &gpu, Target &target, HostCopies &host_copies)
      : gpu_(gpu), target_(target), host_copies_(host_copies), staging_(gpu), fill_kernel_(gpu) {}

  /// Whether issue() may keep the calling thread until the stream has carried the transfer out: it is long, and the CUDA driver
  /// does not know the host's memory.
  bool may_block(const Transfer &transfer) const;

  /// Declares the bytes that the transfer reads and writes, and gives it to the stream. `may_fail`: it may come to write
  /// nothing. The GPU's context is the calling thread's. The transfer must stay in place until the returned function has run.
  Result<AfterStream> issue(const Transfer &transfer, bool may_fail, CUstream stream);

private:
  Result<AfterStream> copy(const CopyTransfer &copy, CUstream stream);
  Result<AfterStream> map(const MapTransfer &map, CUstream stream);
  Result<void> copy_box(const CopyTransfer &copy, CUstream stream);
  Result<void> fill(const FillTransfer &fill, CUstream stream);
  Result<void> check(CUresult result, const char *what) const { return gpu_.driver.check(result, CL_OUT_OF_RESOURCES, what); }

  const Gpu &gpu_;
  Target &target_;
  HostCopies &host_copies_;
  Staging staging_;
  FillKernel fill_kernel_;
};

}  // namespace upsweep
#endif
