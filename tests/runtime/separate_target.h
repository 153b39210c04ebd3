// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SeparateTarget: a software device with separate memory and hardware queues that order commands, like a GPU. Its kernels are
// functions of the test with the CPU's calling convention.
#ifndef UPSWEEP_TESTS_RUNTIME_SEPARATE_TARGET_H
#define UPSWEEP_TESTS_RUNTIME_SEPARATE_TARGET_H

#include "runtime/commands/command.h"
#include "runtime/memory/residency.h"
#include "runtime/target.h"
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace upsweep::tests {

/// Added to the addresses of device allocations of unified shared memory, so that an access by the host faults.
constexpr uintptr_t kDeviceAddresses = uintptr_t{1} << 60;

class SeparateTarget final : public Target, private TargetMemory {
public:
  /// The target must live until the process ends.
  explicit SeparateTarget(const char *name);
  ~SeparateTarget() override;

  // Counters that tests read, and switches that they set.
  std::atomic<size_t> bytes_up{0};          ///< that upload() moved
  std::atomic<size_t> bytes_down{0};        ///< that download() moved
  std::atomic<size_t> allocations{0};       ///< alive, apart from memory that it shares with the host
  std::atomic<size_t> hints{0};             ///< hints that reached its hardware queues
  std::atomic<size_t> followers{0};         ///< commands submitted before the commands that they wait for were done
  std::atomic<bool> refuses_memory{false};  ///< allocate() fails
  std::atomic<bool> is_halted{false};       ///< hardware queues stand still
  std::atomic<bool> fails_launches{false};
  std::function<void()> during_allocation;  ///< called by allocate()
  std::function<void()> during_release;     ///< called when memory of allocate_shared() is given back

  const DeviceProperties &properties() const override { return properties_; }
  void submit(Command &command, Share share) override;
  Result<Ref<CodeObject>> load_code(std::span<const uint8_t>) override;
  TargetMemory *memory() override { return this; }
  Result<std::unique_ptr<DeviceMemory>> allocate(size_t bytes, cl_mem_flags flags) override;
  HostMemory allocate_shared(size_t bytes, size_t alignment) override;
  HostMemory allocate_usm(const UsmRequest &request) override;
  Result<void> download(void *to, const DeviceMemory &from, size_t offset, size_t bytes) override;
  Result<void> upload(DeviceMemory &to, size_t offset, const void *from, size_t bytes) override;
  std::unique_ptr<QueueState> open_queue(cl_command_queue_properties) override;
  bool can_follow(const Command &command, const Event &before) const override;

private:
  class Stream;
  struct OpenQueue;

  DeviceProperties properties_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::atomic<size_t> next_stream_{0};
};

}  // namespace upsweep::tests
#endif
