// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between a GPU and the host. Long ones of memory that the CUDA driver does not know go in pieces through pinned memory,
// which several threads fill or empty while other pieces travel; the CUDA driver has one thread do that.
#ifndef UPSWEEP_TARGETS_CUDA_HOST_COPIES_H
#define UPSWEEP_TARGETS_CUDA_HOST_COPIES_H

#include "targets/cuda/helper_threads.h"
#include "targets/cuda/marks.h"
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace upsweep {

bool is_known_to_driver(const Gpu &gpu, const void *pointer);

/// Lives as long as the process.
class HostCopies {
public:
  HostCopies(Marks &marks, HelperThreads &helpers) : marks_(marks), helpers_(helpers) {}

  /// Pinned memory stays for the next copies until the last of these goes.
  std::shared_ptr<void> keep_memory();

  enum class Way { kToGpu, kToHost };
  struct Copy {
    Way way;
    CUdeviceptr gpu;
    char *host;
    size_t bytes;
  };
  /// Gives a copy to the stream. With memory that the CUDA driver does not know it returns when it has no more to do with that,
  /// but for short copies to the GPU. The GPU's context is the calling thread's.
  Result<void> issue(const Copy &copy, CUstream stream);

private:
  struct Piece {
    char *bytes;
    Ref<Mark> last_use;  ///< null: of nothing that is under way
  };
  class Job;
  friend class Job;

  Result<void> give(const Copy &copy, CUstream stream) const;
  std::optional<Piece> take();
  void give_back(Piece piece);
  void free_unused();

  Marks &marks_;
  HelperThreads &helpers_;
  std::mutex mutex_;  ///< guards what follows
  std::vector<Piece> unused_;
  size_t num_pieces_ = 0;
  std::weak_ptr<void> kept_;
};

}  // namespace upsweep
#endif
