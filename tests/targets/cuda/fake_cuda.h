// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters and switches of the CUDA driver in software (fake_cuda.cpp) for tests.
#ifndef UPSWEEP_TESTS_TARGETS_CUDA_FAKE_CUDA_H
#define UPSWEEP_TESTS_TARGETS_CUDA_FAKE_CUDA_H

#include <atomic>
#include <cstddef>

namespace upsweep::tests {

struct FakeCuda {
  std::atomic<bool> is_halted{false};             ///< streams stand still
  std::atomic<bool> refuses_memory{false};        ///< allocations fail, also of pinned memory
  std::atomic<size_t> allocations{0};             ///< of the device, alive
  std::atomic<size_t> advices{0}, prefetches{0};  ///< of managed memory
  std::atomic<bool> refuses_textures{false};
  std::atomic<bool> refuses_arrays{false};
  std::atomic<bool> arrays_fill_memory{false};  ///< no allocation succeeds while there is an array
  std::atomic<size_t> textures{0};              ///< texture objects, alive
  std::atomic<size_t> textures_made{0};
  std::atomic<size_t> arrays{0};  ///< alive
  std::atomic<size_t> copies_to_arrays{0};
  std::atomic<size_t> pinned_bytes{0};       ///< of the host, alive
  std::atomic<size_t> most_pinned_bytes{0};  ///< the largest value of pinned_bytes
  std::atomic<size_t> launches{0};           ///< kernels that were given to streams
  std::atomic<size_t> bytes_up{0};
  std::atomic<size_t> bytes_down{0};
  std::atomic<bool> refuses_nodes{false};    ///< of graphs
  std::atomic<bool> refuses_updates{false};  ///< of nodes
  std::atomic<size_t> graphs{0};             ///< that can be launched, alive
  std::atomic<size_t> graphs_made{0};
  std::atomic<size_t> graph_launches{0};
  std::atomic<size_t> nodes_updated{0};
  std::atomic<int64_t> clock_error_ns{0};  ///< added to the times of events that are recorded from now on
  /// Runs kernels whose names contain "enqueue", in their streams. `parameter` is the first parameter of a block's kernel,
  /// else the third.
  std::atomic<void (*)(const char *name, const void *parameter, unsigned blocks)> run_enqueuing{nullptr};
  /// Called before the launch by threads that launch a block's kernel.
  std::atomic<void (*)()> before_block{nullptr};
  /// Called once by the thread that records an event, when the stream has passed it, before the call returns.
  std::atomic<void (*)()> after_record{nullptr};
};

constexpr const char *kFakeCudaSymbol = "upsweep_fake_cuda";  ///< FakeCuda *()

}  // namespace upsweep::tests
#endif
