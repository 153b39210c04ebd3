// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of host memory to which the GPU copies without blocking a thread. Short copies to memory unknown to the CUDA driver go
// through them.
#ifndef UPSWEEP_TARGETS_CUDA_STAGING_H
#define UPSWEEP_TARGETS_CUDA_STAGING_H

#include "base/reference.h"
#include "targets/cuda/gpu.h"
#include <mutex>
#include <vector>

namespace upsweep {

constexpr size_t kStagingBytes = size_t{64} << 10;

class Staging {
public:
  explicit Staging(const Gpu &gpu) : gpu_(gpu) {}

  /// kStagingBytes of host memory; the destructor makes them free for reuse.
  class Piece final : public Counted {
  public:
    Piece(Staging &staging, char *bytes) : staging_(staging), bytes_(bytes) {}
    ~Piece() override;
    char *bytes() const { return bytes_; }

  private:
    Staging &staging_;
    char *bytes_;
  };
  /// Null if memory runs out. The GPU's context must be the calling thread's.
  Ref<Piece> take();

private:
  const Gpu &gpu_;
  std::mutex mutex_;
  std::vector<char *> unused_;  ///< has space for all pieces
  size_t num_pieces_ = 0;
};

}  // namespace upsweep
#endif
