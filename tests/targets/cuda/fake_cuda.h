// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tests set in and ask of the CUDA driver in software (fake_cuda.cpp).
#ifndef UPSWEEP_TESTS_TARGETS_CUDA_FAKE_CUDA_H
#define UPSWEEP_TESTS_TARGETS_CUDA_FAKE_CUDA_H

#include <atomic>
#include <cstddef>

namespace upsweep::tests {

struct FakeCuda {
  std::atomic<bool> is_halted{false};       ///< streams stand still
  std::atomic<bool> refuses_memory{false};  ///< allocations fail, of pinned memory, too
  std::atomic<size_t> allocations{0};       ///< of the device, alive
  std::atomic<bool> refuses_textures{false};
  std::atomic<bool> refuses_arrays{false};
  std::atomic<bool> arrays_fill_memory{false};  ///< no allocation while there is an array
  std::atomic<size_t> textures{0};              ///< texture objects, alive
  std::atomic<size_t> textures_made{0};
  std::atomic<size_t> arrays{0};  ///< alive
  std::atomic<size_t> copies_to_arrays{0};
  std::atomic<size_t> pinned_bytes{0};  ///< of the host, alive
  std::atomic<size_t> launches{0};      ///< kernels that were given to streams
  std::atomic<size_t> bytes_up{0};
  std::atomic<size_t> bytes_down{0};
  /// Runs kernels whose names contain "enqueue", in their streams; `parameter` is the first one of a block's kernel, else the
  /// third.
  std::atomic<void (*)(const char *name, const void *parameter, unsigned blocks)> run_enqueuing{nullptr};
  /// Called by threads that launch a block's kernel, before the launch.
  std::atomic<void (*)()> before_block{nullptr};
  /// Called once, by the thread that has recorded an event, when the stream has passed it and before the call returns.
  std::atomic<void (*)()> after_record{nullptr};
};

constexpr const char *kFakeCudaSymbol = "upsweep_fake_cuda";  ///< FakeCuda *()

}  // namespace upsweep::tests
#endif
