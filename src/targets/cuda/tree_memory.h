// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a tree of commands on a GPU (tree_abi.h): the ring for its kernels' messages, the data that they read, and
// space for the items of grids. A tree owns one such memory at a time; later trees reuse it.
#ifndef UPSWEEP_TARGETS_CUDA_TREE_MEMORY_H
#define UPSWEEP_TARGETS_CUDA_TREE_MEMORY_H

#include "runtime/commands/command_body.h"
#include "targets/cuda/code_object.h"
#include "targets/cuda/gpu_command.h"
#include "targets/cuda/helper_threads.h"
#include "targets/cuda/message_ring.h"
#include "targets/cuda/tree_abi.h"
#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace upsweep {

/// A piece of host memory that grids read, directly or through a copy in the GPU's memory.
struct TreeChunk {
  static constexpr uint64_t kBytes = uint64_t{8} << 20;
  char *host = nullptr;
  CUdeviceptr device = 0;
  uint64_t used = 0;
  uint32_t grids = 0;  ///< grids that read it and have not ended
};

class TreeMemory {
public:
  static constexpr size_t kChunks = 3;

  static constexpr size_t kMostBlocks = 4096;  ///< per program

  explicit TreeMemory(const Gpu &gpu) : gpu_(gpu) {}
  ~TreeMemory();
  TreeMemory(const TreeMemory &) = delete;
  TreeMemory &operator=(const TreeMemory &) = delete;
  /// The GPU's context must be the calling thread's, as for all functions below.
  Result<void> allocate();

  /// Call it if events may be left over: the next launch starts without them.
  void forget() { constants_.clear(); }
  /// Call it if parts of the launch were not started, or messages were not read.
  void abandon() {
    forget();
    is_abandoned_ = true;
  }
  /// Writes the data for the kernels of a launch, in `stream` before the launch.
  Result<void> prepare(const Launch &launch, const CudaCode &code, uint64_t most_local_bytes, CUstream stream);

  CUstream stream(size_t i) const { return streams_[i]; }
  CUstream copy_stream() const { return streams_[UPSWEEP_TREE_GRIDS]; }
  /// The error is that of a failed stream.
  Result<bool> are_streams_idle() const;
  GpuCommands &commands() { return commands_; }
  CUdeviceptr tree() const { return tree_; }
  std::array<TreeChunk, kChunks> &chunks() { return chunks_; }

  /// UpsweepTree::ends: the number of slots reserved when the grid ended; kRunning before.
  std::atomic_ref<uint64_t> end_of(size_t grid) const { return std::atomic_ref(ends_[grid]); }
  static constexpr uint64_t kRunning = UINT64_MAX;

  MessageRing &ring() { return ring_; }
  const MessageRing &ring() const { return ring_; }

  void return_bytes(uint32_t queue, uint64_t bytes);
  void return_event_place(uint32_t place);
  /// Stores the times of a complete event for kernels that capture them.
  void tell_times(uint64_t event, const std::array<uint64_t, 2> &values);

private:
  /// Number of launches after which the entries of forgotten events are reused in any case.
  static constexpr uint32_t kMostUnprepared = 1000;
  std::vector<std::byte> constants(const Launch &launch, const CudaCode &code, uint64_t most_local_bytes) const;
  Result<void> check(CUresult result, const char *what) const { return gpu_.driver.check(result, CL_OUT_OF_RESOURCES, what); }

  const Gpu &gpu_;
  MessageRing ring_;
  uint64_t *slots_ = nullptr;  ///< of the ring
  UpsweepTreeHost *host_ = nullptr;
  uint64_t *ends_ = nullptr;
  UpsweepTree *prepared_ = nullptr;  ///< in host memory
  CUdeviceptr tree_ = 0;
  CUdeviceptr events_ = 0;  ///< the events' table, then the grids' counts of ended work-groups
  std::array<CUstream, UPSWEEP_TREE_GRIDS + 1> streams_{};
  std::array<TreeChunk, kChunks> chunks_;
  std::array<uint32_t, 3> most_items_{};  ///< limits of a work-group
  std::vector<std::byte> constants_;      ///< the current contents of tree_
  bool is_abandoned_ = false;
  uint32_t num_unprepared_ = 0;  ///< launches that reused the contents
  GpuCommands commands_;
};

/// Pool of the memories of a GPU's trees. A helper thread relieves the rings of running trees.
class TreeMemories {
public:
  /// Both must live as long as the process.
  TreeMemories(const Gpu &gpu, HelperThreads &helpers) : gpu_(gpu), helpers_(helpers) {}
  Result<std::unique_ptr<TreeMemory>> take();
  void give_back(std::unique_ptr<TreeMemory> memory);

private:
  void note_use(TreeMemory &memory);
  [[noreturn]] void relieve_rings();

  const Gpu &gpu_;
  HelperThreads &helpers_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<TreeMemory>> unused_;
  std::vector<TreeMemory *> used_;
  bool has_thread_ = false, sleeps_ = false;  ///< state of the thread that relieves rings
  std::condition_variable filled_;            ///< notified when used_ gets an element while the thread sleeps
};

}  // namespace upsweep
#endif
