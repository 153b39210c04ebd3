// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills in the terms of the CUDA driver, for streams and for graphs.
#ifndef UPSWEEP_TARGETS_CUDA_COPY_BOX_H
#define UPSWEEP_TARGETS_CUDA_COPY_BOX_H

#include "runtime/commands/transfer.h"
#include "targets/cuda/gpu.h"
#include <functional>
#include <optional>

namespace upsweep {

enum MemoryType : unsigned { kHost = 1, kDevice = 4 };  // kDevice: any memory that the CUDA driver knows, SVM included

/// Location of one side of a copy.
struct Side {
  MemoryType type;
  uint64_t address;
};

/// The side that begins `begin` bytes after a place.
Result<Side> resolve(Target &target, const Place &place, size_t begin);

/// A copy as one call of the CUDA driver; empty if the driver does not support its pitches.
std::optional<CudaCopy3D> box_of(const Gpu &gpu, const CopyTransfer &copy, Side to, Side from);

/// A fill's pattern, which is often a repeated shorter pattern, usually zeros.
struct ShortPattern {
  size_t bytes;       ///< a power of two
  uint32_t word = 0;  ///< the pattern, if it has at most 4 bytes
};
ShortPattern shorten(const FillTransfer &fill);

/// Completes a fill of an image whose first row is filled, by copies of filled bytes in order.
Result<void> repeat_first_row(const FillRectTransfer &fill, const std::function<Result<void>(const CopyTransfer &)> &copy);
/// The fill of the first row; `pattern_bytes` must be a power of two.
FillTransfer first_row(const FillRectTransfer &fill);

}  // namespace upsweep
#endif
