// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a tree of commands on a GPU (tree_abi.h): the ring that its kernels write to, what they read, and room for the
// items of grids. It is used by one tree after the other, each of which takes one for itself.
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

/// A piece of host memory that grids read, directly or as a copy in the GPU's memory.
struct TreeChunk {
  static constexpr uint64_t kBytes = uint64_t{8} << 20;
  char *host = nullptr;
  CUdeviceptr device = 0;
  uint64_t used = 0;
  uint32_t grids = 0;  ///< that read it and have not ended
};

class TreeMemory {
public:
  static constexpr size_t kChunks = 3;

  static constexpr size_t kMostBlocks = 4096;  ///< of a program

  explicit TreeMemory(const Gpu &gpu) : gpu_(gpu) {}
  ~TreeMemory();
  TreeMemory(const TreeMemory &) = delete;
  TreeMemory &operator=(const TreeMemory &) = delete;
  /// The GPU's context is the calling thread's, as for all that follows.
  Result<void> allocate();

  /// Events may be left over: the next launch starts without them.
  void forget() { constants_.clear(); }
  /// Parts of the launch were not started, or what kernels said was not read.
  void abandon() {
    forget();
    is_abandoned_ = true;
  }
  /// Sets what the kernels of a launch see, in `stream` before it.
  Result<void> prepare(const Launch &launch, const CudaCode &code, uint64_t most_local_bytes, CUstream stream);

  CUstream stream(size_t i) const { return streams_[i]; }
  CUstream copy_stream() const { return streams_[UPSWEEP_TREE_GRIDS]; }
  /// The error is that with which one of them has failed.
  Result<bool> are_streams_idle() const;
  GpuCommands &commands() { return commands_; }
  CUdeviceptr tree() const { return tree_; }
  std::array<TreeChunk, kChunks> &chunks() { return chunks_; }

  /// How many slots had been taken when a grid ended: UpsweepTree::ends. kRunning before.
  std::atomic_ref<uint64_t> end_of(size_t grid) const { return std::atomic_ref(ends_[grid]); }
  static constexpr uint64_t kRunning = UINT64_MAX;

  MessageRing &ring() { return ring_; }
  const MessageRing &ring() const { return ring_; }

  void return_bytes(uint32_t queue, uint64_t bytes);
  void return_event_place(uint32_t place);
  /// For kernels that capture the times of an event that is complete.
  void tell_times(uint64_t event, const std::array<uint64_t, 2> &values);

private:
  /// Launches after which forgotten events' places are used again in any case.
  static constexpr uint32_t kMostUnprepared = 1000;
  std::vector<std::byte> constants(const Launch &launch, const CudaCode &code, uint64_t most_local_bytes) const;
  Result<void> check(CUresult result, const char *what) const { return gpu_.driver.check(result, CL_OUT_OF_RESOURCES, what); }

  const Gpu &gpu_;
  MessageRing ring_;
  uint64_t *slots_ = nullptr;  ///< the ring's
  UpsweepTreeHost *host_ = nullptr;
  uint64_t *ends_ = nullptr;
  UpsweepTree *prepared_ = nullptr;  ///< in host memory
  CUdeviceptr tree_ = 0;
  CUdeviceptr events_ = 0;  ///< their table, and the grids' ended work-groups
  std::array<CUstream, UPSWEEP_TREE_GRIDS + 1> streams_{};
  std::array<TreeChunk, kChunks> chunks_;
  std::array<uint32_t, 3> most_items_{};  ///< of a work-group
  std::vector<std::byte> constants_;      ///< that tree_ has
  bool is_abandoned_ = false;
  uint32_t num_unprepared_ = 0;  ///< launches that found them there
  GpuCommands commands_;
};

/// What a GPU's trees take their memory from. A helper thread looks after the rings of those that have some.
class TreeMemories {
public:
  /// Both live as long as the process.
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
  bool has_thread_ = false, sleeps_ = false;  ///< of the thread that looks after rings
  std::condition_variable filled_;            ///< used_ while it sleeps
};

}  // namespace upsweep
#endif
