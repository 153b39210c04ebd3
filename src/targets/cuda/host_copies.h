// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between a GPU and the host. Long copies of memory unknown to the CUDA driver go in pieces through pinned memory.
// Several threads fill or empty pieces while others are in transfer; the CUDA driver uses one thread.
#ifndef UPSWEEP_TARGETS_CUDA_HOST_COPIES_H
#define UPSWEEP_TARGETS_CUDA_HOST_COPIES_H

#include "targets/cuda/helper_threads.h"
#include "targets/cuda/marks.h"
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace upsweep {

/// CUmemorytype; unknown for memory that the CUDA driver did not allocate or register.
enum class PointerMemory : unsigned { kUnknown = 0, kHost = 1, kDevice = 2 };
PointerMemory memory_type(const Gpu &gpu, const void *pointer);
bool is_known_to_driver(const Gpu &gpu, const void *pointer);

/// Lives as long as the process.
class HostCopies {
public:
  HostCopies(Marks &marks, HelperThreads &helpers) : marks_(marks), helpers_(helpers) {}

  /// Keeps pinned memory for the next copies until the last of these objects is destroyed.
  std::shared_ptr<void> keep_memory();

  enum class Direction { kToGpu, kToHost };
  struct Copy {
    Direction direction;
    CUdeviceptr gpu;
    char *host;
    size_t bytes;
  };
  /// Passes a copy to the stream. If the CUDA driver does not know the host memory, returns when that memory is no longer
  /// needed, except for short copies to the GPU, which the driver buffers. The GPU's context must be the calling thread's.
  Result<void> issue(const Copy &copy, CUstream stream);

private:
  struct Piece {
    char *bytes;
    Ref<Mark> last_use;  ///< null if no transfer uses the piece
  };
  class Job;
  friend class Job;

  Result<void> give(const Copy &copy, CUstream stream) const;
  std::optional<Piece> take();
  void give_back(Piece piece);
  void free_unused();

  Marks &marks_;
  HelperThreads &helpers_;
  std::mutex mutex_;  ///< guards the members below
  std::vector<Piece> unused_;
  size_t num_pieces_ = 0;
  std::weak_ptr<void> kept_;
};

}  // namespace upsweep
#endif
